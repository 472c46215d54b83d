//! The native image of a program: its process, and the executions of inputs in it.
//!
//! An image is the program with homi's C library and modeled kernel as one native executable
//! (runtime/image). It executes thousands of inputs a second, each on the memory that the first one
//! found, and counts which sides of branches each one takes. On demand it reports comparisons.
//!
//! Owns: building in the background, the process, the memory that it shares with homi, and what an
//! execution was. Never: the choice of inputs, or the meaning of sides. Data come from
//! `explore::sources` (inputs) and from the host as programs see it.
//!
//! Invariant: a process that executes inputs may only exchange messages with homi (seccomp), so
//! that the program under test reaches no file and no other process.

mod answers;
mod build;
mod compared;
mod process;
mod shared;

pub use build::{Image, ImageRecipe, Readiness};
pub use compared::{ComparedAs, Comparison};
pub use process::{Ended, Execution, ImageError, ImageProcess};
