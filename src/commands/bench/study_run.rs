//! Run of a study, a program with a configuration and a seed, and its row in `study_runs.jsonl`.
//!
//! Invariant: a run that was run has a row, whatever its outcome, and the row names everything
//! that its statistics depend on. Fields are added, never renamed or removed.

use super::sides::Sides;
use serde::{Deserialize, Serialize};

/// Name of the file of rows within a study's directory.
pub const RUNS: &str = "runs.jsonl";

/// Everything that the statistics of a run depend on. A run whose key has a row is not run again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Key {
    pub subject: String,
    pub configuration: String,
    pub seed: u64,
    /// Budget as written: `60s`, `500000i`, `5000000w`.
    pub budget: String,
    /// Options of the engine and arguments of the program.
    pub settings: Vec<String>,
    /// Prefix of the SHA-256 of the program's files, or of the recipe if the program was not built.
    pub program: String,
    /// Commit of the checkout that contains homi's executable; `unknown` if there is none.
    pub commit: String,
    /// Prefix of the SHA-256 of the homi executable; for KLEE also its version.
    pub build: String,
    /// CPU model, number of CPUs, operating system.
    pub machine: String,
}

impl Key {
    /// True if both keys name the same run and the same build; the commit may differ.
    pub(super) fn is_same_study_run(&self, other: &Key) -> bool {
        let commit = self.commit.clone();
        *self
            == Key {
                commit,
                ..other.clone()
            }
    }
}

/// Outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The engine ended normally.
    Done,
    /// The job exceeded the study's `timeout` and was killed.
    OutOfTime,
    /// The job exceeded its memory limit and was killed, or ended itself.
    OutOfMemory,
    /// The engine failed.
    #[default]
    Failed,
    /// The program could not be built.
    NotBuilt,
}

impl Outcome {
    /// True if tables include the run's statistics.
    pub(super) fn counts(self) -> bool {
        matches!(
            self,
            Outcome::Done | Outcome::OutOfTime | Outcome::OutOfMemory
        )
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::OutOfTime => "out of time",
            Outcome::OutOfMemory => "out of memory",
            Outcome::Failed => "failed",
            Outcome::NotBuilt => "not built",
        }
    }
}

/// Coverage of the tests, counted by the engine or by gcov.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Covered {
    pub branches: u64,
    pub total: u64,
    /// Covered sides, one bit each in the order of the program's branches.
    pub sides: Sides,
    /// Steps of growth: milliseconds since the start of the job, branches covered by then.
    pub by_time: Vec<(u64, u64)>,
    /// Steps of growth by units of work; empty if the engine does not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_work: Vec<(u64, u64)>,
    /// Covered branches in the program's main sources, and their total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<(u64, u64)>,
}

/// Bug that a run found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bug {
    pub kind: String,
    pub message: String,
    pub location: String,
    pub test: String,
    /// Readable inputs, one per line.
    pub inputs: Vec<String>,
}

/// Row of a run: its key and its results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    pub schema: u32,
    #[serde(flatten)]
    pub key: Key,
    pub outcome: Outcome,
    /// Stop reason of the engine, or the error.
    pub reason: String,
    /// Last lines of the log of a failed run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
    /// Start of the job, in UTC.
    pub began: String,
    pub wall_s: f64,
    pub cpu_s: f64,
    pub tests: u64,
    pub instructions: u64,
    pub work: u64,
    pub queries: u64,
    pub solver_s: f64,
    pub states_mean: f64,
    pub states_peak: u64,
    pub pruned: u64,
    pub memory_peak: u64,
    #[serde(default)]
    pub bugs: Vec<Bug>,
    /// Coverage of the tests, counted by the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Covered>,
    /// Coverage of the tests in replays, counted by gcov.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gcov: Option<Covered>,
    /// Reason why a required replay is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_failed: Option<String>,
}

/// Version of the rows' layout.
pub(super) const SCHEMA: u32 = 1;
/// Maximum number of steps of a curve; a plot cannot show more.
const MOST_STEPS: usize = 200;

/// Reduces a curve to at most `MOST_STEPS` steps; the first and the last one stay.
pub(super) fn thinned(steps: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    let last = steps.last().copied();
    let least = last.map_or(0, |(_, most)| most / MOST_STEPS as u64);
    let mut kept: Vec<(u64, u64)> = Vec::new();
    for step in steps {
        match kept.last() {
            Some((place, _)) if *place == step.0 => {
                kept.pop();
                kept.push(step);
            }
            Some((_, before)) if step.1 - before <= least && Some(step) != last => {}
            _ => kept.push(step),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let row = Row {
            schema: SCHEMA,
            key: Key {
                subject: "wc".into(),
                seed: 3,
                ..Key::default()
            },
            outcome: Outcome::OutOfTime,
            engine: Some(Covered {
                branches: 1,
                sides: [3].into_iter().collect(),
                ..Covered::default()
            }),
            ..Row::default()
        };
        let text = serde_json::to_string(&row).unwrap();
        assert!(
            text.contains(r#""subject":"wc""#) && text.contains("out-of-time"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }

    #[test]
    fn curves_keep_their_first_and_last_steps() {
        let steps: Vec<(u64, u64)> = (0..5000).map(|i| (i, 10 + i)).collect();
        let kept = thinned(steps);
        assert!(kept.len() <= MOST_STEPS + 2, "{}", kept.len());
        assert_eq!(
            (kept.first(), kept.last()),
            (Some(&(0, 10)), Some(&(4999, 5009)))
        );
        assert_eq!(thinned(vec![(1, 1), (1, 3), (2, 4)]), [(1, 3), (2, 4)]);
    }
}
