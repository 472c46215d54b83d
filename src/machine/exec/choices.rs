//! A function of a term that has few values, as a term.
//!
//! Idea: where the term is built from choices (conditions, tables), the function goes to what is
//! chosen, and the choices stay: no value is compared with anything. Elsewhere each value is.

use homi_ir::ops;
use homi_ir::ops::BinOp;
use homi_solver::term::{Node, Term, Terms};

/// Values that are chosen in one go.
const MOST_STEPS: usize = 1 << 13;

/// `function` of the value of `term` (at most 64 bits) where that is one of `values`; all results
/// have `width` bits. For other values the result is any.
pub(super) fn mapped(
    terms: &Terms,
    term: Term,
    values: &[u64],
    width: u32,
    function: &mut dyn FnMut(u64) -> Term,
) -> Term {
    let mut steps = 0;
    let pushed = push(terms, term, width, &mut steps, function);
    pushed.unwrap_or_else(|| {
        let Some((last, others)) = values.split_last() else {
            return terms.constant(width, 0);
        };
        let last = function(*last);
        others.iter().rev().fold(last, |rest, &value| {
            let here = terms.eq_const(term, value.into());
            terms.ite(here, function(value), rest)
        })
    })
}

/// Records a choice where choices show.
fn push(
    terms: &Terms,
    term: Term,
    width: u32,
    steps: &mut usize,
    function: &mut dyn FnMut(u64) -> Term,
) -> Option<Term> {
    *steps += 1;
    if *steps > MOST_STEPS {
        return None;
    }
    match terms.node(term) {
        Node::Const { value, .. } => Some(function(value as u64)),
        Node::Ite(condition, a, b) => {
            let a = push(terms, a, width, steps, function)?;
            let b = push(terms, b, width, steps, function)?;
            Some(terms.ite(condition, a, b))
        }
        Node::Zext { term: inner, .. } => push(terms, inner, width, steps, function),
        Node::Bin(op, a, b) if op != BinOp::UDiv && op != BinOp::URem => {
            let own = terms.width(term);
            let (inner, constant, is_right) = match (terms.as_const(a), terms.as_const(b)) {
                (_, Some(b)) => (a, b, true),
                (Some(a), _) => (b, a, false),
                _ => return None,
            };
            push(terms, inner, width, steps, &mut |value| {
                let value = u128::from(value);
                let (a, b) = if is_right {
                    (value, constant)
                } else {
                    (constant, value)
                };
                function(ops::eval_bin(op, own, a, b) as u64)
            })
        }
        Node::Table(table, index) => {
            let (elements, _) = terms.table_elements(table);
            *steps += elements.len();
            if *steps > MOST_STEPS {
                return None;
            }
            let results: Vec<Term> = elements.iter().map(|&element| function(element)).collect();
            Some(select(terms, index, &results, width))
        }
        _ => None,
    }
}

/// `results[index]`; any of them beyond the end.
fn select(terms: &Terms, index: Term, results: &[Term], width: u32) -> Term {
    let constant = |&result: &Term| terms.as_const(result);
    let here = |at: usize| terms.eq_const(index, at as u128);
    if width == 1 {
        // Comparisons with one element or two are better than a table.
        let ones: Vec<usize> = (0..results.len())
            .filter(|&at| constant(&results[at]) == Some(1))
            .collect();
        let zeros = results.iter().filter(|result| constant(result) == Some(0));
        if ones.len() + zeros.count() == results.len() && ones.len() <= 2 {
            let none = terms.bool(false);
            return ones.iter().fold(none, |any, &at| terms.or(any, here(at)));
        }
    }
    let part = |shift: u32, width: u32| {
        let elements: Vec<u64> = results
            .iter()
            .map(|result| (constant(result).unwrap_or(0) >> shift) as u64 & ops::mask64(width))
            .collect();
        terms.table(&elements, width, index)
    };
    let table = match width {
        0..=64 => part(0, width),
        _ => terms.concat(part(64, width - 64), part(0, 64)),
    };
    let symbolic = results.iter().enumerate();
    let symbolic = symbolic.filter(|(_, result)| constant(result).is_none());
    symbolic.rev().fold(table, |rest, (at, &result)| {
        terms.ite(here(at), result, rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::{Byte, Model};

    #[test]
    fn results_are_those_of_the_values() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 2);
        let (x, y) = (Byte { array, index: 0 }, Byte { array, index: 1 });
        let elements = [700, 9, 41, 700, 65];
        let table = terms.table(&elements, 64, terms.symbol(x));
        let condition = terms.eq_const(terms.symbol(y), 3);
        let moved = terms.bin(BinOp::Add, table, terms.constant(64, 8));
        let choice = terms.ite(condition, moved, terms.constant(64, 5));
        let scrambled = terms.bin(BinOp::Xor, choice, terms.zext(terms.symbol(y), 64));
        let other = terms.concat(terms.constant(8, 1), terms.symbol(y));
        for (term, width) in [(choice, 32), (choice, 1), (scrambled, 32), (choice, 100)] {
            let mut function = |value: u64| match value % 3 {
                // Some results are symbolic.
                0 if width >= 16 => terms.zext(other, width),
                _ => terms.constant(width, u128::from(value) * 3 / 2),
            };
            let mut model = Model::new();
            let mut pairs: Vec<(u8, u8)> = Vec::new();
            (0..5).for_each(|a| pairs.extend((0..6).map(|b| (a, b))));
            let values: Vec<u64> = pairs
                .iter()
                .map(|&(a, b)| {
                    model.set(x, a);
                    model.set(y, b);
                    terms.eval(term, &model) as u64
                })
                .collect();
            let result = mapped(&terms, term, &values, width, &mut function);
            for (&(a, b), &value) in pairs.iter().zip(&values) {
                model.set(x, a);
                model.set(y, b);
                let expected = terms.eval(function(value), &model);
                assert_eq!(terms.eval(result, &model), expected, "{a} {b} {width}");
            }
        }
    }
}
