//! `homi`: symbolic execution of C programs compiled to LLVM bitcode.
//!
//! The map; ARCHITECTURE.md has the details. There are thirteen groups, each a crate in its folder
//! below `src/`; each uses only groups below it: `commands`, `app`, `strategies`, `explore`,
//! `output`, `native`, `build`, `machine`, `llvm`, `solver`, `report`, `config`, `ir`. `llvm`
//! lowers bitcode to `ir`; `machine` gives instructions their meaning on a state; `explore` runs
//! states and turns ended paths into tests, which `native` runs.
//!
//! # Run homi from Rust
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

pub use homi_app as app;
pub use homi_build as build;
pub use homi_commands as commands;
pub use homi_config as config;
pub use homi_explore as explore;
pub use homi_ir as ir;
pub use homi_llvm as llvm;
pub use homi_machine as machine;
pub use homi_native as native;
pub use homi_output as output;
pub use homi_report as report;
pub use homi_solver as solver;
pub use homi_strategies as strategies;
