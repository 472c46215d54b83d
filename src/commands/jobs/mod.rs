//! Jobs: idempotent parts of a run or study, which processes on any machine do. A book creates the
//! jobs and merges their results.
//!
//! Owns: the file of a job and its identity, the directory of a result, and the book's directory.
//! Also owns, per kind of work, the creation of jobs and the merge of results (open states, runs of
//! a campaign, cells of a study, trials of learning). Never: exploring (`session` and `study` do,
//! for `cli`), the choice of pruning or weights (`campaign` and `learn_search`), processes or
//! machines. Data come from files that `cli` names and from the results of sessions.
//!
//! Invariant: a job counts once, however often it is done and its result received. A lost job is
//! issued again unchanged.

mod book;
mod cells;
mod error;
mod file;
mod gathered;
mod merging;
mod open;
mod outcome;
mod place;
mod plan;
mod runs;
mod state;
mod text;
mod trials;

pub use book::{Book, Status};
pub use error::UnitError;
pub use file::{Build, Cell, SeedFile, Unit, Work};
pub use outcome::{Done, Outcome, StillOpen};
pub use place::{Begun, Place, begin};
pub use plan::{Plan, PlanKind};
