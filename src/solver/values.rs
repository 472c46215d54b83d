//! Values of a term, found without queries: all values of a term over few bytes, and whether it has
//! a value other than a known one.
//!
//! Invariant: the list has every value that the term has on the path. It may include values that
//! constraints over several bytes exclude. Another value that is reported as feasible is.

use super::path::PathCondition;
use crate::term::{ByteSet, Lanes, Model, Term, Terms};

/// Assignments that are tried at most.
const MOST_ASSIGNMENTS: u64 = 1 << 16;
/// Bytes of a term that are changed to look for another value.
const MOST_CHANGED: usize = 4;

/// The values, sorted, that a term of at most 64 bits has for the values that the path allows its
/// bytes, each judged alone; nothing if the bytes are too many.
pub fn possible_values(terms: &Terms, path: &PathCondition, term: Term) -> Option<Vec<u64>> {
    if terms.width(term) > 64 {
        return None;
    }
    let program = terms.lane_program(term);
    if program.is_empty() {
        return None;
    }
    let domains: Vec<ByteSet> = program.bytes.iter().map(|&b| path.domain(b)).collect();
    let assignments = domains.iter().try_fold(1u64, |product, domain| {
        let product = product * u64::from(domain.len());
        (product <= MOST_ASSIGNMENTS).then_some(product)
    })?;
    let widest = (0..domains.len()).max_by_key(|&at| domains[at].len())?;
    let lanes: Vec<u8> = domains[widest].iter().collect();
    if lanes.is_empty() {
        return None;
    }
    let mut fixed: Vec<u8> = domains.iter().map(|d| d.first().unwrap_or(0)).collect();
    let mut found = Vec::new();
    let mut out = Vec::new();
    let mut buffers = Lanes::default();
    for number in 0..assignments / lanes.len() as u64 {
        // The number's digits, in a system whose bases are the numbers of values, choose the rest.
        let mut rest = number;
        for (at, domain) in domains.iter().enumerate().filter(|(at, _)| *at != widest) {
            let count = u64::from(domain.len());
            let value = domain.iter().nth((rest % count) as usize);
            fixed[at] = value.unwrap_or(0);
            rest /= count;
        }
        out.clear();
        program.run(&mut buffers, widest, &lanes, &fixed, &mut out);
        found.extend_from_slice(&out);
        found.sort_unstable();
        found.dedup();
    }
    Some(found)
}

/// True if a term surely has other values on the path than `value`, which it has under the model,
/// which satisfies the path: one of its bytes, to which no constraint ties any other byte, gives it
/// another value if changed. False if that is not found out so easily.
pub fn has_another_value(
    terms: &Terms,
    path: &PathCondition,
    model: &Model,
    term: Term,
    value: u128,
) -> bool {
    let support = terms.support(term);
    let is_alone = |byte| path.group(byte).is_none_or(|g| g.constraints.is_empty());
    let alone = support.iter().copied().filter(|&byte| is_alone(byte));
    alone.take(MOST_CHANGED).any(|byte| {
        let domain = path.domain(byte);
        let ends = [domain.first(), domain.last()].into_iter().flatten();
        ends.filter(|&end| end != model.get(byte)).any(|end| {
            let mut changed = model.clone();
            changed.set(byte, end);
            terms.eval(term, &changed) != value
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;
    use homi_ir::ops::{BinOp, CmpOp};

    #[test]
    fn all_values_are_listed_and_no_others() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 3);
        let symbol = |index| terms.symbol(Byte { array, index });
        let mut path = PathCondition::new();
        path.add(
            &terms,
            terms.cmp(CmpOp::Ult, symbol(0), terms.constant(8, 3)),
        );
        path.add(
            &terms,
            terms.cmp(CmpOp::Uge, symbol(1), terms.constant(8, 254)),
        );
        let (a, b) = (terms.zext(symbol(0), 16), terms.zext(symbol(1), 16));
        let scaled = terms.bin(BinOp::Mul, a, terms.constant(16, 1000));
        let sum = terms.bin(BinOp::Add, scaled, b);
        let values = possible_values(&terms, &path, sum);
        assert_eq!(values, Some(vec![254, 255, 1254, 1255, 2254, 2255]));
        let wide = terms.concat(symbol(2), terms.concat(symbol(1), symbol(0)));
        assert_eq!(
            possible_values(&terms, &path, wide).map(|v| v.len()),
            Some(256 * 6)
        );
        let free = terms.concat(terms.concat(symbol(2), symbol(1)), symbol(0));
        let free = terms.bin(BinOp::Xor, free, terms.zext(symbol(2), 24));
        assert!(possible_values(&terms, &PathCondition::new(), free).is_none());
    }

    #[test]
    fn another_value_is_one_that_the_path_allows() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 3);
        let symbol = |index| terms.symbol(Byte { array, index });
        let model = Model::new();
        let other = |path: &PathCondition, term| has_another_value(&terms, path, &model, term, 0);
        let low = terms.bin(BinOp::And, symbol(0), terms.constant(8, 1));
        let sum = terms.bin(BinOp::Add, low, symbol(1));
        let mut path = PathCondition::new();
        assert!(other(&path, low) && other(&path, sum));
        path.add(&terms, terms.eq_const(low, 0));
        assert!(!other(&path, low), "the domain has even values only");
        assert!(other(&path, sum));
        // Byte 1 is tied to byte 2: what it may be is a query.
        let tied = terms.cmp(CmpOp::Ule, symbol(1), symbol(2));
        path.add(&terms, tied);
        assert!(!other(&path, sum));
        path.add(&terms, terms.eq_const(symbol(2), 0));
        assert!(!other(&path, sum), "so byte 1 is 0, too");
    }
}
