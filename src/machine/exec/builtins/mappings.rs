//! Mappings as the modeled kernel makes them (runtime/include/homi/engine.h). Addresses and sizes
//! are multiples of a page; the kernel has made numbers of them.

use super::{BuiltinCall, Outcome};
use crate::memory::Access;
use crate::outcome::Termination;

/// Bytes of a page.
const PAGE: u64 = 4096;

/// `homi_is_free(address, size)`.
pub(super) fn is_free(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (start, size) = (call.number(0), call.number(1));
    let free = call.state.memory.is_free(start, size);
    Ok(Outcome::number(free.into()))
}

/// The address that argument 0 asks for, or one of the engine's choice if it is 0.
fn place(call: &mut BuiltinCall<'_, '_, '_>, size: u64) -> Option<u64> {
    match call.number(0) {
        0 => call.state.memory.reserve(size, PAGE),
        wanted => call.state.memory.is_free(wanted, size).then_some(wanted),
    }
}

/// `homi_map(address, size)`: the address of zeros, or 0.
pub(super) fn map(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let size = call.number(1);
    let Some(start) = place(call, size) else {
        return Ok(Outcome::number(0));
    };
    let site = call.prepared.site(call.state);
    call.state.memory.map(start, size, site);
    Ok(Outcome::number(start))
}

/// `homi_map_window(address, size, bytes, there)`: returns the address of `size` bytes, whose first
/// `there` bytes belong to a block, or 0.
pub(super) fn map_window(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (size, bytes, there) = (call.number(1), call.number(2), call.number(3));
    let Some(start) = place(call, size) else {
        return Ok(Outcome::number(0));
    };
    let site = call.prepared.site(call.state);
    let shown = there == 0 || call.state.memory.map_window(start, there, bytes, site);
    Ok(Outcome::number(if shown { start } else { 0 }))
}

/// `homi_unmap(address, size)`.
pub(super) fn unmap(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (start, size) = (call.number(0), call.number(1));
    let terms = call.terms();
    call.state.memory.unmap(terms, start, size);
    Ok(Outcome::Void)
}

/// `homi_protect(address, size, access)`: 0, or -1 if something there is no memory.
pub(super) fn protect(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (start, size) = (call.number(0), call.number(1));
    let access = match call.number(2) {
        0 => Access::None,
        1 => Access::Read,
        _ => Access::Write,
    };
    let terms = call.terms();
    let known = call.state.memory.protect(terms, start, size, access);
    Ok(Outcome::number(if known { 0 } else { u64::MAX }))
}
