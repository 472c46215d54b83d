//! The floating-point environment: rounding modes. Exception flags are never raised, as in the libc's own stubs.
//!
//! Invariant: an `fenv_t` holds the mode where x86's has it, in the control words of x87 (first two bytes) and SSE (last
//! four of 32), so a mode that was saved can be set again.

use super::{Entry, Outcome, SpecialCall, always};
use crate::exec::outcome::Termination;
use crate::memory::Value;
use crate::ops::float::Rounding;

pub(super) const TABLE: &[Entry] = &[
    always("fegetround", get_round),
    always("fesetround", set_round),
    always("fegetenv", get_environment),
    always("fesetenv", set_environment),
];

/// `FE_DFL_ENV`.
const DEFAULT: u64 = u64::MAX;
/// The control words without a mode: exceptions masked, x87 with full precision.
const X87: u16 = 0x37f;
const SSE: u32 = 0x1f80;

fn get_round(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(call.state.rounding.control_word()))
}

fn set_round(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let wanted = call.number(0) & 0xffff_ffff;
    let Some(mode) = Rounding::from_control_word(wanted) else {
        return Ok(Outcome::number(1));
    };
    call.state.rounding = mode;
    Ok(Outcome::number(0))
}

fn get_environment(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let target = call.pointer(0, 32, true)?;
    let mode = call.state.rounding.control_word() as u16;
    let mut bytes = [0; 32];
    bytes[..2].copy_from_slice(&(X87 | mode).to_le_bytes());
    bytes[28..].copy_from_slice(&(SSE | u32::from(mode) << 3).to_le_bytes());
    call.put_bytes(target, &bytes)?;
    Ok(Outcome::number(0))
}

fn set_environment(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let address = call.number(0);
    let mode = if address == DEFAULT {
        Rounding::Nearest
    } else {
        let word = call.read(Value::Concrete(address.into()), 2)?;
        let word = match word {
            Value::Concrete(word) => word as u64,
            Value::Term(_) => return Err(call.gap("a symbolic floating-point environment")),
        };
        Rounding::from_control_word(word & 0xc00).unwrap_or_default()
    };
    call.state.rounding = mode;
    Ok(Outcome::number(0))
}
