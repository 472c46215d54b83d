//! Floating-point intrinsics that are calls of libm's functions.
//!
//! Invariant: a call is made only if the linked module defines the function; else it is an
//! unsupported feature named after it. Numbers of 16 bits are computed with as floats of 32 and
//! rounded, as LLVM does it.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use crate::c_api::Value;
use homi_ir::program::{CastOp, FloatCastOp, FloatKind, Inst, Slot};

impl Body<'_, '_> {
    /// The type that a function computes in, for an operand's.
    fn computed_type(scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Float(FloatKind::F16 | FloatKind::BF16) => Scalar::Float(FloatKind::F32),
            other => other,
        }
    }

    /// Calls the function of a name for a type of numbers. Operands of that type may be of 16 bits;
    /// the result is of that type.
    fn call_libm(
        &mut self,
        name: &str,
        scalar: Scalar,
        operands: Vec<(Slot, Scalar)>,
    ) -> Result<Slot, Unsupported> {
        let computed = Self::computed_type(scalar);
        let id = self.libm(name, computed)?;
        let mut arguments = Vec::new();
        for (slot, ty) in operands {
            let to = Self::computed_type(ty);
            let slot = if to == ty {
                slot
            } else {
                self.emit_float_cast(FloatCastOp::Convert, ty, to, slot)?
            };
            arguments.push((slot, to));
        }
        let result = self.call_function(id, arguments, Some(computed.width()))[0];
        if computed == scalar {
            Ok(result)
        } else {
            self.emit_float_cast(FloatCastOp::Convert, computed, scalar, result)
        }
    }

    fn libm(
        &mut self,
        name: &str,
        scalar: Scalar,
    ) -> Result<homi_ir::program::FuncId, Unsupported> {
        let suffix = match scalar.float()? {
            FloatKind::F32 => "f",
            FloatKind::F64 => "",
            FloatKind::X87 => "l",
            _ => return Err(Unsupported::new(format!("{name} of numbers of 128 bits"))),
        };
        let name = format!("{name}{suffix}");
        (self.module.callable(&name)).ok_or_else(|| {
            Unsupported::new(format!("intrinsic needs {name}, which is not linked in"))
        })
    }

    /// The arguments that are numbers; behind a constrained intrinsic's there is metadata.
    fn number_arguments(&mut self, inst: Value) -> Result<Vec<(Vec<Slot>, Scalar)>, Unsupported> {
        let mut arguments = Vec::new();
        for index in 0..inst.argument_count() {
            let operand = inst.operand(index);
            let Ok(lane) = self.module.types.lane(operand.ty()) else {
                break;
            };
            arguments.push((self.operand(operand)?, lane));
        }
        Ok(arguments)
    }

    /// The function of the intrinsic's name on each lane; a scalar operand counts for all lanes.
    pub fn library_call(&mut self, inst: Value, name: &str) -> Result<(), Unsupported> {
        let scalar = self.module.types.lane(inst.ty())?;
        let operands = self.number_arguments(inst)?;
        let lanes = self.module.types.leaves(inst.ty())?.len();
        let mut slots = Vec::new();
        for lane in 0..lanes {
            let arguments = operands
                .iter()
                .map(|(parts, scalar)| (*parts.get(lane).unwrap_or(&parts[0]), *scalar))
                .collect();
            slots.push(self.call_libm(name, scalar, arguments)?);
        }
        self.define(inst, slots);
        Ok(())
    }

    /// `powi`: the libm power of the converted exponent.
    pub fn power_of_integer(&mut self, inst: Value) -> Result<(), Unsupported> {
        let scalar = self.module.types.lane(inst.ty())?;
        let integer = self.module.types.scalar(inst.operand(1).ty())?;
        let exponent = self.scalar(inst.operand(1))?;
        let exponent = self.emit_float_cast(FloatCastOp::FromSigned, integer, scalar, exponent)?;
        let mut slots = Vec::new();
        for base in self.operand(inst.operand(0))? {
            let arguments = vec![(base, scalar), (exponent, scalar)];
            slots.push(self.call_libm("pow", scalar, arguments)?);
        }
        self.define(inst, slots);
        Ok(())
    }

    /// `frexp` and `modf`: a libm function that returns one part and writes the other, of `width`
    /// bits or a number as the first, to where its last argument points. The results are all first
    /// parts, then all second.
    pub fn two_results(
        &mut self,
        inst: Value,
        name: &str,
        width: Option<u8>,
    ) -> Result<(), Unsupported> {
        let scalar = self.module.types.lane(inst.operand(0).ty())?;
        let computed = Self::computed_type(scalar);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for lane in self.operand(inst.operand(0))? {
            let addr = self.frame_object(16);
            let arguments = vec![(lane, scalar), (addr, Scalar::Pointer)];
            first.push(self.call_libm(name, scalar, arguments)?);
            let w = width.unwrap_or(computed.width());
            let dst = self.new_slot(w);
            self.emit(Inst::Load { w, dst, addr });
            second.push(match width {
                Some(width) => self.whole_part(inst, width, dst)?,
                None if computed == scalar => dst,
                None => self.emit_float_cast(FloatCastOp::Convert, computed, scalar, dst)?,
            });
        }
        first.extend(second);
        self.define(inst, first);
        Ok(())
    }

    /// An integer of `width` bits in the width of the intrinsic's last result.
    fn whole_part(&mut self, inst: Value, width: u8, value: Slot) -> Result<Slot, Unsupported> {
        let parts = self.module.types.leaves(inst.ty())?;
        let wanted = parts.last().map_or(width, |part| part.scalar.width());
        Ok(match wanted.cmp(&width) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(CastOp::Sext, width, wanted, value),
            std::cmp::Ordering::Less => self.cast(CastOp::Trunc, width, wanted, value),
        })
    }

    /// `sincos` and `sincospi`: all sines, then all cosines.
    pub fn sine_and_cosine(&mut self, inst: Value, names: [&str; 2]) -> Result<(), Unsupported> {
        let scalar = self.module.types.lane(inst.operand(0).ty())?;
        let lanes = self.operand(inst.operand(0))?;
        let mut slots = Vec::new();
        for name in names {
            for lane in &lanes {
                slots.push(self.call_libm(name, scalar, vec![(*lane, scalar)])?);
            }
        }
        self.define(inst, slots);
        Ok(())
    }
}
