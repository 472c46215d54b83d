//! Recent results of constructors: the same comparisons recur, each after a dozen rules.
//!
//! Invariant: an entry is the result that the constructor would return again; all are forgotten
//! before ids can mean other terms. The table is direct-mapped, so a result may be forgotten at any
//! time and nothing depends on whether it was.

use super::node::Term;
use std::cell::Cell;

#[derive(Clone, Copy)]
struct Entry {
    /// Number of the constructor with its operator, 0 for an empty entry.
    kind: u32,
    operands: (u32, u32),
    result: u32,
}

const EMPTY: Entry = Entry {
    kind: 0,
    operands: (0, 0),
    result: 0,
};

/// The table.
pub(super) struct RecentTerms {
    entries: Box<[Cell<Entry>]>,
}

impl std::fmt::Debug for RecentTerms {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RecentTerms")
            .finish_non_exhaustive()
    }
}

impl RecentTerms {
    /// A table of `entries`, a power of two.
    pub fn new(entries: usize) -> RecentTerms {
        RecentTerms {
            entries: vec![Cell::new(EMPTY); entries].into(),
        }
    }

    /// Returns the result of `make` for these operands, from the table if it is there. `kind` is
    /// not 0 and distinguishes constructors and operators.
    #[inline]
    pub fn get_or(&self, kind: u32, a: Term, b: Term, make: impl FnOnce() -> Term) -> Term {
        let (x, y) = (a.index() as u32, b.index() as u32);
        let mixed = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_add(kind)).wrapping_mul(0x85eb_ca6b);
        let slot = &self.entries[(mixed >> 16) as usize & (self.entries.len() - 1)];
        let entry = slot.get();
        if entry.kind == kind && entry.operands == (x, y) {
            return Term::from_index(entry.result as usize);
        }
        let result = make();
        slot.set(Entry {
            kind,
            operands: (x, y),
            result: result.index() as u32,
        });
        result
    }

    pub fn clear(&self) {
        self.entries.iter().for_each(|entry| entry.set(EMPTY));
    }
}
