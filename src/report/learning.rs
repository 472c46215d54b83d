//! `learning.jsonl`: one line per run, for people who want to see a campaign learn and for `homi
//! report`.
//!
//! A run outside of a campaign is one line with policy `none`. Readers ignore a cut-off last line.

use super::{ProbeSummary, SeedSummary};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, Write};
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

/// The learning log that is being written.
#[derive(Debug)]
pub struct LearningLog {
    file: File,
}

impl LearningLog {
    /// Appends to the file of a directory, which may be new.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let path = directory.join(LEARNING_LOG);
        Ok(Self {
            file: File::options().append(true).create(true).open(path)?,
        })
    }

    pub fn append(&mut self, line: &RunLine) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

/// Reads the file of an output directory.
pub fn read_learning(directory: &Path) -> io::Result<Vec<RunLine>> {
    let file = io::BufReader::new(File::open(directory.join(LEARNING_LOG))?);
    let mut lines = Vec::new();
    for line in file.lines() {
        match serde_json::from_str(&line?) {
            Ok(line) => lines.push(line),
            Err(_) => break,
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_appended_and_a_cut_off_one_is_ignored() {
        let directory = tempfile::tempdir().unwrap();
        let line = |run| RunLine {
            run,
            prune_events: vec![PruneLine {
                theta: vec![0.1 + 0.2, -1.0 / 3.0],
                ..PruneLine::default()
            }],
            ..RunLine::default()
        };
        for run in 1..3 {
            let mut log = LearningLog::open(directory.path()).unwrap();
            log.append(&line(run)).unwrap();
        }
        let path = directory.path().join(LEARNING_LOG);
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(b"{\"run\":3,").unwrap();
        assert_eq!(read_learning(directory.path()).unwrap(), [line(1), line(2)]);
    }
}
