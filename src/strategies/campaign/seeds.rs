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

/// Share of a run after which seeds are left wherever they are, and the same for tests from
/// elsewhere.
const MOST_TIME: f64 = 0.25;
const MOST_TIME_GIVEN: f64 = 0.5;

/// What a run follows first, and for how long at most.
#[derive(Default)]
pub(super) struct RunSeeds {
    pub(super) tests: Vec<SeedTest>,
    pub(super) limit: Option<Span>,
    /// Present if the tests are from elsewhere: how long they are followed at most.
    pub(super) given: Option<Span>,
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
