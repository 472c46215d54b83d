//! `--seed-runs`: what earlier runs reached is where later ones begin.
//!
//! Every run of Algorithm 2 starts from nothing, so none gets farther than its own short time
//! allows. With seeds it first follows earlier tests, whose paths cost milliseconds, and searches
//! from the branches that they pass by.
//!
//! The first runs of a session may be given tests from elsewhere (`--seed-dir`); what they cover
//! first becomes tests of the campaign, which later runs follow. A run is short, so what one does
//! not get to is left to the next.
//!
//! Invariant: which tests of the campaign are followed depends on the stored runs alone, so a
//! resumed campaign follows the same ones.

use super::looping::Campaign;
use super::planning::Plan;
use super::progress::CampaignProgress;
use crate::config::Span;
use crate::explore::prune::learn::extract;
use crate::explore::sources::SeedTest;
use crate::native::testcase::ktest::KTest;
use crate::report::SeedSummary;

/// Share of a run after which seeds are left wherever they are, and the same for tests from
/// elsewhere.
const MOST_TIME: f64 = 0.25;
const MOST_TIME_GIVEN: f64 = 0.5;
/// Runs in a row that may come to the end of no test from elsewhere; some runs are shorter than
/// others.
const MOST_IN_VAIN: u32 = 2;

/// A test that became a file.
#[derive(Debug)]
pub(super) struct Written {
    /// Name of the test's file without the ending.
    pub(super) file: String,
    /// B(t) as its run saw it, ascending.
    pub(super) sides: Vec<u32>,
    /// B(t) of its native replay, if those count.
    pub(super) native: Option<Vec<u32>>,
    pub(super) endless: bool,
    /// The test is in D, or a run has followed it. A probe's test has no path condition before
    /// that.
    pub(super) learned: bool,
}

/// What a run follows first, and for how long at most.
#[derive(Default)]
pub(super) struct RunSeeds {
    pub(super) tests: Vec<SeedTest>,
    pub(super) limit: Option<Span>,
    /// Present if the tests are from elsewhere: how long they are followed at most.
    pub(super) given: Option<Span>,
}

/// Tests from elsewhere on their way through the runs of a session.
#[derive(Default)]
pub(super) struct GivenSeeds {
    count: usize,
    /// Numbers of the tests to whose end no run has come.
    waiting: Vec<usize>,
    /// `--seed-time`: what is left of it.
    time: Option<Span>,
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

impl Campaign<'_> {
    /// What a run of a lane that begins anew follows: in the first lane tests from elsewhere as
    /// long as some wait, otherwise those of earlier runs if that is wanted.
    pub(super) fn run_seeds(
        &self,
        progress: &CampaignProgress<'_>,
        lane: usize,
        plan: &Plan,
    ) -> RunSeeds {
        if self.assigned.is_some() {
            return RunSeeds {
                tests: self.seeds.to_vec(),
                limit: Some(plan.span.of_same_unit(plan.span.amount() * MOST_TIME)),
                given: None,
            };
        }
        let given = &progress.given;
        if given.waiting.is_empty() || lane > 0 {
            return self.earlier_tests(progress, plan);
        }
        let share = plan.span.amount() * MOST_TIME_GIVEN;
        // Of the same unit, as the options say.
        let most = given.time.map_or(f64::INFINITY, Span::amount);
        let limit = plan.span.of_same_unit(share.min(most));
        let waiting = given.waiting.iter();
        RunSeeds {
            tests: waiting
                .filter_map(|number| self.seeds.get(*number).cloned())
                .collect(),
            limit: Some(limit),
            given: Some(limit),
        }
    }

    /// A small set of the files that covers what all files cover. A file that is gone is warned of
    /// once.
    pub(super) fn earlier_tests(&self, progress: &CampaignProgress<'_>, plan: &Plan) -> RunSeeds {
        if !self.options.seed_runs || !plan.seeded {
            return RunSeeds::default();
        }
        let written = &progress.ledger.written;
        let sides: Vec<&[u32]> = written
            .iter()
            .map(|test| test.native.as_ref().unwrap_or(&test.sides).as_slice())
            .collect();
        let read = |index: usize| {
            let name = format!("{}.ktest", written[index].file);
            match KTest::read(&progress.store.path().with_file_name(name)) {
                Ok(test) => Some(SeedTest {
                    test,
                    known: written[index].learned,
                    file: None,
                    shows: written[index].endless.then(|| written[index].sides.clone()),
                }),
                Err(error) => {
                    let text = format!("an earlier test cannot be followed: {error}");
                    self.log.lock().warning_once("seeds of runs", &text);
                    None
                }
            }
        };
        RunSeeds {
            tests: extract(&sides).into_iter().filter_map(read).collect(),
            limit: Some(plan.span.of_same_unit(plan.span.amount() * MOST_TIME)),
            given: None,
        }
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
