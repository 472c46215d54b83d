//! Inputs from outside: branches of which no path took a side go to a command, and the inputs that
//! come back are run.
//!
//! Owns: the command's process, the lines to it and from it, which sides are asked about and when
//! a response is run. Never: how a run tells what an input covered first (`engine`), or waiting for
//! the command while there is something else to do. Data come from the run's tests and the program,
//! and go back to the run as inputs.
//!
//! Invariant: whatever the command does, the run goes on as without it; it is warned of once.

mod asking;
mod branch_context;
mod candidate;
mod known;
mod process;
mod request;
mod source;

pub use asking::{Asking, AskingStatistics};
