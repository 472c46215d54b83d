//! What people and their scripts gave a program, as seeds: a command runs with a recorder preloaded
//! into all its processes, and what each process of the program was given becomes a test.
//!
//! Owns: the preloaded library (`runtime/record`), the records that it writes, the tests made of
//! them, the symbolic words that fit them. Never: exploring, or what a run does with seeds
//! (`session`, `testcase`). Data come from the command's processes and go to `.ktest` files.

mod command;
mod fit;
mod made;
mod program;
mod reading;
mod shape;

pub use command::{Recorder, RecorderError};
pub use made::{Made, seeds_of};
pub use program::{ProgramError, refuse_program};
pub use shape::Recorded;

use std::path::PathBuf;

/// What is recorded.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// The program, an absolute path.
    pub program: PathBuf,
    /// The most bytes of one argument, file or standard input that are kept.
    pub limit: usize,
}
