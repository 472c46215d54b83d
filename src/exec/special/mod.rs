//! Functions that the executor implements itself: a table from names to Rust functions.
//!
//! Owns: the frame of a special (its arguments, how it returns, forks, ends the path, asks the oracle,
//! reads strings, resolves pointers); one file per family holds the functions. A program's own
//! definition of a name wins over the table, except for the names in `ALWAYS`.
//!
//! How to write one: `fn name(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination>`.
//! * `call.arg(i)` is the value of argument `i`, `call.concrete(i)?` forces it to a number (a decision),
//!   `call.c_string(address)?` reads a string and makes its bytes concrete.
//! * `Ok(Outcome::Return(value))` or `Ok(Outcome::Void)` returns to the caller, `Err(termination)` ends
//!   the path, `call.bug(..)`/`call.gap(..)` make one.
//! * Everything of `Context` is there by deref: `call.branch_on(term)?` forks and tells this path's side;
//!   the other side re-executes the same call with the condition decided, so a special must not change
//!   the state before its last fork.

use super::context::Context;
use super::outcome::Termination;
use crate::memory::Value;
use std::ops::{Deref, DerefMut};

/// What a special did with the path.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Returns this value, cut or zero-extended to the call's result width.
    Return(Value),
    /// Returns nothing (a caller that wants a value gets 0).
    Void,
    /// Control was set by the special itself (longjmp, pushed frames).
    Jumped,
}

/// A special function.
pub type Special = fn(&mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination>;

/// One call of a special.
pub struct SpecialCall<'s, 'c, 'a> {
    pub context: &'s mut Context<'c, 'a>,
    /// The function's name.
    pub name: &'s str,
    /// Argument values; missing ones read as 0.
    pub args: &'s [Value],
    /// Widths in bits of `args`.
    pub widths: &'s [u32],
    /// Width in bits of the result the caller wants; `None` for void.
    pub result_width: Option<u32>,
}

impl<'c, 'a> Deref for SpecialCall<'_, 'c, 'a> {
    type Target = Context<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        self.context
    }
}

impl DerefMut for SpecialCall<'_, '_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.context
    }
}
