//! Functions that the executor implements itself; `program::builtin_table` has their names.
//!
//! Owns: the frame of a built-in function (its arguments, how it returns, forks, ends the path,
//! asks the oracle, reads strings, resolves pointers) and, one file per family, the functions.
//! Never: host access except through `Host`. A built-in function replaces a function without a
//! body; one of kind `always` also replaces the libc's and runtime's definition (for speed and
//! fewer forks). The user's own definition always wins.
//!
//! A built-in function needs a row in `program::builtin_table` and, in the module that the row
//! names, `pub(super) fn name(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination>`.
//! * `call.arg(i)` is the value of argument `i`, `call.number(i)?` forces it to a number (a
//!   decision), `call.c_string(i)?` reads a string and makes its bytes concrete.
//! * `Ok(Outcome::Return(value))` or `Ok(Outcome::Void)` returns to the caller, `Err(termination)`
//!   ends the path: `Err(call.bug(kind, message))`, `Err(call.unsupported(what))`.
//! * Everything of `Context` is there by deref: `call.branch_on(term)?` forks and tells this path's
//!   side, `call.require`, `call.assume`, `call.read`, `call.write`, `call.state`, `call.host`,
//!   `call.console`...
//!   After a fork the other side executes the same call again with the condition decided, so a
//!   built-in function must not change the state before its last fork.

mod allocate;
mod bytes;
mod control;
mod ending;
mod environment;
mod failing;
mod families;
mod given;
mod host;
mod inputs;
mod mappings;
mod marking;
mod merging;
mod numbers;
mod pointing;
mod queries;
mod stdio;
pub(super) mod stub;
mod threads;
mod trapping;
mod unwind;
mod watching;

use super::context::Context;
use crate::memory::Value;
use crate::outcome::{Bug, BugKind, Termination};
use crate::state::ConcretiseReason;
use homi_config::Weakness;
use homi_ir::program::{Builtin, builtin_table};
use std::ops::{Deref, DerefMut};

/// Effect of a built-in function on the path.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Returns this value, cut or zero-extended to the call's result width.
    Return(Value),
    /// Returns nothing (a caller that wants a value gets 0).
    Void,
    /// Control was set by the built-in function itself (longjmp, pushed frames).
    Jumped,
    /// The built-in function has done nothing and leaves the call to the function's definition in
    /// bitcode (see `BuiltinCall::defined`).
    Decline,
}

impl Outcome {
    /// Returns a number.
    pub fn number(value: u64) -> Outcome {
        Outcome::Return(Value::Concrete(u128::from(value)))
    }
}

/// A built-in function.
pub type BuiltinFn = fn(&mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination>;

macro_rules! functions {
    ($($module:ident::$function:ident: $kind:ident $($name:literal),+;)+) => {
        &[$($({
            let _: &str = $name;
            $module::$function as BuiltinFn
        }),+),+]
    };
}

/// The functions of all names of the table of built-in functions, in its order.
const FUNCTIONS: &[BuiltinFn] = builtin_table!(functions);

/// Returns the implementation of a built-in function.
#[inline]
pub(super) fn function_of(builtin: Builtin) -> BuiltinFn {
    FUNCTIONS[builtin.index()]
}

/// One call of a built-in function.
pub struct BuiltinCall<'s, 'c, 'a> {
    pub context: &'s mut Context<'c, 'a>,
    /// The function's name.
    pub name: &'s str,
    /// Argument values with their widths in bits.
    pub args: &'s [(Value, u32)],
    /// Width in bits of the result the caller wants; `None` for void.
    pub result_width: Option<u32>,
    /// The function also has a definition in bitcode, to which the built-in function may leave the
    /// call.
    pub defined: bool,
}

impl<'c, 'a> Deref for BuiltinCall<'_, 'c, 'a> {
    type Target = Context<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        self.context
    }
}

impl DerefMut for BuiltinCall<'_, '_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.context
    }
}

/// The longest string that `c_string` reads, in bytes.
const MAX_STRING: usize = 1 << 20;

impl BuiltinCall<'_, '_, '_> {
    /// Argument `index`; a missing one is 0.
    pub fn arg(&self, index: usize) -> Value {
        self.args
            .get(index)
            .map_or(Value::Concrete(0), |argument| argument.0)
    }

    /// Argument `index` zero-extended or cut to `width` bits.
    pub fn arg_as(&self, index: usize, width: u32) -> Value {
        match self.args.get(index) {
            Some((value, own)) => self.values().resize(*value, *own, width),
            None => Value::Concrete(0),
        }
    }

    /// Argument `index` as a number; a symbolic one becomes concrete (a decision, paths are lost).
    pub fn number(&mut self, index: usize) -> u64 {
        let value = self.arg(index);
        self.concretise(value, ConcretiseReason::Argument) as u64
    }

    /// Argument `index` as an address where `bytes` bytes may be accessed. A symbolic pointer forks
    /// over its objects, then over its offsets, if not too many. The access itself still has to be
    /// checked.
    pub fn pointer(&mut self, index: usize, bytes: u64, writing: bool) -> Result<u64, Termination> {
        let address = self.arg(index);
        self.concrete_address(address, bytes, writing)
    }

    /// Argument `index` as the address of an object's first byte. A symbolic pointer forks over the
    /// objects that it may be the start of, and once more for all other values.
    pub fn object_start(&mut self, index: usize) -> Result<u64, Termination> {
        let address = self.arg(index);
        self.exact_address(address, &|memory, address| {
            memory
                .locate(address)
                .is_ok_and(|object| object.base == address)
        })
    }

    /// The NUL-terminated string that argument `index` points to, without the NUL. Symbolic bytes
    /// become concrete on the path, and in memory.
    pub fn c_string(&mut self, index: usize) -> Result<Vec<u8>, Termination> {
        let address = self.pointer(index, 1, false)?;
        self.string_at(address)
    }

    /// The NUL-terminated string at an address; see `c_string`.
    pub fn string_at(&mut self, address: u64) -> Result<Vec<u8>, Termination> {
        let mut text = Vec::new();
        loop {
            let at = address.wrapping_add(text.len() as u64);
            let value = self.read(Value::Concrete(u128::from(at)), 1)?;
            let byte = self.concretise(value, ConcretiseReason::Text) as u8;
            if byte == 0 {
                return Ok(text);
            }
            text.push(byte);
            if text.len() > MAX_STRING {
                return Err(self.unsupported(format!("{}: a string of more than 1 MiB", self.name)));
            }
        }
    }

    /// `length` bytes at an address, symbolic ones made concrete.
    pub fn bytes_at(&mut self, address: u64, length: u64) -> Result<Vec<u8>, Termination> {
        match self.state.memory.read_bytes(address, length) {
            Ok(Some(bytes)) => return Ok(bytes),
            Ok(None) => {}
            Err(error) => return Err(self.prepared.read_failed(self.state, *error)),
        }
        let mut bytes = Vec::with_capacity(length as usize);
        for index in 0..length {
            let at = Value::Concrete(u128::from(address.wrapping_add(index)));
            let value = self.read(at, 1)?;
            bytes.push(self.concretise(value, ConcretiseReason::Text) as u8);
        }
        Ok(bytes)
    }

    /// Writes bytes at an address.
    pub fn put_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Termination> {
        let terms = self.terms();
        self.state.memory.settle(terms, address, bytes.len() as u64);
        let result = self.state.memory.write_bytes(address, bytes);
        result.map_err(|error| self.prepared.write_failed(self.state, *error))
    }

    /// The path ends as a bug of the program.
    pub fn bug(&self, kind: BugKind, message: impl Into<String>) -> Termination {
        self.bug_with(kind, message, [])
    }

    /// A bug, with the operands that a handler of the compiler's checks has.
    pub fn explained(&self, kind: BugKind, message: String) -> Bug {
        let weakness = Weakness::of_check(&message, &kind);
        let mut bug = self.prepared.own_bug(self.state, kind, message);
        bug.weakness = weakness;
        bug.explanation = self.handler_explanation().map(Box::new);
        bug
    }

    /// Returns a bug with additional lines.
    pub fn bug_with<const N: usize>(
        &self,
        kind: BugKind,
        message: impl Into<String>,
        details: [String; N],
    ) -> Termination {
        let mut bug = self.prepared.bug(self.state, kind, message);
        bug.details.extend(details);
        Termination::Bug(Box::new(bug))
    }
}
