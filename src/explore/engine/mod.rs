//! The run: ask the policies, select a state, run it, report what happened, until a stop reason.
//!
//! Owns: the set of states, budgets, the typed `StopReason`, when each policy is asked, how a test
//! is made, what happens at the memory limit, threads that explore together, statistics. Never: the
//! meaning of an instruction (`exec`), which state runs next (`search`), which states are pruned
//! (`prune`), which paths become tests (`select`), where states come from (`sources`), file formats
//! (`testcase`, `report`). Data come from `exec` (steps) and the policies, and go to `testcase` and
//! `report`.
//!
//! A `Run` is the states and all parts that hear of them; `sources` and `extensions` see it by
//! `view` and `extending`. An `Engine` (`life`) is a run and the loop over it: `explore`, `batch`
//! and `ending`. Ended paths are in `paths`, threads in `threads`, memory in `memory`, numbers in
//! `stats`. The other files are parts that know neither `Run` nor `Engine`.

mod accounting;
mod batch;
mod cached;
mod chain_session;
mod changes;
mod checkpoint;
mod checkpoint_totals;
mod checkpointing;
mod clock;
mod completion;
mod context;
mod cut_off;
mod ending;
mod engine_context;
mod explore;
mod extending;
mod halting;
mod leaving;
mod lengths;
mod life;
mod limits;
mod membership;
mod memory;
mod outcome;
mod parts;
mod paths;
mod pending;
mod policies;
mod pruning;
mod rebuilding;
mod run;
mod sampling;
mod showing;
mod solver_session;
mod sources;
mod spending;
mod stats;
mod stop;
mod suspend;
mod taking_down;
mod threads;
mod tuning;
mod view;
mod work;

pub use checkpoint::{Checkpoints, Left};
pub use checkpoint_totals::CheckpointTotals;
pub use context::{CampaignRun, EarlierCoverage, RunContext};
pub use engine_context::{EngineContext, Signals};
pub use halting::DEFAULT_HALT_TIME;
pub use lengths::PathLengths;
pub use life::Engine;
pub use limits::{ModelLimit, met_limits};
pub use memory::process_memory::cpu_time;
pub use memory::sweep::{release_memory, sweep_terms, terms_worth_sweeping};
pub use outcome::{Extras, Outcome};
pub use parts::Parts;
pub use paths::underapproximation_summary;
pub use paths::{EarlierTests, PathResults, PathTally, branch_table, source_place};
pub use policies::{Listeners, Maker, Policies, PolicyMakers, SourceMaker, StateNumber};
pub use pruning::PruneEvent;
pub use sampling::Sample;
pub use solver_session::SolverSession;
pub use stats::record::{Recorder, SharedRecorder};
pub use stop::StopReason;
pub use suspend::Suspended;
pub use threads::shared_exploration::{Member, SharedExploration, WorkerGuard};
pub use threads::transfer::TransferredStates;
pub use tuning::{RunTuning, Tuning};
