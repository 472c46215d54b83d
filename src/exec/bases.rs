//! Where a symbolic pointer may come from: the constants that its term starts from.
//!
//! Invariant: what chooses in two places of the term chooses alike: a condition is true in all of
//! them or in none, an index selects the same element of all its tables. The scan is bounded, so
//! constants may be missed; who uses them must not take the list for complete.

use crate::expr::{Node, Term, Terms};
use crate::ops::BinOp;
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};

/// Nodes and elements of tables that one scan looks at.
const SCAN_LIMIT: usize = 4096;

/// A scan of a term.
pub(super) struct Bases<'t> {
    terms: &'t Terms,
    visited: Cell<usize>,
    /// What each condition (0: false) or index is at present.
    chosen: RefCell<Vec<(Term, u64)>>,
}

impl<'t> Bases<'t> {
    pub fn new(terms: &'t Terms) -> Bases<'t> {
        Bases {
            terms,
            visited: Cell::new(0),
            chosen: RefCell::new(Vec::new()),
        }
    }

    /// Calls `visit` for every constant that a sum may start from: the sum of the constant parts
    /// along each way through its choices. For `base + index` (also written as `base | index`) that
    /// is `base`, for `c ? p + 1 : q` it is `p + 1` and `q`, and for `p + ((c ? q + 3 : q + 4) -
    /// q)` it is `p + 3` and `p + 4`, never `q`. A pointer that has been in memory may be a
    /// concatenation in which only some bytes are choices.
    pub fn for_each(&self, term: Term, visit: &mut dyn FnMut(u64)) {
        self.scan(term, 0, visit);
    }

    fn scan(&self, term: Term, sum: u64, visit: &mut dyn FnMut(u64)) {
        if !self.count() {
            return;
        }
        let terms = self.terms;
        match terms.node(term) {
            Node::Const { value, .. } => visit(sum.wrapping_add(value as u64)),
            Node::Bin(BinOp::Add, a, b) => match (terms.as_const(a), terms.as_const(b)) {
                (Some(a), _) => self.scan(b, sum.wrapping_add(a as u64), visit),
                (_, Some(b)) => self.scan(a, sum.wrapping_add(b as u64), visit),
                _ => {
                    self.scan(a, sum, visit);
                    self.scan(b, sum, visit);
                }
            },
            Node::Bin(BinOp::Sub, a, b) => {
                let part = terms.as_const(b).unwrap_or(0) as u64;
                self.scan(a, sum.wrapping_sub(part), visit);
            }
            Node::Ite(condition, a, b) => {
                self.choose(condition, 2, &mut |side| {
                    let chosen = if side == 0 { b } else { a };
                    self.scan(chosen, sum, visit);
                });
            }
            Node::Zext { term, .. } => self.scan(term, sum, visit),
            Node::Concat(high, low) => {
                let shift = terms.width(low);
                self.scan(high, 0, &mut |high| {
                    let high = high.checked_shl(shift).unwrap_or(0);
                    self.scan(low, sum.wrapping_add(high), visit);
                });
            }
            Node::Table(table, index) => {
                let (elements, _) = terms.table_elements(table);
                self.choose(index, elements.len() as u64, &mut |at| {
                    let element = elements.get(at as usize).copied().unwrap_or(0);
                    visit(sum.wrapping_add(element));
                });
            }
            // `base | index` with disjoint bits shows the base in its least value.
            _ => visit(sum.wrapping_add(terms.range(term).0 as u64)),
        }
    }

    /// Calls `visit` with each choice from 0 to `count - 1`, or with the one that has been made
    /// already.
    fn choose(&self, selector: Term, count: u64, visit: &mut dyn FnMut(u64)) {
        let made = self.chosen.borrow().iter().find_map(|choice| {
            let (other, made) = *choice;
            (other == selector).then_some(made)
        });
        if let Some(made) = made {
            return visit(made);
        }
        for choice in 0..count {
            if !self.count() {
                return;
            }
            self.chosen.borrow_mut().push((selector, choice));
            visit(choice);
            self.chosen.borrow_mut().pop();
        }
    }

    fn count(&self) -> bool {
        self.visited.set(self.visited.get() + 1);
        self.visited.get() <= SCAN_LIMIT
    }
}

/// Calls `visit` for every 64-bit constant in a term and its tables.
pub(super) fn scan_constants(terms: &Terms, root: Term, mut visit: impl FnMut(u128)) {
    let mut seen = FxHashSet::default();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if seen.len() > SCAN_LIMIT || !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        match node {
            Node::Const { width: 64, value } => visit(value),
            Node::Table(table, _) => {
                let (elements, width) = terms.table_elements(table);
                if width == 64 {
                    elements.iter().for_each(|value| visit(u128::from(*value)));
                }
            }
            _ => {}
        }
        node.for_each_operand(|operand| work.push(operand));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Byte;

    fn bases(terms: &Terms, term: Term) -> Vec<u64> {
        let mut found = Vec::new();
        Bases::new(terms).for_each(term, &mut |base| found.push(base));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn bytes_of_one_choice_are_chosen_together() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 2);
        let index = terms.symbol(Byte { array, index: 0 });
        let other = terms.symbol(Byte { array, index: 1 });
        let pointers = [0x11223344u64, 0x55667788, 0x99aabbcc];
        let byte = |shift: u64| {
            let elements: Vec<u64> = pointers.iter().map(|p| p >> shift & 0xff).collect();
            terms.table(&elements, 8, index)
        };
        let low = terms.concat(byte(8), byte(0));
        let high = terms.concat(byte(24), byte(16));
        let pointer = terms.zext(terms.concat(high, low), 64);
        let offset = terms.zext(other, 64);
        let sum = terms.bin(BinOp::Add, pointer, offset);
        // The offset is a sum's part of its own, starting from 0.
        assert_eq!(bases(&terms, sum), [&[0], &pointers[..]].concat());
    }

    #[test]
    fn a_condition_is_the_same_everywhere() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let symbol = terms.symbol(Byte { array, index: 0 });
        let condition = terms.eq_const(symbol, 7);
        let of = |a, b| terms.ite(condition, terms.constant(8, a), terms.constant(8, b));
        let pointer = terms.concat(of(0x10, 0x20), of(0x30, 0x40));
        assert_eq!(bases(&terms, pointer), [0x1030, 0x2040]);
    }
}
