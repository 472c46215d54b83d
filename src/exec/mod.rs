//! The meaning of one instruction, for concrete and symbolic operands.
//!
//! Owns: running a state until it forks, ends or has used its budget; forking; program bugs; the
//! functions that have no bitcode body (`special`). Never: solver back ends (it asks an `Oracle`),
//! choosing states, output, the host (it asks a `Host` and
//! talks to a `Console`). Data come from `program` and `state`;
//! results go to `engine` as a `Step`.

mod access;
mod bases;
mod bulk;
mod call;
mod choices;
mod config;
mod console;
mod context;
mod control;
mod decode;
mod exact;
mod executor;
mod fast;
mod faults;
mod first_input;
mod floats;
mod forking;
mod integer;
mod leaf;
mod leaks;
mod narrow;
mod observer;
mod one_input;
mod ops_loop;
mod origins;
mod overflow;
mod pointer_sum;
mod registers;
mod report;
mod resolve;
mod segments;
mod shares;
mod side_answers;
mod sites;
mod size;
pub mod special;
mod step;
#[cfg(test)]
mod tests;
mod ticks;
mod undefined;
mod values;
mod variadic;
mod verify;
mod whole;
mod world;

use crate::ops::float;

pub use access::Place;
pub use config::{ExecConfig, Speed};
pub use console::{Console, KeptConsole, MutedConsole};
pub use context::{Context, Sides};
pub use executor::{Absent, ERRNO_SETTER, Executor, SetupError, Step};
pub use first_input::{FirstBytes, GivenSeen};
pub use observer::{CallChain, CallPathNode, CallPaths, Observer};
pub use segments::Segments;
pub use side_answers::{SideAnswer, SideAnswers};
pub use sites::{ForkKind, SiteCounts, Sites};
pub use values::Values;
// What `Step::Ended` and `Observer` hold.
pub use crate::outcome::{
    Bug, BugKind, Complete, EarlyReason, Example, Gap, Narrowed, NarrowedPlace, Narrowing,
    StackEntry, Termination,
};
pub use world::{EmptyHost, EmptyWorld, Errno, Host, InputKind, STAT_BYTES, World};
