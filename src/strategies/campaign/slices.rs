//! Results of each kind of run, on which scheduling is based (`scheduler`).
//!
//! A rate is the number of new branches per unit of the budget, with recent runs weighing most:
//! returns diminish as a program is searched, so early results predict little.

use super::arm::Arm;

/// Finished or suspended run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ran {
    pub arm: Arm,
    pub new_branches: u64,
    /// Budget used, in the budget's unit.
    pub usage: f64,
    /// Number of paths that wait for the arm's next slice; `None` if it has none.
    pub waiting: Option<u64>,
}

/// Results of one kind of run.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub runs: u32,
    /// Number of new branches of the last run.
    pub latest: u64,
    /// Budget used, in the budget's unit.
    pub usage: f64,
    /// Recent number of new branches per unit.
    pub rate: f64,
    /// Number of new branches per unit of the last run.
    pub latest_rate: f64,
    /// True if no run waits and none will start.
    pub over: bool,
    /// True if a run was started. The run may be in progress, so that another thread tries another
    /// kind.
    pub begun: bool,
}

impl Record {
    /// Adds a run whose rate has the weight `latest`.
    pub(super) fn note(&mut self, ran: &Ran, latest: f64) {
        let (new_branches, usage) = (ran.new_branches, ran.usage);
        let rate = new_branches as f64 / usage.max(1e-9);
        self.rate = match self.runs {
            0 => rate,
            _ => latest * rate + (1.0 - latest) * self.rate,
        };
        self.latest_rate = rate;
        self.runs += 1;
        self.latest = new_branches;
        self.usage += usage;
    }
}

/// Kind of run that competes by its rate.
pub(super) struct Candidate {
    pub arm: Arm,
    pub usage: f64,
    pub rate: f64,
    /// Minimum share of the time.
    pub least: f64,
}

impl Candidate {
    pub(super) fn new(arm: Arm, record: &Record, least: f64) -> Self {
        let (usage, rate) = (record.usage, record.rate);
        Self {
            arm,
            usage,
            rate,
            least,
        }
    }
}
