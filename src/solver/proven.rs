//! Facts proven on a path, kept with it because constraints only ever narrow it: bounds of terms,
//! conditions, and terms that are constants.
//!
//! A program that has written a symbolic number of bytes to a buffer continues at a symbolic
//! offset, one byte further each time: `base + n + 1`, `base + n + 2`, ... So bounds are kept for
//! the sum without its constant part and serve all of these. They belong to the path, not to the
//! solver: the results for a state depend on that state's history only.

use crate::term::{Node, Term, Terms};
use homi_ir::ops::{BinOp, mask};
use std::sync::Arc;

/// Terms that one path keeps bounds of; the oldest leave.
const KEPT: usize = 8;

/// Conditions that one path keeps; the oldest leave.
const CONDITIONS_KEPT: usize = 16;

/// Terms that one path keeps the numbers of; the oldest leave.
const NUMBERS_KEPT: usize = 16;

/// Bounds of one term.
#[derive(Clone, Copy, Debug)]
struct Entry {
    term: Term,
    /// Inclusive, unsigned.
    bounds: (u128, u128),
    /// The path's length when they were proven.
    length: usize,
}

/// Facts of one path; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Proven {
    entries: Arc<Vec<Entry>>,
    /// 1-bit terms that hold, the oldest first.
    conditions: Arc<Vec<Term>>,
    /// Terms to which constraints left one value, the oldest first.
    numbers: Arc<Vec<(Term, u128)>>,
}

impl Proven {
    /// Sound inclusive unsigned bounds of a term, and the path's length when they were proven.
    pub fn get(&self, terms: &Terms, term: Term) -> Option<((u128, u128), usize)> {
        if self.entries.is_empty() {
            return None;
        }
        let (rest, constant) = without_constant(terms, term);
        let entry = self.entries.iter().find(|entry| entry.term == rest)?;
        let bounds = shifted(entry.bounds, constant, terms.width(term))?;
        Some((bounds, entry.length))
    }

    /// Keeps bounds proven for a term on a path of `length` constraints.
    pub fn insert(&mut self, terms: &Terms, term: Term, bounds: (u128, u128), length: usize) {
        let (rest, constant) = without_constant(terms, term);
        let width = terms.width(term);
        let Some(bounds) = shifted(bounds, constant.wrapping_neg() & mask(width), width) else {
            return;
        };
        Arc::make_mut(&mut self.entries).retain(|entry| entry.term != rest);
        let entry = Entry {
            term: rest,
            bounds,
            length,
        };
        push_among(&mut self.entries, KEPT, entry);
    }

    /// Keeps a 1-bit term that holds.
    pub fn insert_condition(&mut self, condition: Term) {
        if self.conditions.contains(&condition) {
            return;
        }
        push_among(&mut self.conditions, CONDITIONS_KEPT, condition);
    }

    /// The conditions that hold, the oldest first.
    pub fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.conditions.iter().copied()
    }

    /// Stores the only value that a term can have, as the value of its part which is not constant.
    pub fn insert_number(&mut self, terms: &Terms, term: Term, value: u128) {
        let (rest, constant) = without_constant(terms, term);
        let value = value.wrapping_sub(constant) & mask(terms.width(term));
        if self.number(rest).is_some() {
            return;
        }
        push_among(&mut self.numbers, NUMBERS_KEPT, (rest, value));
    }

    /// The only value of a term without a constant part, if it is kept.
    pub fn number(&self, term: Term) -> Option<u128> {
        let entry = self.numbers.iter().find(|entry| entry.0 == term)?;
        Some(entry.1)
    }

    /// Every term that something is kept of.
    pub fn visit(&self, visit: &mut dyn FnMut(Term)) {
        self.entries.iter().for_each(|entry| visit(entry.term));
        self.conditions().for_each(&mut *visit);
        self.numbers.iter().for_each(|entry| visit(entry.0));
    }

    /// Returns the facts over the terms of another pool, by `map`.
    pub fn with_terms(&self, map: &dyn Fn(Term) -> Term) -> Proven {
        let moved = self.entries.iter().map(|entry| Entry {
            term: map(entry.term),
            ..*entry
        });
        Proven {
            entries: Arc::new(moved.collect()),
            conditions: Arc::new(self.conditions().map(map).collect()),
            numbers: Arc::new(
                self.numbers
                    .iter()
                    .map(|&(term, value)| (map(term), value))
                    .collect(),
            ),
        }
    }
}

/// Appends to a list of at most `most`, which the oldest leave.
fn push_among<T: Clone>(list: &mut Arc<Vec<T>>, most: usize, entry: T) {
    let list = Arc::make_mut(list);
    if list.len() == most {
        list.remove(0);
    }
    list.push(entry);
}

/// A sum's part that is not constant, and the constant.
fn without_constant(terms: &Terms, term: Term) -> (Term, u128) {
    if let Node::Bin(BinOp::Add, a, b) = terms.node(term) {
        if let Some(value) = terms.as_const(a) {
            return (b, value);
        }
        if let Some(value) = terms.as_const(b) {
            return (a, value);
        }
    }
    (term, 0)
}

/// Bounds of `x + constant` in `width` bits for `x` within bounds; nothing if they are not one
/// range.
fn shifted((low, high): (u128, u128), constant: u128, width: u32) -> Option<(u128, u128)> {
    let shift = |value: u128| value.wrapping_add(constant) & mask(width);
    let (low, high) = (shift(low), shift(high));
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;

    #[test]
    fn bounds_serve_every_sum_with_the_same_symbolic_part() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let symbol = terms.zext(terms.symbol(Byte { array, index: 0 }), 64);
        let plus = |value: u64| terms.bin(BinOp::Add, symbol, terms.constant(64, value.into()));
        let mut proven = Proven::default();
        proven.insert(&terms, plus(1000), (1010, 1020), 5);
        assert_eq!(proven.get(&terms, symbol), Some(((10, 20), 5)));
        assert_eq!(proven.get(&terms, plus(7)), Some(((17, 27), 5)));
        let back = plus(10u64.wrapping_neg());
        assert_eq!(proven.get(&terms, back), Some(((0, 10), 5)));
        // From -5 to 5: as unsigned numbers these are two ranges.
        assert_eq!(proven.get(&terms, plus(15u64.wrapping_neg())), None);
    }

    #[test]
    fn the_oldest_leave() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 20);
        let symbol = |index| terms.symbol(Byte { array, index });
        let mut proven = Proven::default();
        for index in 0..20 {
            proven.insert(&terms, symbol(index), (1, 2), 0);
        }
        let known: Vec<u32> = (0..20)
            .filter(|&index| proven.get(&terms, symbol(index)).is_some())
            .collect();
        assert_eq!(known, (12..20).collect::<Vec<u32>>());
    }
}
