//! Runs of a campaign that start from a further input layout (`shapes`).

use super::arm::Arm;
use super::lane::Lane;
use super::looping::Campaign;
use super::planning::Plan;
use super::progress::CampaignProgress;
use super::seeds::RunSeeds;
use crate::explore::engine::{StopReason, Workbench};
use crate::explore::sources::Launch;
use crate::machine::exec::{KeptConsole, World};
use crate::machine::state::State;

impl Campaign<'_> {
    /// Returns the kind of the worker's next run. A layout whose arguments do not fit into the
    /// program's memory is over.
    pub(super) fn possible_arm(
        &self,
        progress: &mut CampaignProgress<'_>,
        lane: &mut Lane<'_, '_>,
    ) -> Arm {
        loop {
            let arm = progress.turns.choose(lane.able(progress));
            let Arm::Shaped(shape) = arm else {
                return arm;
            };
            progress.turns.begin_shape(shape);
            if lane.shaped.get(shape).is_some() {
                return arm;
            }
            let first = self.shapes.first_state(lane.bench.executor, shape);
            if let Some(launch) = first.map(|first| launched(&mut lane.bench, first)) {
                progress.sums.start_up += launch.instructions();
                lane.shaped.keep(shape, launch);
                return arm;
            }
            if !progress.turns.shape_is_over(arm) {
                return Arm::Pruned;
            }
        }
    }

    /// Returns the `args` of a run's tests; `None` for the program's given layout.
    pub(super) fn shaped_words(&self, arm: Arm) -> Option<Vec<Vec<u8>>> {
        match arm {
            Arm::Shaped(shape) => Some(self.shapes.test_words(shape)),
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => None,
        }
    }

    /// Returns the symbolic arguments of a run's layout as text.
    pub(super) fn shape_text(&self, arm: Arm) -> String {
        match arm {
            Arm::Shaped(shape) => self.shapes.words(shape).join(" "),
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => String::new(),
        }
    }

    /// Returns earlier tests for a run of another layout than most of them had. Their paths differ,
    /// so nothing is known of them. Tests of endless paths are excluded, because they would be
    /// followed forever.
    pub(super) fn tests_for_shape(&self, progress: &CampaignProgress<'_>, plan: &Plan) -> RunSeeds {
        let mut seeds = self.earlier_tests(progress, plan);
        seeds.tests.retain(|test| test.shows.is_none());
        for test in &mut seeds.tests {
            test.known = false;
        }
        seeds
    }
}

impl CampaignProgress<'_> {
    /// Records that a run's layout is over for `reason`. Returns the reason why the campaign is
    /// over; `None` if other layouts continue.
    pub(super) fn over_for_all_shapes(
        &mut self,
        arm: Arm,
        reason: StopReason,
    ) -> Option<StopReason> {
        let of_its_shape = matches!(
            reason,
            StopReason::Exhausted(_) | StopReason::ExhaustedNarrowed | StopReason::NoStatesLeft
        );
        if !of_its_shape {
            return Some(reason);
        }
        let goes_on = self.turns.shape_is_over(arm);
        let worst = self.worst_shape.take();
        let reason = match worst {
            Some(worst) => weaker(worst, reason),
            None => reason,
        };
        if goes_on {
            self.worst_shape = Some(reason);
            return None;
        }
        Some(reason)
    }
}

/// Returns the weaker of two reasons why a layout is over.
fn weaker(one: StopReason, other: StopReason) -> StopReason {
    let shown = |reason: &StopReason| match reason {
        StopReason::Exhausted(_) => 2,
        StopReason::ExhaustedNarrowed => 1,
        _ => 0,
    };
    if shown(&one) < shown(&other) {
        one
    } else {
        other
    }
}

/// Returns the entry state of runs from this state. Output of the program is suppressed, because
/// the first entry state showed it.
fn launched(bench: &mut Workbench<'_, '_>, first: State) -> Launch {
    let mut unheard = KeptConsole::default();
    let lent = bench.lend();
    let launch = Launch::new(lent.executor, first).advance(
        lent.executor,
        lent.prover,
        World {
            host: lent.host,
            console: &mut unheard,
        },
    );
    bench.recorder.lock().add_start_up(launch.instructions());
    launch
}
