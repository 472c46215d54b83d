//! Intrinsics of memory, of the stack and of variable arguments, and intrinsics that stop or jump.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use super::matches_family;
use crate::c_api::Value;
use homi_ir::program::{Inst, MemOp, Slot};

impl Body<'_, '_> {
    pub(super) fn memory_intrinsic(
        &mut self,
        inst: Value,
        family: &str,
    ) -> Result<bool, Unsupported> {
        // The atomic ones, whose last argument is the size of an element.
        let family = match family.split_once(".element.unordered.atomic") {
            Some((plain, _)) => plain,
            None => family,
        };
        let is = |candidate: &str| matches_family(family, candidate);
        if is("memcpy") || is("memcpy.inline") || is("memmove") {
            let op = if is("memmove") {
                MemOp::Move
            } else {
                MemOp::Copy
            };
            let dst = self.scalar(inst.operand(0))?;
            let src = self.scalar(inst.operand(1))?;
            let len = self.length(inst.operand(2))?;
            self.emit(Inst::MemCopy { op, dst, src, len });
        } else if is("memset") || is("memset.inline") {
            let dst = self.scalar(inst.operand(0))?;
            let value = self.scalar(inst.operand(1))?;
            let len = self.length(inst.operand(2))?;
            self.emit(Inst::MemSet { dst, value, len });
        } else if is("va_start") {
            let list = self.scalar(inst.operand(0))?;
            self.emit(Inst::VaStart { list });
        } else if is("va_copy") {
            let dst = self.scalar(inst.operand(0))?;
            let src = self.scalar(inst.operand(1))?;
            self.emit(Inst::VaCopy { dst, src });
        } else if is("stacksave") {
            let dst = self.new_slot(64);
            self.emit(Inst::StackSave { dst });
            self.define(inst, vec![dst]);
        } else if is("stackrestore") {
            let src = self.scalar(inst.operand(0))?;
            self.emit(Inst::StackRestore { src });
        } else if is("ubsantrap") {
            let number = self.scalar(inst.operand(0))?;
            self.call_word_function("homi_trap", &[number]);
            self.emit(Inst::Trap);
        } else if is("trap") || is("debugtrap") {
            self.emit(Inst::Trap);
        } else if is("ptrmask") {
            self.masked_pointers(inst)?;
        } else if is("load.relative") {
            self.load_relative(inst)?;
        } else if is("ct.select") {
            self.choose_without_jump(inst)?;
        } else if is("thread.pointer") {
            let dst = self.thread_pointer()?;
            self.define(inst, vec![dst]);
        } else if is("eh.sjlj.setjmp") {
            let buffer = self.scalar(inst.operand(0))?;
            self.returns_twice = true;
            let came_back = self.call_jump_function("homi_set_jump_in_words", buffer)?;
            self.define(inst, vec![came_back]);
        } else if is("eh.sjlj.longjmp") {
            let buffer = self.scalar(inst.operand(0))?;
            self.call_jump_function("homi_long_jump_in_words", buffer)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Returns a length argument, which may be an i32, extended to 64 bits.
    fn length(&mut self, value: Value) -> Result<Slot, Unsupported> {
        let width = self.module.types.scalar(value.ty())?.width();
        let slot = self.scalar(value)?;
        Ok(self.resize(width, 64, slot))
    }

    /// Returns the value of the thread pointer register.
    fn thread_pointer(&mut self) -> Result<Slot, Unsupported> {
        let global = self.module.module.global("__homi_thread_pointer");
        let global = global.ok_or_else(|| Unsupported::new("the thread pointer"))?;
        let addr = self.scalar(global)?;
        Ok(self.load_scalar(Scalar::Pointer, addr))
    }

    /// Calls one of the two halves of `__builtin_setjmp`.
    fn call_jump_function(&mut self, name: &str, buffer: Slot) -> Result<Slot, Unsupported> {
        let function = self.module.word_function(name, 1);
        let function = function.ok_or_else(|| Unsupported::new(format!("{name} is not there")))?;
        Ok(self.call_function(function, vec![(buffer, Scalar::Pointer)], Some(32))[0])
    }
}
