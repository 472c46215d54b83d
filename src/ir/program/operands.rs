//! Which slots an instruction reads and writes.
//!
//! Invariant: every slot that executing an instruction touches is reported, reads before writes; a
//! value above 64 bits is reported once, by its first slot and its width in bits.

use super::{Callee, FloatCastOp, Function, Inst, Slot};

/// How an instruction uses a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
}

impl Inst {
    /// Visits the slots in the instruction itself, not those in the tables that it points into.
    pub fn visit_slots(&mut self, visit: &mut impl FnMut(Access, u32, &mut Slot)) {
        use Access::{Read, Write};
        match self {
            Inst::Move { w, dst, src } | Inst::Unary { w, dst, src, .. } => {
                visit(Read, u32::from(*w), src);
                visit(Write, u32::from(*w), dst);
            }
            Inst::Bin { w, dst, a, b, .. } | Inst::BinPromised { w, dst, a, b, .. } => {
                visit(Read, u32::from(*w), a);
                visit(Read, u32::from(*w), b);
                visit(Write, u32::from(*w), dst);
            }
            Inst::Cmp { w, dst, a, b, .. } => {
                visit(Read, u32::from(*w), a);
                visit(Read, u32::from(*w), b);
                visit(Write, 1, dst);
            }
            Inst::Cast {
                from, to, dst, src, ..
            } => {
                visit(Read, u32::from(*from), src);
                visit(Write, u32::from(*to), dst);
            }
            Inst::Select { w, dst, cond, a, b } => {
                visit(Read, 1, cond);
                visit(Read, u32::from(*w), a);
                visit(Read, u32::from(*w), b);
                visit(Write, u32::from(*w), dst);
            }
            Inst::PtrAdd {
                iw,
                dst,
                base,
                index,
                ..
            }
            | Inst::PtrPromised {
                iw,
                dst,
                base,
                index,
                ..
            } => {
                visit(Read, 64, base);
                visit(Read, u32::from(*iw), index);
                visit(Write, 64, dst);
            }
            Inst::PtrOffset { dst, base, .. } => {
                visit(Read, 64, base);
                visit(Write, 64, dst);
            }
            Inst::Load { w, dst, addr } => {
                visit(Read, 64, addr);
                visit(Write, u32::from(*w), dst);
            }
            Inst::Store { w, addr, src } => {
                visit(Read, 64, addr);
                visit(Read, u32::from(*w), src);
            }
            Inst::Undefined { w, dst } => visit(Write, u32::from(*w), dst),
            Inst::FrameAddress { dst, .. }
            | Inst::FrameBase { dst, .. }
            | Inst::StackSave { dst } => visit(Write, 64, dst),
            Inst::AllocaDynamic { dst, count, .. } => {
                visit(Read, 64, count);
                visit(Write, 64, dst);
            }
            Inst::StackRestore { src } => visit(Read, 64, src),
            Inst::MinMax {
                w, to, dst, a, b, ..
            } => {
                visit(Read, u32::from(*w), a);
                visit(Read, u32::from(*w), b);
                visit(Write, u32::from(*to), dst);
            }
            Inst::Funnel {
                w,
                dst,
                high,
                low,
                shift,
                ..
            } => {
                for slot in [high, low, shift] {
                    visit(Read, u32::from(*w), slot);
                }
                visit(Write, u32::from(*w), dst);
            }
            Inst::Overflow {
                w,
                dst,
                overflow,
                a,
                b,
                ..
            } => {
                visit(Read, u32::from(*w), a);
                visit(Read, u32::from(*w), b);
                visit(Write, u32::from(*w), dst);
                visit(Write, 1, overflow);
            }
            Inst::Float {
                kind, dst, a, b, ..
            } => {
                visit(Read, kind.width(), a);
                visit(Read, kind.width(), b);
                visit(Write, kind.width(), dst);
            }
            Inst::FloatUnary { kind, dst, src, .. } => {
                visit(Read, kind.width(), src);
                visit(Write, kind.width(), dst);
            }
            Inst::FloatFma { kind, dst, a, b, c } => {
                for slot in [a, b, c] {
                    visit(Read, kind.width(), slot);
                }
                visit(Write, kind.width(), dst);
            }
            Inst::FloatCmp {
                kind, dst, a, b, ..
            } => {
                visit(Read, kind.width(), a);
                visit(Read, kind.width(), b);
                visit(Write, 1, dst);
            }
            Inst::FloatCast {
                op,
                kind,
                to_kind,
                w,
                dst,
                src,
            } => {
                let integer = u32::from(*w);
                let (from, to) = match op {
                    FloatCastOp::Convert => (kind.width(), to_kind.width()),
                    FloatCastOp::FromSigned | FloatCastOp::FromUnsigned => (integer, kind.width()),
                    FloatCastOp::ToSigned
                    | FloatCastOp::ToUnsigned
                    | FloatCastOp::ToSignedSat
                    | FloatCastOp::ToUnsignedSat => (kind.width(), integer),
                };
                visit(Read, from, src);
                visit(Write, to, dst);
            }
            Inst::MemCopy { dst, src, len, .. } => {
                for slot in [dst, src, len] {
                    visit(Read, 64, slot);
                }
            }
            Inst::MemSet { dst, value, len } => {
                visit(Read, 64, dst);
                visit(Read, 8, value);
                visit(Read, 64, len);
            }
            Inst::AtomicRmw {
                w, dst, addr, src, ..
            } => {
                visit(Read, 64, addr);
                visit(Read, u32::from(*w), src);
                visit(Write, u32::from(*w), dst);
            }
            Inst::CompareExchange {
                w,
                dst,
                success,
                addr,
                expected,
                new,
            } => {
                visit(Read, 64, addr);
                visit(Read, u32::from(*w), expected);
                visit(Read, u32::from(*w), new);
                visit(Write, u32::from(*w), dst);
                visit(Write, 1, success);
            }
            Inst::VaStart { list } => visit(Read, 64, list),
            Inst::VaCopy { dst, src } => {
                visit(Read, 64, dst);
                visit(Read, 64, src);
            }
            Inst::Branch { cond, .. } => visit(Read, 1, cond),
            Inst::Switch { w, value, .. } => visit(Read, u32::from(*w), value),
            Inst::IndirectBranch { value, .. } => visit(Read, 64, value),
            Inst::Moves { .. }
            | Inst::Call { .. }
            | Inst::Jump { .. }
            | Inst::Return { .. }
            | Inst::Unreachable
            | Inst::Trap
            | Inst::Gap { .. } => {}
        }
    }

    /// True if the instruction has no effect besides its result and can never be a program bug, so
    /// that it may go if nothing reads the result.
    pub fn is_removable(&self) -> bool {
        match self {
            Inst::Bin { op, .. } | Inst::BinPromised { op, .. } => {
                !op.is_division() && !op.is_shift()
            }
            Inst::Move { .. }
            | Inst::Undefined { .. }
            | Inst::Cmp { .. }
            | Inst::Cast { .. }
            | Inst::Select { .. }
            | Inst::PtrAdd { .. }
            | Inst::PtrPromised { .. }
            | Inst::PtrOffset { .. }
            | Inst::FrameAddress { .. }
            | Inst::Unary { .. }
            | Inst::MinMax { .. }
            | Inst::Funnel { .. }
            | Inst::Overflow { .. }
            | Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatFma { .. }
            | Inst::FloatCmp { .. }
            | Inst::FloatCast { .. } => true,
            _ => false,
        }
    }
}

impl Function {
    /// Visits all slots that an instruction of the function reads and writes, tables included.
    pub fn visit_operands(&self, inst: &Inst, visit: &mut impl FnMut(Access, u32, Slot)) {
        use Access::{Read, Write};
        let mut copy = *inst;
        copy.visit_slots(&mut |access, width, slot| visit(access, width, *slot));
        match inst {
            Inst::Moves { index } => {
                let moves = &self.moves[*index as usize];
                for (width, _, src) in moves {
                    visit(Read, u32::from(*width), *src);
                }
                for (width, dst, _) in moves {
                    visit(Write, u32::from(*width), *dst);
                }
            }
            Inst::Call { site } => {
                let site = &self.calls[*site as usize];
                if let Callee::Indirect(slot) = site.callee {
                    visit(Read, 64, slot);
                }
                for (slot, width) in &site.args {
                    visit(Read, *width, *slot);
                }
                for (slot, width) in &site.results {
                    visit(Write, *width, *slot);
                }
            }
            Inst::Return { index } => {
                for (slot, width) in &self.returns[*index as usize] {
                    visit(Read, *width, *slot);
                }
            }
            _ => {}
        }
    }

    /// Replaces every slot of the code and its tables (not of parameters and constants).
    pub fn rename_slots(&mut self, rename: &mut impl FnMut(Slot) -> Slot) {
        for inst in &mut self.code {
            inst.visit_slots(&mut |_, _, slot| *slot = rename(*slot));
        }
        for (_, dst, src) in self.moves.iter_mut().flatten() {
            *dst = rename(*dst);
            *src = rename(*src);
        }
        for site in &mut self.calls {
            if let Callee::Indirect(slot) = &mut site.callee {
                *slot = rename(*slot);
            }
            for (slot, _) in site.args.iter_mut().chain(&mut site.results) {
                *slot = rename(*slot);
            }
        }
        for (slot, _) in self.returns.iter_mut().flatten() {
            *slot = rename(*slot);
        }
    }
}
