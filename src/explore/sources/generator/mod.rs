//! External input generator: a command receives branches with a side that no path took, and the
//! inputs that it returns are run.
//!
//! Owns: the command's process, the lines to it and from it, which sides are asked about and when
//! a response is run. Never: how a run tells what an input covered first (`engine`), or waiting for
//! the command while there is something else to do. Data come from the run's tests and the program,
//! and go back to the run as inputs.
//!
//! Invariant: a failure of the command never stops the run, which then continues without it and
//! warns once.

mod branch_context;
mod candidate;
mod client;
mod known;
mod process;
mod request;
mod source;

pub use client::{GeneratorClient, GeneratorStatistics};
