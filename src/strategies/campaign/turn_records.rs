//! What the runs of each kind have brought, by which turns are given (`turns`).
//!
//! A rate is new branches per unit of the budget, the latest runs weighing most: what a program has
//! to give becomes less as it is searched, so what the first runs found says little later on.

use super::arm::Arm;

/// A run that is over, or suspended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ran {
    pub arm: Arm,
    pub new_branches: u64,
    /// In the unit of the budget.
    pub spent: f64,
    /// Paths that wait for the arm's next slice, if it has one.
    pub waiting: Option<u64>,
}

/// What the runs of one kind have brought.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub runs: u32,
    /// What the last one found.
    pub latest: u64,
    /// In the unit of the budget.
    pub spent: f64,
    /// New branches per unit, lately.
    pub rate: f64,
    /// Those of the last run.
    pub latest_rate: f64,
    /// None waits, and none is to be started.
    pub over: bool,
    /// A run was begun, which need not have ended: another thread tries something else.
    pub begun: bool,
}

impl Record {
    /// `latest` is the weight of this run.
    pub(super) fn note(&mut self, ran: &Ran, latest: f64) {
        let (new_branches, spent) = (ran.new_branches, ran.spent);
        let rate = new_branches as f64 / spent.max(1e-9);
        self.rate = match self.runs {
            0 => rate,
            _ => latest * rate + (1.0 - latest) * self.rate,
        };
        self.latest_rate = rate;
        self.runs += 1;
        self.latest = new_branches;
        self.spent += spent;
    }
}

/// One of those among which rates decide.
pub(super) struct Candidate {
    pub arm: Arm,
    pub spent: f64,
    pub rate: f64,
    /// Least share of the time.
    pub least: f64,
}

impl Candidate {
    pub(super) fn new(arm: Arm, record: &Record, least: f64) -> Self {
        let (spent, rate) = (record.spent, record.rate);
        Self {
            arm,
            spent,
            rate,
            least,
        }
    }
}
