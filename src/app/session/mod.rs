//! A run from start to end: the one place where a run is put together.
//!
//! Owns: the parts of a run and their order (program, output directory, executor, solver, host,
//! console, recorder), its threads or its campaign, its output other than tests. Never: the meaning
//! of an option, the loop of a run, what is printed at the end, exit statuses. Data come from
//! `config` and go to the caller as a [`Report`].
//!
//! The options are `homi run`'s; an omitted option has its default:
//!
//! ```no_run
//! use homi::app::session::{self, Caller};
//!
//! let config = homi::app::options::parse(["prog.bc", "--quiet", "--max-time", "60s"])?;
//! let report = session::run(&config, &Caller::default())?;
//! let coverage = report.summary.coverage;
//! println!("{} of {} branches", coverage.branches, coverage.branches_total);
//! println!("tests are in {}", report.directory.display());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A caller hears what happens while it happens, as the events that `--events` writes, and reads
//! the tests:
//!
//! ```no_run
//! use homi::report::Event;
//! use homi::app::session::{self, Caller};
//! use homi::native::testcase::ktest::KTest;
//!
//! let config = homi::app::options::parse(["prog.bc", "--quiet", "--", "--sym-arg", "3"])?;
//! let caller = Caller::default();
//! let listener = |event: &Event| {
//!     if let Event::BugFound(bug) = event {
//!         println!("{} in {}", bug.message, bug.test);
//!     }
//! };
//! caller.events.add("the terminal", Box::new(listener));
//! let report = session::run(&config, &caller)?;
//! for bug in &report.summary.errors {
//!     let test = KTest::read(&report.directory.join(format!("{}.ktest", bug.test)))?;
//!     println!("{:?}", test.object("arg00"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
