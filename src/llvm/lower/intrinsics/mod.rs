//! LLVM's intrinsics: one table of what lowers them (`lower_intrinsic`), one file for each kind.
//!
//! Invariant: an intrinsic is known by its whole family name (without the type suffix); one that is
//! unknown is an unsupported feature named after it, and ends only the path that reaches it.

mod fixed_point;
mod integer;
mod math;
pub(super) mod math_library;
mod memory;
mod rearrange;
mod vector;

pub use integer::{min_max_operation, overflow_operation, unary_operation};

use super::Unsupported;
use super::function::Body;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::Slot;

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
    /// Lowers a call of an intrinsic.
    ///
    /// # Errors
    ///
    /// The intrinsic is an unsupported feature if no row of the table knows its name.
    pub fn lower_intrinsic(&mut self, inst: Value, name: &str) -> Result<(), Unsupported> {
        // Each returns false for intrinsics of another, and they are asked in this order.
        let lowerings = [
            Self::plain_intrinsic,
            Self::known_intrinsic,
            Self::memory_intrinsic,
            Self::integer_intrinsic,
            Self::vector_intrinsic,
            Self::float_intrinsic,
            Self::fixed_point_intrinsic,
            Self::rearranging_intrinsic,
            Self::x86_intrinsic,
        ];
        let family = name.strip_prefix("llvm.").unwrap_or(name);
        for lower in lowerings {
            if lower(self, inst, family)? {
                return Ok(());
            }
        }
        Err(Unsupported::new(format!("intrinsic {name}")))
    }

    /// Intrinsics that take no code: nothing, an argument or a constant is their value.
    fn plain_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Unsupported> {
        let is = |candidate: &&str| matches_family(family, candidate);
        let slots = if NO_EFFECT.iter().chain(ZERO).any(is) {
            self.zeros(inst)?
        } else if IDENTITY.iter().any(is) {
            self.operand(inst.operand(0))?
        } else if TRUE.iter().any(is) {
            vec![self.int(1, 1)]
        } else if is(&"eh.typeid.for") {
            let number = self.module.type_number(inst.operand(0));
            vec![self.int(32, number as u128)]
        } else {
            return Ok(false);
        };
        self.define(inst, slots);
        Ok(true)
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
