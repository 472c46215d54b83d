//! Relocatable addresses, which may differ on other paths, and their fixing.
//!
//! Idea: the address of a heap block does not matter as long as the program never uses it as a
//! number. A subpath that only follows pointers to the block, compares them for equality and
//! computes distances within the block behaves alike wherever the block lies. Where the number
//! matters (its bits, its order, a hash of it), the block is fixed: it must have the same address.
//!
//! Invariant: in every state that satisfies the subpath's conditions, a number that is a
//! relocatable address denotes the same byte of the same object. Any other number denotes itself.

use super::constants::constants;
use super::reasons::Reason;
use super::subpath::{Equipment, Failure, Subpath};
use homi_ir::program::{PointerWidth, Slot};
use homi_machine::memory::{AllocationSite, Memory, object_area};
use homi_machine::memory::{ObjectKind, ObjectRef, Value};
use homi_solver::term::Term;

/// Relocation of the object to which a number points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relocation {
    /// The object has the same address on other paths, or the number is not an address.
    Stays,
    /// The object is a local, or was made by the subpath: its address cannot be fixed.
    Elsewhere,
    /// The object of the start with this base; its address may differ unless it is fixed.
    Block(u64),
}

/// Returns the object, alive or freed, that contains an address in its bytes or guard gaps.
pub(super) fn owner_or_freed(memory: &Memory, address: u64) -> Option<ObjectRef> {
    let owner = memory.owner(address);
    owner.or_else(|| memory.freed_owner(address))
}

/// True if a number lies outside of the area of relocatable objects.
pub(super) fn is_far(number: u64) -> bool {
    // States of 32-bit programs are never subsumed.
    let (start, end) = object_area(PointerWidth::Bits64);
    !(start..end).contains(&number)
}

impl Subpath<'_> {
    /// Returns the relocation of the object to which a number points.
    pub(super) fn relocation(&self, number: u64) -> Relocation {
        if is_far(number) {
            return Relocation::Stays;
        }
        let Some(object) = self.object_of(number) else {
            // An object that was made and freed in the subpath may be forgotten, but its address
            // range is still marked as given out.
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

    /// True if a number is a relocatable address.
    pub(super) fn moves(&self, number: u64) -> bool {
        self.relocation(number) != Relocation::Stays
    }

    /// Returns the base of the relocatable object to which a number points.
    pub(super) fn moving_base(&self, number: u64) -> Option<u64> {
        if !self.moves(number) {
            return None;
        }
        self.object_of(number).map(|object| object.base)
    }

    /// Returns the object of the state, or else of the start, to which an address belongs.
    pub(super) fn object_of(&self, address: u64) -> Option<ObjectRef> {
        let now = owner_or_freed(&self.state.memory, address);
        now.or_else(|| owner_or_freed(&self.start.memory, address))
    }

    /// True if an object that is not a local existed at the start, alive or freed.
    pub(super) fn was_there(&self, base: u64) -> bool {
        owner_or_freed(&self.start.memory, base).is_some_and(|object| object.base == base)
    }

    /// Fixes an address; returns false if this is impossible.
    pub(super) fn fix(&mut self, number: u64) -> bool {
        match self.relocation(number) {
            Relocation::Stays => true,
            Relocation::Elsewhere => false,
            Relocation::Block(base) => {
                self.fixed.insert(base);
                if Reason::FixedAddress.counts() {
                    self.facts.fixed.insert(base);
                }
                true
            }
        }
    }

    /// Fixes several addresses; the error names their use, `what`.
    pub(super) fn fix_all(&mut self, numbers: &[u64], what: &str) -> Result<(), Failure> {
        for number in numbers {
            if !self.fix(*number) {
                return Err(Failure::Addresses(what.to_string()));
            }
        }
        Ok(())
    }

    /// Returns the relocatable addresses in a term.
    pub(super) fn moving_numbers(&self, with: &Equipment<'_, '_>, term: Term) -> Vec<u64> {
        let mut numbers = Vec::new();
        constants(with, term, &mut numbers);
        numbers.retain(|number| self.moves(*number));
        numbers
    }

    /// Returns the relocatable addresses in a register, including the ones that its term contained
    /// in the first execution.
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
