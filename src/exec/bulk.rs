//! memcpy, memmove and memset as instructions; symbolic bytes travel as they are.
//!
//! Invariant: a symbolic length forks over its possible values (if not too many), so no length is
//! lost; symbolic pointers fork over their objects and offsets.

use super::context::Context;
use crate::memory::{self, ByteValue, Value};
use crate::outcome::{BugKind, Termination};
use crate::program::{MemOp, Slot};
use crate::state::ConcretiseReason;

impl Context<'_, '_> {
    pub(super) fn mem_copy(
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
        let len = self.length(len)?;
        if len == 0 {
            return Ok(());
        }
        let source = self.concrete_address(src, len, false)?;
        let target = self.concrete_address(dst, len, true)?;
        // LLVM's memcpy may have equal operands.
        if !overlap_allowed && source != target && memory::ranges_overlap(target, source, len) {
            return Err(self.program_bug(BugKind::Ptr, "memcpy of overlapping ranges"));
        }
        let terms = self.terms();
        self.state.memory.settle(terms, source, len);
        self.state.memory.settle(terms, target, len);
        let copied = self.state.memory.copy(target, source, len);
        copied.map_err(|error| self.executor.access_failed(self.state, *error))
    }

    pub(super) fn mem_set(&mut self, dst: Slot, value: Slot, len: Slot) -> Result<(), Termination> {
        let (dst, value, len) = (self.get(dst, 64), self.get(value, 8), self.get(len, 64));
        self.fill_bytes(dst, value, len)
    }

    /// Sets `len` bytes to an 8-bit value.
    pub fn fill_bytes(&mut self, dst: Value, value: Value, len: Value) -> Result<(), Termination> {
        let len = self.length(len)?;
        if len == 0 {
            return Ok(());
        }
        let target = self.concrete_address(dst, len, true)?;
        let terms = self.terms();
        let value = match value {
            Value::Concrete(value) => ByteValue::Concrete(value as u8),
            Value::Term(term) => ByteValue::Term(term),
        };
        let filled = self.state.memory.fill(terms, target, value, len);
        filled.map_err(|error| self.executor.access_failed(self.state, *error))
    }

    fn length(&mut self, len: Value) -> Result<u64, Termination> {
        let limit = u128::from(self.config().max_value_forks);
        Ok(self.enumerate(len, ConcretiseReason::Size, limit)? as u64)
    }
}
