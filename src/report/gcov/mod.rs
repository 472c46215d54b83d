//! Branch counts of natively built programs.
//!
//! Owns: the files of gcov (notes of the compiler, counts of a run) and the file of counts that
//! programs built by `homi instrument` write. Never: running a program, or the engine's coverage
//! (`coverage`). Data come from files that `replay` and a campaign's native runs collected, and go
//! to their reports.

mod counters;
mod file;
mod lines;
mod notes;
mod program;
mod sources;
#[cfg(test)]
mod tests;

pub use counters::{COUNTERS_VARIABLE, CountersError, read_counters};
pub use file::GcovError;
pub use lines::LineCount;
pub use program::{BranchKey, FileTotals, GcovProgram, RunCounts};
pub use sources::{BranchCount, FunctionCount, SourceCoverage};
