//! Stubs of functions that were not linked (`--stub`).
//!
//! A stub returns an unconstrained value, zero, or an error. A stub that returns any value may also
//! write to what its arguments point to: the bytes of those objects become unconstrained, and the
//! bytes of objects that they point to, but not the pointers among them. Invariant: each call is
//! recorded as an under-approximation. Objects of the library and the kernel stay.

use super::queries::set_errno;
use super::{BuiltinCall, Outcome};
use crate::memory::{AllocationSite, ObjectKind, ObjectRef, Value, function_at};
use crate::outcome::{Example, Termination, Underapproximation};
use homi_config::StubSpec;
use homi_ir::ops::mask;
use homi_ir::program::Origin;
use std::collections::{BTreeSet, VecDeque};

/// Bytes that one call may write.
const MOST_BYTES: u64 = 4096;

/// "Invalid argument" of Linux.
pub(in crate::exec) const EINVAL: u32 = 22;

/// Returns the description of a stub's behavior.
fn words(stub: StubSpec) -> &'static str {
    match stub {
        StubSpec::Any => "it returns any value, and writes any to what its arguments point to",
        StubSpec::Zero => "it returns 0",
        StubSpec::Errno => "it returns -1 with errno EINVAL",
    }
}

/// Does what a stub does in place of the function.
pub(in crate::exec) fn run(
    call: &mut BuiltinCall<'_, '_, '_>,
    stub: StubSpec,
) -> Result<Outcome, Termination> {
    let name = call.name.to_string();
    let note = Example::note(format!("{name} is not linked: {}", words(stub)));
    let _recorded = call.narrow(Underapproximation::Stub, |_| note);
    let width = call.result_width;
    match (stub, width) {
        (StubSpec::Any, _) => {
            write_through_arguments(call, &name);
            Ok(match width {
                Some(width) => Outcome::Return(any_value(call, &name, width)),
                None => Outcome::Void,
            })
        }
        (StubSpec::Zero, _) => Ok(Outcome::Void),
        (StubSpec::Errno, width) => {
            if call.prepared.errno_setter.is_none() {
                set_errno(call, EINVAL)?;
            }
            let width = width.unwrap_or(64);
            Ok(Outcome::Return(Value::Concrete(mask(width))))
        }
    }
}

/// A new input as the result of a function.
fn any_value(call: &mut BuiltinCall<'_, '_, '_>, name: &str, width: u32) -> Value {
    let bytes = call.new_bytes(&format!("stub:{name}"), width.div_ceil(8));
    let values = call.values();
    let whole = bytes.iter().rev().copied().reduce(|high, low| {
        // `high` grows by a byte at its lower end.
        concat(call, high, low)
    });
    let whole = whole.unwrap_or(Value::Concrete(0));
    values.extract(whole, 0, width)
}

fn concat(call: &BuiltinCall<'_, '_, '_>, high: Value, low: Value) -> Value {
    match (high, low) {
        (Value::Concrete(high), Value::Concrete(low)) => Value::Concrete(high << 8 | low),
        (high, low) => {
            let terms = call.terms();
            let term = |value, width| call.values().term(value, width);
            let width = match high {
                Value::Term(term) => terms.width(term),
                Value::Concrete(_) => 8,
            };
            Value::Term(terms.concat(term(high, width), term(low, 8)))
        }
    }
}

/// Makes what the arguments point to unconstrained, as far as it goes.
fn write_through_arguments(call: &mut BuiltinCall<'_, '_, '_>, name: &str) {
    let mut pending: VecDeque<u64> = call
        .args
        .iter()
        .filter_map(|argument| match argument {
            (Value::Concrete(address), 64) => Some(*address as u64),
            _ => None,
        })
        .collect();
    let mut seen = BTreeSet::new();
    let mut left = MOST_BYTES;
    while let Some(address) = pending.pop_front() {
        let Some(object) = call.state.memory.object_at(address) else {
            continue;
        };
        if seen.insert(object.base) && may_be_written(call, &object) {
            let size = object.size.min(left);
            left -= size;
            overwrite(call, name, &object, size, &mut pending);
        }
    }
}

/// Returns true if a library could write to an object: it is the program's and not constant.
fn may_be_written(call: &BuiltinCall<'_, '_, '_>, object: &ObjectRef) -> bool {
    let program = call.program();
    let origin = match object.site {
        AllocationSite::Engine(_) => Origin::Runtime,
        AllocationSite::Global(global) => program.global(global).origin,
        AllocationSite::Instruction { function, .. }
        | AllocationSite::FrameObject { function, .. } => program.function(function).origin,
    };
    !object.read_only && object.kind != ObjectKind::External && origin == Origin::Program
}

/// Makes the first `size` bytes of an object unconstrained, except for words that are pointers,
/// which are followed.
fn overwrite(
    call: &mut BuiltinCall<'_, '_, '_>,
    name: &str,
    object: &ObjectRef,
    size: u64,
    pending: &mut VecDeque<u64>,
) {
    if size == 0 {
        return;
    }
    let bytes = call.new_bytes(&format!("stub:{name}:written"), size as u32);
    let terms = call.terms();
    for start in (0..size).step_by(8) {
        let place = object.base + start;
        let length = (size - start).min(8);
        let word = match length {
            8 => call.state.memory.read_word(place, 8).ok().flatten(),
            _ => None,
        };
        if let Some(word) = word.filter(|word| is_pointer(call, *word)) {
            pending.push_back(word);
            continue;
        }
        for index in 0..length {
            let byte = bytes[(start + index) as usize];
            // The place is inside of a live object that may be written.
            let _written = call.state.memory.write(terms, place + index, 1, byte);
        }
    }
}

fn is_pointer(call: &BuiltinCall<'_, '_, '_>, word: u64) -> bool {
    call.state.memory.object_at(word).is_some() || function_at(word).is_some()
}
