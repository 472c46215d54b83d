//! How much two states may differ that become one.
//!
//! Invariant: a term is paid for once, however many values contain it.

use super::address::FIRST_OBJECT;
use super::merge::Unlike;
use crate::expr::{Term, Terms};
use rustc_hash::FxHashSet;

/// What values that become choices may still cost.
pub struct Budget {
    /// Bytes of memory.
    bytes: u64,
    /// Nodes of the terms that are chosen between, if they are counted. Then addresses are not
    /// chosen between: accesses at such a place fork, or read tables.
    nodes: Option<u64>,
    paid: FxHashSet<Term>,
}

impl Budget {
    /// So many bytes, whatever they are.
    pub fn of_bytes(bytes: u64) -> Self {
        Self {
            bytes,
            nodes: None,
            paid: FxHashSet::default(),
        }
    }

    /// So many bytes, whose terms have so many nodes.
    pub fn of_cost(bytes: u64, nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
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

    /// Two numbers of 64 bits become a choice.
    pub fn pay_words(&self, first: u64, second: u64) -> Result<(), Unlike> {
        let is_address = |word: u64| (FIRST_OBJECT..1 << 47).contains(&word);
        match self.nodes.is_some() && first != second && (is_address(first) || is_address(second)) {
            true => Err(Unlike::Addresses),
            false => Ok(()),
        }
    }

    /// Whether it looks at words.
    pub(super) fn looks_at_words(&self) -> bool {
        self.nodes.is_some()
    }
}
