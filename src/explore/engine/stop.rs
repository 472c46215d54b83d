//! Stop reason of a run, and the budgets that can end it.
//!
//! Invariant: a run ends with exactly one reason. Budgets in instructions are exact; budgets in
//! work are exact up to one solver query; neither depends on time. Budgets in time are checked
//! between batches.

use homi_config::{Budget, BudgetConfig, Usage};
use homi_machine::exec::{Complete, Underapproximations};
use homi_native::testcase::WriteError;
use std::time::Duration;

/// Reason why a run ended.
#[derive(Debug)]
pub enum StopReason {
    /// Every path was followed to its end, and nothing was narrowed.
    Exhausted(Complete),
    /// Every path was explored completely, but with under-approximations.
    ExhaustedUnderapproximated,
    /// No state is left, but paths were lost: given up (an unsupported feature, a limit, memory) or
    /// pruned.
    NoStatesLeft,
    MaxTime,
    MaxInstructions,
    MaxTests,
    MaxRuns,
    /// Every line that the run was to reach and could was reached.
    TargetsReached,
    /// The seeds are followed, and nothing else is to be.
    SeedsFollowed,
    /// `--input` names an object that the program does not make, or of another size.
    InputSizeMismatch(String),
    /// Ctrl-C or a request to terminate.
    Interrupted,
    /// `--exit-on-error` and a bug was found.
    ErrorFound,
    /// A single state does not fit into the memory limit.
    OutOfMemory,
    /// A file of the output directory could not be written; what was written before is valid.
    WriteFailed(WriteError),
}

impl StopReason {
    /// Returns the stop reason of a run without states, by its losses.
    pub fn without_states(underapproximations: &Underapproximations) -> Self {
        match underapproximations.complete() {
            Some(complete) => StopReason::Exhausted(complete),
            None if underapproximations.dropped_paths() => StopReason::NoStatesLeft,
            None => StopReason::ExhaustedUnderapproximated,
        }
    }

    /// Returns true if the run is complete for this version of homi.
    pub fn is_exhausted(&self) -> bool {
        matches!(
            self,
            StopReason::Exhausted(_) | StopReason::ExhaustedUnderapproximated
        )
    }

    /// The name in `summary.json`.
    pub fn name(&self) -> &'static str {
        match self {
            StopReason::Exhausted(_) => "exhausted",
            StopReason::ExhaustedUnderapproximated => "exhausted-underapproximated",
            StopReason::NoStatesLeft => "no-states-left",
            StopReason::MaxTime => "max-time",
            StopReason::MaxInstructions => "max-instructions",
            StopReason::MaxTests => "max-tests",
            StopReason::MaxRuns => "max-runs",
            StopReason::TargetsReached => "targets-reached",
            StopReason::SeedsFollowed => "seeds-followed",
            StopReason::InputSizeMismatch(_) => "input-size-mismatch",
            StopReason::Interrupted => "interrupted",
            StopReason::ErrorFound => "error-found",
            StopReason::OutOfMemory => "out-of-memory",
            StopReason::WriteFailed(_) => "write-failed",
        }
    }

    /// A sentence for the user.
    pub fn sentence(&self) -> String {
        match self {
            StopReason::Exhausted(_) => "all paths explored".to_string(),
            StopReason::ExhaustedUnderapproximated => "all paths explored".to_string(),
            StopReason::NoStatesLeft => "no states left".to_string(),
            StopReason::MaxTime => "time limit reached".to_string(),
            StopReason::MaxInstructions => "instruction limit reached".to_string(),
            StopReason::MaxTests => "test limit reached".to_string(),
            StopReason::MaxRuns => "path limit reached".to_string(),
            StopReason::TargetsReached => "all target lines reached".to_string(),
            StopReason::SeedsFollowed => "all seeds followed".to_string(),
            StopReason::InputSizeMismatch(why) => why.clone(),
            StopReason::Interrupted => "interrupted".to_string(),
            StopReason::ErrorFound => "a bug was found".to_string(),
            StopReason::OutOfMemory => {
                "a single state needs more than the memory limit".to_string()
            }
            StopReason::WriteFailed(error) => error.to_string(),
        }
    }
}

/// Budgets that are numbers of the run itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunBudget {
    time: Option<Duration>,
    /// Units of work, from the time budget.
    work: Option<u64>,
    instructions: Option<u64>,
    /// The smaller of two instruction budgets came from the time budget.
    instructions_are_time: bool,
    tests: Option<u64>,
    runs: Option<u64>,
}

impl RunBudget {
    /// `start` is the number of instructions on the clock before the first one of the run. Work
    /// counts from the start of the run.
    pub(super) fn new(config: &BudgetConfig, start: u64) -> Self {
        let (mut time, mut work, mut as_instructions) = (None, None, None);
        match config.time {
            none if none.is_zero() => {}
            Budget::Time(limit) => time = Some(limit),
            Budget::Instructions(limit) => as_instructions = Some(limit),
            Budget::Work(limit) => work = Some(limit),
        }
        let own = (config.instructions != 0).then_some(config.instructions);
        let instructions = match (own, as_instructions) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self {
            time,
            work,
            instructions: instructions.map(|limit| limit.saturating_add(start)),
            instructions_are_time: as_instructions.is_some() && instructions == as_instructions,
            tests: (config.tests != 0).then_some(config.tests),
            runs: (config.runs != 0).then_some(config.runs),
        }
    }

    /// The time after which the run stops.
    pub(super) fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Returns true if instructions are limited.
    pub(super) fn counts_instructions(&self) -> bool {
        self.instructions.is_some()
    }

    /// Returns true if work is limited.
    pub(super) fn counts_work(&self) -> bool {
        self.work.is_some()
    }

    /// Units of work that may still be done, if they are limited.
    pub(super) fn work_left(&self, done: u64) -> Option<u64> {
        self.work.map(|limit| limit.saturating_sub(done))
    }

    /// Instructions that may still be executed. Each is a unit of work.
    pub(super) fn instructions_left(&self, usage: Usage) -> u64 {
        let instructions = self
            .instructions
            .map(|limit| limit.saturating_sub(usage.instructions));
        let work = self.work_left(usage.work);
        instructions
            .into_iter()
            .chain(work)
            .min()
            .unwrap_or(u64::MAX)
    }

    /// Returns true if this many ended paths are enough.
    pub(super) fn has_enough_runs(&self, ended: impl FnOnce() -> u64) -> bool {
        self.runs.is_some_and(|limit| ended() >= limit)
    }

    /// The budget that is used up, if any, the number of ended paths left out.
    pub(super) fn check(&self, usage: Usage, tests: u64) -> Option<StopReason> {
        if self.tests.is_some_and(|limit| tests >= limit) {
            return Some(StopReason::MaxTests);
        }
        if self
            .instructions
            .is_some_and(|limit| usage.instructions >= limit)
        {
            return Some(if self.instructions_are_time {
                StopReason::MaxTime
            } else {
                StopReason::MaxInstructions
            });
        }
        let used_up = self.time.is_some_and(|limit| usage.time >= limit)
            || self.work.is_some_and(|limit| usage.work >= limit);
        if used_up {
            return Some(StopReason::MaxTime);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> BudgetConfig {
        BudgetConfig::UNLIMITED
    }

    /// Returns the usage after this number of seconds and instructions, at ten units of work per
    /// instruction.
    fn usage(seconds: u64, instructions: u64) -> Usage {
        Usage {
            time: Duration::from_secs(seconds),
            instructions,
            work: instructions.saturating_mul(10),
        }
    }

    fn name(config: &BudgetConfig, seconds: u64, instructions: u64, tests: u64) -> String {
        let budget = RunBudget::new(config, 0);
        let reason = budget.check(usage(seconds, instructions), tests);
        reason.map_or("-", |reason| reason.name()).to_string()
    }

    #[test]
    fn no_budget_never_stops() {
        assert_eq!(name(&config(), 1 << 40, u64::MAX, u64::MAX), "-");
    }

    #[test]
    fn each_budget_stops_with_its_name() {
        let time = BudgetConfig {
            time: Budget::Time(Duration::from_secs(60)),
            ..config()
        };
        assert_eq!(name(&time, 59, 1, 1), "-");
        assert_eq!(name(&time, 60, 1, 1), "max-time");
        let both = BudgetConfig {
            time: Budget::Instructions(500),
            instructions: 400,
            ..config()
        };
        assert_eq!(name(&both, 0, 400, 0), "max-instructions");
        assert_eq!(
            RunBudget::new(&both, 0).instructions_left(usage(0, 390)),
            10
        );
        assert_eq!(
            RunBudget::new(&both, 50).instructions_left(usage(0, 390)),
            60
        );
        let as_time = BudgetConfig {
            time: Budget::Instructions(500),
            ..config()
        };
        assert_eq!(name(&as_time, 0, 499, 0), "-");
        assert_eq!(name(&as_time, 0, 500, 0), "max-time");
        let work = BudgetConfig {
            time: Budget::Work(500),
            instructions: 45,
            ..config()
        };
        assert_eq!(name(&work, 1 << 40, 44, 0), "-");
        assert_eq!(name(&work, 0, 45, 0), "max-instructions");
        let budget = RunBudget::new(&work, 0);
        assert_eq!(budget.instructions_left(usage(0, 40)), 5);
        assert_eq!(budget.instructions_left(usage(0, 10)), 35);
        let work = BudgetConfig {
            instructions: 0,
            ..work
        };
        assert_eq!(name(&work, 0, 49, 0), "-");
        assert_eq!(name(&work, 0, 50, 0), "max-time");
        let budget = RunBudget::new(&work, 7);
        assert_eq!(budget.instructions_left(usage(0, 49)), 10);
        assert_eq!((budget.work_left(501), budget.time()), (Some(0), None));
        let tests = BudgetConfig {
            tests: 3,
            ..config()
        };
        assert_eq!(name(&tests, 0, 0, 3), "max-tests");
    }
}
