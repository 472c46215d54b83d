//! `homi_*`: what the modeled kernel asks of the engine (runtime/include/homi/engine.h).
//!
//! Invariant: every answer is a function of the arguments and of host files; a hash of what was
//! read from a file is noted as a decision, so that the fingerprints of paths through different
//! contents differ.

use super::{BuiltinCall, Outcome};
use crate::exec::world::Errno;
use crate::memory::{ByteValue, Value};
use crate::outcome::{Example, Termination, Underapproximation};
use crate::state::{ConcretiseReason, Decision};
use rustc_hash::FxHasher;
use std::hash::Hasher;

fn failed(error: Errno) -> Outcome {
    Outcome::number(-i64::from(error.0) as u64)
}

/// Writes an answer to the buffer in an argument and returns its length, or a negative error
/// number.
fn deliver(
    call: &mut BuiltinCall<'_, '_, '_>,
    buffer: usize,
    answer: Result<Vec<u8>, Errno>,
) -> Result<Outcome, Termination> {
    match answer {
        Err(error) => Ok(failed(error)),
        Ok(bytes) => {
            if !bytes.is_empty() {
                let address = call.pointer(buffer, bytes.len() as u64, true)?;
                call.put_bytes(address, &bytes)?;
            }
            Ok(Outcome::number(bytes.len() as u64))
        }
    }
}

pub(super) fn host_stat(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let path = call.c_string(0)?;
    let follow = call.number(2) as u32 != 0;
    match call.host.stat(&path, follow) {
        Err(error) => Ok(failed(error)),
        Ok(bytes) => {
            deliver(call, 1, Ok(bytes.to_vec()))?;
            Ok(Outcome::number(0))
        }
    }
}

pub(super) fn host_read(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let path = call.c_string(0)?;
    let (length, offset) = (call.number(2), call.number(3));
    let answer = call.host.read(&path, length, offset);
    if let Ok(bytes) = &answer {
        let mut hasher = FxHasher::default();
        hasher.write(bytes);
        let hash = hasher.finish();
        call.state.decisions.push(Decision::HostFile { hash });
    }
    deliver(call, 1, answer)
}

pub(super) fn host_readlink(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let path = call.c_string(0)?;
    let room = call.number(2);
    let answer = call.host.readlink(&path).map(|mut target| {
        target.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        target
    });
    deliver(call, 1, answer)
}

pub(super) fn host_readdir(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    const EINVAL: Errno = Errno(22);
    let path = call.c_string(0)?;
    let (index, room) = (call.number(1), call.number(3));
    let answer = match call.host.readdir(&path, index) {
        Ok(Some(record)) if record.len() as u64 > room => Err(EINVAL),
        Ok(record) => Ok(record.unwrap_or_default()),
        Err(error) => Err(error),
    };
    deliver(call, 2, answer)
}

pub(super) fn host_getcwd(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    const ERANGE: Errno = Errno(34);
    let room = call.number(1);
    let answer = call.host.getcwd().and_then(|mut path| {
        path.push(0);
        if path.len() as u64 > room {
            return Err(ERANGE);
        }
        Ok(path)
    });
    deliver(call, 0, answer)
}

pub(super) fn stdin_read(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (length, offset) = (call.number(1), call.number(2));
    if length == 0 {
        let kind = call.host.stdin_kind();
        return Ok(Outcome::number(kind as u64));
    }
    let answer = call.host.stdin_read(length, offset);
    deliver(call, 0, answer)
}

pub(super) fn host_id(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let which = call.number(0) as u32;
    let id = call.host.id(which);
    Ok(Outcome::number(u64::from(id)))
}

/// Symbolic bytes are shown as the model's, and of a symbolic length as many, without constraining
/// the path to them.
pub(super) fn output(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let stream = call.number(0) as u32;
    let length = match call.arg_as(2, 64) {
        Value::Concrete(length) => length as u64,
        Value::Term(term) => call.example(term) as u64,
    };
    if length == 0 {
        return Ok(Outcome::Void);
    }
    let address = call.pointer(1, length, false)?;
    let whole = call.state.memory.read_bytes(address, length);
    let bytes = match whole.map_err(|error| call.prepared.read_failed(call.state, *error))? {
        Some(bytes) => bytes,
        None => {
            let mut bytes = Vec::with_capacity(length as usize);
            for at in address..address + length {
                bytes.push(match call.state.memory.read_byte(call.terms(), at) {
                    Ok(ByteValue::Concrete(byte)) => byte,
                    Ok(ByteValue::Term(term)) => call.example(term) as u8,
                    Err(error) => return Err(call.prepared.read_failed(call.state, *error)),
                });
            }
            bytes
        }
    };
    call.console.output(stream, &bytes);
    Ok(Outcome::Void)
}

/// One path for each value, if they are not too many; else one of them.
pub(super) fn concretize(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let value = call.arg(0);
    let limit = u128::from(call.config().max_value_forks);
    let value = call.enumerate(value, ConcretiseReason::Argument, limit)?;
    Ok(Outcome::Return(Value::Concrete(value)))
}

/// One path for each value, if they are not too many; else the symbolic value.
pub(super) fn each_value(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let value = call.arg(0);
    let limit = u128::from(call.config().max_value_forks);
    let chosen = call.each_value(value, limit)?;
    Ok(Outcome::Return(chosen.map_or(value, Value::Concrete)))
}

pub(super) fn require_room(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let writing = call.number(2) as u32 != 0;
    let (address, length) = (call.arg_as(0, 64), call.arg_as(1, 64));
    call.require_room(address, length, writing)?;
    Ok(Outcome::Void)
}

/// memmove without a libc.
pub(super) fn copy(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (target, source) = (call.arg_as(0, 64), call.arg_as(1, 64));
    let length = call.arg_as(2, 64);
    call.copy_bytes(target, source, length, true)?;
    Ok(Outcome::Void)
}

pub(super) fn concretize_string(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let address = call.pointer(0, 1, false)?;
    let text = call.string_at(address)?;
    for (index, byte) in text.iter().chain([&0]).enumerate() {
        let at = address.wrapping_add(index as u64);
        if matches!(
            call.state.memory.read_byte(call.terms(), at),
            Ok(ByteValue::Term(_))
        ) {
            call.put_bytes(at, &[*byte])?;
        }
    }
    Ok(Outcome::Void)
}

/// `homi_note_concretized(what)`: the modeled kernel answers otherwise than a real one might.
/// `what` is the name of a kind, or tells what is not followed.
pub(super) fn note_underapproximation(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let what = String::from_utf8_lossy(&call.c_string(0)?).into_owned();
    let kind = Underapproximation::named(&what).unwrap_or(Underapproximation::Kernel);
    let _recorded = call.narrow(kind, |_| Example::note(what));
    Ok(Outcome::Void)
}

/// `homi_predicts()`: 1 if the path predicts the outcome of a test.
pub(super) fn predicts(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let predicts = call.state.input.predicts.is_some();
    Ok(Outcome::number(u64::from(predicts)))
}

/// `homi_variation()`: the number by which a prediction differs from the first one of its test.
pub(super) fn variation(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let variation = call.state.input.predicts.unwrap_or_default();
    Ok(Outcome::number(u64::from(variation)))
}

pub(super) fn clock_ns(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let now = call.host.clock_ns();
    Ok(Outcome::number(now))
}
