//! Preparation of the next instruction of a subpath: the values that it reads become variables
//! first.
//!
//! Invariant: every value of the start that the next step reads is a variable, or a number that a
//! condition pins. Addresses that were concrete stay concrete.

use super::constants::constants;
use super::subpath::{Equipment, Failure, Subpath, Touch};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{Access, Callee, Effect, Function, Inst, Slot};
use homi_machine::memory::Value;

/// Bytes of a `va_list` on x86-64.
const VA_LIST: u64 = 24;

impl Subpath<'_> {
    /// Makes variables of the values that the next instruction reads.
    pub(super) fn prepare(&mut self, with: &mut Equipment<'_, '_>) -> Result<(), Failure> {
        let top = self.state.frames.top();
        let function = with.executor.program().function(top.function);
        let inst = function.code[top.pc as usize];
        self.settle_registers(with, function, &inst);
        match inst {
            Inst::Move { .. } | Inst::Moves { .. } | Inst::Select { .. } | Inst::Return { .. } => {
                Ok(())
            }
            Inst::Load { w, addr, .. } => {
                self.access(with, addr, u64::from(w).div_ceil(8), Touch::Read)
            }
            Inst::Store { w, addr, src } => {
                self.access(with, addr, u64::from(w).div_ceil(8), Touch::Write)?;
                self.check_stored(with, addr, (src, u32::from(w)))
            }
            Inst::AtomicRmw { w, addr, .. } | Inst::CompareExchange { w, addr, .. } => {
                let bytes = u64::from(w).div_ceil(8);
                self.access(with, addr, bytes, Touch::Read)?;
                if let Some(address) = self.pin(with, addr) {
                    self.check_range(with, (address, bytes), true)?;
                }
                self.check(with, function, &inst)
            }
            Inst::MemCopy { dst, src, len, .. } => self.copy(with, dst, src, len),
            Inst::MemSet { dst, len, .. } => {
                self.pin_address(with, dst);
                match self.pin(with, len) {
                    Some(len) => self.access(with, dst, len, Touch::Write),
                    None => self.access_whole(with, (dst, 1), Touch::Somewhere),
                }
            }
            Inst::VaStart { list } => self.access(with, list, VA_LIST, Touch::Write),
            Inst::VaCopy { dst, src } => {
                self.access(with, src, VA_LIST, Touch::Read)?;
                self.access(with, dst, VA_LIST, Touch::Write)
            }
            Inst::Call { site } => self.call(with, function, site),
            Inst::FrameBase { .. } => Err(Failure::Addresses("address of a frame".to_string())),
            Inst::Undefined { .. } | Inst::BinPromised { .. } | Inst::PtrPromised { .. } => {
                Err(Failure::Unsupported("undefined values".to_string()))
            }
            Inst::Unsupported { .. } => {
                Err(Failure::Unsupported("unsupported instruction".to_string()))
            }
            other if matches!(other.effect(), Effect::Reads | Effect::Writes) => {
                Err(Failure::Unsupported("memory access".to_string()))
            }
            other => {
                self.pin_addresses(with, function, &other);
                self.pin_beside_addresses(with, &other);
                self.check(with, function, &other)
            }
        }
    }

    /// Pins addresses among the 64-bit operands.
    fn pin_addresses(&mut self, with: &Equipment<'_, '_>, function: &Function, inst: &Inst) {
        let mut slots = Vec::new();
        function.visit_operands(inst, &mut |access, width, slot| {
            if access == Access::Read && width == 64 {
                slots.push(slot);
            }
        });
        for slot in slots {
            self.pin_address(with, slot);
        }
    }

    /// Pins an operand that is compared with, or subtracted from, a relocatable address or vice
    /// versa: as a variable it might be another such address.
    fn pin_beside_addresses(&mut self, with: &Equipment<'_, '_>, inst: &Inst) {
        let (a, b) = match *inst {
            Inst::Cmp {
                op: CmpOp::Eq | CmpOp::Ne,
                w: 64,
                a,
                b,
                ..
            }
            | Inst::Bin {
                op: BinOp::Sub,
                w: 64,
                a,
                b,
                ..
            } => (a, b),
            _ => return,
        };
        for (one, other) in [(a, b), (b, a)] {
            if self.moving(with, one).is_some() && self.moving(with, other).is_none() {
                self.pin(with, other);
            }
        }
    }

    /// Returns a relocatable address in a register or in its term.
    fn moving(&self, with: &Equipment<'_, '_>, slot: Slot) -> Option<u64> {
        match self.register(slot) {
            Value::Concrete(number) => Some(number as u64).filter(|number| self.moves(*number)),
            Value::Term(term) => {
                let mut numbers = Vec::new();
                constants(with, term, &mut numbers);
                numbers.into_iter().find(|number| self.moves(*number))
            }
        }
    }

    /// Prepares an access through a register.
    pub(super) fn access(
        &mut self,
        with: &mut Equipment<'_, '_>,
        address: Slot,
        bytes: u64,
        touch: Touch,
    ) -> Result<(), Failure> {
        let number = self.pin(with, address);
        match number.or_else(|| self.pin_wild(with, address)) {
            Some(number) => {
                self.touch(with, (number, bytes), touch)?;
                self.check_parts(with, (number, bytes))
            }
            // A write somewhere in an object keeps the rest of the object.
            None => self.access_whole(with, (address, bytes), Touch::Somewhere),
        }
    }

    /// Prepares an access of a number of bytes anywhere in the objects to which a register may
    /// point.
    pub(super) fn access_whole(
        &mut self,
        with: &mut Equipment<'_, '_>,
        (address, bytes): (Slot, u64),
        touch: Touch,
    ) -> Result<(), Failure> {
        let term = match self.register(address) {
            Value::Concrete(number) => {
                self.touch_whole(with, number as u64, touch)?;
                return self.check_object(with, number as u64);
            }
            Value::Term(term) => term,
        };
        self.check_address(with, term)?;
        let are_words = self.is_of_whole_words(with, term, bytes);
        let example = with.terms.eval(term, &self.state.model) as u64;
        let mut numbers = vec![example];
        constants(with, term, &mut numbers);
        for number in numbers {
            if self.state.memory.owner(number).is_some() {
                self.touch_whole(with, number, touch)?;
                if !are_words {
                    self.check_object(with, number)?;
                }
            }
        }
        Ok(())
    }

    /// Fixes the addresses in an object, parts of which may be read or overwritten.
    fn check_object(&mut self, with: &Equipment<'_, '_>, address: u64) -> Result<(), Failure> {
        match self.state.memory.object_at(address) {
            Some(object) => self.check_range(with, (object.base, object.capacity), true),
            None => Ok(()),
        }
    }

    fn copy(
        &mut self,
        with: &mut Equipment<'_, '_>,
        dst: Slot,
        src: Slot,
        len: Slot,
    ) -> Result<(), Failure> {
        match self.pin(with, len) {
            Some(len) => {
                self.access(with, src, len, Touch::Read)?;
                self.access(with, dst, len, Touch::Write)?;
                match (self.pin(with, dst), self.pin(with, src)) {
                    (Some(dst), Some(src)) => self.check_copy(with, dst, src, len),
                    _ => Ok(()),
                }
            }
            None => {
                self.pin_address(with, src);
                self.pin_address(with, dst);
                self.access_whole(with, (src, 1), Touch::Somewhere)?;
                self.access_whole(with, (dst, 1), Touch::Somewhere)
            }
        }
    }

    fn call(
        &mut self,
        with: &mut Equipment<'_, '_>,
        function: &Function,
        site: u32,
    ) -> Result<(), Failure> {
        let site = &function.calls[site as usize];
        let callee = match site.callee {
            Callee::Assembly { .. } => {
                return Err(Failure::Unsupported("inline assembly".to_string()));
            }
            Callee::Direct(callee) => Some(callee),
            Callee::Indirect(slot) => {
                let number = self.pin(with, slot);
                number.and_then(homi_machine::memory::function_at)
            }
        };
        let Some(callee) = callee else {
            return Err(Failure::Unsupported(
                "symbolic function pointer".to_string(),
            ));
        };
        let functions = &with.executor.program().functions;
        let Some(called) = functions.get(callee.index()) else {
            // The step itself reports the error.
            return Ok(());
        };
        if with.executor.is_builtin(callee) {
            return self.built_in(with, &called.name, &site.args);
        }
        for (param, &(slot, _)) in called.params.iter().zip(&site.args) {
            if let Some((size, _)) = param.byval {
                self.access(with, slot, size, Touch::Read)?;
                if let Some(source) = self.pin(with, slot) {
                    self.check_copy(with, 0, source, size)?;
                }
            }
        }
        Ok(())
    }
}
