//! Values that are known when the program is read: `llvm.is.constant`, `llvm.objectsize` and
//! similar intrinsics, with the answers of LLVM's pass `lower-constant-intrinsics`.
//!
//! Invariant: an answer is right on every path; for unknown values it is the conservative one. The
//! pass itself would also remove branches, which are counted here.

use super::Unsupported;
use super::function::Body;
use super::intrinsics::matches_family;
use crate::c_api::{LLVMLinkage, LLVMOpcode, LLVMValueKind, Value};
use homi_ir::program::Inst;

/// Steps from a pointer to what it points into.
const MOST_STEPS: u32 = 32;
/// The deepest caller whose frame address may be asked for.
const DEEPEST_FRAME: u64 = 1 << 20;

/// An object of `size` bytes, and the byte in it that is pointed to.
#[derive(Clone, Copy)]
struct Extent {
    size: u64,
    offset: i64,
}

impl Extent {
    /// Bytes from the one pointed to on.
    fn rest(self) -> u64 {
        match u64::try_from(self.offset) {
            Ok(offset) => self.size.saturating_sub(offset),
            Err(_) => 0,
        }
    }
}

impl Body<'_, '_> {
    /// Lowers an intrinsic that asks what is known; false if it is another one.
    pub fn known_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Unsupported> {
        if matches_family(family, "is.constant") {
            let known = is_manifest(inst.operand(0), MOST_STEPS);
            let slot = self.int(1, known.into());
            self.define(inst, vec![slot]);
        } else if matches_family(family, "objectsize") {
            let width = self.module.types.scalar(inst.ty())?.width();
            let flag = |index| {
                let flag: Value = inst.operand(index);
                flag.is_constant() && flag.const_u64() != 0
            };
            let (minimum, null_is_unknown) = (flag(1), flag(2));
            let extent = self.extent(inst.operand(0), (minimum, null_is_unknown), MOST_STEPS);
            // Unknown: all ones for the maximum, 0 for the minimum.
            let size = match extent {
                Some(extent) => extent.rest().into(),
                None if minimum => 0,
                None => u128::MAX,
            };
            let slot = self.int(width, size);
            self.define(inst, vec![slot]);
        } else if matches_family(family, "frameaddress") {
            let level = inst.operand(0);
            let level = if level.is_constant() {
                level.const_u64().min(DEEPEST_FRAME) as u32
            } else {
                return Err(Unsupported::new("the frame address of a variable level"));
            };
            let dst = self.new_slot(64);
            self.emit(Inst::FrameBase { dst, level });
            self.define(inst, vec![dst]);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The object that a pointer points into, if that is plain. Of two choices the one with less
    /// behind it counts for the minimum, the other for the maximum.
    fn extent(
        &mut self,
        pointer: Value,
        (minimum, null_is_unknown): (bool, bool),
        steps: u32,
    ) -> Option<Extent> {
        let steps = steps.checked_sub(1)?;
        let how = (minimum, null_is_unknown);
        let choose = |a: Extent, b: Extent| {
            if (a.rest() < b.rest()) == minimum {
                a
            } else {
                b
            }
        };
        match pointer.kind() {
            LLVMValueKind::LLVMConstantPointerNullValueKind => {
                (!null_is_unknown).then_some(Extent { size: 0, offset: 0 })
            }
            LLVMValueKind::LLVMGlobalVariableValueKind => {
                let may_change = is_interposable(pointer) && !minimum;
                if pointer.linkage() == LLVMLinkage::LLVMExternalWeakLinkage
                    || pointer.initializer().is_none()
                    || may_change
                {
                    return None;
                }
                let ty = pointer.global_value_type();
                let size = self.module.types.layout.allocation_size(ty);
                Some(Extent { size, offset: 0 })
            }
            LLVMValueKind::LLVMConstantExprValueKind
                if pointer.const_opcode() == LLVMOpcode::LLVMGetElementPtr =>
            {
                self.moved_extent(pointer, how, steps)
            }
            LLVMValueKind::LLVMInstructionValueKind => match pointer.opcode() {
                LLVMOpcode::LLVMAlloca => {
                    let (ty, count) = (pointer.allocated_type(), pointer.operand(0));
                    if !ty.is_sized() || !count.is_constant() {
                        return None;
                    }
                    let size = self.module.types.layout.allocation_size(ty);
                    let size = size.checked_mul(count.const_u64())?;
                    Some(Extent { size, offset: 0 })
                }
                LLVMOpcode::LLVMGetElementPtr => self.moved_extent(pointer, how, steps),
                LLVMOpcode::LLVMSelect => {
                    let a = self.extent(pointer.operand(1), how, steps)?;
                    let b = self.extent(pointer.operand(2), how, steps)?;
                    Some(choose(a, b))
                }
                LLVMOpcode::LLVMPHI => {
                    let mut found = None;
                    for (value, _) in pointer.incoming() {
                        let extent = self.extent(value, how, steps / 2)?;
                        found = Some(found.map_or(extent, |other| choose(other, extent)));
                    }
                    found
                }
                LLVMOpcode::LLVMCall => allocated(pointer),
                _ => None,
            },
            _ => None,
        }
    }

    fn moved_extent(&mut self, gep: Value, how: (bool, bool), steps: u32) -> Option<Extent> {
        let base = self.extent(gep.operand(0), how, steps)?;
        let moved = self.module.constant_offset(gep).ok().flatten()?;
        Some(Extent {
            offset: base.offset.checked_add(moved)?,
            ..base
        })
    }
}

/// Returns the extent of an allocation whose size is constant.
fn allocated(call: Value) -> Option<Extent> {
    let callee = call.called_value();
    let name = match callee.kind() {
        LLVMValueKind::LLVMFunctionValueKind => callee.name(),
        _ => return None,
    };
    let number = |index: u32| {
        let argument = call.operand(index);
        argument.is_constant_int().then(|| argument.const_u64())
    };
    let size = match (name.as_str(), call.argument_count()) {
        ("malloc" | "valloc" | "_Znwm" | "_Znam", 1) => number(0)?,
        ("calloc", 2) => number(0)?.checked_mul(number(1)?)?,
        ("realloc" | "aligned_alloc" | "memalign", 2) => number(1)?,
        _ => return None,
    };
    Some(Extent { size, offset: 0 })
}

/// Returns true if another definition may replace the variable.
fn is_interposable(global: Value) -> bool {
    matches!(
        global.linkage(),
        LLVMLinkage::LLVMWeakAnyLinkage
            | LLVMLinkage::LLVMLinkOnceAnyLinkage
            | LLVMLinkage::LLVMCommonLinkage
    )
}

/// Returns true if a value is a number, or made of numbers alone.
fn is_manifest(value: Value, steps: u32) -> bool {
    use LLVMValueKind as Kind;
    let Some(steps) = steps.checked_sub(1) else {
        return false;
    };
    match value.kind() {
        Kind::LLVMConstantIntValueKind
        | Kind::LLVMConstantFPValueKind
        | Kind::LLVMConstantPointerNullValueKind
        | Kind::LLVMConstantAggregateZeroValueKind
        | Kind::LLVMConstantDataArrayValueKind
        | Kind::LLVMConstantDataVectorValueKind
        | Kind::LLVMUndefValueValueKind
        | Kind::LLVMPoisonValueKind => true,
        Kind::LLVMConstantArrayValueKind
        | Kind::LLVMConstantStructValueKind
        | Kind::LLVMConstantVectorValueKind
        | Kind::LLVMConstantExprValueKind => {
            (0..value.operand_count()).all(|index| is_manifest(value.operand(index), steps))
        }
        _ => false,
    }
}
