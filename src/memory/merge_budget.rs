//! How much two states may differ that become one.
//!
//! Invariant: a term is paid for once, however many values contain it.

use super::address::object_area;
use super::merge::Unlike;
use crate::expr::{Term, Terms};
use crate::program::PointerWidth;
use rustc_hash::FxHashSet;

/// What values that become choices may still cost.
pub struct Budget {
    /// Bytes of memory.
    bytes: u64,
    /// Nodes of the terms that are chosen between, if they are counted. Then addresses are not
    /// chosen between: accesses at such a place fork, or read tables.
    nodes: Option<u64>,
    pointers: PointerWidth,
    paid: FxHashSet<Term>,
}

impl Budget {
    /// So many bytes, whatever they are.
    pub fn of_bytes(bytes: u64) -> Self {
        Self {
            bytes,
            nodes: None,
            pointers: PointerWidth::default(),
            paid: FxHashSet::default(),
        }
    }

    /// So many bytes, whose terms have so many nodes; pointers are so wide.
    pub fn of_cost(bytes: u64, nodes: u64, pointers: PointerWidth) -> Self {
        Self {
            nodes: Some(nodes),
            pointers,
            ..Self::of_bytes(bytes)
        }
    }

    /// One more byte is chosen.
    pub(super) fn pay_byte(&mut self) -> Result<(), Unlike> {
        self.bytes = self.bytes.checked_sub(1).ok_or(Unlike::Bytes)?;
        Ok(())
    }

    /// A term becomes part of a choice.
    pub fn pay_term(&mut self, terms: &Terms, term: Term) -> Result<(), Unlike> {
        let Some(left) = &mut self.nodes else {
            return Ok(());
        };
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if terms.as_const(term).is_some() || !self.paid.insert(term) {
                continue;
            }
            *left = left.checked_sub(1).ok_or(Unlike::Terms)?;
            terms
                .node(term)
                .for_each_operand(|operand| open.push(operand));
        }
        Ok(())
    }

    /// Two numbers as wide as pointers become a choice.
    pub fn pay_words(&self, first: u64, second: u64) -> Result<(), Unlike> {
        let (start, end) = object_area(self.pointers);
        let is_address = |word: u64| (start..end).contains(&word);
        match self.nodes.is_some() && first != second && (is_address(first) || is_address(second)) {
            true => Err(Unlike::Addresses),
            false => Ok(()),
        }
    }

    /// The bytes of the words that it looks at, if it does.
    pub(super) fn word_bytes(&self) -> Option<usize> {
        self.nodes.map(|_| self.pointers.bytes() as usize)
    }
}
