//! The fast way: runs while every operand is concrete and nothing unusual happens.
//!
//! Invariant: it stops *before* an instruction it cannot do, with the state as if it had never
//! looked at it; the general way (`step`) then executes that one instruction. So whatever is done
//! here must equal what `step` does, only faster. A frame without terms runs its decoded operations
//! (`ops_loop`); a frame with some runs its instructions here, looking at each operand.

use super::super::checks::pointer_sum::promised_sum;
use super::super::config::Speed;
use super::super::executor::Executor;
use super::super::float;
use super::super::observer::Observer;
use super::leaf::LeafCall;
use super::ops_loop::run_ops;
use crate::memory::{Memory, ranges_overlap};
use crate::state::{CallPathId, Frame, SideSet, State};
use homi_ir::ops;
use homi_ir::ops::{BinOp, CmpOp, mask64, signed64};
use homi_ir::program::{CastOp, FloatCastOp, FloatKind, Inst, IntUnary, MemOp, MinMaxOp, Slot};
use std::sync::Arc;

/// Reason why the loop over one frame stopped.
pub(in crate::exec) enum Leave {
    /// The budget is used up.
    Budget,
    /// The instruction at `pc` needs the general way.
    Slow,
    /// A call at `pc`.
    Call { site: u32 },
    /// A return at `pc`.
    Return { index: u32 },
    /// A leaf is through.
    LeafEnd,
}

/// Data of the loop except the frame's registers.
pub(in crate::exec) struct RunEnvironment<'x> {
    pub memory: &'x mut Memory,
    pub sides: &'x mut Arc<SideSet>,
    pub observer: &'x mut Observer,
    /// Instructions executed when something new was covered last.
    pub new_at: Option<u64>,
    /// The path may have one more frame.
    pub may_call: bool,
    /// The call path of the frame that runs.
    pub call_path: CallPathId,
    /// Instructions that belong to other call paths.
    pub elsewhere: u64,
}

impl RunEnvironment<'_> {
    /// Counts an entry of a segment after `executed` instructions.
    #[inline(always)]
    pub fn enter_segment(&mut self, segment: u32, executed: u64) {
        if self.observer.enter_segment(segment) {
            self.new_at = Some(executed);
        }
    }

    /// Gives the instructions of a leaf, called at this code index, to its call path.
    #[inline(always)]
    pub fn count_leaf(&mut self, at: usize, call: &LeafCall) {
        let (call_paths, count) = (&mut self.observer.call_paths, call.ops.len() as u64);
        let call_path = call_paths.enter(self.call_path, at as u32, call.callee);
        call_paths.add_instructions(call_path, count);
        self.elsewhere += count;
    }
}

impl Executor<'_> {
    /// Executes up to `limit` instructions; fewer if the next one needs the general way.
    pub(in crate::exec) fn run_fast(
        &self,
        state: &mut State,
        observer: &mut Observer,
        limit: u64,
    ) -> u64 {
        let mut executed = 0;
        let mut new_at = None;
        loop {
            let before = executed;
            let State {
                frames,
                memory,
                sides,
                ..
            } = &mut *state;
            let depth = frames.len();
            let frame = frames.top_mut();
            let may_call = self.has_room_for_call(depth, frame);
            let (function, call_path) = (frame.function, frame.call_path);
            let mut around = RunEnvironment {
                memory,
                sides,
                observer,
                new_at,
                may_call,
                call_path,
                elsewhere: 0,
            };
            let decoded = self.decoded(function);
            let leave = if frame.live_terms == 0 && self.config.speed == Speed::Decoded {
                run_ops(frame, decoded, &mut around, &mut executed, limit)
            } else {
                frame.make_room_for_terms();
                self.run_frame(frame, &mut around, &mut executed, limit)
            };
            let going_on = match leave {
                Leave::Budget | Leave::Slow | Leave::LeafEnd => false,
                Leave::Call { site } => match &decoded.calls[site as usize] {
                    Some(call) => self.call_plain(frames, &mut around, (site, call), &mut executed),
                    None => self.call_through_pointer(frames, &mut around, site, &mut executed),
                },
                Leave::Return { index } => {
                    self.return_plain(frames, &mut around, index, &mut executed)
                }
            };
            new_at = around.new_at;
            let own = executed - before - around.elsewhere;
            observer.call_paths.add_instructions(call_path, own);
            if !going_on {
                break;
            }
            if executed >= limit {
                break;
            }
        }
        observer.instructions += executed;
        let metrics = &mut state.metrics;
        metrics.instructions += executed;
        match new_at {
            Some(at) => metrics.note_new(executed - at),
            None if metrics.instructions_since_new != 0 => {
                metrics.instructions_since_new += executed;
            }
            None => {}
        }
        executed
    }

    /// Runs the frame's own instructions.
    fn run_frame(
        &self,
        frame: &mut Frame,
        around: &mut RunEnvironment<'_>,
        executed: &mut u64,
        limit: u64,
    ) -> Leave {
        let function = self.program.function(frame.function);
        let segments = self.segments.of_function(frame.function);
        let code = &function.code[..];
        let bits = &mut frame.bits[..];
        let terms = &mut frame.terms[..];
        let live = &mut frame.live_terms;
        let mut pc = frame.pc as usize;
        let mut count = *executed;

        macro_rules! leave {
            ($leave:expr) => {{
                frame.pc = pc as u32;
                *executed = count;
                return $leave;
            }};
        }
        // True (and leaves) if an operand is symbolic.
        macro_rules! concrete {
            ($($slot:expr),+) => {
                if ($(terms[$slot.index()].is_some())||+) {
                    leave!(Leave::Slow)
                }
            };
        }
        macro_rules! get {
            ($slot:expr) => {
                bits[$slot.index()]
            };
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let index = $slot.index();
                bits[index] = $value;
                if terms[index].is_some() {
                    terms[index] = None;
                    *live -= 1;
                }
            }};
        }
        macro_rules! jump {
            ($target:expr) => {{
                pc = function.blocks[$target.index()].start as usize;
                count += 1;
                around.enter_segment(segments[pc], count);
                continue;
            }};
        }

        loop {
            if count >= limit {
                leave!(Leave::Budget)
            }
            match code[pc] {
                Inst::Move { w, dst, src } => {
                    concrete!(src);
                    set!(dst, get!(src));
                    if w > 64 {
                        let (dst, src) = (second(dst), second(src));
                        set!(dst, get!(src));
                    }
                }
                Inst::Moves { index } => {
                    let moves = &function.moves[index as usize];
                    if moves.iter().any(|entry| terms[entry.2.index()].is_some()) {
                        leave!(Leave::Slow)
                    }
                    match moves[..] {
                        [(0..=64, dst, src)] => set!(dst, get!(src)),
                        [(0..=64, dst, src), (0..=64, dst2, src2)] => {
                            let (value, value2) = (get!(src), get!(src2));
                            set!(dst, value);
                            set!(dst2, value2);
                        }
                        [
                            (0..=64, dst, src),
                            (0..=64, dst2, src2),
                            (0..=64, dst3, src3),
                        ] => {
                            let (value, value2, value3) = (get!(src), get!(src2), get!(src3));
                            set!(dst, value);
                            set!(dst2, value2);
                            set!(dst3, value3);
                        }
                        _ => leave!(Leave::Slow),
                    }
                }
                Inst::Bin { op, w, dst, a, b } => {
                    concrete!(a, b);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    let (w, x, y) = (u32::from(w), get!(a), get!(b));
                    let value = match op {
                        BinOp::Add => x.wrapping_add(y),
                        BinOp::Sub => x.wrapping_sub(y),
                        BinOp::Mul => x.wrapping_mul(y),
                        BinOp::And => x & y,
                        BinOp::Or => x | y,
                        BinOp::Xor => x ^ y,
                        BinOp::Shl | BinOp::LShr | BinOp::AShr if y >= u64::from(w) => {
                            leave!(Leave::Slow)
                        }
                        BinOp::Shl => x << y,
                        BinOp::LShr => x >> y,
                        BinOp::AShr => (signed64(w, x) >> y) as u64,
                        _ if y == 0 => leave!(Leave::Slow),
                        // It may trap.
                        BinOp::SDiv | BinOp::SRem if y == mask64(w) => leave!(Leave::Slow),
                        BinOp::UDiv => x / y,
                        BinOp::URem => x % y,
                        BinOp::SDiv => signed64(w, x).wrapping_div(signed64(w, y)) as u64,
                        BinOp::SRem => signed64(w, x).wrapping_rem(signed64(w, y)) as u64,
                    };
                    set!(dst, value & mask64(w));
                }
                Inst::BinPromised {
                    op,
                    promises,
                    w,
                    dst,
                    a,
                    b,
                } => {
                    concrete!(a, b);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    match promised64(op, promises, u32::from(w), get!(a), get!(b)) {
                        Some(value) => set!(dst, value),
                        None => leave!(Leave::Slow),
                    }
                }
                Inst::Cmp { op, w, dst, a, b } => {
                    concrete!(a, b);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    let (w, x, y) = (u32::from(w), get!(a), get!(b));
                    let value = match op {
                        CmpOp::Eq => x == y,
                        CmpOp::Ne => x != y,
                        CmpOp::Ult => x < y,
                        CmpOp::Ule => x <= y,
                        CmpOp::Ugt => x > y,
                        CmpOp::Uge => x >= y,
                        CmpOp::Slt => signed64(w, x) < signed64(w, y),
                        CmpOp::Sle => signed64(w, x) <= signed64(w, y),
                        CmpOp::Sgt => signed64(w, x) > signed64(w, y),
                        CmpOp::Sge => signed64(w, x) >= signed64(w, y),
                    };
                    set!(dst, u64::from(value));
                }
                Inst::Cast {
                    op,
                    from,
                    to,
                    dst,
                    src,
                } => {
                    concrete!(src);
                    if to > 64 || (from > 64 && op != CastOp::Trunc) {
                        leave!(Leave::Slow)
                    }
                    let x = get!(src);
                    let value = match op {
                        CastOp::Zext => x,
                        CastOp::Trunc => x & mask64(u32::from(to)),
                        CastOp::Sext => signed64(u32::from(from), x) as u64 & mask64(u32::from(to)),
                    };
                    set!(dst, value);
                }
                Inst::Select { w, dst, cond, a, b } => {
                    concrete!(cond);
                    let chosen = if get!(cond) != 0 { a } else { b };
                    concrete!(chosen);
                    set!(dst, get!(chosen));
                    if w > 64 {
                        let (dst, chosen) = (second(dst), second(chosen));
                        set!(dst, get!(chosen));
                    }
                }
                Inst::PtrAdd {
                    iw,
                    dst,
                    base,
                    index,
                    scale,
                    offset,
                } => {
                    concrete!(base, index);
                    let index = signed64(u32::from(iw), get!(index));
                    let distance = index
                        .wrapping_mul(i64::from(scale))
                        .wrapping_add(i64::from(offset));
                    set!(dst, get!(base).wrapping_add_signed(distance));
                }
                Inst::PtrPromised {
                    promises,
                    iw,
                    dst,
                    base,
                    index,
                    scale,
                } => {
                    concrete!(base, index);
                    let index = signed64(u32::from(iw), get!(index));
                    match promised_sum(around.memory, promises, get!(base), index, scale) {
                        Some(address) => set!(dst, address),
                        None => leave!(Leave::Slow),
                    }
                }
                Inst::PtrOffset { dst, base, offset } => {
                    concrete!(base);
                    set!(dst, get!(base).wrapping_add_signed(i64::from(offset)));
                }
                Inst::Load { w, dst, addr } => {
                    concrete!(addr);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    let w = u32::from(w);
                    match load64(around.memory, get!(addr), w, w.div_ceil(8)) {
                        Some(value) => set!(dst, value),
                        None => leave!(Leave::Slow),
                    }
                }
                Inst::Store { w, addr, src } => {
                    concrete!(addr, src);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    let bytes = u32::from(w).div_ceil(8);
                    if !store64(around.memory, get!(addr), bytes, get!(src)) {
                        leave!(Leave::Slow)
                    }
                }
                Inst::MemCopy { op, dst, src, len } => {
                    concrete!(dst, src, len);
                    if !copy64(around.memory, op, get!(dst), get!(src), get!(len)) {
                        leave!(Leave::Slow)
                    }
                }
                Inst::FrameAddress { dst, object } => {
                    let layout = &self.layouts[frame.function.index()];
                    set!(dst, frame.stack_base + layout.offset(object));
                }
                Inst::Unary { op, w, dst, src } => {
                    concrete!(src);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    set!(dst, unary64(op, u32::from(w), get!(src)));
                }
                Inst::MinMax {
                    op: op @ (MinMaxOp::UMin | MinMaxOp::UMax | MinMaxOp::SMin | MinMaxOp::SMax),
                    w: w @ 0..=64,
                    to: _,
                    dst,
                    a,
                    b,
                } => {
                    concrete!(a, b);
                    set!(dst, pick64(op, u32::from(w), get!(a), get!(b)));
                }
                Inst::Float {
                    op,
                    kind,
                    dst,
                    a,
                    b,
                } => {
                    concrete!(a, b);
                    if kind.width() > 64 || self.general_floats {
                        leave!(Leave::Slow)
                    }
                    let (a, b) = (u128::from(get!(a)), u128::from(get!(b)));
                    set!(dst, float::binary(op, kind, a, b) as u64);
                }
                Inst::FloatUnary { op, kind, dst, src } => {
                    concrete!(src);
                    if kind.width() > 64 || self.general_floats {
                        leave!(Leave::Slow)
                    }
                    set!(dst, float::unary(op, kind, u128::from(get!(src))) as u64);
                }
                Inst::FloatCmp {
                    op,
                    kind,
                    dst,
                    a,
                    b,
                } => {
                    concrete!(a, b);
                    if kind.width() > 64 || self.general_floats {
                        leave!(Leave::Slow)
                    }
                    let (a, b) = (u128::from(get!(a)), u128::from(get!(b)));
                    set!(dst, u64::from(float::compare(op, kind, a, b)));
                }
                Inst::FloatCast {
                    op,
                    kind,
                    to_kind,
                    w,
                    dst,
                    src,
                } => {
                    concrete!(src);
                    if cast_is_wide(op, kind, to_kind, w) || self.general_floats {
                        leave!(Leave::Slow)
                    }
                    let value = u128::from(get!(src));
                    let value = float::cast(op, kind, to_kind, u32::from(w), value);
                    set!(dst, value as u64);
                }
                Inst::Jump { target } => jump!(target),
                Inst::Branch {
                    cond,
                    then,
                    otherwise,
                    branch,
                } => {
                    concrete!(cond);
                    let holds = get!(cond) != 0;
                    if let Some(branch) = branch {
                        let side = self.segments.side(branch, u32::from(!holds));
                        if !around.sides.contains(side) {
                            take_side(around, side, count);
                        }
                    }
                    jump!(if holds { then } else { otherwise })
                }
                Inst::Switch { w, value, table } => {
                    concrete!(value);
                    if w > 64 {
                        leave!(Leave::Slow)
                    }
                    let value = u128::from(get!(value));
                    let (target, side) = self.switch_target(function, table, value);
                    if let Some(side) = side {
                        if !around.sides.contains(side) {
                            take_side(around, side, count);
                        }
                    }
                    jump!(target)
                }
                Inst::Call { site } => leave!(Leave::Call { site }),
                Inst::Return { index } => leave!(Leave::Return { index }),
                _ => leave!(Leave::Slow),
            }
            pc += 1;
            count += 1;
        }
    }
}

#[cold]
pub(in crate::exec) fn take_side(around: &mut RunEnvironment<'_>, side: u32, count: u64) {
    Arc::make_mut(around.sides).insert(side);
    if around.observer.take_side(side) {
        around.new_at = Some(count);
    }
}

/// The low `width` (up to 64) bits of the `bytes` bytes at an address, if they are concrete and may
/// be read.
#[inline(always)]
pub(in crate::exec) fn load64(
    memory: &Memory,
    address: u64,
    width: u32,
    bytes: u32,
) -> Option<u64> {
    match memory.read_word(address, bytes) {
        Ok(Some(value)) => Some(value & mask64(width)),
        _ => None,
    }
}

/// Writes up to 8 bytes at an address; false (and no change) if that is not allowed.
#[inline(always)]
pub(in crate::exec) fn store64(memory: &mut Memory, address: u64, bytes: u32, value: u64) -> bool {
    memory.write_word(address, bytes, value).is_ok()
}

/// Copies a few concrete bytes; false (and no change) if that is not allowed, or needs another way.
#[inline]
pub(in crate::exec) fn copy64(
    memory: &mut Memory,
    op: MemOp,
    target: u64,
    source: u64,
    len: u64,
) -> bool {
    // LLVM's memcpy may have equal operands.
    let may_overlap = op == MemOp::Move || target == source;
    (may_overlap || !ranges_overlap(target, source, len)) && memory.copy_few(target, source, len)
}

/// `x op y` if that is not a bug and all promises hold.
pub(in crate::exec) fn promised64(
    op: BinOp,
    promises: u8,
    width: u32,
    x: u64,
    y: u64,
) -> Option<u64> {
    let (x, y) = (u128::from(x), u128::from(y));
    let is_fine = if op.is_division() {
        // Division by -1 may trap.
        y != 0 && !(ops::division_traps(op, width) && y == ops::mask(width))
    } else {
        !op.is_shift() || y < u128::from(width)
    };
    let holds = is_fine && ops::promises_hold(op, promises, width, x, y);
    holds.then(|| ops::eval_bin(op, width, x, y) as u64)
}

/// The upper half of a value above 64 bits.
pub(in crate::exec) fn second(slot: Slot) -> Slot {
    Slot(slot.0 + 1)
}

/// True if a side of the conversion has more than 64 bits.
pub(in crate::exec) fn cast_is_wide(
    op: FloatCastOp,
    kind: FloatKind,
    to_kind: FloatKind,
    width: u8,
) -> bool {
    let other = match op {
        FloatCastOp::Convert => to_kind.width(),
        _ => u32::from(width),
    };
    kind.width() > 64 || other > 64
}

/// Minimum or maximum; other operators give the second operand and are not asked for.
#[inline(always)]
pub(in crate::exec) fn pick64(op: MinMaxOp, width: u32, x: u64, y: u64) -> u64 {
    let first = match op {
        MinMaxOp::UMin => x < y,
        MinMaxOp::UMax => x > y,
        MinMaxOp::SMin => signed64(width, x) < signed64(width, y),
        MinMaxOp::SMax => signed64(width, x) > signed64(width, y),
        _ => false,
    };
    if first { x } else { y }
}

pub(in crate::exec) fn unary64(op: IntUnary, width: u32, x: u64) -> u64 {
    match op {
        IntUnary::Ctpop => u64::from(x.count_ones()),
        IntUnary::Ctlz => u64::from(x.leading_zeros() - (64 - width)),
        IntUnary::Cttz => u64::from(x.trailing_zeros().min(width)),
        IntUnary::Bswap => x.swap_bytes() >> (64 - width),
        IntUnary::BitReverse => x.reverse_bits() >> (64 - width),
        IntUnary::Abs => signed64(width, x).unsigned_abs() & mask64(width),
        IntUnary::Freeze => x,
    }
}
