//! `coverage.jsonl`: one line per test with the branch sides of the program's own code that its
//! path took.
//!
//! `homi explain` reads it, and so does the check against natively counted branches.
//! `branches.json` has the location of each branch. A cut-off last line (full disk) is ignored by
//! readers.

use homi_report::{UnderapproximationSummary, described, read_lines};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Name of the log within an output directory.
pub const COVERAGE_LOG: &str = "coverage.jsonl";
/// Name of the table of branches within an output directory.
pub const BRANCH_TABLE: &str = "branches.json";

described! {
    /// One line of the log.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct TestCoverage {
        /// The test's name, such as `test000001`.
        pub test: String,
        /// True if the path ran to the program's end (exit or bug), so that a native run takes the
        /// same branches; false if it stopped before, and a native run takes these and more.
        pub ended: bool,
        /// The sides covered as `[branch, side]`, ascending.
        pub sides: Vec<(u32, u32)>,
        /// The ones among `sides` that no earlier line of the log has: over all tests each side is
        /// here once.
        pub new: Vec<(u32, u32)>,
        /// The part of homi that chose the test's input: `search`, `seed`, `fuzzing`, `native
        /// fuzzing` or `sync`; empty in lines of before it was written.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub found_by: String,
        /// Keys of the boundaries of comparisons that the test is at; absent if the run did not
        /// look for them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub boundaries: Vec<u32>,
        /// Units of work that its run, in its thread, had taken by then; absent in lines of before
        /// it was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub work: Option<u64>,
        /// Exit status of the path; absent if it has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub exit: Option<i32>,
        /// Locations where the path was concretized or dropped; absent if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub underapproximations: Vec<UnderapproximationSummary>,
    }
}

/// One entry of the table of branches; its index is the branch's number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchEntry {
    pub branch: u32,
    pub sides: u32,
    pub function: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
}

/// Name of the file within an output directory that tells what became of branch sides.
pub const SIDE_ANSWERS: &str = "untaken.jsonl";

/// Branch sides by what became of them in a session, as `[branch, side]`; a side may be in several
/// lists.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SideAnswersLine {
    /// A path took it, though it may have left without a test.
    pub taken: Vec<(u32, u32)>,
    /// Sides that no path with the constraints of one that reached the branch can take.
    pub infeasible: Vec<(u32, u32)>,
    /// Infeasible branch sides of a path that was concretized before.
    pub infeasible_underapproximated: Vec<(u32, u32)>,
    /// The solver gave up on it.
    pub unknown: Vec<(u32, u32)>,
    /// Nobody asked, because forking was off.
    pub not_followed: Vec<(u32, u32)>,
    /// Branch sides that were left pending; their later results are in the other lists.
    pub pending: Vec<(u32, u32)>,
}

/// Reads what became of branch sides, a line for each session.
pub fn read_side_answers(directory: &Path) -> io::Result<Vec<SideAnswersLine>> {
    read_lines(&directory.join(SIDE_ANSWERS))
}

/// Reads the log of an output directory.
pub fn read_coverage(directory: &Path) -> io::Result<Vec<TestCoverage>> {
    read_lines(&directory.join(COVERAGE_LOG))
}

/// Reads the table of branches of an output directory.
pub fn read_branches(directory: &Path) -> io::Result<Vec<BranchEntry>> {
    let bytes = std::fs::read(directory.join(BRANCH_TABLE))?;
    serde_json::from_slice(&bytes).map_err(io::Error::from)
}
