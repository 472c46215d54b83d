//! `--seed-runs`: what earlier runs reached is where later ones begin.
//!
//! Every run of Algorithm 2 starts from nothing, so none gets farther than its own short time allows. With seeds it
//! first follows earlier tests, whose paths cost milliseconds, and searches from the branches that they pass by.
//!
//! The first run of a session may be given tests from elsewhere (`--seed-dir`); what they cover first becomes tests of
//! its own, which later runs follow.
//!
//! Invariant: which tests of the campaign are followed depends on the stored runs alone, so a resumed campaign follows the same ones.

use super::Campaign;
use super::course::Course;
use super::options::{amount, like};
use super::planning::Plan;
use crate::config::Span;
use crate::engine::SeedTest;
use crate::learn::extract;
use crate::testcase::ktest::KTest;

/// Share of a run after which seeds are left wherever they are, and the same for tests from elsewhere.
const MOST_TIME: f64 = 0.25;
const MOST_TIME_GIVEN: f64 = 0.5;

/// A test that became a file.
#[derive(Debug)]
pub(super) struct Written {
    /// Its name without the ending.
    pub(super) file: String,
    /// B(t) as its run saw it, ascending.
    pub(super) sides: Vec<u32>,
    /// B(t) of its native replay, if those count.
    pub(super) native: Option<Vec<u32>>,
    pub(super) endless: bool,
    /// It is in D, or a run has followed it. A probe's test has no path condition before.
    pub(super) learned: bool,
}

/// What a run follows first, and for how long at most.
#[derive(Default)]
pub(super) struct RunSeeds {
    pub(super) tests: Vec<SeedTest>,
    pub(super) limit: Option<Span>,
    /// They are from elsewhere.
    pub(super) given: bool,
}

impl Campaign<'_, '_> {
    /// What a run that begins anew follows: tests from elsewhere in the first run of a session, otherwise those of earlier
    /// runs if that is wanted.
    pub(super) fn run_seeds(&mut self, course: &Course, plan: &Plan) -> RunSeeds {
        let given = std::mem::take(&mut self.seeds);
        if given.is_empty() {
            return self.earlier_tests(course, plan);
        }
        let share = like(plan.span, amount(plan.span) * MOST_TIME_GIVEN);
        let limit = match (share, self.config.seeds.time) {
            (Span::Time(share), Some(time)) => Span::Time(share.min(time)),
            (share, _) => share,
        };
        RunSeeds {
            tests: given.to_vec(),
            limit: Some(limit),
            given: true,
        }
    }

    /// A small set of the files that covers what all files cover. A file that is gone is warned of once.
    fn earlier_tests(&self, course: &Course, plan: &Plan) -> RunSeeds {
        if !self.options.seed_runs {
            return RunSeeds::default();
        }
        let written = &course.ledger.written;
        let sides: Vec<&[u32]> = written
            .iter()
            .map(|test| test.native.as_ref().unwrap_or(&test.sides).as_slice())
            .collect();
        let read = |index: usize| {
            let name = format!("{}.ktest", written[index].file);
            match KTest::read(&self.store.path().with_file_name(name)) {
                Ok(test) => Some(SeedTest {
                    test,
                    known: written[index].learned,
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
            limit: Some(like(plan.span, amount(plan.span) * MOST_TIME)),
            given: false,
        }
    }
}
