//! `klee_*` functions that ask about values and objects, print, or change how the path runs.

use super::{BuiltinCall, Outcome};
use crate::memory::{AllocationSite, ObjectRef, Value};
use crate::outcome::{BugKind, Termination};
use crate::state::ConcretiseReason;
use homi_solver::term::kquery;
use std::fmt::Write;

/// Address of `errno` in programs without libc: above the null page, below all functions.
const ERRNO_ADDRESS: u64 = 0x10_0000;

/// Bytes of a message or name that are shown.
const LONGEST_TEXT: u64 = 1 << 20;

pub(super) fn is_symbolic(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let symbolic = matches!(call.arg(0), Value::Term(_));
    Ok(Outcome::number(u64::from(symbolic)))
}

pub(super) fn is_replay(_: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(0))
}

pub(super) fn get_value(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let value = call.arg(0);
    let value = call.concretise(value, ConcretiseReason::Value);
    Ok(Outcome::Return(Value::Concrete(value)))
}

fn print(call: &mut BuiltinCall<'_, '_, '_>, text: &str) {
    call.console.output(2, text.as_bytes());
}

/// The string that argument `index` points to. One that its object ends before its NUL is that
/// long, with a warning; what points to no string is a misuse of the function.
pub(super) fn text(
    call: &mut BuiltinCall<'_, '_, '_>,
    index: usize,
) -> Result<String, Termination> {
    let Value::Concrete(address) = call.arg(index) else {
        let message = "Symbolic string pointer passed to one of the klee_ functions";
        return Err(call.bug(BugKind::User, message));
    };
    let address = address as u64;
    let Ok(object) = call.state.memory.locate(address) else {
        let message = "Invalid string pointer passed to one of the klee_ functions";
        return Err(call.bug(BugKind::User, message));
    };
    let end = object.base + object.size;
    let (mut bytes, mut ended) = (Vec::new(), false);
    for at in address..end.min(address.saturating_add(LONGEST_TEXT)) {
        let value = call.read(Value::Concrete(u128::from(at)), 1)?;
        let byte = call.concretise(value, ConcretiseReason::Text) as u8;
        if byte == 0 {
            ended = true;
            break;
        }
        bytes.push(byte);
    }
    if !ended {
        let warning = "String not terminated by \\0 passed to one of the klee_ functions";
        call.console.warning_once("unterminated", warning);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(super) fn print_expr(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let message = text(call, 0)?;
    let value = match call.arg(1) {
        Value::Concrete(value) => value.to_string(),
        Value::Term(term) => kquery::print_term(call.terms(), term),
    };
    print(call, &format!("{message}:{value}\n"));
    Ok(Outcome::Void)
}

pub(super) fn print_range(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let message = text(call, 0)?;
    let line = match call.arg(1) {
        Value::Concrete(value) => format!("{message}:{value}\n"),
        Value::Term(term) => {
            let shown = kquery::print_term(call.terms(), term);
            let example = call.example(term);
            let (low, high) = call.bounds(term);
            if low == high {
                format!("{message}:{shown} == {low}\n")
            } else {
                format!("{message}:{shown} ~= {example} (in [{low}, {high}])\n")
            }
        }
    };
    print(call, &line);
    Ok(Outcome::Void)
}

pub(super) fn stack_trace(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let mut text = String::new();
    for (index, entry) in call.prepared.stack(call.state).iter().enumerate() {
        let place = call.program().describe_location(entry.location);
        let arguments = entry.arguments.join(", ");
        let name = &entry.function_name;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\t#{index} in {name}({arguments}) at {place}");
    }
    call.console.output(1, text.as_bytes());
    Ok(Outcome::Void)
}

/// A warning as KLEE words it: the calling function, then the text.
fn warning_text(call: &mut BuiltinCall<'_, '_, '_>) -> Result<String, Termination> {
    let message = text(call, 0)?;
    Ok(format!("{}: {message}", call.function().name))
}

pub(super) fn warning(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let message = warning_text(call)?;
    call.console.warning(&message);
    Ok(Outcome::Void)
}

pub(super) fn warning_once(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let message = warning_text(call)?;
    call.console.warning_once(&message, &message);
    Ok(Outcome::Void)
}

/// The object that starts exactly at the pointer in argument 0.
fn exact_object(call: &mut BuiltinCall<'_, '_, '_>) -> Result<ObjectRef, Termination> {
    let address = call.object_start(0)?;
    match call.state.memory.locate(address) {
        Ok(object) if object.base == address => Ok(object),
        _ => {
            let message = format!("memory error: invalid pointer: {}", call.name);
            Err(call.bug(BugKind::Ptr, message))
        }
    }
}

pub(super) fn get_obj_size(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let object = exact_object(call)?;
    Ok(Outcome::Return(super::allocate::object_size(&object)))
}

pub(super) fn mark_global(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let object = exact_object(call)?;
    let marked = call.state.memory.mark_global(object.base);
    marked.map_err(|error| call.prepared.read_failed(call.state, *error))?;
    Ok(Outcome::Void)
}

/// An argument that must be a constant.
fn constant(
    call: &BuiltinCall<'_, '_, '_>,
    index: usize,
    message: &str,
) -> Result<u64, Termination> {
    match call.arg(index) {
        Value::Concrete(value) => Ok(value as u64),
        Value::Term(_) => Err(call.bug(BugKind::User, message)),
    }
}

pub(super) fn check_memory_access(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let message = "check_memory_access requires constant args";
    let address = constant(call, 0, message)?;
    let size = constant(call, 1, message)?;
    if let Err(error) = call.state.memory.check(address, size) {
        let mut ending = call.prepared.read_failed(call.state, *error);
        if let Termination::Bug(bug) = &mut ending {
            bug.message = "check_memory_access: memory error".to_string();
        }
        return Err(ending);
    }
    Ok(Outcome::Void)
}

pub(super) fn define_fixed_object(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let name = "klee_define_fixed_object";
    let address = constant(
        call,
        0,
        &format!("expect constant address argument to {name}"),
    )?;
    let size = constant(call, 1, &format!("expect constant size argument to {name}"))?;
    let site: AllocationSite = call.prepared.site(call.state);
    if call.state.memory.define_fixed(address, size, site) {
        Ok(Outcome::Void)
    } else {
        let message = format!("{name}: the object would overlap another");
        Err(call.bug(BugKind::User, message))
    }
}

pub(super) fn set_forking(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let enable = constant(call, 0, "klee_set_forking requires a constant arg")?;
    call.state.forks.enabled = enable != 0;
    Ok(Outcome::Void)
}

/// The error number of programs without libc; with one, `errno` is the libc's affair.
pub(super) fn get_errno(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let number = call.state.memory.read_word(ERRNO_ADDRESS, 4);
    let number = number.ok().flatten().unwrap_or(0);
    Ok(Outcome::number(number))
}

pub(super) fn errno_location(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    define_errno(call);
    Ok(Outcome::number(ERRNO_ADDRESS))
}

fn define_errno(call: &mut BuiltinCall<'_, '_, '_>) {
    let memory = &mut call.state.memory;
    if memory.locate(ERRNO_ADDRESS).is_err() {
        memory.define_fixed(ERRNO_ADDRESS, 4, AllocationSite::Engine("errno"));
    }
}

/// Sets the error number of programs without libc.
pub(super) fn set_errno(
    call: &mut BuiltinCall<'_, '_, '_>,
    number: u32,
) -> Result<(), Termination> {
    define_errno(call);
    call.put_bytes(ERRNO_ADDRESS, &number.to_le_bytes())
}
