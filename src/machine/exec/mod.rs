//! The meaning of one instruction, for concrete and symbolic operands.
//!
//! Owns: running a state until it forks, ends or has used its budget; forking; program bugs; the
//! functions that have no bitcode body (`intrinsics`). Never: solver back ends (it asks an
//! `Oracle`), choosing states, output, the host (it asks a `Host` and talks to a `Console`). Data
//! come from `program` and `state`; results go to `engine` as a `Step`.

mod builtins;
mod call_paths;
mod checks;
mod choices;
mod concretize;
mod config;
mod console;
mod context;
mod executor;
mod fast;
mod first_state;
mod forking;
mod globals;
mod induction;
mod initial_input;
mod location_limits;
mod new_object;
mod observer;
mod one_input;
mod prepared;
mod report;
mod side_answers;
mod sites;
mod step;
#[cfg(test)]
mod tests;
mod ticks;
mod world;

use homi_ir::ops::float;

pub use call_paths::{CallChain, CallPathNode, CallPaths};
pub use concretize::keep_native_input;
pub use config::{ExecConfig, Speed};
pub use console::{Console, KeptConsole, MutedConsole};
pub use context::{Context, Sides};
pub use executor::{Absent, Executor, Step};
pub use fast::segments::Segments;
pub use globals::SetupError;
pub use induction::LoopProofs;
pub use initial_input::{FirstBytes, GivenSeen, SizeMismatch};
pub use observer::Observer;
pub use prepared::{ERRNO_SETTER, PreparedProgram};
pub use side_answers::{SideAnswer, SideAnswers};
pub use sites::{ForkKind, SiteCounts, Sites};
pub use step::access::AccessTarget;
pub use step::values::Values;
// What `Step::Ended` and `Observer` hold.
pub use crate::outcome::{
    Bug, BugKind, Complete, EarlyReason, Example, StackEntry, Termination, Underapproximation,
    UnderapproximationSite, Underapproximations, Unsupported,
};
pub use world::{EmptyHost, EmptyWorld, Errno, Host, InputKind, STAT_BYTES, World};
