//! Seeds of runs (`--seed-runs`): later runs start from the coverage of earlier ones.
//!
//! Every run of Algorithm 2 starts from the beginning, so its short time limits its depth. With
//! seeds, a run first follows earlier tests, whose paths cost milliseconds, and then searches from
//! the branches on those paths.
//!
//! The first runs of a session may get given seeds (`--seed-dir`). Seeds with new coverage become
//! tests of the campaign, which later runs follow. A run is short, so the next run continues with
//! its unfinished seeds.
//!
//! Invariant: the stored runs alone determine which tests of the campaign are followed, so a
//! resumed campaign follows the same ones.

use super::looping::Campaign;
use super::planning::Plan;
use super::progress::CampaignProgress;
use homi_config::Budget;
use homi_explore::prune::learn::extract;
use homi_explore::sources::SeedTest;
use homi_native::testcase::ktest::KTest;

/// Share of a run after which it stops following earlier tests; `MOST_TIME_GIVEN` is the share for
/// given seeds.
const MOST_TIME: f64 = 0.25;
const MOST_TIME_GIVEN: f64 = 0.5;

/// Seeds of a run, and the time limit for following them.
#[derive(Default)]
pub(super) struct RunSeeds {
    pub(super) tests: Vec<SeedTest>,
    pub(super) limit: Option<Budget>,
    /// Time limit of given seeds; `None` if the tests are the campaign's.
    pub(super) given: Option<Budget>,
}

impl Campaign<'_> {
    /// Returns the seeds of a fresh run. The first worker gets given seeds while some wait;
    /// otherwise runs get earlier tests if the options request it.
    pub(super) fn run_seeds(
        &self,
        progress: &CampaignProgress<'_>,
        worker: usize,
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
        if given.waiting.is_empty() || worker > 0 {
            return self.earlier_tests(progress, plan);
        }
        let share = plan.span.amount() * MOST_TIME_GIVEN;
        // The options guarantee equal units.
        let most = given.time.map_or(f64::INFINITY, Budget::amount);
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

    /// Returns a small set of files with the coverage of all files. The first missing file is
    /// reported as a warning.
    pub(super) fn earlier_tests(&self, progress: &CampaignProgress<'_>, plan: &Plan) -> RunSeeds {
        if !self.options.seed_runs || !plan.seeded {
            return RunSeeds::default();
        }
        let written = &progress.data.written;
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
                    whole_input: None,
                }),
                Err(error) => {
                    let text = format!("cannot follow an earlier test: {error}");
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
