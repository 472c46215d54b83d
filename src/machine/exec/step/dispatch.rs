//! One instruction the general way: any mix of concrete and symbolic operands.
//!
//! Invariant: `step` executes exactly the instruction at the innermost frame's `pc` and moves it
//! on; if it fails, `pc` still names the instruction at fault.

use super::super::context::Context;
use super::size::Size;
use crate::memory;
use crate::memory::{ObjectKind, UNINITIALISED, Value};
use crate::outcome::{BugKind, Termination};
use crate::state::ConcretiseReason;
use homi_ir::ops;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{AtomicOp, CastOp, Inst, IntUnary, MinMaxOp, Slot};

impl Context<'_, '_> {
    /// Executes the next instruction of the state.
    pub(in crate::exec) fn step(&mut self) -> Result<(), Termination> {
        let metrics = &mut self.state.metrics;
        metrics.instructions += 1;
        if metrics.instructions_since_new != 0 {
            metrics.instructions_since_new += 1;
        }
        self.observer.instructions += 1;
        let call_path = self.state.frames.top().call_path;
        self.observer.call_paths.add_instructions(call_path, 1);

        let values = self.values();
        match self.instruction() {
            Inst::Move { w, dst, src } => {
                let value = self.get(src, w);
                self.set(dst, w, value);
            }
            Inst::Moves { index } => {
                let moves = &self.function().moves[index as usize];
                let read: Vec<Value> = moves.iter().map(|&(w, _, src)| self.get(src, w)).collect();
                for (&(w, dst, _), value) in moves.iter().zip(read) {
                    self.set(dst, w, value);
                }
            }
            Inst::Bin { op, w, dst, a, b } => {
                let (a, b) = (self.get(a, w), self.get(b, w));
                let value = self.arithmetic(op, u32::from(w), a, b)?;
                self.set(dst, w, value);
            }
            Inst::BinPromised {
                op,
                promises,
                w,
                dst,
                a,
                b,
            } => {
                let (a, b, width) = (self.get(a, w), self.get(b, w), u32::from(w));
                let value = self.arithmetic(op, width, a, b)?;
                self.check_result((op, promises), width, (a, b), value);
                let kept = if self.prepared.overflow_wraps {
                    promises & !(ops::NO_SIGNED_WRAP | ops::NO_UNSIGNED_WRAP)
                } else {
                    promises
                };
                let value = self.promised((op, kept), width, (a, b), value);
                self.set(dst, w, value);
            }
            Inst::Undefined { w, is_any, dst } => {
                let width = u32::from(w);
                let value = match is_any {
                    0 => self.undefined_value(width),
                    _ => self.any_value(width),
                };
                self.set(dst, w, value);
            }
            Inst::Cmp { op, w, dst, a, b } => {
                let value = values.cmp(op, u32::from(w), self.get(a, w), self.get(b, w));
                self.set(dst, 1, value);
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
            } => {
                let value = self.get(src, from);
                let (from, width) = (u32::from(from), u32::from(to));
                let value = match op {
                    CastOp::Zext => values.zext(value, width),
                    CastOp::Sext => values.sext(from, value, width),
                    CastOp::Trunc => values.extract(value, 0, width),
                };
                self.set(dst, to, value);
            }
            Inst::Select { w, dst, cond, a, b } => {
                let (cond, a, b) = (self.get(cond, 1), self.get(a, w), self.get(b, w));
                self.set(dst, w, values.select(cond, u32::from(w), a, b));
            }
            Inst::PtrAdd {
                iw,
                dst,
                base,
                index,
                scale,
                offset,
            } => {
                let index = values.sext(u32::from(iw), self.get(index, iw), 64);
                let scale = Value::Concrete(u128::from(scale));
                let distance = values.bin(BinOp::Mul, 64, index, scale);
                let offset = Value::Concrete(u128::from(i64::from(offset) as u64));
                // Constant parts are added to each other first, so that the object's address stays
                // visible.
                let start = self.get(base, 64);
                let base = values.bin(BinOp::Add, 64, start, offset);
                let value = values.bin(BinOp::Add, 64, base, distance);
                self.note_start(value, start, distance, base);
                self.set(dst, 64, value);
            }
            Inst::PtrPromised {
                promises,
                iw,
                dst,
                base,
                index,
                scale,
            } => {
                let index = values.sext(u32::from(iw), self.get(index, iw), 64);
                let start = self.get(base, 64);
                let value = self.promised_address(promises, start, index, scale);
                let factor = Value::Concrete(u128::from(scale));
                let distance = values.bin(BinOp::Mul, 64, index, factor);
                self.note_start(value, start, distance, start);
                self.set(dst, 64, value);
            }
            Inst::PtrOffset { dst, base, offset } => {
                let offset = Value::Concrete(u128::from(i64::from(offset) as u64));
                let start = self.get(base, 64);
                let value = values.bin(BinOp::Add, 64, start, offset);
                self.note_start(value, start, offset, start);
                self.set(dst, 64, value);
            }
            Inst::Load { w, dst, addr } => self.load(w, dst, addr)?,
            Inst::Store { w, addr, src } => self.store(w, addr, src)?,
            Inst::FrameAddress { dst, object } => {
                let frame = self.state.frames.top();
                let layout = &self.prepared.layouts[frame.function.index()];
                let address = frame.stack_base + layout.offset(object);
                self.set(dst, 64, Value::Concrete(u128::from(address)));
            }
            Inst::ScopeBegin { dst, object } => {
                let address = self.state.memory.begin_block(object);
                self.set(dst, 64, Value::Concrete(u128::from(address)));
            }
            Inst::ScopeEnd { object } => self.state.memory.end_block(object),
            Inst::AllocaDynamic {
                dst,
                count,
                size,
                align,
            } => self.alloca(dst, count, size, align)?,
            Inst::FrameBase { dst, level } => {
                let address = self.prepared.frame_address(self.state, level);
                self.set(dst, 64, Value::Concrete(u128::from(address)));
            }
            Inst::StackSave { dst } => {
                let token = self.state.memory.stack_save();
                self.set(dst, 64, Value::Concrete(u128::from(token)));
            }
            Inst::StackRestore { src } => {
                let token = self.get(src, 64);
                let token = self.concretise(token, ConcretiseReason::Operation);
                let freed = self.state.memory.stack_restore(token as u64);
                let end = &mut self.state.frames.top_mut().stack_end;
                // A size that became known since was not counted.
                *end = end.saturating_sub(freed);
            }
            Inst::Unary { op, w, dst, src } => {
                let value = match op {
                    IntUnary::Freeze => self.fixed(self.get(src, w)),
                    _ => values.unary(op, u32::from(w), self.get(src, w)),
                };
                self.set(dst, w, value);
            }
            Inst::MinMax {
                op,
                w,
                to,
                dst,
                a,
                b,
            } => {
                let (a, b) = (self.get(a, w), self.get(b, w));
                let value = values.min_max(op, u32::from(w), u32::from(to), a, b);
                self.set(dst, to, value);
            }
            Inst::Funnel {
                op,
                w,
                dst,
                high,
                low,
                shift,
            } => {
                let (high, low) = (self.get(high, w), self.get(low, w));
                let value = values.funnel(op, u32::from(w), high, low, self.get(shift, w));
                self.set(dst, w, value);
            }
            Inst::Overflow {
                op,
                w,
                dst,
                overflow,
                a,
                b,
            } => {
                let (a, b) = (self.get(a, w), self.get(b, w));
                let (value, over) = values.overflow(op, u32::from(w), a, b);
                self.set(dst, w, value);
                self.set(overflow, 1, over);
            }
            Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatFma { .. }
            | Inst::FloatCmp { .. }
            | Inst::FloatCast { .. } => self.float(self.instruction()),
            Inst::MemCopy { op, dst, src, len } => self.mem_copy(op, dst, src, len)?,
            Inst::MemSet { dst, value, len } => self.mem_set(dst, value, len)?,
            Inst::AtomicRmw {
                op,
                w,
                dst,
                addr,
                src,
            } => self.atomic(op, w, dst, addr, src)?,
            Inst::CompareExchange {
                w,
                dst,
                success,
                addr,
                expected,
                new,
            } => {
                let address = self.get(addr, 64);
                let address = self.atomic_address(address, w)?;
                let (width, bytes) = (u32::from(w), u32::from(w).div_ceil(8));
                let (expected, new) = (self.get(expected, w), self.get(new, w));
                let old = self.read(address, bytes)?;
                let old = values.resize(old, bytes * 8, width);
                let equal = values.cmp(CmpOp::Eq, width, old, expected);
                let stored = values.select(equal, width, new, old);
                self.write(address, bytes, values.zext(stored, bytes * 8))?;
                self.set(dst, w, old);
                self.set(success, 1, equal);
            }
            Inst::VaStart { list } => self.va_start(list)?,
            Inst::VaCopy { dst, src } => self.va_copy(dst, src)?,
            // The rest moves control itself.
            Inst::Call { site } => return self.call(site),
            Inst::Jump { target } => {
                self.go_to(target);
                return Ok(());
            }
            Inst::Branch {
                cond,
                then,
                otherwise,
                branch,
            } => return self.branch(cond, then, otherwise, branch),
            Inst::Switch { w, value, table } => {
                let value = self.get_defined(value, w, "switch on an undefined value");
                return self.switch(value, table);
            }
            Inst::IndirectBranch { value, table } => {
                let value = self.get_defined(value, 64, "jump to an undefined label");
                return self.indirect_branch(value, table);
            }
            Inst::Return { index } => return self.return_(index),
            Inst::Unreachable => {
                return Err(
                    self.program_bug(BugKind::Unreachable, "reached \"unreachable\" instruction")
                );
            }
            Inst::Trap => return Err(self.program_bug(BugKind::Abort, "abort failure")),
            Inst::Unsupported { what } => {
                let what = self.program().texts[what.index()].clone();
                return Err(self.unsupported(what));
            }
        }
        self.advance();
        Ok(())
    }

    /// The path ends as a bug at the current instruction.
    pub(in crate::exec) fn program_bug(&self, kind: BugKind, message: &str) -> Termination {
        Termination::Bug(Box::new(self.prepared.bug(self.state, kind, message)))
    }

    /// `a op b`, checked.
    fn arithmetic(
        &mut self,
        op: BinOp,
        width: u32,
        a: Value,
        b: Value,
    ) -> Result<Value, Termination> {
        let b = if op.is_division() {
            self.defined(b, "division by an undefined value")
        } else {
            b
        };
        self.check_operands(op, width, (a, b))?;
        Ok(self.values().bin(op, width, a, b))
    }

    fn alloca(&mut self, dst: Slot, count: Slot, size: u32, align: u32) -> Result<(), Termination> {
        let count = self.get(count, 64);
        let bytes = self.size_product(count, Value::Concrete(u128::from(size)));
        let size = self.allocation_size(bytes)?;
        self.check_room_on_stack(size)?;
        let align = u64::from(align.max(1));
        let made = self.allocate_sized(ObjectKind::Stack, size, align, UNINITIALISED);
        match made.filter(|&address| self.state.memory.leave_with_frame(address).is_some()) {
            Some(address) => {
                if let Size::Known(bytes) = size {
                    self.state.frames.top_mut().stack_end += memory::dynamic_stack_bytes(bytes);
                }
                self.set(dst, 64, Value::Concrete(u128::from(address)));
                Ok(())
            }
            None => Err(Termination::Early(super::super::EarlyReason::OutOfMemory)),
        }
    }

    /// The place of a read-modify-write as an address that both parts can use without forking
    /// again.
    fn atomic_address(&mut self, address: Value, width: u8) -> Result<Value, Termination> {
        let bytes = u64::from(width).div_ceil(8);
        let address = self.concrete_address(address, bytes, true)?;
        Ok(Value::Concrete(u128::from(address)))
    }

    fn atomic(
        &mut self,
        op: AtomicOp,
        w: u8,
        dst: Slot,
        addr: Slot,
        src: Slot,
    ) -> Result<(), Termination> {
        let values = self.values();
        let (width, bytes) = (u32::from(w), u32::from(w).div_ceil(8));
        let address = self.get(addr, 64);
        let address = self.atomic_address(address, w)?;
        let operand = self.get(src, w);
        let old = self.read(address, bytes)?;
        let old = values.resize(old, bytes * 8, width);
        let bin = |op| values.bin(op, width, old, operand);
        let pick = |op| values.min_max(op, width, width, old, operand);
        let new = match op {
            AtomicOp::Exchange => operand,
            AtomicOp::Add => bin(BinOp::Add),
            AtomicOp::Sub => bin(BinOp::Sub),
            AtomicOp::And => bin(BinOp::And),
            AtomicOp::Nand => values.not(width, bin(BinOp::And)),
            AtomicOp::Or => bin(BinOp::Or),
            AtomicOp::Xor => bin(BinOp::Xor),
            AtomicOp::Max => pick(MinMaxOp::SMax),
            AtomicOp::Min => pick(MinMaxOp::SMin),
            AtomicOp::UMax => pick(MinMaxOp::UMax),
            AtomicOp::UMin => pick(MinMaxOp::UMin),
        };
        self.write(address, bytes, values.zext(new, bytes * 8))?;
        self.set(dst, w, old);
        Ok(())
    }
}
