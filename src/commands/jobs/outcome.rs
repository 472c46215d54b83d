//! Result of a job: `result.json` in its directory, next to the files that the job wrote.

use super::file::Job;
use super::text::{Bytes, Numbers};
use crate::bench::Row;
use homi_report::Summary;
use homi_strategies::campaign::StoredRun;
use homi_strategies::weights::learn_search::{EndedTrial, Request};
use serde::{Deserialize, Serialize};

pub(super) const FORMAT: &str = "homi result";
pub(super) const VERSION: u32 = 1;

/// Result of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub(super) format: String,
    pub(super) version: u32,
    /// Id of the job.
    pub job: String,
    pub number: u64,
    /// Wall time and CPU time of the process that did the job, in seconds.
    pub wall_s: f64,
    pub cpu_s: f64,
    pub done: Done,
}

/// Completed work of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// Exploration; the tests are in `run`.
    Frontier {
        summary: Box<Summary>,
        open: StillOpen,
    },
    /// Run of a campaign; the tests are in `run`.
    Run {
        summary: Box<Summary>,
        run: Box<StoredRun>,
    },
    StudyRun {
        row: Box<Row>,
    },
    Trials {
        /// Request that the trials depend on.
        request: Request,
        trials: Vec<EndedTrial>,
    },
}

/// Open states, with the coverage at that time.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StillOpen {
    pub open: Bytes,
    /// Number of open states, for users.
    pub states: u64,
    pub sides: Numbers,
    pub segments: Numbers,
}

impl Outcome {
    pub fn of(job: &Job, (wall_s, cpu_s): (f64, f64), done: Done) -> Self {
        Self {
            format: FORMAT.to_string(),
            version: VERSION,
            job: job.id(),
            number: job.number,
            wall_s,
            cpu_s,
            done,
        }
    }
}
