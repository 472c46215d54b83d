//! `learning.jsonl`: one line per run, for people who want to see a campaign learn and for `homi
//! report`.
//!
//! A run outside of a campaign is one line with policy `none`. Readers ignore a cut-off last line.

use super::line_file::read_lines;
use super::{ProbeSummary, SeedSummary};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Name of the file within an output directory.
pub const LEARNING_LOG: &str = "learning.jsonl";

/// What one run of a campaign did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunLine {
    /// The run's number, from 1.
    pub run: u64,
    /// `none`, `initial`, `explore`, `exploit`, `reverse`, `random` or `divide`.
    pub policy: String,
    /// N' in seconds, instructions or units of work; 0 is no limit.
    pub budget: f64,
    /// The unit of the budget: `s` (seconds), `i` (instructions) or `w` (work).
    pub budget_unit: String,
    /// Seconds since the campaign started.
    pub started_s: f64,
    /// Seconds of the run, its tests included.
    pub wall_s: f64,
    pub stop_reason: String,
    pub instructions: u64,
    /// Units of work (docs/guide/work.md); 0 in lines of before it was counted.
    #[serde(default)]
    pub work: u64,
    /// The features F as text.
    pub features: Vec<String>,
    /// |GoodT| after the run.
    pub good_tests: u64,
    /// |D| after the run.
    pub data_tests: u64,
    /// Tests of this run that went into D, and how many of them became files.
    pub run_tests: u64,
    pub run_files: u64,
    /// Branch sides that no earlier run had covered.
    pub new_branches: u64,
    /// Branch sides covered so far, and all there are.
    pub branches: u64,
    pub branches_total: u64,
    /// |S| at each second of the run.
    pub states_each_second: Vec<u64>,
    /// Branch sides covered so far at each second of the run.
    pub branches_each_second: Vec<u64>,
    /// Of a concolic run, wherever branches grew: executions so far, and branch sides then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches_by_execution: Vec<(u64, u64)>,
    pub states_peak: u64,
    pub states_pruned: u64,
    pub prune_events: Vec<PruneLine>,
    pub rewalk: RewalkLine,
    /// Learning from the run: B(t) of unfinished paths, in instructions; Extract and the
    /// generators, in seconds.
    pub tail_instructions: u64,
    /// Present if the run followed earlier tests of the campaign first (`--seed-runs`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedSummary>,
    /// Present if there were probes; those of this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbeSummary>,
    pub learning_s: f64,
}

/// One prune event.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PruneLine {
    /// Seconds since the start of the run.
    pub time_s: f64,
    pub instructions: u64,
    pub ratio: f64,
    /// Number of states |S| before the event.
    pub before: u64,
    pub after: u64,
    /// Time to score and choose, and to take the chosen out with their tests.
    pub choosing_s: f64,
    pub removing_s: f64,
    /// The weight of each feature.
    pub theta: Vec<f64>,
}

/// Work that an earlier run had done already.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RewalkLine {
    pub instructions: u64,
    pub time_s: f64,
    /// Seconds of `time_s` that the solver took.
    pub solver_s: f64,
}

/// Reads the file of an output directory.
pub fn read_learning(directory: &Path) -> io::Result<Vec<RunLine>> {
    read_lines(&directory.join(LEARNING_LOG))
}
