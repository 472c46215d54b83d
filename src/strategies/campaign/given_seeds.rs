//! Tests from elsewhere (`--seed-dir`), which the first runs of a session follow.

use crate::config::Span;
use crate::report::SeedSummary;

/// Runs in a row that may come to the end of no test from elsewhere; some runs are shorter than
/// others.
const MOST_IN_VAIN: u32 = 2;

/// Tests from elsewhere on their way through the runs of a session.
#[derive(Default)]
pub(super) struct GivenSeeds {
    count: usize,
    /// Numbers of the tests to whose end no run has come.
    pub(super) waiting: Vec<usize>,
    /// `--seed-time`: what is left of it.
    pub(super) time: Option<Span>,
    /// Runs in a row that came to the end of none.
    in_vain: u32,
    done: SeedSummary,
}

impl GivenSeeds {
    pub(super) fn new(count: usize, time: Option<Span>) -> Self {
        Self {
            count,
            waiting: (0..count).collect(),
            time,
            in_vain: 0,
            done: SeedSummary::default(),
        }
    }

    /// A run followed those that waited for at most so long, and left some (numbers among those
    /// that waited). The next run goes on with them, unless run after run came to the end of none.
    pub(super) fn note(&mut self, limit: Span, run: SeedSummary, left: &[usize]) {
        self.done.followed += run.followed;
        self.done.dropped += run.dropped;
        // A seed that was left on its way is met again.
        self.done.misfitting = (self.done.misfitting + run.misfitting).min(self.count as u64);
        if let (Some(time), false) = (&mut self.time, left.is_empty()) {
            *time = time.of_same_unit(time.amount() - limit.amount());
        }
        self.in_vain = match run.followed + run.dropped {
            0 => self.in_vain + 1,
            _ => 0,
        };
        let stuck = self.in_vain == MOST_IN_VAIN || self.time.is_some_and(Span::is_zero);
        let left = left.iter().filter(|_| !stuck);
        self.waiting = left
            .filter_map(|number| self.waiting.get(*number).copied())
            .collect();
    }

    /// What has become of them, if there are any.
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
            misfitting: 0,
        }
    }

    #[test]
    fn what_a_run_does_not_get_to_is_left_to_the_next() {
        let mut given = GivenSeeds::new(6, None);
        let limit = Span::Instructions(1000);
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
        let mut given = GivenSeeds::new(6, Some(Span::Time(second * 2)));
        given.note(Span::Time(second), run(1, 0, 5), &[1, 2, 3, 4, 5]);
        assert_eq!(
            (given.waiting.len(), given.time),
            (5, Some(Span::Time(second)))
        );
        given.note(Span::Time(second), run(1, 0, 4), &[1, 2, 3, 4]);
        assert!(given.waiting.is_empty());
    }
}
