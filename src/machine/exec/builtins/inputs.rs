//! `klee_*` functions that make symbolic inputs and constrain them.
//!
//! Messages and checks are KLEE's.

use super::{BuiltinCall, Outcome, queries};
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use homi_ir::ops::CmpOp;
use homi_solver::term::Byte;
use std::sync::Arc;

/// A new symbolic object as a little-endian number of `bytes` bytes.
fn new_number(call: &mut BuiltinCall<'_, '_, '_>, name: &str, bytes: u32) -> Value {
    let array = call.new_array(name, bytes);
    if let Some(given) = call.given() {
        let number = given.iter().rev();
        return Value::Concrete(number.fold(0, |high, byte| high << 8 | u128::from(*byte)));
    }
    let terms = call.terms();
    let byte = |index| terms.symbol(Byte { array, index });
    Value::Term((1..bytes).fold(byte(0), |low, index| terms.concat(byte(index), low)))
}

/// The name in an argument; a null pointer or an empty string is "unnamed".
fn name(call: &mut BuiltinCall<'_, '_, '_>, index: usize) -> Result<String, Termination> {
    let text = match call.arg(index) {
        Value::Concrete(0) => String::new(),
        _ => queries::text(call, index)?,
    };
    if text.is_empty() {
        let text = "klee_make_symbolic: renamed empty name to \"unnamed\"";
        if call.prepared.config.dialect.warns_of_each_empty_name() {
            call.console.warning(text)
        } else {
            call.console.warning_once("unnamed", text)
        }
        return Ok("unnamed".to_string());
    }
    Ok(text)
}

pub(super) fn make_symbolic(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.args.len() != 3 {
        let message = "Incorrect number of arguments to klee_make_symbolic(void*, size_t, char*)";
        return Err(call.bug(BugKind::User, message));
    }
    let name = name(call, 2)?;
    let address = call.object_start(0)?;
    let object = match call.state.memory.locate(address) {
        Ok(object) if object.base == address => object,
        Ok(object) => {
            let message = "memory error: invalid pointer: make_symbolic";
            let offset = address - object.base;
            let described = call.prepared.describe(&object);
            return Err(call.bug_with(
                BugKind::Ptr,
                message,
                [
                    format!("the address is {offset} bytes into {described}"),
                    "klee_make_symbolic takes whole objects".to_string(),
                ],
            ));
        }
        Err(error) => return Err(call.prepared.read_failed(call.state, *error)),
    };
    if object.read_only {
        let message = "cannot make readonly object symbolic";
        return Err(call.bug(BugKind::User, message));
    }
    let fixed = match object.symbolic_size {
        Some(term) => {
            let size = call.each_size(term, object.capacity)?;
            call.state.memory.fix_size(&object, size);
            size
        }
        None => object.size,
    };
    let size = call.number(1);
    if fixed != size {
        let described = call.prepared.describe(&object);
        return Err(call.bug_with(
            BugKind::User,
            "Wrong size given to klee_make_symbolic",
            [format!(
                "{size} bytes were given, the object has {fixed}: {described}"
            )],
        ));
    }
    let Ok(size) = u32::try_from(size) else {
        return Err(call.unsupported(format!(
            "Symbolic objects larger than 4 GiB are not allowed (requested {size} bytes)."
        )));
    };
    if size == 0 {
        return Ok(Outcome::Void);
    }
    call.check_given(&name, size)?;
    let array = call.new_array(&name, size);
    if let Some(bytes) = call.given() {
        call.put_bytes(address, &bytes)?;
        return Ok(Outcome::Void);
    }
    let terms = call.terms();
    let made = call.state.memory.make_symbolic(terms, address, array);
    made.map_err(|error| call.prepared.write_failed(call.state, *error))?;
    Ok(Outcome::Void)
}

pub(super) fn int(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let name = name(call, 0)?;
    call.check_given(&name, 4)?;
    Ok(Outcome::Return(new_number(call, &name, 4)))
}

/// Puts a condition that may be false for some new input on the path.
fn restrict(call: &mut BuiltinCall<'_, '_, '_>, condition: Value) -> Result<(), Termination> {
    let holds = match condition {
        Value::Concrete(value) => value != 0,
        Value::Term(term) => call.assume(term)?,
    };
    if holds {
        Ok(())
    } else {
        Err(Termination::Silent)
    }
}

pub(super) fn range(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let name = name(call, 2)?;
    let (begin, end) = (call.number(0) as i32, call.number(1) as i32);
    if begin >= end {
        return Err(call.bug(BugKind::User, "invalid range"));
    }
    let number = |value: i32| u128::from(value as u32);
    if begin.checked_add(1) == Some(end) {
        return Ok(Outcome::Return(Value::Concrete(number(begin))));
    }
    call.check_given(&name, 4)?;
    let value = new_number(call, &name, 4);
    let compare = |call: &BuiltinCall<'_, '_, '_>, op, bound| {
        let bound = Value::Concrete(number(bound));
        call.values().cmp(op, 32, value, bound)
    };
    if begin == 0 {
        restrict(call, compare(call, CmpOp::Ult, end))?;
    } else {
        restrict(call, compare(call, CmpOp::Sge, begin))?;
        restrict(call, compare(call, CmpOp::Slt, end))?;
    }
    Ok(Outcome::Return(value))
}

pub(super) fn choose(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let count = call.arg_as(0, 64);
    call.check_given("klee_choose", 8)?;
    let value = new_number(call, "klee_choose", 8);
    restrict(call, call.values().cmp(CmpOp::Ult, 64, value, count))?;
    Ok(Outcome::Return(value))
}

/// An argument as a condition: whether it is not zero.
fn condition(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Value {
    match call.args.get(index) {
        Some(&(value, width)) => call
            .values()
            .cmp(CmpOp::Ne, width, value, Value::Concrete(0)),
        None => Value::Concrete(0),
    }
}

/// `homi_assume`: where it cannot hold the path ends without a word.
pub(super) fn assume_or_end(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if holds(call)? {
        Ok(Outcome::Void)
    } else {
        Err(Termination::Silent)
    }
}

/// Keeps the inputs for which the first argument holds; whether there are any.
fn holds(call: &mut BuiltinCall<'_, '_, '_>) -> Result<bool, Termination> {
    let condition = condition(call, 0);
    match call.defined(condition, "assumption on an undefined value") {
        Value::Concrete(value) => Ok(value != 0),
        Value::Term(term) => call.assume(term),
    }
}

pub(super) fn assume(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if holds(call)? {
        Ok(Outcome::Void)
    } else if call.state.input.is_given || call.config().checks.silent_assume {
        // Not a bug of the program: the input violates its assumptions.
        Err(Termination::Silent)
    } else {
        Err(call.bug(BugKind::User, "invalid klee_assume call (provably false)"))
    }
}

/// A wish that inputs be readable, heeded where that is asked for.
pub(super) fn prefer_readable(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.config().readable_inputs {
        prefer(call)
    } else {
        Ok(Outcome::Void)
    }
}

pub(super) fn prefer(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let Value::Term(term) = condition(call, 1) {
        Arc::make_mut(&mut call.state.symbolics.preferences).push(term);
    }
    Ok(Outcome::Void)
}
