//! What doing a unit comes to: `result.json` in its directory, and beside it what was written.

use super::file::Unit;
use super::text::{Bytes, Numbers};
use crate::commands::bench::Row;
use crate::report::Summary;
use crate::strategies::campaign::StoredRun;
use crate::strategies::weights::learn_search::{EndedTrial, Request};
use serde::{Deserialize, Serialize};

pub(super) const FORMAT: &str = "homi result";
pub(super) const VERSION: u32 = 1;

/// The result of a unit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub(super) format: String,
    pub(super) version: u32,
    /// The unit's id.
    pub unit: String,
    pub number: u64,
    /// Seconds from start to end, and of processors, of the process that did it.
    pub wall_s: f64,
    pub cpu_s: f64,
    pub done: Done,
}

/// What was done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// The tests are in `run`.
    Frontier {
        summary: Box<Summary>,
        open: StillOpen,
    },
    /// The tests are in `run`.
    Run {
        summary: Box<Summary>,
        run: Box<StoredRun>,
    },
    Cell {
        row: Box<Row>,
    },
    Trials {
        /// What they depend on.
        request: Request,
        trials: Vec<EndedTrial>,
    },
}

/// What is open, and what counts as covered by then.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StillOpen {
    pub open: Bytes,
    /// How many they are, for people.
    pub states: u64,
    pub sides: Numbers,
    pub segments: Numbers,
}

impl Outcome {
    pub fn of(unit: &Unit, (wall_s, cpu_s): (f64, f64), done: Done) -> Self {
        Self {
            format: FORMAT.to_string(),
            version: VERSION,
            unit: unit.id(),
            number: unit.number,
            wall_s,
            cpu_s,
            done,
        }
    }
}
