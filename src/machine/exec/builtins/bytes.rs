//! Built-ins for memory and string functions on concrete data.
//!
//! Invariant: a built-in does what the C function does, without a fork and in one step. Where a
//! byte that it must compare, a length or a pointer is symbolic, it declines and the libc's code
//! runs; without a libc it continues byte by byte, and forks if needed.

use super::{BuiltinCall, Outcome};
use crate::memory::Value;
use crate::outcome::Termination;
use homi_ir::ops::{BinOp, CmpOp};

/// Result of a scan over concrete bytes.
enum Scan {
    /// The first byte that satisfies the condition, at this distance.
    Found(u64),
    /// No byte within the limit satisfies the condition.
    Nothing,
    /// A symbolic byte came first.
    Symbolic,
}

/// The argument if it is concrete.
fn concrete(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Option<u64> {
    match call.arg_as(index, 64) {
        Value::Concrete(value) => Some(value as u64),
        Value::Term(_) => None,
    }
}

/// Looks for the first byte at or after `address` that `wanted` names, among `limit` bytes.
fn scan(
    call: &BuiltinCall<'_, '_, '_>,
    address: u64,
    limit: u64,
    wanted: impl Fn(u8) -> bool,
) -> Result<Scan, Termination> {
    let mut done = 0;
    while done < limit {
        let slice = call.state.memory.concrete_slice(address.wrapping_add(done));
        let slice = slice.map_err(|error| call.prepared.read_failed(call.state, *error))?;
        if slice.is_empty() {
            return Ok(Scan::Symbolic);
        }
        let count = (slice.len() as u64).min(limit - done);
        if let Some(at) = slice[..count as usize]
            .iter()
            .position(|byte| wanted(*byte))
        {
            return Ok(Scan::Found(done + at as u64));
        }
        done += count;
    }
    Ok(Scan::Nothing)
}

/// Leaves the call to the libc's definition if there is one.
fn decline_or(
    call: &mut BuiltinCall<'_, '_, '_>,
    otherwise: impl FnOnce(&mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination>,
) -> Result<Outcome, Termination> {
    if call.defined {
        Ok(Outcome::Decline)
    } else {
        otherwise(call)
    }
}

/// memcpy, memmove, mempcpy.
pub(super) fn copy(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let all_concrete = (0..3).all(|index| concrete(call, index).is_some());
    if !all_concrete && call.defined {
        return Ok(Outcome::Decline);
    }
    let (target, source) = (call.arg_as(0, 64), call.arg_as(1, 64));
    let length = call.arg_as(2, 64);
    let overlap_allowed = call.name == "memmove";
    call.copy_bytes(target, source, length, overlap_allowed)?;
    let result = if call.name.ends_with("mempcpy") {
        call.values().bin(BinOp::Add, 64, target, length)
    } else {
        target
    };
    Ok(Outcome::Return(result))
}

pub(super) fn set(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.defined && (concrete(call, 0).is_none() || concrete(call, 2).is_none()) {
        return Ok(Outcome::Decline);
    }
    let (target, value, length) = (call.arg_as(0, 64), call.arg_as(1, 8), call.arg_as(2, 64));
    call.fill_bytes(target, value, length)?;
    Ok(Outcome::Return(target))
}

/// memcmp, bcmp, strcmp, strncmp.
pub(super) fn compare(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let to_null = call.name.starts_with("str");
    let limit = match call.name {
        "strcmp" => Some(u64::MAX),
        _ => concrete(call, 2),
    };
    let (Some(a), Some(b), Some(limit)) = (concrete(call, 0), concrete(call, 1), limit) else {
        return decline_or(call, |call| compare_slowly(call, to_null));
    };
    let mut done = 0;
    while done < limit {
        let slice = |address: u64| {
            let slice = call.state.memory.concrete_slice(address.wrapping_add(done));
            slice.map_err(|error| call.prepared.read_failed(call.state, *error))
        };
        let (x, y) = (slice(a)?, slice(b)?);
        let count = x.len().min(y.len());
        if count == 0 {
            return decline_or(call, |call| compare_slowly(call, to_null));
        }
        let count = (count as u64).min(limit - done) as usize;
        for (x, y) in x[..count].iter().zip(&y[..count]) {
            if x != y {
                let difference = i64::from(*x) - i64::from(*y);
                return Ok(Outcome::number(difference as u64));
            }
            if to_null && *x == 0 {
                return Ok(Outcome::number(0));
            }
        }
        done += count as u64;
    }
    Ok(Outcome::number(0))
}

/// Byte `index` from the pointer in an argument.
fn byte(
    call: &mut BuiltinCall<'_, '_, '_>,
    argument: usize,
    index: u64,
) -> Result<Value, Termination> {
    let base = call.arg_as(argument, 64);
    let index = Value::Concrete(u128::from(index));
    let address = call.values().bin(BinOp::Add, 64, base, index);
    call.read(address, 1)
}

/// Decides a comparison on this path.
fn decide(call: &mut BuiltinCall<'_, '_, '_>, condition: Value) -> Result<bool, Termination> {
    match condition {
        Value::Concrete(value) => Ok(value != 0),
        Value::Term(term) => call.branch_on(term),
    }
}

/// Decides whether `index` is below the length in an argument.
fn within(
    call: &mut BuiltinCall<'_, '_, '_>,
    argument: usize,
    index: u64,
) -> Result<bool, Termination> {
    let length = call.arg_as(argument, 64);
    let index = Value::Concrete(u128::from(index));
    let below = call.values().cmp(CmpOp::Ult, 64, index, length);
    decide(call, below)
}

fn equal(call: &BuiltinCall<'_, '_, '_>, a: Value, b: Value) -> Value {
    call.values().cmp(CmpOp::Eq, 8, a, b)
}

const NUL: Value = Value::Concrete(0);

fn compare_slowly(
    call: &mut BuiltinCall<'_, '_, '_>,
    to_null: bool,
) -> Result<Outcome, Termination> {
    let bounded = call.name != "strcmp";
    for index in 0.. {
        if bounded && !within(call, 2, index)? {
            break;
        }
        let (a, b) = (byte(call, 0, index)?, byte(call, 1, index)?);
        let same = equal(call, a, b);
        if !decide(call, same)? {
            let values = call.values();
            let (a, b) = (values.zext(a, 32), values.zext(b, 32));
            return Ok(Outcome::Return(values.bin(BinOp::Sub, 32, a, b)));
        }
        let end = equal(call, a, NUL);
        if to_null && decide(call, end)? {
            break;
        }
    }
    Ok(Outcome::number(0))
}

/// memchr, strchr, strchrnul, rawmemchr.
pub(super) fn find(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let string = call.name.contains("str") || call.name == "index";
    let or_end = call.name.ends_with("strchrnul");
    let limit = match call.name {
        "memchr" => concrete(call, 2),
        _ => Some(u64::MAX),
    };
    let wanted = match call.arg_as(1, 8) {
        Value::Concrete(value) => Some(value as u8),
        Value::Term(_) => None,
    };
    let (Some(base), Some(wanted), Some(limit)) = (concrete(call, 0), wanted, limit) else {
        return decline_or(call, |call| find_slowly(call, string, or_end));
    };
    let found = scan(call, base, limit, |byte| {
        byte == wanted || (string && byte == 0)
    })?;
    match found {
        Scan::Symbolic => decline_or(call, |call| find_slowly(call, string, or_end)),
        Scan::Nothing => Ok(Outcome::number(0)),
        Scan::Found(at) => {
            let address = base.wrapping_add(at);
            let hit = or_end || call.state.memory.read_word(address, 1) == Ok(Some(wanted.into()));
            Ok(Outcome::number(if hit { address } else { 0 }))
        }
    }
}

fn find_slowly(
    call: &mut BuiltinCall<'_, '_, '_>,
    string: bool,
    or_end: bool,
) -> Result<Outcome, Termination> {
    let bounded = call.name == "memchr";
    let (base, wanted) = (call.arg_as(0, 64), call.arg_as(1, 8));
    for index in 0.. {
        if bounded && !within(call, 2, index)? {
            break;
        }
        let here = byte(call, 0, index)?;
        let distance = Value::Concrete(u128::from(index));
        let address = call.values().bin(BinOp::Add, 64, base, distance);
        let hit = equal(call, here, wanted);
        if decide(call, hit)? {
            return Ok(Outcome::Return(address));
        }
        let end = equal(call, here, NUL);
        if string && decide(call, end)? {
            return Ok(Outcome::Return(if or_end { address } else { NUL }));
        }
    }
    Ok(Outcome::number(0))
}

/// strlen, strnlen.
pub(super) fn length(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let limit = match call.name {
        "strlen" => Some(u64::MAX),
        _ => concrete(call, 1),
    };
    let (Some(base), Some(limit)) = (concrete(call, 0), limit) else {
        return decline_or(call, length_slowly);
    };
    match scan(call, base, limit, |byte| byte == 0)? {
        Scan::Found(at) => Ok(Outcome::number(at)),
        Scan::Nothing => Ok(Outcome::number(limit)),
        Scan::Symbolic => decline_or(call, length_slowly),
    }
}

fn length_slowly(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let bounded = call.name == "strnlen";
    let mut index = 0;
    loop {
        if bounded && !within(call, 1, index)? {
            return Ok(Outcome::number(index));
        }
        let here = byte(call, 0, index)?;
        let end = equal(call, here, NUL);
        if decide(call, end)? {
            return Ok(Outcome::number(index));
        }
        index += 1;
    }
}

/// strcpy, stpcpy.
pub(super) fn copy_string(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let length = match (concrete(call, 0), concrete(call, 1)) {
        (Some(_), Some(source)) => match scan(call, source, u64::MAX, |byte| byte == 0)? {
            Scan::Found(at) => Some(at),
            _ => None,
        },
        _ => None,
    };
    let length = match length {
        Some(length) => length,
        None if call.defined => return Ok(Outcome::Decline),
        None => {
            let mut index = 0;
            loop {
                let here = byte(call, 1, index)?;
                let end = equal(call, here, NUL);
                if decide(call, end)? {
                    break index;
                }
                index += 1;
            }
        }
    };
    let (target, source) = (call.arg_as(0, 64), call.arg_as(1, 64));
    let whole = Value::Concrete(u128::from(length) + 1);
    call.copy_bytes(target, source, whole, false)?;
    if call.name.ends_with("stpcpy") {
        let distance = Value::Concrete(u128::from(length));
        let end = call.values().bin(BinOp::Add, 64, target, distance);
        return Ok(Outcome::Return(end));
    }
    Ok(Outcome::Return(target))
}
