//! The floating-point environment: rounding modes and exception flags. Flags are raised only in
//! programs that ask for them (`PreparedProgram::tracks_exceptions`), because every operation is
//! slower then.

use super::{BuiltinCall, Outcome};
use crate::memory::Value;
use crate::outcome::Termination;
use crate::state::FloatEnvironment;
use homi_ir::ops::float::{Rounding, exceptions};

/// The address that denotes the default environment, `FE_DFL_ENV`.
const DEFAULT: u64 = u64::MAX;
pub(super) fn get_round(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(call.state.floats.rounding.control_word()))
}

pub(super) fn set_round(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let wanted = call.number(0) & 0xffff_ffff;
    let Some(mode) = Rounding::from_control_word(wanted) else {
        return Ok(Outcome::number(1));
    };
    call.state.floats.rounding = mode;
    Ok(Outcome::number(0))
}

pub(super) fn get_environment(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let target = call.pointer(0, 32, true)?;
    let bytes = call.state.floats.to_bytes();
    call.put_bytes(target, &bytes)?;
    Ok(Outcome::number(0))
}

pub(super) fn set_environment(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let address = call.number(0);
    call.state.floats = if address == DEFAULT {
        FloatEnvironment::default()
    } else if address == DEFAULT - 1 {
        return Err(call.unsupported("FE_NOMASK_ENV: traps of floating-point exceptions"));
    } else {
        let control = number_at(call, address, 2)?;
        let flags = number_at(call, address + 4, 2)? | number_at(call, address + 28, 4)?;
        FloatEnvironment::from_words(control, flags)
    };
    Ok(Outcome::number(0))
}

/// `bytes` bytes at an address as a number.
fn number_at(
    call: &mut BuiltinCall<'_, '_, '_>,
    address: u64,
    bytes: u32,
) -> Result<u64, Termination> {
    match call.read(Value::Concrete(address.into()), bytes)? {
        Value::Concrete(number) => Ok(number as u64),
        Value::Term(_) => Err(call.unsupported("a symbolic floating-point environment")),
    }
}

/// The flags that argument `index` names.
fn mask_of(call: &mut BuiltinCall<'_, '_, '_>, index: usize) -> u8 {
    call.number(index) as u8 & exceptions::ALL
}

pub(super) fn clear_exceptions(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 0);
    call.state.floats.clear(mask);
    Ok(Outcome::number(0))
}

pub(super) fn raise_exceptions(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 0);
    call.state.floats.raise(mask);
    Ok(Outcome::number(0))
}

pub(super) fn test_exceptions(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 0);
    Ok(Outcome::number(
        (call.state.floats.exceptions & mask).into(),
    ))
}

/// `fegetexceptflag(target, which)`: puts the flags into 16 bits.
pub(super) fn get_flags(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mask = mask_of(call, 1);
    let target = call.pointer(0, 2, true)?;
    let flags = u16::from(call.state.floats.exceptions & mask);
    call.put_bytes(target, &flags.to_le_bytes())?;
    Ok(Outcome::number(0))
}

pub(super) fn set_flags(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (address, mask) = (call.number(0), mask_of(call, 1));
    let flags = number_at(call, address, 2)? as u8;
    let kept = call.state.floats.exceptions & !mask;
    call.state.floats.exceptions = kept | flags & mask;
    Ok(Outcome::number(0))
}

pub(super) fn hold_exceptions(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    get_environment(call)?;
    call.state.floats.exceptions = 0;
    Ok(Outcome::number(0))
}

pub(super) fn update_environment(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let raised = call.state.floats.exceptions;
    set_environment(call)?;
    call.state.floats.raise(raised);
    Ok(Outcome::number(0))
}

/// `fegetexcept()` and `fedisableexcept(which)`: exceptions never trap.
pub(super) fn no_traps(_: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(0))
}

pub(super) fn enable_traps(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    match mask_of(call, 0) {
        0 => Ok(Outcome::number(0)),
        _ => Err(call.unsupported("feenableexcept: traps of floating-point exceptions")),
    }
}
