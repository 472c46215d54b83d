//! Progress and costs of learning.

use super::in_progress::Cost;
use super::trial::{Phase, Reached};
use serde::Serialize;
use std::time::Duration;

/// Progress of learning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Number of the round, from 1.
    pub round: u32,
    pub phase: Phase,
    /// Number of ended trials of the phase; `all` is the number of all its trials.
    pub over: usize,
    pub all: usize,
    /// Mean number of branches of the best weights so far.
    pub best: Option<f64>,
    /// Time of this session.
    pub time: Duration,
    /// Estimated time to the end of the round; `None` if unknown. The number of rounds is not
    /// predictable.
    pub left_of_round: Option<Duration>,
}

impl Progress {
    /// Returns one line for the user.
    pub fn line(&self) -> String {
        let phase = match self.phase {
            Phase::Find => "find",
            Phase::Check => "check",
        };
        let best = self
            .best
            .map_or(String::new(), |best| format!("  best {best:.1} branches"));
        let left = self.left_of_round.map_or(String::new(), |left| {
            format!("  {} left in this round", clock(left))
        });
        let Progress {
            round, over, all, ..
        } = self;
        format!(
            "{}  round {round}, {phase} {over}/{all}{best}{left}",
            clock(self.time)
        )
    }
}

/// Returns a time such as `12:05` or `1:02:05`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Costs of a session's trials.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Usage {
    /// Number of trials that were run.
    pub trials: u64,
    /// Number of trials whose results came from an earlier session.
    pub trials_known: u64,
    /// Number of executions of the trials; `executions_run` counts those not shared with earlier
    /// trials.
    pub executions: u64,
    pub executions_run: u64,
    /// Number of branches that trials negated; `asked_first` counts first negations.
    pub asked: u64,
    pub asked_first: u64,
    /// Nanoseconds that engines took for new executions, summed over threads.
    pub engine_ns: u64,
    /// Number of trials that lost states for lack of memory.
    pub cut: u64,
}

impl Usage {
    pub(super) fn add(&mut self, reached: Reached, cost: Cost) {
        self.trials += 1;
        self.executions += reached.executions;
        self.executions_run += cost.run;
        self.asked += cost.asked;
        self.asked_first += cost.asked_first;
        self.engine_ns += cost.engine_ns;
        self.cut += u64::from(cost.is_cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_where_it_is_and_how_long_it_takes() {
        let progress = Progress {
            round: 2,
            phase: Phase::Check,
            over: 3,
            all: 100,
            best: Some(512.25),
            time: Duration::from_secs(3_725),
            left_of_round: Some(Duration::from_secs(61)),
        };
        assert_eq!(
            progress.line(),
            "1:02:05  round 2, check 3/100  best 512.2 branches  1:01 left in this round"
        );
        let early = Progress {
            phase: Phase::Find,
            best: None,
            left_of_round: None,
            time: Duration::from_secs(5),
            ..progress
        };
        assert_eq!(early.line(), "0:05  round 2, find 3/100");
    }
}
