//! The floating-point environment: rounding modes and exception flags. Flags are raised only in
//! programs that ask for them (`PreparedProgram::tracks_exceptions`), because every operation is slower then.
//!
//! Invariant: an `fenv_t` holds the mode where x86's has it, in the control words of x87 (first two
//! bytes) and SSE (last four of 32), so a mode that was saved can be set again.

use super::{Outcome, SpecialCall};
use crate::ir::ops::float::{Rounding, exceptions};
use crate::machine::memory::Value;
use crate::machine::outcome::Termination;

/// The address that stands for the default environment, `FE_DFL_ENV`.
const DEFAULT: u64 = u64::MAX;
/// The control words without a mode: exceptions masked, x87 with full precision.
const X87: u16 = 0x37f;
const SSE: u32 = 0x1f80;

pub(super) fn get_round(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(call.state.rounding.control_word()))
}

pub(super) fn set_round(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let wanted = call.number(0) & 0xffff_ffff;
    let Some(mode) = Rounding::from_control_word(wanted) else {
        return Ok(Outcome::number(1));
    };
    call.state.rounding = mode;
    Ok(Outcome::number(0))
}

pub(super) fn get_environment(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let target = call.pointer(0, 32, true)?;
    let mode = call.state.rounding.control_word() as u16;
    let mut bytes = [0; 32];
    bytes[..2].copy_from_slice(&(X87 | mode).to_le_bytes());
    let control = SSE | u32::from(mode) << 3 | u32::from(call.state.float_exceptions);
    bytes[28..].copy_from_slice(&control.to_le_bytes());
    call.put_bytes(target, &bytes)?;
    Ok(Outcome::number(0))
}

pub(super) fn set_environment(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let address = call.number(0);
    let (mode, raised) = if address == DEFAULT {
        (Rounding::Nearest, 0)
    } else if address == DEFAULT - 1 {
        return Err(call.gap("FE_NOMASK_ENV: traps of floating-point exceptions"));
    } else {
        let control = number_at(call, address, 2)?;
        let flags = number_at(call, address + 4, 2)? | number_at(call, address + 28, 4)?;
        let mode = Rounding::from_control_word(control & 0xc00).unwrap_or_default();
        (mode, flags as u8 & exceptions::ALL)
    };
    call.state.rounding = mode;
    call.state.float_exceptions = raised;
    Ok(Outcome::number(0))
}

/// `bytes` bytes at an address as a number.
fn number_at(
    call: &mut SpecialCall<'_, '_, '_>,
    address: u64,
    bytes: u32,
) -> Result<u64, Termination> {
    match call.read(Value::Concrete(address.into()), bytes)? {
        Value::Concrete(number) => Ok(number as u64),
        Value::Term(_) => Err(call.gap("a symbolic floating-point environment")),
    }
}

/// The flags that argument `index` names.
fn mask_of(call: &mut SpecialCall<'_, '_, '_>, index: usize) -> u8 {
    call.number(index) as u8 & exceptions::ALL
}

pub(super) fn clear_exceptions(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 0);
    call.state.float_exceptions &= !mask;
    Ok(Outcome::number(0))
}

pub(super) fn raise_exceptions(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 0);
    call.state.float_exceptions |= mask;
    Ok(Outcome::number(0))
}

pub(super) fn test_exceptions(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 0);
    Ok(Outcome::number((call.state.float_exceptions & mask).into()))
}

/// `fegetexceptflag(target, which)`: puts the flags into 16 bits.
pub(super) fn get_flags(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 1);
    let target = call.pointer(0, 2, true)?;
    let flags = u16::from(call.state.float_exceptions & mask);
    call.put_bytes(target, &flags.to_le_bytes())?;
    Ok(Outcome::number(0))
}

pub(super) fn set_flags(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (address, mask) = (call.number(0), mask_of(call, 1));
    let flags = number_at(call, address, 2)? as u8;
    let kept = call.state.float_exceptions & !mask;
    call.state.float_exceptions = kept | flags & mask;
    Ok(Outcome::number(0))
}

pub(super) fn hold_exceptions(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    get_environment(call)?;
    call.state.float_exceptions = 0;
    Ok(Outcome::number(0))
}

pub(super) fn update_environment(
    call: &mut SpecialCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let raised = call.state.float_exceptions;
    set_environment(call)?;
    call.state.float_exceptions |= raised;
    Ok(Outcome::number(0))
}

/// `fegetexcept()` and `fedisableexcept(which)`: exceptions never trap.
pub(super) fn no_traps(_: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(0))
}

pub(super) fn enable_traps(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    match mask_of(call, 0) {
        0 => Ok(Outcome::number(0)),
        _ => Err(call.gap("feenableexcept: traps of floating-point exceptions")),
    }
}
