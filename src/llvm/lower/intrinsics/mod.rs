//! LLVM's intrinsics: integer, memory, control and hints. Floating point is in `math`.
//!
//! Invariant: an intrinsic is known by its whole family name (without the type suffix); one that is
//! unknown is a gap named after it, and ends only the path that reaches it.

pub(super) mod fixed_point;
pub(super) mod math;
pub(super) mod math_library;
pub(super) mod rearrange;

use super::Gap;
use super::function::Body;
use super::types::Scalar;
use crate::ir::ops::{BinOp, CmpOp};
use crate::ir::program::{CastOp, FunnelOp, Inst, IntUnary, MemOp, MinMaxOp, OverflowOp, Slot};
use crate::llvm::c_api::Value;

/// Intrinsics that only inform passes and debuggers.
const NO_EFFECT: &[&str] = &[
    "assume",
    "clear_cache",
    "codeview.annotation",
    "dbg.",
    "donothing",
    "experimental.noalias.scope.decl",
    "instrprof.",
    "invariant.end",
    "lifetime.",
    "prefetch",
    "pseudoprobe",
    "sideeffect",
    "va_end",
    "var.annotation",
    "fake.use",
    "x86.sse.sfence",
    "x86.sse2.clflush",
    "x86.sse2.lfence",
    "x86.sse2.mfence",
    "x86.sse2.pause",
    "x86.avx.vzeroupper",
    "x86.avx.vzeroall",
];

/// Intrinsics whose value is their first argument.
const IDENTITY: &[&str] = &[
    "annotation",
    "arithmetic.fence",
    "canonicalize",
    "expect",
    "expect.with.probability",
    "launder.invariant.group",
    "preserve.array.access.index",
    "preserve.struct.access.index",
    "preserve.union.access.index",
    "ptr.annotation",
    "ssa.copy",
    "strip.invariant.group",
    "threadlocal.address",
];

/// Intrinsics whose value is zero for us: the clock, the native stack.
const ZERO: &[&str] = &[
    "addressofreturnaddress",
    "eh.dwarf.cfa",
    "get.dynamic.area.offset",
    "invariant.start",
    "readcyclecounter",
    "readsteadycounter",
    "returnaddress",
    "sponentry",
    "stackguard",
    "x86.rdtsc",
];

/// Conditions that hold: checks that passes may leave out and must not.
const TRUE: &[&str] = &[
    "allow.runtime.check",
    "allow.ubsan.check",
    "experimental.widenable.condition",
];

impl Body<'_, '_> {
    pub fn lower_intrinsic(&mut self, inst: Value, name: &str) -> Result<(), Gap> {
        let family = name.strip_prefix("llvm.").unwrap_or(name);
        let is = |candidate: &&str| matches_family(family, candidate);
        if NO_EFFECT.iter().any(is) {
            let zeros = self.zeros(inst)?;
            self.define(inst, zeros);
            return Ok(());
        }
        if IDENTITY.iter().any(is) {
            let slots = self.operand(inst.operand(0))?;
            self.define(inst, slots);
            return Ok(());
        }
        if ZERO.iter().any(is) {
            let zeros = self.zeros(inst)?;
            self.define(inst, zeros);
            return Ok(());
        }
        if TRUE.iter().any(is) {
            let slot = self.int(1, 1);
            self.define(inst, vec![slot]);
            return Ok(());
        }
        if is(&"eh.typeid.for") {
            let number = self.module.type_number(inst.operand(0));
            let slot = self.int(32, number as u128);
            self.define(inst, vec![slot]);
            return Ok(());
        }
        if self.known_intrinsic(inst, family)? {
            return Ok(());
        }
        if self.memory_intrinsic(inst, family)? || self.integer_intrinsic(inst, family)? {
            return Ok(());
        }
        if self.vector_intrinsic(inst, family)? || self.float_intrinsic(inst, family)? {
            return Ok(());
        }
        if self.fixed_point_intrinsic(inst, family)? || self.rearranging_intrinsic(inst, family)? {
            return Ok(());
        }
        if self.x86_intrinsic(inst, family)? {
            return Ok(());
        }
        Err(Gap::new(format!("intrinsic {name}")))
    }

    /// An argument in 64 bits (lengths come as i32 too).
    fn length(&mut self, value: Value) -> Result<Slot, Gap> {
        let width = self.module.types.scalar(value.ty())?.width();
        let slot = self.scalar(value)?;
        Ok(self.resize(width, 64, slot))
    }

    fn memory_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Gap> {
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
        } else if is("trap") || is("debugtrap") || is("ubsantrap") {
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

    /// What the thread pointer register would hold.
    fn thread_pointer(&mut self) -> Result<Slot, Gap> {
        let global = self.module.module.global("__homi_thread_pointer");
        let global = global.ok_or_else(|| Gap::new("the thread pointer"))?;
        let addr = self.scalar(global)?;
        Ok(self.load_scalar(Scalar::Pointer, addr))
    }

    /// Calls one of the two halves of `__builtin_setjmp`.
    fn call_jump_function(&mut self, name: &str, buffer: Slot) -> Result<Slot, Gap> {
        let function = self.module.word_function(name, 1);
        let function = function.ok_or_else(|| Gap::new(format!("{name} is not there")))?;
        Ok(self.call_function(function, vec![(buffer, Scalar::Pointer)], Some(32))[0])
    }

    fn integer_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Gap> {
        if inst.argument_count() > 0 {
            if let Some(width) = self.module.types.wide(inst.operand(0).ty()) {
                return self.wide_intrinsic(inst, family, width);
            }
        }
        if let Some(op) = unary_operation(family) {
            let w = self.module.types.lane(inst.ty())?.width();
            let is_promised = self.module.intrinsic_promises(inst);
            let mut slots = Vec::new();
            for mut src in self.operand(inst.operand(0))? {
                if is_promised && op == IntUnary::Abs {
                    src = self.promised_absolute(w, src);
                }
                let dst = self.new_slot(w);
                self.emit(Inst::Unary { op, w, dst, src });
                slots.push(match (is_promised, op) {
                    (true, IntUnary::Ctlz | IntUnary::Cttz) => self.promised_count(w, src, dst),
                    _ => dst,
                });
            }
            self.define(inst, slots);
            return Ok(true);
        }
        if let Some(op) = min_max_operation(family) {
            let w = self.module.types.lane(inst.operand(0).ty())?.width();
            let to = self.module.types.lane(inst.ty())?.width();
            let left = self.operand(inst.operand(0))?;
            let right = self.operand(inst.operand(1))?;
            let mut slots = Vec::new();
            for (a, b) in left.into_iter().zip(right) {
                slots.push(self.min_max(op, w, to, a, b));
            }
            self.define(inst, slots);
            return Ok(true);
        }
        if let Some(op) = overflow_operation(family) {
            let w = self.module.types.lane(inst.operand(0).ty())?.width();
            let left = self.operand(inst.operand(0))?;
            let right = self.operand(inst.operand(1))?;
            let mut slots = Vec::new();
            let mut flags = Vec::new();
            for (a, b) in left.into_iter().zip(right) {
                let dst = self.new_slot(w);
                let overflow = self.new_slot(1);
                self.emit(Inst::Overflow {
                    op,
                    w,
                    dst,
                    overflow,
                    a,
                    b,
                });
                slots.push(dst);
                flags.push(overflow);
            }
            slots.extend(flags);
            self.define(inst, slots);
            return Ok(true);
        }
        let funnel = match () {
            () if matches_family(family, "fshl") => FunnelOp::Left,
            () if matches_family(family, "fshr") => FunnelOp::Right,
            () => return Ok(false),
        };
        let w = self.module.types.lane(inst.ty())?.width();
        let highs = self.operand(inst.operand(0))?;
        let lows = self.operand(inst.operand(1))?;
        let shifts = self.operand(inst.operand(2))?;
        let mut slots = Vec::new();
        for ((high, low), shift) in highs.into_iter().zip(lows).zip(shifts) {
            let dst = self.new_slot(w);
            self.emit(Inst::Funnel {
                op: funnel,
                w,
                dst,
                high,
                low,
                shift,
            });
            slots.push(dst);
        }
        self.define(inst, slots);
        Ok(true)
    }

    pub fn min_max(&mut self, op: MinMaxOp, w: u8, to: u8, a: Slot, b: Slot) -> Slot {
        let dst = self.new_slot(to);
        self.emit(Inst::MinMax {
            op,
            w,
            to,
            dst,
            a,
            b,
        });
        dst
    }

    fn vector_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Gap> {
        if let Some(rest) = family.strip_prefix("vector.reduce.") {
            return self.reduce(inst, rest);
        }
        let is = |candidate: &str| matches_family(family, candidate);
        if is("x86.sse2.pmovmskb.128")
            || is("x86.avx2.pmovmskb")
            || is("x86.sse.movmsk.ps")
            || is("x86.sse2.movmsk.pd")
            || is("x86.avx.movmsk.ps.256")
            || is("x86.avx.movmsk.pd.256")
        {
            let width = self.module.types.lane(inst.operand(0).ty())?.width();
            let lanes = self.operand(inst.operand(0))?;
            let mut result = self.int(32, 0);
            for (index, lane) in lanes.into_iter().enumerate() {
                let sign = self.bits(lane, width, width - 1, 1);
                let sign = self.cast(CastOp::Zext, 1, 32, sign);
                let sign = self.shift_left(sign, 32, index as u8);
                result = self.bin(BinOp::Or, 32, result, sign);
            }
            self.define(inst, vec![result]);
            return Ok(true);
        }
        if is("masked.load") || is("masked.store") || is("masked.gather") || is("masked.scatter") {
            return self.masked_access(inst, family);
        }
        if is("masked.expandload") || is("masked.compressstore") {
            return self.packed_access(inst, is("masked.compressstore"));
        }
        if is("get.active.lane.mask") {
            return self.active_lanes(inst);
        }
        if is("vector.extract") || is("vector.insert") {
            return self.subvector(inst, is("vector.insert"));
        }
        if is("vector.reverse") || is("experimental.vector.reverse") {
            let mut slots = self.operand(inst.operand(0))?;
            slots.reverse();
            self.define(inst, slots);
            return Ok(true);
        }
        if is("stepvector") || is("experimental.stepvector") {
            let leaves = self.module.types.leaves(inst.ty())?;
            let mut slots = Vec::new();
            for (index, leaf) in leaves.iter().enumerate() {
                slots.push(self.int(leaf.scalar.width(), index as u128));
            }
            self.define(inst, slots);
            return Ok(true);
        }
        Ok(false)
    }

    /// Lane `i` is whether `base + i`, without wrapping, is below the limit.
    fn active_lanes(&mut self, inst: Value) -> Result<bool, Gap> {
        let w = self.module.types.scalar(inst.operand(0).ty())?.width();
        let (base, limit) = (self.scalar(inst.operand(0))?, self.scalar(inst.operand(1))?);
        let count = self.module.types.leaves(inst.ty())?.len();
        let mut lanes = Vec::new();
        for lane in 0..count {
            let lane = self.int(w, lane as u128);
            let place = self.min_max(MinMaxOp::UAddSat, w, w, base, lane);
            lanes.push(self.cmp(CmpOp::Ult, w, place, limit));
        }
        self.define(inst, lanes);
        Ok(true)
    }

    fn subvector(&mut self, inst: Value, insert: bool) -> Result<bool, Gap> {
        let mut whole = self.operand(inst.operand(0))?;
        let index = inst.operand(if insert { 2 } else { 1 });
        let start = index.const_u64() as usize;
        if insert {
            for (lane, slot) in self.operand(inst.operand(1))?.into_iter().enumerate() {
                if let Some(place) = whole.get_mut(start + lane) {
                    *place = slot;
                }
            }
        } else {
            let count = self.module.types.leaves(inst.ty())?.len();
            whole = whole.into_iter().skip(start).take(count).collect();
        }
        self.define(inst, whole);
        Ok(true)
    }

    fn reduce(&mut self, inst: Value, operation: &str) -> Result<bool, Gap> {
        let family = |candidate: &str| matches_family(operation, candidate);
        let bin = [
            ("add", BinOp::Add),
            ("mul", BinOp::Mul),
            ("and", BinOp::And),
            ("or", BinOp::Or),
            ("xor", BinOp::Xor),
        ];
        let min_max = [
            ("smax", MinMaxOp::SMax),
            ("smin", MinMaxOp::SMin),
            ("umax", MinMaxOp::UMax),
            ("umin", MinMaxOp::UMin),
        ];
        let scalar = self.module.types.scalar(inst.ty())?;
        let w = scalar.width();
        if let Some((_, op)) = bin.into_iter().find(|entry| family(entry.0)) {
            let lanes = self.operand(inst.operand(0))?;
            let result = lanes.into_iter().reduce(|a, b| self.bin(op, w, a, b));
            self.define(inst, result.into_iter().collect());
            return Ok(true);
        }
        if let Some((_, op)) = min_max.into_iter().find(|entry| family(entry.0)) {
            let lanes = self.operand(inst.operand(0))?;
            let result = lanes
                .into_iter()
                .reduce(|a, b| self.min_max(op, w, w, a, b));
            self.define(inst, result.into_iter().collect());
            return Ok(true);
        }
        self.reduce_float(inst, operation, scalar)
    }

    /// Masked lanes go to a spare stack object instead of their address, so no branch is needed.
    fn masked_access(&mut self, inst: Value, family: &str) -> Result<bool, Gap> {
        let store = family.starts_with("masked.store") || family.starts_with("masked.scatter");
        let ty = if store {
            inst.operand(0).ty()
        } else {
            inst.ty()
        };
        let leaves = self.module.types.leaves(ty)?;
        let shift = u32::from(store);
        let addresses = self.operand(inst.operand(shift))?;
        let mask = self.operand(inst.operand(shift + 2))?;
        let spare = self.spare_object();
        let mut slots = Vec::new();
        for (lane, leaf) in leaves.iter().enumerate() {
            let w = leaf.scalar.width();
            if w % 8 != 0 {
                return Err(Gap::new("masked access of packed elements"));
            }
            let address = if addresses.len() == 1 {
                self.offset(addresses[0], (leaf.bit_offset / 8) as i64)
            } else {
                addresses[lane]
            };
            let addr = self.select(64, mask[lane], address, spare);
            if store {
                let src = self.operand(inst.operand(0))?[lane];
                self.store_scalar(leaf.scalar, addr, src);
            } else {
                let dst = self.load_scalar(leaf.scalar, addr);
                let other = self.operand(inst.operand(3))?[lane];
                slots.push(self.select(w, mask[lane], dst, other));
            }
        }
        self.define(inst, slots);
        Ok(true)
    }

    /// The address of a 16-byte stack object that nothing else uses.
    pub fn spare_object(&mut self) -> Slot {
        self.frame_object(16)
    }

    /// The address of a stack object for the lanes of one instruction.
    pub fn frame_object(&mut self, size: u64) -> Slot {
        let object = self.frame_objects.len() as u32;
        self.frame_objects.push(crate::ir::program::FrameObject {
            size,
            align: 16,
            name: "(masked lanes)".to_string(),
        });
        let dst = self.new_slot(64);
        self.emit(Inst::FrameAddress { dst, object });
        dst
    }

    /// Used by intrinsics that test bits of a float: 1 if `value & mask == expected`.
    pub fn masked_equals(&mut self, w: u8, value: Slot, mask: u128, expected: u128) -> Slot {
        let mask = self.int(w, mask);
        let expected = self.int(w, expected);
        let masked = self.bin(BinOp::And, w, value, mask);
        self.cmp(CmpOp::Eq, w, masked, expected)
    }
}

/// True if `family` is `candidate`, maybe with a type suffix, or starts with it if it ends with a
/// dot.
pub fn matches_family(family: &str, candidate: &str) -> bool {
    let Some(rest) = family.strip_prefix(candidate) else {
        return false;
    };
    if rest.is_empty() || candidate.ends_with('.') {
        return true;
    }
    // A type suffix: .i32 .v4i32 .p0 .f64 .nxv4i32 .sl_ (structs) and lists of these.
    let Some(suffix) = rest.strip_prefix('.') else {
        return false;
    };
    suffix.split('.').all(|word| {
        let digits_follow = |prefix: &str| {
            word.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        digits_follow("i")
            || digits_follow("v")
            || digits_follow("p")
            || digits_follow("f")
            || digits_follow("bf")
            || digits_follow("a")
            || word.starts_with("sl_")
            || word.starts_with("s_")
            || word == "x86_fp80"
    })
}

pub fn unary_operation(family: &str) -> Option<IntUnary> {
    let table = [
        ("ctpop", IntUnary::Ctpop),
        ("ctlz", IntUnary::Ctlz),
        ("cttz", IntUnary::Cttz),
        ("bswap", IntUnary::Bswap),
        ("bitreverse", IntUnary::BitReverse),
        ("abs", IntUnary::Abs),
    ];
    find(&table, family)
}

pub fn min_max_operation(family: &str) -> Option<MinMaxOp> {
    let table = [
        ("umin", MinMaxOp::UMin),
        ("umax", MinMaxOp::UMax),
        ("smin", MinMaxOp::SMin),
        ("smax", MinMaxOp::SMax),
        ("uadd.sat", MinMaxOp::UAddSat),
        ("sadd.sat", MinMaxOp::SAddSat),
        ("usub.sat", MinMaxOp::USubSat),
        ("ssub.sat", MinMaxOp::SSubSat),
        ("ushl.sat", MinMaxOp::UShlSat),
        ("sshl.sat", MinMaxOp::SShlSat),
        ("ucmp", MinMaxOp::UCmp),
        ("scmp", MinMaxOp::SCmp),
    ];
    find(&table, family)
}

pub fn overflow_operation(family: &str) -> Option<OverflowOp> {
    let table = [
        ("uadd.with.overflow", OverflowOp::UAdd),
        ("sadd.with.overflow", OverflowOp::SAdd),
        ("usub.with.overflow", OverflowOp::USub),
        ("ssub.with.overflow", OverflowOp::SSub),
        ("umul.with.overflow", OverflowOp::UMul),
        ("smul.with.overflow", OverflowOp::SMul),
    ];
    find(&table, family)
}

/// The entry of a table whose name is the family's.
pub fn find<T: Copy>(table: &[(&str, T)], family: &str) -> Option<T> {
    let entry = table.iter().find(|entry| matches_family(family, entry.0))?;
    Some(entry.1)
}

#[cfg(test)]
mod tests {
    use super::matches_family;

    #[test]
    fn families_are_matched_whole() {
        assert!(matches_family("memcpy.p0.p0.i64", "memcpy"));
        assert!(!matches_family("memcpy.inline.p0.p0.i64", "memcpy"));
        assert!(matches_family("fma.x86_fp80", "fma"));
        assert!(!matches_family("fmuladd.f64", "fma"));
        assert!(matches_family("abs.v4i32", "abs"));
        assert!(!matches_family("abs.foo", "abs"));
        assert!(matches_family("dbg.value", "dbg."));
        assert!(matches_family("expect.i64", "expect"));
        assert!(!matches_family("expect.with.probability.i64", "expect"));
        assert!(matches_family("ptr.annotation.p0.p0", "ptr.annotation"));
    }
}
