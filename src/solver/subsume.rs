//! Constraints that a newer one makes superfluous.
//!
//! Idea: a loop up to a symbolic bound assumes `1 <= n`, `2 <= n`, `3 <= n`, ..., one counting down
//! to nought `n != 0`, `n != 1`, ... Each implies those before it, or together they are one range.
//! So comparisons of one term with constants are kept as its tightest lower and upper bound;
//! otherwise every query about `n` would carry all rounds of the loop. Invariant: the
//! conjunction stays the same.

use crate::term::{Node, Term, Terms};
use homi_ir::ops::{CmpOp, mask, signed};

/// Values that a comparison with a constant allows a term of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    /// From the first to the second value, inclusive, read as signed numbers or not.
    Range { signed: bool, low: i128, high: i128 },
    /// All unsigned values but this one.
    Not(i128),
}

/// Adds a 1-bit term to a conjunction and drops what it makes superfluous. Gives the number of
/// constraints that were there before and still are: those from this position on are new.
pub(super) fn add(terms: &Terms, constraints: &mut Vec<Term>, fresh: Term) -> usize {
    if constraints.contains(&fresh) {
        return constraints.len();
    }
    let Some((term, allowed)) = comparison(terms, fresh) else {
        constraints.push(fresh);
        return constraints.len() - 1;
    };
    match allowed {
        Allowed::Range { signed, low, high } => {
            let range = (low, high);
            add_range(terms, constraints, fresh, (term, signed, range))
        }
        Allowed::Not(value) => add_exclusion(terms, constraints, fresh, (term, value)),
    }
}

fn add_range(
    terms: &Terms,
    constraints: &mut Vec<Term>,
    fresh: Term,
    (term, signed, (low, high)): (Term, bool, (i128, i128)),
) -> usize {
    let width = terms.width(term);
    let mut implied = false;
    constraints.retain(|&constraint| match about(terms, constraint, term) {
        Some(Allowed::Range {
            signed: other,
            low: first,
            high: last,
        }) if other == signed => {
            let allows_less = first >= low && last <= high;
            implied |= allows_less;
            allows_less || first > low || last < high
        }
        Some(Allowed::Not(value)) => {
            let value = as_read(value, width, signed);
            low <= value && value <= high
        }
        _ => true,
    });
    if !implied {
        constraints.push(fresh);
    }
    constraints.len() - usize::from(!implied)
}

/// `term != value`: where it and older ones cut off the low end of what the term can be, they
/// become a lower bound.
fn add_exclusion(
    terms: &Terms,
    constraints: &mut Vec<Term>,
    fresh: Term,
    (term, value): (Term, i128),
) -> usize {
    let of_term = |&constraint: &Term| about(terms, constraint, term);
    let unsigned_low = |allowed: Allowed| match allowed {
        Allowed::Range {
            signed: false, low, ..
        } => Some(low),
        _ => None,
    };
    let least = constraints
        .iter()
        .filter_map(of_term)
        .filter_map(unsigned_low)
        .fold(terms.range(term).0 as i128, i128::max);
    let excluded: Vec<i128> = constraints
        .iter()
        .filter_map(of_term)
        .filter_map(|allowed| match allowed {
            Allowed::Not(value) => Some(value),
            Allowed::Range { .. } => None,
        })
        .chain([value])
        .collect();
    let mut low = least;
    while excluded.contains(&low) {
        low += 1;
    }
    if low < least + 2 || value >= low {
        constraints.push(fresh);
        return constraints.len() - 1;
    }
    let width = terms.width(term);
    let bound = terms.cmp(CmpOp::Uge, term, terms.constant(width, low as u128));
    match comparison(terms, bound) {
        Some((same, Allowed::Range { signed, low, high })) if same == term => {
            add_range(terms, constraints, bound, (term, signed, (low, high)))
        }
        _ => {
            constraints.push(fresh);
            constraints.len() - 1
        }
    }
}

/// The term that a comparison is about, and its only value, if this and the other constraints leave
/// one.
pub(super) fn only_value(
    terms: &Terms,
    constraints: impl Iterator<Item = Term>,
    newest: Term,
) -> Option<(Term, u128)> {
    let (term, _) = comparison(terms, newest)?;
    let width = terms.width(term);
    let (first, last) = terms.range(term);
    let mut unsigned = (first as i128, last as i128);
    let mut signed = (i128::MIN, i128::MAX);
    for constraint in constraints.chain([newest]) {
        if let Some(Allowed::Range {
            signed: is_signed,
            low,
            high,
        }) = about(terms, constraint, term)
        {
            let range = if is_signed {
                &mut signed
            } else {
                &mut unsigned
            };
            *range = (range.0.max(low), range.1.min(high));
        }
    }
    if signed.0 >= 0 {
        unsigned = (unsigned.0.max(signed.0), unsigned.1.min(signed.1));
    }
    let single = |(low, high): (i128, i128)| (low == high).then_some(low as u128 & mask(width));
    Some((term, single(unsigned).or_else(|| single(signed))?))
}

/// Returns the values of a term that a constraint allows.
fn about(terms: &Terms, constraint: Term, term: Term) -> Option<Allowed> {
    let (compared, allowed) = comparison(terms, constraint)?;
    (compared == term).then_some(allowed)
}

/// An unsigned value of `width` bits, read as signed or not.
fn as_read(value: i128, width: u32, as_signed: bool) -> i128 {
    if as_signed {
        signed(width, value as u128)
    } else {
        value
    }
}

/// A comparison of a term with a constant.
fn comparison(terms: &Terms, constraint: Term) -> Option<(Term, Allowed)> {
    let (node, holds) = match terms.node(constraint) {
        Node::Not(inner) => (terms.node(inner), false),
        node => (node, true),
    };
    let Node::Cmp(op, a, b) = node else {
        return None;
    };
    let (op, term, value) = match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(value)) => (op, a, value),
        (Some(value), None) => (swapped(op), b, value),
        _ => return None,
    };
    let width = terms.width(term);
    if width > 64 {
        return None;
    }
    let op = if holds { op } else { op.negated() };
    Some((term, allowed(op, width, value)?))
}

/// `b op a` for `a op b`.
fn swapped(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq | CmpOp::Ne => op,
        CmpOp::Ult => CmpOp::Ugt,
        CmpOp::Ule => CmpOp::Uge,
        CmpOp::Ugt => CmpOp::Ult,
        CmpOp::Uge => CmpOp::Ule,
        CmpOp::Slt => CmpOp::Sgt,
        CmpOp::Sle => CmpOp::Sge,
        CmpOp::Sgt => CmpOp::Slt,
        CmpOp::Sge => CmpOp::Sle,
    }
}

fn allowed(op: CmpOp, width: u32, value: u128) -> Option<Allowed> {
    use CmpOp::*;
    let is_signed = matches!(op, Slt | Sle | Sgt | Sge);
    let value = as_read(value as i128, width, is_signed);
    let (first, last) = if is_signed {
        let half = 1i128 << (width - 1);
        (-half, half - 1)
    } else {
        (0, mask(width) as i128)
    };
    let (low, high) = match op {
        Eq => (value, value),
        Ne => return Some(Allowed::Not(value)),
        Ult | Slt => (first, value - 1),
        Ule | Sle => (first, value),
        Ugt | Sgt => (value + 1, last),
        Uge | Sge => (value, last),
    };
    // An empty range is a contradiction, which is for others to see.
    (low <= high).then_some(Allowed::Range {
        signed: is_signed,
        low,
        high,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Byte, Model};
    use homi_ir::ops::BinOp;

    /// A sum, whose comparisons are not ones of its bytes.
    fn number(terms: &Terms) -> Term {
        let array = terms.array("n", 0, 2);
        let byte = |index| terms.zext(terms.symbol(Byte { array, index }), 16);
        let product = terms.bin(BinOp::Mul, byte(1), terms.constant(16, 259));
        terms.bin(BinOp::Add, product, byte(0))
    }

    #[test]
    fn the_rounds_of_a_loop_are_one_bound() {
        let terms = Terms::new();
        let n = number(&terms);
        let constant = |value| terms.constant(16, value);
        for (op, values) in [
            (CmpOp::Uge, 1..100),
            (CmpOp::Ugt, 0..100),
            (CmpOp::Sgt, 0..100),
            (CmpOp::Ne, 0..100),
        ] {
            let mut constraints = Vec::new();
            for value in values {
                add(&terms, &mut constraints, terms.cmp(op, n, constant(value)));
            }
            assert_eq!(constraints.len(), 1, "{op:?}");
        }
    }

    /// All values of the two bytes that a conjunction allows.
    fn solutions(terms: &Terms, constraints: &[Term]) -> Vec<u16> {
        let Some(&any) = constraints.first() else {
            return (0..=u16::MAX).collect();
        };
        let bytes = terms.support(any);
        let allowed = |value: &u16| {
            let mut model = Model::new();
            for (&byte, part) in bytes.iter().zip(value.to_le_bytes()) {
                model.set(byte, part);
            }
            constraints.iter().all(|&c| terms.eval(c, &model) == 1)
        };
        (0..=u16::MAX).filter(allowed).collect()
    }

    #[test]
    fn the_conjunction_stays_the_same() {
        let terms = Terms::new();
        let n = number(&terms);
        let ops = CmpOp::ALL;
        let values = [0u128, 1, 2, 3, 0x7fff, 0x8000, 0xfffe, 0xffff];
        let mut state = 1u64;
        for _ in 0..60 {
            let (mut all, mut kept) = (Vec::new(), Vec::new());
            for _ in 0..6 {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let op = ops[(state >> 33) as usize % ops.len()];
                let value = values[(state >> 43) as usize % values.len()];
                let constraint = terms.cmp(op, n, terms.constant(16, value));
                if terms.as_const(constraint).is_none() {
                    all.push(constraint);
                    let old = kept.clone();
                    let fresh = add(&terms, &mut kept, constraint);
                    assert!(kept[..fresh].iter().all(|term| old.contains(term)));
                }
            }
            assert_eq!(solutions(&terms, &kept), solutions(&terms, &all), "{all:?}");
        }
    }
}
