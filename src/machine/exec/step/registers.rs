//! Registers of the innermost frame as values, and moving the program counter.
//!
//! Invariant: a value above 64 bits has its low half in the named slot and its high half in the
//! next; its term, if it has one, is kept at the first slot only.

use super::super::context::Context;
use crate::memory::Value;
use crate::state::{Frame, State};
use homi_ir::program::{BlockId, Slot};
use std::sync::Arc;

/// The value of `width` bits in a register of a frame.
pub(in crate::exec) fn read(frame: &Frame, slot: Slot, width: u32) -> Value {
    let index = slot.index();
    if let Some(term) = frame.term(index) {
        return Value::Term(term);
    }
    let low = u128::from(frame.bits[index]);
    if width > 64 {
        return Value::Concrete(low | u128::from(frame.bits[index + 1]) << 64);
    }
    Value::Concrete(low)
}

/// Puts a value of `width` bits into a register of a frame.
pub(in crate::exec) fn write(frame: &mut Frame, slot: Slot, width: u32, value: Value) {
    let index = slot.index();
    match value {
        Value::Concrete(value) => {
            frame.clear_term(index);
            frame.bits[index] = value as u64;
            if width > 64 {
                frame.clear_term(index + 1);
                frame.bits[index + 1] = (value >> 64) as u64;
            }
        }
        Value::Term(term) => {
            frame.set_term(index, term);
            if width > 64 {
                frame.clear_term(index + 1);
            }
        }
    }
}

impl Context<'_, '_> {
    /// The value of `width` bits in a register of the innermost frame.
    pub(in crate::exec) fn get(&self, slot: Slot, width: u8) -> Value {
        read(self.state.frames.top(), slot, u32::from(width))
    }

    /// Puts a value of `width` bits into a register of the innermost frame.
    pub(in crate::exec) fn set(&mut self, slot: Slot, width: u8, value: Value) {
        write(self.state.frames.top_mut(), slot, u32::from(width), value);
    }

    /// On to the next instruction.
    pub(in crate::exec) fn advance(&mut self) {
        self.state.frames.top_mut().pc += 1;
    }

    /// Control of this state enters a block of the current function.
    pub(in crate::exec) fn go_to(&mut self, block: BlockId) {
        let start = self.function().blocks[block.index()].start;
        self.state.frames.top_mut().pc = start;
        self.enter_segment();
    }

    /// Moves control of the next sibling, which is in the same function, to a block of it.
    pub(in crate::exec) fn sibling_goes_to(&mut self, sibling: &mut State, block: BlockId) {
        let start = self.function().blocks[block.index()].start;
        let frame = sibling.frames.top_mut();
        frame.pc = start;
        let segment = self.prepared.segments.segment(frame.function, start);
        let number = self.siblings.len();
        if self.observer.sibling_enters_segment(number, segment) {
            sibling.metrics.note_new(0);
        }
        sibling.standing.waits = self.observer.begin_wait(segment);
    }

    /// Counts the segment that starts at the current instruction.
    pub(in crate::exec) fn enter_segment(&mut self) {
        let top = self.state.frames.top();
        let segment = self.prepared.segments.segment(top.function, top.pc);
        if self.observer.enter_segment(segment) {
            self.state.metrics.note_new(0);
        }
    }

    /// This state takes a branch side (dense number).
    pub(in crate::exec) fn take_side(&mut self, side: u32) {
        if !self.state.sides.contains(side) {
            Arc::make_mut(&mut self.state.sides).insert(side);
            if self.observer.take_side(side) {
                self.state.metrics.note_new(0);
            }
        }
    }

    /// The next sibling takes a branch side (dense number).
    pub(in crate::exec) fn sibling_takes_side(&mut self, sibling: &mut State, side: u32) {
        if !sibling.sides.contains(side) {
            Arc::make_mut(&mut sibling.sides).insert(side);
            let number = self.siblings.len();
            if self.observer.sibling_takes_side(number, side) {
                sibling.metrics.note_new(0);
            }
        }
    }
}
