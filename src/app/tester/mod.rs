//! `homi test` without the exploration: builds programs from C sources, and reports on the tests of
//! a run.
//!
//! Owns: how sources are compiled (bitcode, a build for gcov, one with sanitizers), the entry point
//! of their run, the inputs of a program that makes none symbolic, how replays confirm bugs, the
//! report. Never: exploring (`session`, between the two halves), printing, exit statuses. Data come
//! from the compilers, from a run's output directory and from `replay`, and go to `cli` as text.

mod bitcode;
mod bug;
mod build;
mod compared;
mod comparison;
mod confirmation;
mod difference;
mod evidence;
mod given;
mod native;
mod report;
mod sanitizer;
mod source_text;
mod subject;
mod support;
mod symbolic;
mod symptom;
mod tested_program;
mod text;
mod uncovered;
mod variants;
mod verdict;
mod verifier;
mod versions;

pub use bitcode::{CompiledBitcode, compile_bitcode};
pub use bug::{BugReport, Caller, confirm};
pub use build::{BuildError, Sources};
pub use comparison::{Comparison, InputDifference, Side, Version, compare, comparison_text};
pub use confirmation::Confirmation;
pub use difference::StreamDifference;
pub use evidence::{Evidence, NativeReplays, ReplayedTests, replay_natively};
pub use given::Given;
pub use native::build_plain;
pub use native::{NativeBuilds, build_natively};
pub use report::{Explored, NativeFault, TestReport, report};
pub use sanitizer::SanitizerReport;
pub use subject::Subject;
pub use symbolic::HarnessCalls;
pub use symbolic::harness_calls;
pub use tested_program::TestedProgram;
pub use text::text;
pub use uncovered::{CoveredLines, UncoveredFile};
pub use versions::{VersionError, Versions, unfollowed};
