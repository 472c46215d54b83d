//! memcpy, memmove and memset as instructions; symbolic bytes travel as they are.
//!
//! Invariant: no length is lost. One with few possible values forks over them; with more, each byte
//! that it may reach is written under the condition that it does, and lengths beyond the object
//! fork off as a bug. Symbolic pointers fork over their objects and offsets.

use super::super::context::{Context, Sides};
use super::super::prepared::PreparedProgram;
use crate::memory;
use crate::memory::{AccessError, AccessErrorKind, ByteValue, Value};
use crate::outcome::{Bug, BugKind, Termination};
use crate::state::{ConcretiseReason, State};
use homi_config::Weakness;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{MemOp, Slot};
use homi_solver::term::Term;

/// Bytes that are written under a condition each; of longer lengths one is taken.
const MOST_CONDITIONAL: u64 = 1 << 16;

/// Number of bytes of an operation.
enum Length {
    Known(u64),
    /// From 1 to `most`, 64 bits; `least` at least.
    Symbolic {
        term: Term,
        least: u64,
        most: u64,
    },
}

impl Context<'_, '_> {
    pub(in crate::exec) fn mem_copy(
        &mut self,
        op: MemOp,
        dst: Slot,
        src: Slot,
        len: Slot,
    ) -> Result<(), Termination> {
        let (dst, src, len) = (self.get(dst, 64), self.get(src, 64), self.get(len, 64));
        self.copy_bytes(dst, src, len, op == MemOp::Move)
    }

    /// Copies `len` bytes; a fork makes siblings execute the current instruction again.
    pub fn copy_bytes(
        &mut self,
        dst: Value,
        src: Value,
        len: Value,
        overlap_allowed: bool,
    ) -> Result<(), Termination> {
        let len = match self.length(len, &[(src, false), (dst, true)])? {
            Length::Known(0) => return Ok(()),
            Length::Known(len) => len,
            Length::Symbolic { term, least, most } => {
                return self.copy_below(dst, src, (term, least, most), overlap_allowed);
            }
        };
        let source = self.concrete_address(src, len, false)?;
        let target = self.concrete_address(dst, len, true)?;
        // LLVM's memcpy may have equal operands.
        if !overlap_allowed && source != target && memory::ranges_overlap(target, source, len) {
            return Err(Termination::Bug(Box::new(overlap(
                self.prepared,
                self.state,
            ))));
        }
        let terms = self.terms();
        self.make_any(source, len);
        self.state.memory.settle(terms, source, len);
        self.state.memory.settle(terms, target, len);
        let copied = self.state.memory.copy(target, source, len);
        copied.map_err(|error| self.copy_failed(*error, source))
    }

    fn copy_below(
        &mut self,
        dst: Value,
        src: Value,
        (term, least, most): (Term, u64, u64),
        overlap_allowed: bool,
    ) -> Result<(), Termination> {
        let source = self.concrete_address(src, least, false)?;
        let target = self.concrete_address(dst, least, true)?;
        let distance = source.abs_diff(target);
        if !overlap_allowed && distance != 0 && distance < most {
            let terms = self.terms();
            let apart = terms.cmp(CmpOp::Ule, term, terms.constant(64, distance.into()));
            self.require(apart, overlap)?;
        }
        self.make_any(source, most);
        let terms = self.terms();
        let memory = &mut self.state.memory;
        let copied = memory
            .bytes_from(terms, source, most)
            .and_then(|bytes| memory.write_bytes_below(terms, target, term, least, &bytes));
        copied.map_err(|error| self.copy_failed(*error, source))
    }

    /// Returns the termination for a copy from `source` that failed there or at its target.
    pub(super) fn copy_failed(&self, error: AccessError, source: u64) -> Termination {
        let writes = error.address != source;
        self.prepared.access_failed(self.state, error, writes)
    }

    pub(in crate::exec) fn mem_set(
        &mut self,
        dst: Slot,
        value: Slot,
        len: Slot,
    ) -> Result<(), Termination> {
        let (dst, value, len) = (self.get(dst, 64), self.get(value, 8), self.get(len, 64));
        self.fill_bytes(dst, value, len)
    }

    /// Sets `len` bytes to an 8-bit value.
    pub fn fill_bytes(&mut self, dst: Value, value: Value, len: Value) -> Result<(), Termination> {
        let len = self.length(len, &[(dst, true)])?;
        let value = match value {
            Value::Concrete(value) => ByteValue::Concrete(value as u8),
            Value::Term(term) => ByteValue::Term(term),
        };
        let terms = self.terms();
        let filled = match len {
            Length::Known(0) => return Ok(()),
            Length::Known(len) => {
                let target = self.concrete_address(dst, len, true)?;
                self.state.memory.fill(terms, target, value, len)
            }
            Length::Symbolic { term, least, most } => {
                let target = self.concrete_address(dst, least, true)?;
                let values = vec![value; most as usize];
                let memory = &mut self.state.memory;
                memory.write_bytes_below(terms, target, term, least, &values)
            }
        };
        filled.map_err(|error| self.prepared.write_failed(self.state, *error))
    }

    /// Returns the number of bytes that a bulk operation accesses at each of the addresses.
    fn length(&mut self, len: Value, places: &[(Value, bool)]) -> Result<Length, Termination> {
        let len = self.defined(len, "use of an undefined number");
        let few = u128::from(self.config().max_value_forks);
        let term = match len {
            Value::Concrete(len) => return Ok(Length::Known(len as u64)),
            Value::Term(term) => term,
        };
        let (low, high) = self.bounds(term);
        if high - low < few || !self.state.forks.enabled {
            let len = self.enumerate(len, ConcretiseReason::Size, few)?;
            return Ok(Length::Known(len as u64));
        }
        let none = self.equals(term, 0);
        if self.branch_on(none)? {
            return Ok(Length::Known(0));
        }
        let least = low.max(1) as u64;
        let mut most = u64::MAX;
        for &(address, writing) in places {
            most = most.min(self.room_for(address, term, (least, writing))?);
        }
        let (least, most) = (least, most.min(high as u64));
        if most <= MOST_CONDITIONAL {
            return Ok(Length::Symbolic { term, least, most });
        }
        let len = self.enumerate(len, ConcretiseReason::Size, few)?;
        Ok(Length::Known(len as u64))
    }

    /// Forks off as a bug the symbolic lengths for which some byte at the address is inaccessible.
    /// The access itself checks concrete lengths.
    pub fn require_room(
        &mut self,
        address: Value,
        len: Value,
        writing: bool,
    ) -> Result<(), Termination> {
        let len = self.defined(len, "use of an undefined number");
        let Value::Term(term) = len else {
            return Ok(());
        };
        let none = self.equals(term, 0);
        if !self.branch_on(none)? {
            let least = self.bounds(term).0.max(1) as u64;
            self.room_for(address, term, (least, writing))?;
        }
        Ok(())
    }

    /// Returns the bytes from an address to its object's end. The path continues if a length, which
    /// is at least `least`, is not greater; other lengths fork off as a bug.
    fn room_for(
        &mut self,
        address: Value,
        len: Term,
        (least, writing): (u64, bool),
    ) -> Result<u64, Termination> {
        let address = self.concrete_address(address, least, writing)?;
        let checked = self.state.memory.check(address, least);
        let failed = |error| self.prepared.access_failed(self.state, error, writing);
        let object = checked.map_err(|error| failed(*error))?;
        let offset = address - object.base;
        let terms = self.terms();
        let room = match object.symbolic_size {
            // The size is at least the offset.
            Some(size) => terms.bin(BinOp::Sub, size, terms.constant(64, offset.into())),
            None => terms.constant(64, (object.size - offset).into()),
        };
        let fits = terms.cmp(CmpOp::Ule, len, room);
        match self.sides(fits) {
            Sides::True => {}
            Sides::False => return Err(self.too_long(self.state, address, (len, writing))),
            Sides::Both { holds, fails } => {
                self.fork_bug(fits, (holds, fails), |context, sibling| {
                    context.too_long(sibling, address, (len, writing))
                })?;
            }
        }
        Ok(object.capacity - offset)
    }

    /// Returns the end of a path on which this many bytes do not fit behind an address.
    fn too_long(&self, state: &State, address: u64, (len, writing): (Term, bool)) -> Termination {
        let len = self.terms().eval(len, &state.model) as u64;
        let Err(mut error) = state.memory.check(address, len) else {
            return self.program_bug(BugKind::Ptr, "memory error: out of bound pointer");
        };
        if let AccessErrorKind::OutOfBounds {
            object: Some(object),
        } = &mut error.kind
        {
            // It is certain, whatever the size: nothing to try again.
            object.symbolic_size = None;
        }
        self.prepared.access_failed(state, *error, writing)
    }
}

/// Returns the bug of a copy between ranges that overlap.
fn overlap(prepared: &PreparedProgram<'_>, state: &State) -> Bug {
    let mut bug = prepared.bug(state, BugKind::Ptr, "memcpy of overlapping ranges");
    bug.weakness = Weakness::Overlap;
    bug
}
