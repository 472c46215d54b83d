//! All values of a term over few bytes.
//!
//! Invariant: every value that the term has on the path is listed. What constraints over several
//! bytes exclude may be listed all the same.

use super::path::PathCondition;
use crate::expr::{ByteSet, Lanes, Term, Terms};

/// Assignments that are tried at most.
const MOST_ASSIGNMENTS: u64 = 1 << 16;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Byte;
    use crate::ops::{BinOp, CmpOp};

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
}
