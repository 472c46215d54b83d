//! Calls of small functions that only compute: their operations run on a few registers after the
//! caller's frame, without a separate frame.
//!
//! Invariant: a leaf is one block of operations without effects outside of its registers. If one of
//! them cannot execute, the whole call is undone and made as an ordinary one; all counts are
//! updated at the end of the leaf, and equal the counts of an ordinary call and return.

use super::decode::{Decoded, Decoder, Op, PlainCall};
use homi_ir::program::{CallSite, Callee, FuncId, Function, Inst};

/// Registers that a leaf may have.
const MOST_REGISTERS: usize = 16;
/// Instructions that a leaf may have: the budget is not looked at before its end.
const MOST_INSTRUCTIONS: usize = 64;

/// A call of a leaf.
#[derive(Debug)]
pub(in crate::exec) struct LeafCall {
    /// Index into the caller's `calls`.
    pub site: u32,
    pub callee: FuncId,
    /// The callee's operations, with `Op::LeafEnd` in place of the return.
    pub ops: Box<[Op]>,
    /// Initial registers of the callee; missing ones hold 0.
    pub registers: [u64; MOST_REGISTERS],
    /// Registers that arguments move between: the caller's, the callee's.
    pub arguments: Box<[(u16, u16)]>,
    /// Registers that results move between: the caller's, the callee's.
    pub results: Box<[(u16, u16)]>,
    /// The callee's segment, and the one after the call.
    pub segment: u32,
    pub after: u32,
}

impl<'p> Decoder<'p> {
    /// The call `site` with this plan as one of a leaf, if its callee is one.
    pub(in crate::exec) fn leaf_call(&self, site: u32, plan: &PlainCall) -> Option<LeafCall> {
        let CallSite {
            callee: Callee::Direct(id),
            ..
        } = self.function.calls[site as usize]
        else {
            return None;
        };
        let callee = (self.plain)(id)?;
        let ops = self.leaf_ops(id, callee)?;
        let [values] = &callee.returns[..] else {
            return None;
        };
        let mut registers = [0; MOST_REGISTERS];
        let template = (self.registers)(id);
        registers
            .get_mut(..template.len())?
            .copy_from_slice(template);
        let reg = |slot: u32| u16::try_from(slot).ok();
        let pair = |(a, b): (u32, u32)| Some((reg(a)?, reg(b)?));
        let results = plan.results.as_ref()?.iter().zip(values);
        Some(LeafCall {
            site,
            callee: id,
            ops,
            registers,
            arguments: plan
                .moves
                .iter()
                .map(|entry| pair(*entry))
                .collect::<Option<_>>()?,
            results: results
                .map(|(to, from)| pair((*to, from.0.0)))
                .collect::<Option<_>>()?,
            segment: plan.segment,
            after: plan.after,
        })
    }

    fn leaf_ops(&self, id: FuncId, function: &'p Function) -> Option<Box<[Op]>> {
        let code = &function.code;
        let small = code.len() <= MOST_INSTRUCTIONS && function.slots as usize <= MOST_REGISTERS;
        if !small || function.blocks.len() != 1 || !function.frame_objects.is_empty() {
            return None;
        }
        let (Inst::Return { .. }, computing) = code.split_last()? else {
            return None;
        };
        let decoder = Decoder {
            function,
            id,
            ..*self
        };
        let mut nothing = Decoded::default();
        let ops = computing.iter().map(|inst| {
            let op = decoder.checked_op(inst, &mut nothing);
            op.is_effectless().then_some(op)
        });
        ops.chain([Some(Op::LeafEnd)]).collect()
    }
}

impl Op {
    /// Returns true if the operation only computes registers from registers and memory and refers
    /// only to registers of its function.
    fn is_effectless(&self) -> bool {
        match self {
            Op::Move { .. }
            | Op::Move2 { .. }
            | Op::Add { .. }
            | Op::Sub { .. }
            | Op::Mul { .. }
            | Op::UDiv { .. }
            | Op::URem { .. }
            | Op::SDiv { .. }
            | Op::SRem { .. }
            | Op::And { .. }
            | Op::Or { .. }
            | Op::Xor { .. }
            | Op::Shl { .. }
            | Op::LShr { .. }
            | Op::AShr { .. }
            | Op::BinPromised { .. }
            | Op::Eq { .. }
            | Op::Ne { .. }
            | Op::Ult { .. }
            | Op::Ule { .. }
            | Op::Slt { .. }
            | Op::Sle { .. }
            | Op::Trunc { .. }
            | Op::Sext { .. }
            | Op::Select { .. }
            | Op::PtrAdd { .. }
            | Op::PtrPromised { .. }
            | Op::PtrOffset { .. }
            | Op::Load { .. }
            | Op::Float { .. }
            | Op::FloatCmp { .. }
            | Op::Unary { .. }
            | Op::Pick { .. }
            | Op::FloatUnary { .. }
            | Op::FloatCast { .. } => true,
            Op::General
            | Op::MoveList { .. }
            | Op::EqBranch { .. }
            | Op::NeBranch { .. }
            | Op::UltBranch { .. }
            | Op::UleBranch { .. }
            | Op::SltBranch { .. }
            | Op::SleBranch { .. }
            | Op::MemCopy { .. }
            | Op::Store { .. }
            | Op::FrameAddress { .. }
            | Op::Jump { .. }
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::IndirectBranch { .. }
            | Op::Call { .. }
            | Op::Leaf { .. }
            | Op::LeafEnd
            | Op::Return { .. } => false,
        }
    }
}
