//! Runs of a campaign that start from a further input layout (`input_layouts`).

use super::arm::Arm;
use super::looping::Campaign;
use super::planning::Plan;
use super::progress::CampaignProgress;
use super::seeds::RunSeeds;
use super::worker::Worker;
use homi_explore::engine::{EngineContext, StopReason};
use homi_explore::sources::EntryState;
use homi_machine::exec::{KeptConsole, World};
use homi_machine::state::State;

impl Campaign<'_> {
    /// Returns the kind of the worker's next run. A layout whose arguments do not fit into the
    /// program's memory is over.
    pub(super) fn possible_arm(
        &self,
        progress: &mut CampaignProgress<'_>,
        worker: &mut Worker<'_, '_>,
    ) -> Arm {
        loop {
            let arm = progress.scheduler.choose(worker.able(progress));
            let Arm::WithLayout(layout) = arm else {
                return arm;
            };
            progress.scheduler.begin_layout(layout);
            if worker.layout_runs.get(layout).is_some() {
                return arm;
            }
            let first = self
                .input_layouts
                .first_state(worker.bench.executor, layout);
            if let Some(entry_state) = first.map(|first| entry_state_of(&mut worker.bench, first)) {
                progress.sums.start_up += entry_state.instructions();
                worker.layout_runs.keep(layout, entry_state);
                return arm;
            }
            if !progress.scheduler.layout_is_over(arm) {
                return Arm::Pruned;
            }
        }
    }

    /// Returns the `args` of a run's tests; `None` for the program's given layout.
    pub(super) fn layout_arguments(&self, arm: Arm) -> Option<Vec<Vec<u8>>> {
        match arm {
            Arm::WithLayout(layout) => Some(self.input_layouts.test_arguments(layout)),
            Arm::Pruned | Arm::Unpruned | Arm::ConcolicRun => None,
        }
    }

    /// Returns the symbolic arguments of a run's layout as text.
    pub(super) fn layout_text(&self, arm: Arm) -> String {
        match arm {
            Arm::WithLayout(layout) => self.input_layouts.arguments(layout).join(" "),
            Arm::Pruned | Arm::Unpruned | Arm::ConcolicRun => String::new(),
        }
    }

    /// Returns earlier tests for a run of another layout than most of them had. Their paths differ,
    /// so nothing is known of them. Tests of endless paths are excluded, because they would be
    /// followed forever.
    pub(super) fn tests_for_layout(
        &self,
        progress: &CampaignProgress<'_>,
        plan: &Plan,
    ) -> RunSeeds {
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
    pub(super) fn over_for_all_layouts(
        &mut self,
        arm: Arm,
        reason: StopReason,
    ) -> Option<StopReason> {
        let of_its_layout = matches!(
            reason,
            StopReason::Exhausted(_)
                | StopReason::ExhaustedUnderapproximated
                | StopReason::NoStatesLeft
        );
        if !of_its_layout {
            return Some(reason);
        }
        let goes_on = self.scheduler.layout_is_over(arm);
        let worst = self.worst_layout.take();
        let reason = match worst {
            Some(worst) => weaker(worst, reason),
            None => reason,
        };
        if goes_on {
            self.worst_layout = Some(reason);
            return None;
        }
        Some(reason)
    }
}

/// Returns the weaker of two reasons why a layout is over.
fn weaker(one: StopReason, other: StopReason) -> StopReason {
    let shown = |reason: &StopReason| match reason {
        StopReason::Exhausted(_) => 2,
        StopReason::ExhaustedUnderapproximated => 1,
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
fn entry_state_of(bench: &mut EngineContext<'_, '_>, first: State) -> EntryState {
    let mut unheard = KeptConsole::default();
    let lent = bench.lend();
    let entry_state = EntryState::new(lent.executor, first).advance(
        lent.executor,
        lent.solver_session,
        World {
            host: lent.host,
            console: &mut unheard,
        },
    );
    bench
        .recorder
        .lock()
        .add_start_up(entry_state.instructions());
    entry_state
}
