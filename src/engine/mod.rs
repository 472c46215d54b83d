//! The run: select a state, run it, update the search, until something says stop.
//!
//! Owns: the set of states, budgets, the typed `StopReason`, what happens under memory pressure,
//! which ended paths become tests. Never: the meaning of an instruction, the order of states
//! (`search`), file formats (`testcase`, `report`). Data come from `exec` (steps) and go to
//! `testcase` and `report`.

mod aside;
mod ending;
mod ground;
mod halting;
mod launch;
mod measure;
mod parcel;
mod parts;
mod paths;
mod policies;
mod probing;
mod process_memory;
mod profile;
mod profiling;
mod prover;
mod pruning;
mod record;
mod relief;
mod rows;
mod run;
mod seeding;
mod share;
mod solver_prover;
mod stop;
mod suspend;
mod sweep;
mod tail;
mod team;
mod together;
mod turn;
mod watch;
mod workbench;

pub use ground::{KnownGround, Rewalk};
pub use halting::DEFAULT_HALT_TIME;
pub use launch::Launch;
pub use parts::{Extras, InCampaign, Outcome, Parts, Sample};
pub use paths::{PathResults, PathTally, branch_table};
pub use policies::{Listeners, Maker, Policies, PolicyMakers, StateNumber};
pub use probing::Probing;
pub use process_memory::processor_time;
pub use prover::Prover;
pub use pruning::PruneEvent;
pub use record::{Recorder, SharedRecorder};
pub use run::Engine;
pub use seeding::SeedTest;
pub use stop::StopReason;
pub use suspend::Suspended;
pub use sweep::{release_memory, sweep_terms, terms_worth_sweeping};
pub use team::{Member, Presence, Team};
pub use workbench::{Signals, Workbench};
