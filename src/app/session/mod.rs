//! A run from start to end: the one place where a run is put together.
//!
//! Owns: the parts of a run and their order (program, output directory, executor, solver, host,
//! console, recorder), its threads or its campaign, its output other than tests. Never: the meaning
//! of an option, the loop of a run, what is printed at the end, exit statuses. Data come from
//! `config` and go to the caller as a [`Report`].
//!
//! The crate `homi` has examples.
//!
//! A caller may add policies ([`PolicyMakers`]), stop the run ([`Signals`]), or execute states
//! without a run ([`Standalone`]).

mod behind;
mod beside;
mod call_trace;
mod caller;
mod campaign;
mod causes;
mod checking;
mod compiled_checks;
mod compose;
mod concrete;
mod console;
mod directory;
mod error;
mod event_stream;
mod exploration;
mod explore;
mod generator;
mod given;
mod image;
mod input_hints;
mod input_layouts;
mod job;
mod judging;
mod learn_search;
mod loaded;
mod memory_guard;
mod native;
mod native_comparison;
mod open_paths;
mod parts;
mod plan;
mod prediction;
mod program;
mod provisional_tests;
#[cfg(test)]
mod reasons_tests;
mod reexecution;
mod report;
mod resumption;
mod seeds;
#[cfg(test)]
mod stages_tests;
mod standalone;
mod start;
mod strategy;
mod summary;
mod sync;
mod targets;
mod threads;
mod times;
mod untaken;
mod varied_executor;
mod witness;
mod workers;
mod world;

pub use caller::Caller;
pub use compose::run;
pub use error::SessionError;
pub use homi_explore::engine::{EngineContext, Maker, PolicyMakers, Signals, StateNumber};
pub use job::{SessionJob, SessionJobWork};
pub use learn_search::{LearnReport, learn_search, learning_plan};
pub use native_comparison::{ComparedBatch, NativeComparison, TestBatch};
pub use parts::tuning_rows;
pub use program::{CXX_HEADERS, program_mark, runtime_directory};
pub use reexecution::Reexecution;
pub use report::Report;
pub use resumption::{LeftThere, left_in};
pub use standalone::{Standalone, Walk};
