//! One statement of inline assembly, from its text to the values that it leaves.
//!
//! Invariant: nothing is lowered before every instruction of the statement is known.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use super::machine::OperandLoc;
use super::step::is_known;
use super::text::{Home, constraints, instructions};
use crate::c_api::Value;
use homi_ir::program::CastOp;

impl Body<'_, '_> {
    /// Lowers a statement; false, with nothing done, if it is not understood as a whole.
    pub fn lower_instructions(
        &mut self,
        inst: Value,
        text: &str,
        list: &str,
        results: &[Scalar],
    ) -> Result<bool, Unsupported> {
        let (Some(operands), Some(code)) = (constraints(list), instructions(text)) else {
            return Ok(false);
        };
        let direct = operands
            .iter()
            .filter(|operand| operand.is_output && operand.home != Home::Memory);
        if direct.count() != results.len() || !code.iter().all(is_known) {
            return Ok(false);
        }
        let widths: Vec<u8> = results.iter().map(|result| result.width()).collect();
        let Some(mut machine) = self.machine(inst, &operands, &widths)? else {
            return Ok(false);
        };
        if self.assembly_steps(&mut machine, &code).is_none() {
            return Err(Unsupported::new(format!(
                "inline assembly \"{text}\" ({list})"
            )));
        }
        self.set_direction(&mut machine);
        let mut slots = Vec::new();
        let outputs = operands
            .iter()
            .zip(&machine.places)
            .filter(|(operand, _)| operand.is_output);
        let outputs: Vec<(Home, OperandLoc)> = outputs
            .map(|(operand, place)| (operand.home.clone(), place.0))
            .collect();
        let unknown = || Unsupported::new(format!("inline assembly \"{text}\" ({list})"));
        let mut types = results.iter();
        for (home, place) in outputs {
            let value = match (&home, place) {
                (_, OperandLoc::Register(index)) => machine.registers[index],
                (_, OperandLoc::Stack(below)) => {
                    let place = machine.stack_place(None, below).ok_or_else(unknown)?;
                    let ty = types.next().copied().ok_or_else(unknown)?;
                    let number = self.rounded_from_80_bits(ty, machine.stack[place]);
                    slots.push(number.ok_or_else(unknown)?);
                    continue;
                }
                (Home::Flag(condition), _) => {
                    let flag = self.condition(&machine, condition).ok_or_else(unknown)?;
                    self.cast(CastOp::Zext, 1, 64, flag)
                }
                _ => continue,
            };
            let width = types.next().map_or(64, |ty| ty.width());
            slots.push(self.resize(64, width, value));
        }
        self.define(inst, slots);
        self.jumps = machine.jumps;
        Ok(true)
    }
}
