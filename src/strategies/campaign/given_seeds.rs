//! Given seeds (`--seed-dir`), which the first runs of a session follow.

use homi_config::Budget;
use homi_report::SeedSummary;

/// Maximum number of consecutive runs that finish no seed; some runs are shorter than others.
const MAX_WITHOUT_PROGRESS: u32 = 2;

/// Progress of the given seeds through the runs of a session.
#[derive(Default)]
pub(super) struct GivenSeeds {
    count: usize,
    /// Numbers of the seeds that no run has finished.
    pub(super) waiting: Vec<usize>,
    /// Rest of `--seed-time`; `None` without a limit.
    pub(super) time: Option<Budget>,
    /// Number of consecutive runs that finished no seed.
    without_progress: u32,
    done: SeedSummary,
}

impl GivenSeeds {
    pub(super) fn new(count: usize, time: Option<Budget>) -> Self {
        Self {
            count,
            waiting: (0..count).collect(),
            time,
            without_progress: 0,
            done: SeedSummary::default(),
        }
    }

    /// Records a run that followed the waiting seeds for at most `limit`. `left` has the indices,
    /// among the waiting seeds, of those it did not finish. The next run continues with them,
    /// unless too many consecutive runs finished none.
    pub(super) fn note(&mut self, limit: Budget, run: SeedSummary, left: &[usize]) {
        self.done.followed += run.followed;
        self.done.dropped += run.dropped;
        // An unfinished seed is counted again by the next run.
        self.done.size_mismatches =
            (self.done.size_mismatches + run.size_mismatches).min(self.count as u64);
        if let (Some(time), false) = (&mut self.time, left.is_empty()) {
            *time = time.of_same_unit(time.amount() - limit.amount());
        }
        self.without_progress = match run.followed + run.dropped {
            0 => self.without_progress + 1,
            _ => 0,
        };
        let stuck =
            self.without_progress == MAX_WITHOUT_PROGRESS || self.time.is_some_and(Budget::is_zero);
        let left = left.iter().filter(|_| !stuck);
        self.waiting = left
            .filter_map(|number| self.waiting.get(*number).copied())
            .collect();
    }

    /// Returns the summary of the seeds; `None` if there are none.
    pub(super) fn summary(&self) -> Option<SeedSummary> {
        let given = self.count as u64;
        (given > 0).then_some(SeedSummary {
            given,
            unfinished: given - self.done.followed - self.done.dropped,
            ..self.done
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn run(followed: u64, dropped: u64, unfinished: u64) -> SeedSummary {
        SeedSummary {
            given: followed + dropped + unfinished,
            followed,
            dropped,
            unfinished,
            size_mismatches: 0,
        }
    }

    #[test]
    fn what_a_run_does_not_get_to_is_left_to_the_next() {
        let mut given = GivenSeeds::new(6, None);
        let limit = Budget::Instructions(1000);
        // Seed 1 held up others.
        given.note(limit, run(1, 1, 4), &[2, 4, 5]);
        assert_eq!(given.waiting, [2, 4, 5]);
        given.note(limit, run(1, 0, 2), &[1, 2]);
        assert_eq!(given.waiting, [4, 5]);
        assert_eq!(given.summary(), Some(run(2, 1, 3)));
        given.note(limit, run(0, 0, 2), &[0, 1]);
        assert_eq!(given.waiting, [4, 5], "that run may have been short");
        given.note(limit, run(0, 0, 2), &[0, 1]);
        assert!(given.waiting.is_empty(), "no run gets to them");
        assert_eq!(given.summary(), Some(run(2, 1, 3)));
        assert_eq!(GivenSeeds::new(0, None).summary(), None);
    }

    #[test]
    fn the_time_for_seeds_is_that_of_all_runs() {
        let second = Duration::from_secs(1);
        let mut given = GivenSeeds::new(6, Some(Budget::Time(second * 2)));
        given.note(Budget::Time(second), run(1, 0, 5), &[1, 2, 3, 4, 5]);
        assert_eq!(
            (given.waiting.len(), given.time),
            (5, Some(Budget::Time(second)))
        );
        given.note(Budget::Time(second), run(1, 0, 4), &[1, 2, 3, 4]);
        assert!(given.waiting.is_empty());
    }
}
