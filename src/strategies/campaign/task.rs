//! Next run of a worker: its plan, and the campaign's knowledge at that time.

use super::arm::Arm;
use super::assigned::AssignedRun;
use super::looping::Campaign;
use super::planning::Plan;
use super::progress::CampaignProgress;
use super::seeds::RunSeeds;
use super::worker::Worker;
use homi_config::RunConfig;
use homi_explore::engine::{PathResults, TransferredStates};
use homi_explore::sources::checkpoint::Frontier;
use homi_ir::util::clock::Moment;
use homi_machine::state::SideSet;
use homi_report::FuzzingSummary;

/// Counters of the worker and of the campaign before a run, from which the run's share is computed.
pub(super) struct Before {
    pub(super) number: u64,
    pub(super) start: Moment,
    pub(super) branches: u64,
    /// Number of numbered conditions.
    pub(super) conditions: usize,
    pub(super) pruned: u64,
    pub(super) early: u64,
    pub(super) completions: u64,
    pub(super) fuzzing: FuzzingSummary,
}

impl Before {
    fn note(
        progress: &CampaignProgress<'_>,
        worker: &Worker<'_, '_>,
        results: &PathResults,
    ) -> Self {
        let paths = results.tally.paths;
        Self {
            number: progress.begun,
            start: Moment::now(),
            branches: progress.totals().branches,
            conditions: progress.conditions.len(),
            pruned: paths.pruned,
            early: paths.early,
            completions: results.tally.completion_instructions,
            fuzzing: worker.fuzzing_done().unwrap_or_default(),
        }
    }
}

/// Coverage of all runs before a run.
pub(super) struct Covered {
    pub(super) sides: SideSet,
    pub(super) segments: SideSet,
}

/// Run to perform.
pub(super) struct Task {
    pub(super) arm: Arm,
    pub(super) plan: Plan,
    pub(super) config: RunConfig,
    pub(super) before: Before,
    pub(super) seeds: RunSeeds,
    pub(super) covered: Covered,
    /// Instructions of the session's earlier runs.
    pub(super) instructions: u64,
    /// States of other workers with which the run continues.
    pub(super) given: Vec<TransferredStates>,
    /// Open paths of an earlier session with which the run continues.
    pub(super) left_open: Option<Frontier>,
    /// Workers for which the run splits off a part.
    pub(super) receivers: Vec<usize>,
}

impl Campaign<'_> {
    /// Plans the next run of a worker; `None` if the campaign is over for it.
    pub(super) fn next_task(
        &self,
        worker: &mut Worker<'_, '_>,
        results: &PathResults,
    ) -> Option<Task> {
        let mut progress = self.visit(worker.number);
        let is_done = |assigned: &AssignedRun| assigned.is_done(progress.begun);
        let is_over = progress.ending.is_some() || self.assigned.is_some_and(is_done);
        let left = if is_over { None } else { self.left(&progress) };
        let Some(left) = left else {
            progress.order.leave(worker.number);
            self.wakeup.notify_all();
            return None;
        };
        worker.catch_up(&progress);
        let arm = match self.assigned {
            None => self.possible_arm(&mut progress, worker),
            Some(_) => Arm::Pruned,
        };
        let before = Before::note(&progress, worker, results);
        progress.begun += 1;
        let plan = self.plan(&progress, worker, arm, before.number, left);
        let config = self.run_config(&progress, arm, before.number, &plan, left);
        progress.order.begin(worker.number, plan.span.amount());
        let resumes = worker
            .waiting
            .place(arm)
            .is_some_and(|place| place.is_some());
        let (mut given, mut receivers) = (Vec::new(), Vec::new());
        if arm == Arm::Unpruned && self.keeps_unpruned() {
            given = progress.parts.take_given(worker.number);
            receivers = progress.parts.receivers(worker.number);
        }
        let left_open = if arm == Arm::Unpruned && worker.number == 0 && !resumes {
            progress.left_open.take()
        } else {
            None
        };
        let goes_on = resumes || !given.is_empty() || left_open.is_some();
        let seeds = if goes_on {
            RunSeeds::default()
        } else {
            match arm {
                Arm::WithLayout(_) => self.tests_for_layout(&progress, &plan),
                Arm::Pruned | Arm::Unpruned | Arm::ConcolicRun => {
                    self.run_seeds(&progress, worker.number, &plan)
                }
            }
        };
        self.wakeup.notify_all();
        Some(Task {
            arm,
            plan,
            config,
            before,
            seeds,
            covered: Covered {
                sides: progress.data.sides.clone(),
                segments: progress.data.segments.clone(),
            },
            instructions: progress.sums.instructions(),
            given,
            left_open,
            receivers,
        })
    }
}
