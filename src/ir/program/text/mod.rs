//! The IR as text: printing and parsing, exact both ways, so that tests are text.
//!
//! Owns: the text form. One statement per line; `;` starts a comment; words are separated by spaces
//! and strings are quoted. An instruction is its name and its fields in the order of `Inst`'s
//! declaration, with `@lN` at the end if it has a location. `parse(print(p)) == p` for every
//! program.
//!
//! ```text
//! program "twice.bc"
//! entry f0
//! func f0 "twice" program slots 3
//!   param %0 32 -
//!   const %1 int 32 2
//!   result 32
//!   return 0 [ %2 32 ]
//! b0:
//!   bin mul 32 %2 %0 %1
//!   return 0
//! ```

mod field;
mod instruction;
mod parse;
mod print;

pub use parse::{ParseError, parse};
pub use print::{print, print_function};

#[cfg(test)]
mod tests;
