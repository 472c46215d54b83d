//! A cell of a study, a program with an arm and a seed, and its row in `cells.jsonl`.
//!
//! Invariant: a cell that was tried has a row, whatever became of it, and a row names all that its
//! figures depend on. Fields are added, never renamed or taken away.

use super::sides::Sides;
use serde::{Deserialize, Serialize};

/// Name of the file of rows within a study's directory.
pub const CELLS: &str = "cells.jsonl";

/// All that the figures of a cell depend on. A cell whose key has a row is not run again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Key {
    pub subject: String,
    pub arm: String,
    pub seed: u64,
    /// As it was written: `60s`, `500000i`, `5000000w`.
    pub budget: String,
    /// The engine's options and the program's arguments.
    pub settings: Vec<String>,
    /// The beginning of the SHA-256 of the program's files; of the recipe, where it is not built.
    pub program: String,
    /// The commit of the checkout that homi's executable lies in; `unknown` if in none.
    pub commit: String,
    /// The beginning of the SHA-256 of homi's executable; for KLEE its version as well.
    pub build: String,
    /// Processor, how many, system.
    pub machine: String,
}

impl Key {
    /// True if it is the same cell of the same build, wherever its checkout has got to since.
    pub(super) fn is_same_cell(&self, other: &Key) -> bool {
        let commit = self.commit.clone();
        *self
            == Key {
                commit,
                ..other.clone()
            }
    }
}

/// What became of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The engine ended as it should.
    Done,
    /// The job ran longer than the study's `timeout` and was ended.
    OutOfTime,
    /// The job took more memory than it may and was ended, or ended itself.
    OutOfMemory,
    /// The engine failed.
    #[default]
    Failed,
    /// The program could not be built.
    NotBuilt,
}

impl Outcome {
    /// True if figures of the cell count in tables.
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

/// What tests cover, by the engine or by gcov.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Covered {
    pub branches: u64,
    pub total: u64,
    /// Which they are, a bit each in the order of the program's branches.
    pub sides: Sides,
    /// Steps of growth: milliseconds since the job began, branches covered by then.
    pub by_time: Vec<(u64, u64)>,
    /// The same by units of work, where the engine says them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_work: Vec<(u64, u64)>,
    /// Those in the program's main sources, and how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<(u64, u64)>,
}

/// A bug that a cell found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bug {
    pub kind: String,
    pub message: String,
    pub location: String,
    pub test: String,
    /// Readable inputs, a line each.
    pub inputs: Vec<String>,
}

/// What a job was and what it came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    pub schema: u32,
    #[serde(flatten)]
    pub key: Key,
    pub outcome: Outcome,
    /// Why the engine ended, or what went wrong.
    pub reason: String,
    /// Of a cell that failed: the last lines of its log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
    /// When the job began, in UTC.
    pub began: String,
    pub wall_s: f64,
    pub cpu_s: f64,
    pub tests: u64,
    pub instructions: u64,
    pub work: u64,
    pub questions: u64,
    pub solver_s: f64,
    pub states_mean: f64,
    pub states_peak: u64,
    pub pruned: u64,
    pub memory_peak: u64,
    #[serde(default)]
    pub bugs: Vec<Bug>,
    /// What its tests cover by the engine's own count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Covered>,
    /// What they cover in replays, counted by gcov.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gcov: Option<Covered>,
    /// Why there was no replay, where there should be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_failed: Option<String>,
}

/// The version of the rows' layout.
pub(super) const SCHEMA: u32 = 1;
/// More steps of a curve say nothing that a plot could show.
const MOST_STEPS: usize = 200;

/// A curve of growth with so few steps that it can be kept; first and last stay.
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
