//! The loop over decoded operations, for frames in which every register is concrete.
//!
//! Invariant: the same as `fast`'s: it stops before an operation it cannot do, with the state as if
//! it had never looked at it. Instructions are counted when control leaves a straight run of code,
//! and the budget is looked at then, so a run may exceed its budget by less than one block.

use super::super::checks::pointer_sum::promised_sum;
use super::super::float;
use super::decode::{Decoded, Edge, MAX_MOVES, NO_SIDE, Op};
use super::frames::{
    Leave, RunEnvironment, copy64, load64, pick64, promised64, store64, take_side, unary64,
};
use super::leaf::LeafCall;
use crate::state::Frame;
use homi_ir::ops::{mask64, signed64};

/// Registers of the loop: a frame, or the few registers of a leaf.
pub(in crate::exec) struct Activation<'f> {
    pub registers: &'f mut [u64],
    pub pc: &'f mut u32,
    pub stack_base: u64,
}

impl<'f> From<&'f mut Frame> for Activation<'f> {
    fn from(frame: &'f mut Frame) -> Self {
        Self {
            registers: &mut frame.bits,
            pc: &mut frame.pc,
            stack_base: frame.stack_base,
        }
    }
}

/// Runs operations from the activation's `pc` on. `executed` counts instructions; the budget is
/// `limit`. If `LEAF`, they are operations of a leaf, and `decoded` belongs to another function.
#[inline(always)]
fn run<const LEAF: bool>(
    activation: Activation<'_>,
    (ops, decoded): (&[Op], &Decoded),
    around: &mut RunEnvironment<'_>,
    executed: &mut u64,
    limit: u64,
) -> Leave {
    let bits = activation.registers;
    let mut pc = *activation.pc as usize;
    // The first instruction that is not in `count` yet.
    let mut start = pc;
    let mut count = *executed;

    macro_rules! leave {
        ($leave:expr) => {{
            *activation.pc = pc as u32;
            *executed = count + (pc - start) as u64;
            return $leave;
        }};
    }
    macro_rules! get {
        ($register:expr) => {{
            let index = usize::from($register);
            debug_assert!(index < bits.len());
            // SAFETY: `verify` has checked every slot that an instruction of this function names
            // against `Function::slots`, decoding keeps the numbers, and a frame has `slots`
            // registers (a leaf's window has at least this number).
            unsafe { *bits.get_unchecked(index) }
        }};
    }
    macro_rules! set {
        ($register:expr, $value:expr) => {{
            let index = usize::from($register);
            let value = $value;
            debug_assert!(index < bits.len());
            // SAFETY: as for `get`.
            unsafe { *bits.get_unchecked_mut(index) = value }
        }};
    }
    macro_rules! jump {
        ($edge:expr, $length:expr) => {{
            let edge: Edge = $edge;
            count += (pc - start) as u64 + $length;
            if edge.side != NO_SIDE && !around.sides.contains(edge.side) {
                take_side(around, edge.side, count);
            }
            pc = edge.pc as usize;
            start = pc;
            around.enter_segment(edge.segment, count);
            if count >= limit {
                leave!(Leave::Budget)
            }
            continue;
        }};
    }
    macro_rules! branch {
        ($branch:expr, $holds:expr, $length:expr) => {{
            let edges = &decoded.branches[$branch as usize];
            jump!(if $holds { edges.0 } else { edges.1 }, $length)
        }};
    }

    loop {
        debug_assert!(pc < ops.len());
        // SAFETY: `verify` has checked that blocks start inside the code and end with a terminator
        // or an unsupported feature, which all jump or leave, so counting up from a block's start
        // stays inside.
        match unsafe { *ops.get_unchecked(pc) } {
            Op::General => leave!(Leave::Slow),
            Op::Move { dst, src } => set!(dst, get!(src)),
            Op::Move2 {
                dst,
                src,
                dst2,
                src2,
            } => {
                let (value, value2) = (get!(src), get!(src2));
                set!(dst, value);
                set!(dst2, value2);
            }
            Op::MoveList { list } => {
                let list = &decoded.move_lists[list as usize];
                let mut values = [0; MAX_MOVES];
                for (value, pair) in values.iter_mut().zip(list) {
                    *value = get!(pair.1);
                }
                for (value, pair) in values.iter().zip(list) {
                    set!(pair.0, *value);
                }
            }
            Op::Add { w, dst, a, b } => {
                set!(dst, get!(a).wrapping_add(get!(b)) & mask64(u32::from(w)));
            }
            Op::Sub { w, dst, a, b } => {
                set!(dst, get!(a).wrapping_sub(get!(b)) & mask64(u32::from(w)));
            }
            Op::Mul { w, dst, a, b } => {
                set!(dst, get!(a).wrapping_mul(get!(b)) & mask64(u32::from(w)));
            }
            Op::UDiv { dst, a, b } => match get!(a).checked_div(get!(b)) {
                Some(value) => set!(dst, value),
                None => leave!(Leave::Slow),
            },
            Op::URem { dst, a, b } => match get!(a).checked_rem(get!(b)) {
                Some(value) => set!(dst, value),
                None => leave!(Leave::Slow),
            },
            Op::SDiv { w, dst, a, b } => {
                let w = u32::from(w);
                let (x, y) = (signed64(w, get!(a)), signed64(w, get!(b)));
                if is_unsafe_divisor(y) {
                    leave!(Leave::Slow)
                }
                set!(dst, x.wrapping_div(y) as u64 & mask64(w));
            }
            Op::SRem { w, dst, a, b } => {
                let w = u32::from(w);
                let (x, y) = (signed64(w, get!(a)), signed64(w, get!(b)));
                if is_unsafe_divisor(y) {
                    leave!(Leave::Slow)
                }
                set!(dst, x.wrapping_rem(y) as u64 & mask64(w));
            }
            Op::And { dst, a, b } => set!(dst, get!(a) & get!(b)),
            Op::Or { dst, a, b } => set!(dst, get!(a) | get!(b)),
            Op::Xor { dst, a, b } => set!(dst, get!(a) ^ get!(b)),
            Op::Shl { w, dst, a, b } => {
                let (w, y) = (u32::from(w), get!(b));
                if y >= u64::from(w) {
                    leave!(Leave::Slow)
                }
                set!(dst, get!(a) << y & mask64(w));
            }
            Op::LShr { w, dst, a, b } => {
                let y = get!(b);
                if y >= u64::from(w) {
                    leave!(Leave::Slow)
                }
                set!(dst, get!(a) >> y);
            }
            Op::AShr { w, dst, a, b } => {
                let (w, y) = (u32::from(w), get!(b));
                if y >= u64::from(w) {
                    leave!(Leave::Slow)
                }
                set!(dst, (signed64(w, get!(a)) >> y) as u64 & mask64(w));
            }
            Op::BinPromised {
                op,
                promises,
                w,
                dst,
                a,
                b,
            } => match promised64(op, promises, u32::from(w), get!(a), get!(b)) {
                Some(value) => set!(dst, value),
                None => leave!(Leave::Slow),
            },
            Op::Eq { dst, a, b } => set!(dst, u64::from(get!(a) == get!(b))),
            Op::Ne { dst, a, b } => set!(dst, u64::from(get!(a) != get!(b))),
            Op::Ult { dst, a, b } => set!(dst, u64::from(get!(a) < get!(b))),
            Op::Ule { dst, a, b } => set!(dst, u64::from(get!(a) <= get!(b))),
            Op::Slt { w, dst, a, b } => {
                let w = u32::from(w);
                set!(dst, u64::from(signed64(w, get!(a)) < signed64(w, get!(b))));
            }
            Op::Sle { w, dst, a, b } => {
                let w = u32::from(w);
                set!(dst, u64::from(signed64(w, get!(a)) <= signed64(w, get!(b))));
            }
            Op::EqBranch { dst, a, b, branch } => {
                let holds = get!(a) == get!(b);
                set!(dst, u64::from(holds));
                branch!(branch, holds, 2)
            }
            Op::NeBranch { dst, a, b, branch } => {
                let holds = get!(a) != get!(b);
                set!(dst, u64::from(holds));
                branch!(branch, holds, 2)
            }
            Op::UltBranch { dst, a, b, branch } => {
                let holds = get!(a) < get!(b);
                set!(dst, u64::from(holds));
                branch!(branch, holds, 2)
            }
            Op::UleBranch { dst, a, b, branch } => {
                let holds = get!(a) <= get!(b);
                set!(dst, u64::from(holds));
                branch!(branch, holds, 2)
            }
            Op::SltBranch {
                w,
                dst,
                a,
                b,
                branch,
            } => {
                let w = u32::from(w);
                let holds = signed64(w, get!(a)) < signed64(w, get!(b));
                set!(dst, u64::from(holds));
                branch!(branch, holds, 2)
            }
            Op::SleBranch {
                w,
                dst,
                a,
                b,
                branch,
            } => {
                let w = u32::from(w);
                let holds = signed64(w, get!(a)) <= signed64(w, get!(b));
                set!(dst, u64::from(holds));
                branch!(branch, holds, 2)
            }
            Op::Trunc { w, dst, src } => set!(dst, get!(src) & mask64(u32::from(w))),
            Op::Sext { from, to, dst, src } => {
                let value = signed64(u32::from(from), get!(src)) as u64;
                set!(dst, value & mask64(u32::from(to)));
            }
            Op::Select { dst, cond, a, b } => {
                let (a, b) = (get!(a), get!(b));
                set!(dst, if get!(cond) != 0 { a } else { b });
            }
            Op::PtrAdd {
                iw,
                dst,
                base,
                index,
                scale,
                offset,
            } => {
                let distance = signed64(u32::from(iw), get!(index))
                    .wrapping_mul(i64::from(scale))
                    .wrapping_add(i64::from(offset));
                set!(dst, get!(base).wrapping_add_signed(distance));
            }
            Op::PtrPromised {
                promises,
                iw,
                dst,
                base,
                index,
                scale,
            } => {
                let index = signed64(u32::from(iw), get!(index));
                match promised_sum(around.memory, promises, get!(base), index, scale) {
                    Some(address) => set!(dst, address),
                    None => leave!(Leave::Slow),
                }
            }
            Op::PtrOffset { dst, base, offset } => {
                set!(dst, get!(base).wrapping_add_signed(i64::from(offset)));
            }
            Op::Load {
                w,
                bytes,
                dst,
                addr,
            } => match load64(around.memory, get!(addr), u32::from(w), u32::from(bytes)) {
                Some(value) => set!(dst, value),
                None => leave!(Leave::Slow),
            },
            Op::Store { bytes, addr, src } => {
                if !store64(around.memory, get!(addr), u32::from(bytes), get!(src)) {
                    leave!(Leave::Slow)
                }
            }
            Op::MemCopy { op, dst, src, len } => {
                if !copy64(around.memory, op, get!(dst), get!(src), get!(len)) {
                    leave!(Leave::Slow)
                }
            }
            Op::FrameAddress { dst, offset } => {
                set!(dst, activation.stack_base + u64::from(offset));
            }
            Op::Float {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (u128::from(get!(a)), u128::from(get!(b)));
                set!(dst, float::binary(op, kind, a, b) as u64);
            }
            Op::FloatCmp {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (u128::from(get!(a)), u128::from(get!(b)));
                set!(dst, u64::from(float::compare(op, kind, a, b)));
            }
            Op::Unary { op, w, dst, src } => set!(dst, unary64(op, u32::from(w), get!(src))),
            Op::Pick { op, w, dst, a, b } => {
                set!(dst, pick64(op, u32::from(w), get!(a), get!(b)));
            }
            Op::FloatUnary { op, kind, dst, src } => {
                set!(dst, float::unary(op, kind, u128::from(get!(src))) as u64);
            }
            Op::FloatCast {
                op,
                kind,
                to_kind,
                w,
                dst,
                src,
            } => {
                let value = u128::from(get!(src));
                set!(
                    dst,
                    float::cast(op, kind, to_kind, u32::from(w), value) as u64
                );
            }
            Op::Jump { edge } => jump!(decoded.edges[edge as usize], 1),
            Op::Branch { cond, branch } => branch!(branch, get!(cond) != 0, 1),
            Op::Switch { value, table } => {
                jump!(decoded.switches[table as usize].edge(get!(value)), 1)
            }
            Op::IndirectBranch { value, table } => {
                match decoded.switches[table as usize].case(get!(value)) {
                    Some(edge) => jump!(edge, 1),
                    // A label of another function, or none: a bug.
                    None => leave!(Leave::Slow),
                }
            }
            Op::Call { site } => leave!(Leave::Call { site }),
            Op::Return { index } => leave!(Leave::Return { index }),
            Op::LeafEnd => leave!(Leave::LeafEnd),
            Op::Leaf { .. } if LEAF => leave!(Leave::Slow),
            Op::Leaf { leaf } => {
                let call = &decoded.leaves[leaf as usize];
                if !around.may_call || !run_leaf(call, bits, decoded, around) {
                    leave!(Leave::Call { site: call.site })
                }
                count += (pc - start) as u64 + 1;
                around.enter_segment(call.segment, count);
                count += call.ops.len() as u64;
                around.count_leaf(pc, call);
                start = pc + 1;
                around.enter_segment(call.after, count);
                if count >= limit {
                    pc += 1;
                    leave!(Leave::Budget)
                }
            }
        }
        pc += 1;
    }
}

/// 0 and -1: the division may trap.
#[inline(always)]
fn is_unsafe_divisor(divisor: i64) -> bool {
    divisor.wrapping_add(1) as u64 <= 1
}

/// Runs the frame's own operations.
#[inline(always)]
pub(in crate::exec) fn run_ops(
    frame: &mut Frame,
    decoded: &Decoded,
    around: &mut RunEnvironment<'_>,
    executed: &mut u64,
    limit: u64,
) -> Leave {
    let code = (&decoded.ops[..], decoded);
    run::<false>(frame.into(), code, around, executed, limit)
}

/// Does a call of a leaf on the caller's registers, uncounted; false (and no change) if some
/// operation cannot be done.
#[inline(never)]
fn run_leaf(
    call: &LeafCall,
    bits: &mut [u64],
    decoded: &Decoded,
    around: &mut RunEnvironment<'_>,
) -> bool {
    let mut window = call.registers;
    for &(from, to) in &call.arguments {
        window[usize::from(to)] = bits[usize::from(from)];
    }
    let activation = Activation {
        registers: &mut window,
        pc: &mut 0,
        stack_base: 0,
    };
    let end = run::<true>(activation, (&call.ops, decoded), around, &mut 0, u64::MAX);
    if !matches!(end, Leave::LeafEnd) {
        return false;
    }
    for &(to, from) in &call.results {
        bits[usize::from(to)] = window[usize::from(from)];
    }
    true
}
