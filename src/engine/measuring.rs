//! What subsumption would save (`--subsume-measure`): subsumed states are followed all the same,
//! and what is done below them is told apart.
//!
//! Invariant: the search, what it is told, its solver's answers and what they cost are those of a
//! run without `--subsume`.

use super::run::Engine;
use crate::exec::Termination;
use crate::interpolation::SUBSUMED;
use crate::report::MeasuredSummary;
use crate::search::StateId;
use crate::state::State;
use crate::util::clock::Moment;

/// Counts of what was done in subsumed trees.
#[derive(Default)]
pub(super) struct Measured {
    sums: MeasuredSummary,
    /// What the run had done when the part under way of a subsumed tree began.
    since: Option<Reading>,
}

/// What a run has done by a moment.
struct Reading {
    instructions: u64,
    work: u64,
    at: Moment,
}

impl Measured {
    /// The counts so far, with the share of the paths.
    pub(super) fn summary(&self) -> MeasuredSummary {
        let MeasuredSummary {
            paths,
            paths_subsumed,
            ..
        } = self.sums;
        MeasuredSummary {
            subsumed_percent: 100.0 * paths_subsumed as f64 / paths.max(1) as f64,
            ..self.sums
        }
    }
}

impl Engine<'_, '_> {
    /// Whether subsumed states are followed and measured.
    pub(super) fn measures_subsumption(&self) -> bool {
        let config = self.parts.config.subsume;
        config.is_some_and(|config| config.measures)
    }

    /// Does what subsumption asks, with the solver that is there for it, if there is one: what the
    /// search asks later costs what it would have cost.
    pub(super) fn beside_search<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.change_prover();
        let done = act(self);
        self.change_prover();
        done
    }

    /// A state is about to run. If it is in a subsumed tree, what it does is told apart.
    pub(super) fn begin_measuring(&mut self, id: StateId) {
        let state = self.progress.states.get(&id);
        let is_apart = state.is_some_and(|state| state.tree_node == Some(SUBSUMED));
        if !is_apart || !self.measures_subsumption() {
            return;
        }
        let reading = self.reading();
        self.progress.measured.since.get_or_insert(reading);
    }

    /// What was told apart of the state that ran is over.
    pub(super) fn end_measuring(&mut self) {
        let Some(since) = self.progress.measured.since.take() else {
            return;
        };
        let now = self.reading();
        let sums = &mut self.progress.measured.sums;
        sums.instructions_subsumed += now.instructions - since.instructions;
        sums.work_subsumed += now.work - since.work;
        sums.time_subsumed_s += (now.at - since.at).as_secs_f64();
    }

    fn reading(&self) -> Reading {
        Reading {
            instructions: self.progress.observer.instructions,
            work: self.work(),
            at: Moment::now(),
        }
    }

    /// A path has come to an end. One that repeats an earlier test's (`retraced`) says nothing of
    /// the share of subsumed paths.
    pub(super) fn measure_end(&mut self, state: &State, termination: &Termination, retraced: bool) {
        if retraced || matches!(termination, Termination::Early(_)) {
            return;
        }
        let sums = &mut self.progress.measured.sums;
        sums.paths += 1;
        sums.paths_subsumed += u64::from(state.tree_node == Some(SUBSUMED));
    }
}
