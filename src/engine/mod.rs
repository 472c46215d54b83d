//! The run: select a state, run it, update the search, until something says stop.
//!
//! Owns: the set of states, budgets, the typed `StopReason`, what happens under memory pressure,
//! which ended paths become tests. Never: the meaning of an instruction, the order of states
//! (`search`), file formats (`testcase`, `report`). Data come from `exec` (steps) and go to
//! `testcase` and `report`.

mod context;
mod ending;
mod halting;
mod measure;
mod parcel;
mod parts;
mod paths;
mod policies;
mod process_memory;
mod profile;
mod profiling;
mod prover;
mod pruning;
mod record;
mod relief;
mod rewalked_prefix;
mod rows;
mod run;
mod share;
mod solver_prover;
mod stop;
mod suspend;
mod sweep;
mod tail;
mod team;
mod together;
mod turn;
mod view;
mod watch;
mod workbench;

pub use context::{EarlierCoverage, RunContext};
pub use halting::DEFAULT_HALT_TIME;
pub use parts::{Extras, Outcome, Parts, Sample};
pub use paths::{PathResults, PathTally, branch_table};
pub use policies::{Listeners, Maker, Policies, PolicyMakers, RootMaker, StateNumber};
pub use process_memory::processor_time;
pub use prover::Prover;
pub use pruning::PruneEvent;
pub use record::{Recorder, SharedRecorder};
pub use rewalked_prefix::{Rewalk, RewalkedPrefixes};
pub use run::Engine;
pub use stop::StopReason;
pub use suspend::Suspended;
pub use sweep::{release_memory, sweep_terms, terms_worth_sweeping};
pub use team::{Member, Presence, Team};
pub use workbench::{Signals, Workbench};
