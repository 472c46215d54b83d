//! Seeds from a test suite or script: a command runs with a recorder preloaded into all its
//! processes, and the input of each process of the program becomes a test.
//!
//! Owns: the preloaded library (`runtime/record`), the records that it writes, the tests made of
//! them, the symbolic arguments that fit them. Never: exploring, or the use of seeds in a run
//! (`session`, `testcase`). Data come from the command's processes and go to `.ktest` files.

mod command;
mod made;
mod program;
mod reading;
mod shape;
mod sizes;

pub use command::{Recorder, RecorderError};
pub use made::{Made, seeds_of};
pub use program::{ProgramError, refuse_program};
pub use shape::Recorded;

use std::path::PathBuf;

/// Options of a recording.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// The program, an absolute path.
    pub program: PathBuf,
    /// The most bytes of one argument, file or standard input that are kept.
    pub limit: usize,
}
