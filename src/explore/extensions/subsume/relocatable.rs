//! Which addresses other paths may have elsewhere, and what keeps one where it is.
//!
//! Idea: a block of the heap is a block whatever its address is, as long as nobody looks at the
//! number: a subpath that only follows its pointers, compares them for equality and measures
//! distances within it does the same wherever it lies. Where the number matters (its bits, its
//! order, a hash of it) the block is fixed: it has to be at the same address. Invariant: a number
//! of the subpath that is an address of what moves stands for the same byte of the same object in
//! every state that satisfies what the subpath has said, and any other number for itself.

use super::constants::constants;
use super::reasons::Reason;
use super::subpath::{Equipment, Failure, Subpath};
use crate::ir::program::{PointerWidth, Slot};
use crate::machine::memory::{AllocationSite, Memory, object_area};
use crate::machine::memory::{ObjectKind, ObjectRef, Value};
use crate::solver::term::Term;

/// Whether what a number leads to may be elsewhere on other paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relocation {
    /// It is where it is, or it is no address at all.
    Stays,
    /// A local, or something that the subpath has made: nothing fixes its address.
    Elsewhere,
    /// The object of the start with this base: it may be elsewhere unless it is fixed.
    Block(u64),
}

/// The object, alive or freed, that an address lies in or whose guard gaps it lies in.
pub(super) fn owner_or_freed(memory: &Memory, address: u64) -> Option<ObjectRef> {
    let owner = memory.owner(address);
    owner.or_else(|| memory.freed_owner(address))
}

/// Whether a number is on the same side of all objects that move.
pub(super) fn is_far(number: u64) -> bool {
    // Paths of 32-bit programs are not spared.
    let (start, end) = object_area(PointerWidth::Bits64);
    !(start..end).contains(&number)
}

impl Subpath<'_> {
    /// Whether what a number leads to may be elsewhere on other paths.
    pub(super) fn relocation(&self, number: u64) -> Relocation {
        if is_far(number) {
            return Relocation::Stays;
        }
        let Some(object) = self.object_of(number) else {
            // What was made and freed meanwhile may be forgotten, but not that it was there.
            let is_new =
                self.state.memory.was_given_out(number) && !self.start.memory.was_given_out(number);
            return if is_new {
                Relocation::Elsewhere
            } else {
                Relocation::Stays
            };
        };
        match object.site {
            AllocationSite::FrameObject { .. } => Relocation::Elsewhere,
            AllocationSite::Global(_) => Relocation::Stays,
            _ if object.kind == ObjectKind::Fixed => Relocation::Stays,
            _ if self.fixed.contains(&object.base) => Relocation::Stays,
            _ if self.was_there(object.base) => Relocation::Block(object.base),
            _ => Relocation::Elsewhere,
        }
    }

    /// Whether a number is an address that other paths may have elsewhere.
    pub(super) fn moves(&self, number: u64) -> bool {
        self.relocation(number) != Relocation::Stays
    }

    /// The object that moves to which a number leads: its base.
    pub(super) fn moving_base(&self, number: u64) -> Option<u64> {
        if !self.moves(number) {
            return None;
        }
        self.object_of(number).map(|object| object.base)
    }

    /// The object of the state, or else of the start, that an address lies in or beside.
    pub(super) fn object_of(&self, address: u64) -> Option<ObjectRef> {
        let now = owner_or_freed(&self.state.memory, address);
        now.or_else(|| owner_or_freed(&self.start.memory, address))
    }

    /// Whether an object that is no local was there at the start, alive or freed.
    pub(super) fn was_there(&self, base: u64) -> bool {
        owner_or_freed(&self.start.memory, base).is_some_and(|object| object.base == base)
    }

    /// From now on an address is the number that it was; false where nothing can fix it.
    pub(super) fn fix(&mut self, number: u64) -> bool {
        match self.relocation(number) {
            Relocation::Stays => true,
            Relocation::Elsewhere => false,
            Relocation::Block(base) => {
                self.fixed.insert(base);
                if Reason::FixedAddress.counts() {
                    self.said.fixed.insert(base);
                }
                true
            }
        }
    }

    /// The same for several; what uses them is told where that fails.
    pub(super) fn fix_all(&mut self, numbers: &[u64], what: &str) -> Result<(), Failure> {
        for number in numbers {
            if !self.fix(*number) {
                return Err(Failure::Addresses(what.to_string()));
            }
        }
        Ok(())
    }

    /// The addresses in a term that other paths may have elsewhere.
    pub(super) fn moving_numbers(&self, with: &Equipment<'_, '_>, term: Term) -> Vec<u64> {
        let mut numbers = Vec::new();
        constants(with, term, &mut numbers);
        numbers.retain(|number| self.moves(*number));
        numbers
    }

    /// The same for a register, with what its term was the first time.
    pub(super) fn moving_in_register(
        &mut self,
        with: &Equipment<'_, '_>,
        slot: Slot,
        width: u32,
    ) -> Vec<u64> {
        match self.register(slot) {
            Value::Concrete(_) => {
                let words = width.div_ceil(64) as usize;
                let bits = &self.state.frames.top().bits;
                let words = bits.iter().skip(slot.index()).take(words);
                words
                    .copied()
                    .filter(|number| self.moves(*number))
                    .collect()
            }
            Value::Term(term) => {
                let mut numbers = self.moving_numbers(with, term);
                let actual = self.actual(with, term);
                numbers.extend(self.moving_numbers(with, actual));
                numbers
            }
        }
    }
}

#[cfg(test)]
#[path = "relocatable_tests.rs"]
mod tests;
