//! Units: idempotent pieces of a larger work, which processes on any machine do, and the book of
//! that work, which deals them out and puts what comes back together.
//!
//! Owns: the file of a unit and what makes it the same unit, the directory of a result, the book's
//! directory, and what each kind of work gives out and takes in (open states, runs of a campaign,
//! cells of a study, trials of learning). Never: exploring (`session` and `study` do, for `cli`),
//! the choice of pruning or weights (`campaign` and `learn_search`), processes or machines. Data
//! come from files that `cli` names and from the results of sessions.
//!
//! Invariant: a unit is counted once, however often it is done and brought back; one that is lost
//! is dealt out again as it was.

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
