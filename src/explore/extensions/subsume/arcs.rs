//! Simplification of conditions that restrict one term to an interval: of a hundred sums that must
//! not exceed a bound, only the tightest condition is kept.
//!
//! Idea: numbers of w bits lie on a circle of 2^w. Conditions of the form `t + k <= c`, equalities
//! and signed comparisons are arcs of it. The intersection of two arcs is an arc or two arcs.
//!
//! Invariant: the result implies each condition that it replaces. It may be stronger: if the
//! intersection has two arcs, the one with the known values is kept.

use homi_ir::ops::{BinOp, CmpOp, mask};
use homi_solver::term::{Model, Node, Term, Terms};
use indexmap::IndexMap;

/// Consecutive numbers on a circle of 2^w: at least one, and not all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arc {
    first: u128,
    count: u128,
}

/// Width of the widest terms that are handled, in bits.
const WIDEST: u32 = 64;

/// Intersects the conditions on each term, and returns them with all other conditions. `models` are
/// assignments that should satisfy all results.
pub(super) fn joined(terms: &Terms, clauses: Vec<Term>, models: &[Model]) -> Vec<Term> {
    let mut arcs: IndexMap<Term, Arc, rustc_hash::FxBuildHasher> = IndexMap::default();
    let mut rest = Vec::new();
    for clause in clauses {
        let Some((term, arc)) = read(terms, clause) else {
            rest.push(clause);
            continue;
        };
        let circle = 1u128 << terms.width(term);
        let known = arcs.get(&term).copied();
        let values = || models.iter().map(|model| terms.eval(term, model));
        match known {
            None => {
                arcs.insert(term, arc);
            }
            Some(known) => match common(known, arc, circle, values) {
                Some(both) => {
                    arcs.insert(term, both);
                }
                None => rest.push(clause),
            },
        }
    }
    let arcs = arcs.into_iter().map(|(term, arc)| write(terms, term, arc));
    arcs.chain(rest).collect()
}

/// Returns the intersection of two arcs; `None` if it is empty, or has two arcs and the known
/// values are not in a single one.
fn common<I: Iterator<Item = u128>>(
    a: Arc,
    b: Arc,
    circle: u128,
    values: impl Fn() -> I,
) -> Option<Arc> {
    // Positions count from the first number of `a`.
    let start = (b.first + circle - a.first) % circle;
    let end = start + b.count;
    let mut pieces = Vec::new();
    if start < a.count {
        pieces.push((start, end.min(a.count)));
    }
    if end > circle {
        pieces.push((0, (end - circle).min(a.count)));
    }
    let as_arc = |(low, high): (u128, u128)| Arc {
        first: (a.first + low) % circle,
        count: high - low,
    };
    match pieces[..] {
        [piece] => Some(as_arc(piece)),
        [first, second] => {
            let has_all = |piece: (u128, u128)| {
                let inside = |value: u128| {
                    let at = (value + circle - a.first) % circle;
                    piece.0 <= at && at < piece.1
                };
                values().all(inside).then(|| as_arc(piece))
            };
            has_all(first).or_else(|| has_all(second))
        }
        _ => None,
    }
}

/// Returns the term and its numbers, if a clause restricts a term to an arc.
fn read(terms: &Terms, clause: Term) -> Option<(Term, Arc)> {
    let Node::Cmp(op, a, b) = terms.node(clause) else {
        return None;
    };
    let width = terms.width(a);
    if !(2..=WIDEST).contains(&width) {
        return None;
    }
    let (circle, top) = (1u128 << width, mask(width));
    let sign = circle >> 1;
    // First and last number of the operand that is not constant.
    let (side, first, last) = match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(c)) => {
            let (first, last) = match op {
                CmpOp::Eq => (c, c),
                CmpOp::Ne => (c + 1, c + circle - 1),
                CmpOp::Ult if c > 0 => (0, c - 1),
                CmpOp::Ule => (0, c),
                CmpOp::Slt if c != sign => (sign, c + circle - 1),
                CmpOp::Sle => (sign, c),
                _ => return None,
            };
            (a, first, last)
        }
        (Some(c), None) => {
            let (first, last) = match op {
                CmpOp::Eq => (c, c),
                CmpOp::Ne => (c + 1, c + circle - 1),
                CmpOp::Ult if c < top => (c + 1, top),
                CmpOp::Ule => (c, top),
                CmpOp::Slt if c != sign - 1 => (c + 1, sign - 1),
                CmpOp::Sle => (c, sign - 1),
                _ => return None,
            };
            (b, first, last)
        }
        _ => return None,
    };
    let (first, count) = match op {
        // Signed numbers continue from the greatest unsigned number to 0.
        CmpOp::Slt | CmpOp::Sle => {
            let distance = (last % circle + circle - first % circle) % circle;
            (first % circle, distance + 1)
        }
        _ => (first % circle, last + 1 - first),
    };
    if count >= circle {
        return None;
    }
    let (term, added) = without_sum(terms, side);
    Some((
        term,
        Arc {
            first: (first + circle - added) % circle,
            count,
        },
    ))
}

/// Splits a term into a term and a constant that is added to it.
fn without_sum(terms: &Terms, term: Term) -> (Term, u128) {
    if let Node::Bin(BinOp::Add, a, b) = terms.node(term) {
        match (terms.as_const(a), terms.as_const(b)) {
            (Some(added), None) => return (b, added),
            (None, Some(added)) => return (a, added),
            _ => {}
        }
    }
    (term, 0)
}

/// Returns the condition that a term lies on an arc.
fn write(terms: &Terms, term: Term, arc: Arc) -> Term {
    let width = terms.width(term);
    if arc.count == 1 {
        return terms.eq_const(term, arc.first);
    }
    let circle = 1u128 << width;
    let shift = terms.constant(width, (circle - arc.first) % circle);
    let moved = terms.bin(BinOp::Add, term, shift);
    let last = terms.constant(width, arc.count - 1);
    terms.cmp(CmpOp::Ule, moved, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::Byte;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn what_is_joined_implies_each_part_and_keeps_known_values() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
        let ops = [
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Ult,
            CmpOp::Ule,
            CmpOp::Slt,
            CmpOp::Sle,
        ];
        for _ in 0..400 {
            let terms = Terms::new();
            let array = terms.array("x", 0, 1);
            let byte = Byte { array, index: 0 };
            let symbol = terms.symbol(byte);
            let known: u8 = random.random();
            let mut model = Model::new();
            model.set(byte, known);
            let mut clauses = Vec::new();
            for _ in 0..random.random_range(1..6) {
                let sum = terms.bin(
                    BinOp::Add,
                    symbol,
                    terms.constant(8, random.random::<u8>().into()),
                );
                let bound = terms.constant(8, random.random::<u8>().into());
                let op = ops[random.random_range(0..ops.len())];
                let clause = if random.random::<bool>() {
                    terms.cmp(op, sum, bound)
                } else {
                    terms.cmp(op, bound, sum)
                };
                if terms.eval(clause, &model) == 1 && terms.as_const(clause).is_none() {
                    clauses.push(clause);
                }
            }
            let joined = joined(&terms, clauses.clone(), std::slice::from_ref(&model));
            assert!(joined.len() <= clauses.len());
            assert!(joined.iter().all(|clause| terms.eval(*clause, &model) == 1));
            for value in 0..=255 {
                let mut other = Model::new();
                other.set(byte, value);
                let all = |list: &[Term]| list.iter().all(|term| terms.eval(*term, &other) == 1);
                assert!(!all(&joined) || all(&clauses), "{value}");
            }
        }
    }

    /// Sums of a byte and the first number that are at most the second one; known values; the
    /// values that remain, as first and last; the number of conditions that remain.
    type Row<'r> = (&'r [(u8, u8)], &'r [u8], &'r [(u8, u8)], usize);

    #[test]
    fn what_arcs_have_in_common_stays() {
        let rows: &[Row<'_>] = &[
            (&[(0, 9), (0, 5)], &[1], &[(0, 5)], 1),
            (&[(0, 5), (0, 9)], &[1], &[(0, 5)], 1),
            // From 200 over 0 to 50, and up to 20 or from 30.
            (&[(56, 106), (0, 20)], &[3], &[(0, 20)], 1),
            (&[(56, 106), (226, 100)], &[40], &[(30, 50)], 1),
            // Two arcs: the one with the known values is kept, or both conditions are.
            (&[(246, 240), (0, 250)], &[20], &[(10, 250)], 1),
            (&[(56, 106), (216, 180)], &[45], &[(40, 50)], 1),
            (&[(56, 106), (216, 180)], &[210], &[(200, 220)], 1),
            (
                &[(56, 106), (216, 180)],
                &[45, 210],
                &[(40, 50), (200, 220)],
                2,
            ),
        ];
        for (row, (sums, known, expected, count)) in rows.iter().enumerate() {
            let terms = Terms::new();
            let array = terms.array("x", 0, 1);
            let byte = Byte { array, index: 0 };
            let model = |value: u8| {
                let mut model = Model::new();
                model.set(byte, value);
                model
            };
            let number = |value: u8| terms.constant(8, value.into());
            let clause = |&(added, bound): &(u8, u8)| {
                let sum = terms.bin(BinOp::Add, terms.symbol(byte), number(added));
                terms.cmp(CmpOp::Ule, sum, number(bound))
            };
            let clauses = sums.iter().map(clause).collect();
            let models: Vec<Model> = known.iter().map(|value| model(*value)).collect();
            let joined = joined(&terms, clauses, &models);
            assert_eq!(joined.len(), *count, "row {row}");
            for value in 0..=255 {
                let model = model(value);
                let stays = joined.iter().all(|term| terms.eval(*term, &model) == 1);
                let mut ranges = expected.iter();
                let expected = ranges.any(|(first, last)| (*first..=*last).contains(&value));
                assert_eq!(stays, expected, "row {row}: {value}");
            }
        }
    }

    #[test]
    fn many_bounds_of_sums_become_one() {
        let terms = Terms::new();
        let array = terms.array("x", 0, 4);
        let byte = |index| terms.symbol(Byte { array, index });
        let whole = (1..4).fold(byte(0), |low, index| terms.concat(byte(index), low));
        let bound = terms.constant(32, 1000);
        let clauses = (0..200)
            .map(|added| {
                let sum = terms.bin(BinOp::Add, whole, terms.constant(32, added));
                terms.cmp(CmpOp::Sle, sum, bound)
            })
            .collect();
        assert_eq!(joined(&terms, clauses, &[Model::new()]).len(), 1);
    }
}
