//! Test cases: the `.ktest` file, KLEE's format byte for byte, and how one is printed. Owns no
//! policy on which tests are written; the engine hands in objects, `replay` and `explain` take them
//! out. Never runs anything.

mod bug_report;
mod coverage_log;
pub mod dictionary_file;
mod directory;
mod fuzzer_queue;
mod import;
mod invocation;
pub mod ktest;
pub mod ktest_edit;
pub mod ktest_forms;
pub mod ktest_text;
mod layout;
mod outcome_log;
mod raw;
mod recorded;
mod run_environment;
mod writer;

pub use bug_report::bug_report;
pub use coverage_log::{
    BRANCH_TABLE, BranchEntry, COVERAGE_LOG, SIDE_ANSWERS, SideAnswersLine, TestCoverage,
    read_branches, read_coverage, read_side_answers,
};
pub use directory::tests_in;
pub use fuzzer_queue::{QueueReader, QueueWriter};
pub use import::raw_inputs;
pub use invocation::{Invocation, rename};
pub use layout::fixed_variable;
pub use layout::{Layout, LayoutError, Target};
pub use outcome_log::{
    MAX_STORED_OUTPUT, NO_FILES, OUTCOME_LOG, PredictedEnd, PredictedStream, StoredOutcome,
    TestOutcome, read_outcomes, read_streams, sha256, store_outcome,
};
pub use raw::{MadeTest, argv_input};
pub use recorded::{RECORDED, recorded_arguments};
pub use run_environment::{RUN_ENVIRONMENT, RunEnvironment};
pub use writer::{SideFile, TestWriter, WriteError};
