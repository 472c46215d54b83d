//! The meaning of one instruction, for concrete and symbolic operands.
//!
//! Owns: running a state until it forks, ends or has used its budget; forking; program bugs; the
//! functions that have no bitcode body (`intrinsics`). Never: solver back ends (it asks an
//! `Oracle`), choosing states, output, the host (it asks a `Host` and talks to a `Console`). Data
//! come from `program` and `state`; results go to `engine` as a `Step`.

mod call_paths;
mod checks;
mod choices;
mod config;
mod console;
mod context;
mod executor;
mod fast;
mod first_input;
mod first_state;
mod forking;
mod globals;
mod intrinsics;
mod narrow;
mod observer;
mod one_input;
mod prepared;
mod report;
mod shares;
mod side_answers;
mod sites;
mod step;
#[cfg(test)]
mod tests;
mod ticks;
mod world;

use crate::ir::ops::float;

pub use call_paths::{CallChain, CallPathNode, CallPaths};
pub use config::{ExecConfig, Speed};
pub use console::{Console, KeptConsole, MutedConsole};
pub use context::{Context, Sides};
pub use executor::{Absent, Executor, Step};
pub use fast::segments::Segments;
pub use first_input::{FirstBytes, GivenSeen, Misfit};
pub use globals::SetupError;
pub use observer::Observer;
pub use prepared::{ERRNO_SETTER, PreparedProgram};
pub use side_answers::{SideAnswer, SideAnswers};
pub use sites::{ForkKind, SiteCounts, Sites};
pub use step::access::Place;
pub use step::values::Values;
// What `Step::Ended` and `Observer` hold.
pub use crate::machine::outcome::{
    Bug, BugKind, Complete, EarlyReason, Example, Gap, Narrowed, NarrowedPlace, Narrowing,
    StackEntry, Termination,
};
pub use world::{EmptyHost, EmptyWorld, Errno, Host, InputKind, STAT_BYTES, World};
