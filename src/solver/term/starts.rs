//! Start pointers of sums of pointers and distances, where the sums do not show them.
//!
//! Idea: rules sum up all constants of a sum. If the distance has a constant part, as in `table +
//! 28 * (digit - '0')`, the constant of the term is not an address within the table, and may be one
//! within another object. The constructor of such a sum records its start here. Invariant: a record
//! lives as long as its term, and goes with it to other pools and to its replacement once bytes are
//! known.

use super::{Node, Term, Terms};
use homi_ir::ops::BinOp;

/// Start of a sum of a pointer and a distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// A pointer with this value.
    At(u64),
    /// Pointers into different objects.
    Several,
}

/// Representation of `Several`: no pointer into an object has this value.
const SEVERAL: u64 = 0;

impl Terms {
    /// Notes that a term of 64 bits is a sum that started from `pointer`, unless its constant says
    /// as much. `are_of_one` says whether two addresses belong to one object.
    pub fn note_start(
        &self,
        sum: Term,
        pointer: u64,
        shown: u64,
        are_of_one: impl Fn(u64, u64) -> bool,
    ) {
        let mut starts = self.starts.borrow_mut();
        if let Some(noted) = starts.get_mut(&sum) {
            if *noted != pointer && *noted != SEVERAL && !are_of_one(*noted, pointer) {
                *noted = SEVERAL;
            }
        } else if self.constant_part(sum) != Some(shown) {
            starts.insert(sum, pointer);
        }
    }

    /// Copies the record of a term to its replacement.
    pub(super) fn carry_start(&self, from: Term, to: Term) {
        let noted = self.noted_start(from);
        if let Some(pointer) = noted.filter(|_| from != to) {
            self.take_start(to, pointer);
        }
    }

    /// The note of a term, for another pool.
    pub(super) fn noted_start(&self, sum: Term) -> Option<u64> {
        self.starts.borrow().get(&sum).copied()
    }

    /// Takes a note over.
    pub(super) fn take_start(&self, sum: Term, pointer: u64) {
        if self.as_const(sum).is_none() {
            let mut starts = self.starts.borrow_mut();
            let noted = starts.entry(sum).or_insert(pointer);
            if *noted != pointer {
                *noted = SEVERAL;
            }
        }
    }

    /// Returns the start of a sum, if it was recorded.
    pub fn start(&self, sum: Term) -> Option<Start> {
        let starts = self.starts.borrow();
        starts.get(&sum).map(|&pointer| match pointer {
            SEVERAL => Start::Several,
            pointer => Start::At(pointer),
        })
    }

    /// The constant that something is added to.
    fn constant_part(&self, sum: Term) -> Option<u64> {
        match self.node(sum) {
            Node::Bin(BinOp::Add, a, b) => self.as_const(a).or(self.as_const(b)),
            _ => None,
        }
        .map(|constant| constant as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;

    #[test]
    fn sums_whose_constants_were_added_up_have_notes_that_die_with_them() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let index = terms.zext(terms.symbol(Byte { array, index: 0 }), 64);
        let sum = |constant: u64| terms.bin(BinOp::Add, index, terms.constant(64, constant.into()));
        let plain = sum(0x4011);
        terms.note_start(plain, 0x4011, 0x4011, |_, _| false);
        assert_eq!(terms.start(plain), None);
        let folded = sum(0x4000 - 48);
        let elsewhere = |one: u64, other: u64| one >> 8 == other >> 8;
        terms.note_start(folded, 0x4000, 0x4000, elsewhere);
        terms.note_start(folded, 0x4010, 0x4010, elsewhere);
        assert_eq!(terms.start(folded), Some(Start::At(0x4000)));
        terms.note_start(folded, 0x3f00, 0x4000 - 48, elsewhere);
        assert_eq!(terms.start(folded), Some(Start::Several));
        let once_known = sum(0x5000);
        terms.carry_start(folded, once_known);
        assert_eq!(terms.start(once_known), Some(Start::Several));
        terms.begin_mark();
        terms.mark(plain);
        terms.sweep();
        assert!(terms.starts.borrow().is_empty());
    }
}
