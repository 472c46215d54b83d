//! The runs of a campaign that start from another shape of the program's input (`shapes`).

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
    /// What the lane's next run is. A shape whose words the program cannot be given is over.
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

    /// What the tests of a run say of their program, if it has a shape of its own.
    pub(super) fn shaped_words(&self, arm: Arm) -> Option<Vec<Vec<u8>>> {
        match arm {
            Arm::Shaped(shape) => Some(self.shapes.test_words(shape)),
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => None,
        }
    }

    /// A run's own words, as people read them.
    pub(super) fn shape_text(&self, arm: Arm) -> String {
        match arm {
            Arm::Shaped(shape) => self.shapes.words(shape).join(" "),
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => String::new(),
        }
    }

    /// Earlier tests for a run of another shape than most of them had. Their paths differ, so
    /// nothing is known of them; one without end would be followed for ever.
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
    /// A run ended for this reason, after which another one of its shape would find nothing more.
    /// Why the campaign is over, unless it goes on with other shapes.
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

/// Of two reasons why a shape is over the one that shows less.
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

/// Where runs from this state start. What the program prints on the way was shown at the first
/// launch.
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
