//! State of a job directory: one file that is replaced as a whole.

use super::error::{JobError, Result, failed};
use super::outcome::StillOpen;
use homi_report::Summary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Progress of a job directory, except its plan and its output directory.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Number of the next job.
    pub next: u64,
    /// Ids of the jobs without a result, by number.
    pub running: BTreeMap<u64, String>,
    /// Ids of the jobs with a result, by number.
    pub taken: BTreeMap<u64, String>,
    /// Open states that no job holds.
    pub open: StillOpen,
    /// Maximum number of open states per job; reduced after jobs that did not reach their states.
    pub most_states: usize,
    /// Number of times that the budget was doubled, because a single state needed more.
    pub doubled: u32,
    /// Number of the last test in the output directory, and the lengths in bytes of its files of
    /// lines.
    pub last_test: u64,
    pub lengths: BTreeMap<String, u64>,
    /// Merged statistics of all results.
    pub summary: Option<Summary>,
    /// Stop reason derived from the results.
    pub reason: Option<String>,
    /// Reason why the work is complete; `None` if it is not.
    pub ended: Option<String>,
    /// Budget that the runs used, in the budget's job.
    pub usage: f64,
    /// Number of results received again, which count once.
    pub again: u64,
    /// Number of open states that a job could not reach again.
    pub lost: u64,
    /// Instructions that jobs executed to reach their open states.
    pub walked: u64,
    /// Wall time and CPU time of all jobs, in seconds.
    pub wall_s: f64,
    pub cpu_s: f64,
}

const STATE: &str = "state.json";
/// Maximum number of open states per job: reaching more takes longer than a job should.
const MOST_STATES: usize = 1000;

impl State {
    pub(super) fn new() -> Self {
        Self {
            next: 1,
            most_states: MOST_STATES,
            ..Self::default()
        }
    }

    pub(super) fn read(job_directory: &Path) -> Result<Self> {
        let path = job_directory.join(STATE);
        let bytes = fs::read(&path).map_err(|error| failed("read", &path, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            JobError::Request(format!(
                "{} is corrupt: {error}; create a new job \
                 directory",
                path.display()
            ))
        })
    }

    /// Replaces the job directory's state on disk.
    pub(super) fn write(&self, job_directory: &Path) -> Result<()> {
        write_whole(&job_directory.join(STATE), self)
    }
}

/// Replaces a JSON file atomically.
pub(super) fn write_whole(path: &Path, value: &impl Serialize) -> Result<()> {
    let part = path.with_extension("part");
    let problem = |error: std::io::Error| failed("write", path, &error);
    let bytes = serde_json::to_vec(value).map_err(|error| problem(error.into()))?;
    let mut file = File::create(&part).map_err(problem)?;
    file.write_all(&bytes)
        .and_then(|()| file.sync_all())
        .map_err(problem)?;
    fs::rename(&part, path).map_err(problem)
}
