//! A state of an earlier session goes its way again.
//!
//! Invariant: what its path covers first is its own to show, as if it had run in this session; what
//! it narrows is the run's loss once it is the run's.

use super::accounting::credit;
use super::run::Run;
use homi_machine::exec::{MutedConsole, Step, World};
use homi_machine::state::State;

impl Run<'_, '_> {
    pub(super) fn execute_path_again(&mut self, state: &mut State, most: u64) -> Step {
        let world = World {
            host: self.bench.host,
            console: &mut MutedConsole,
        };
        let before = state.metrics;
        let progress = &mut self.progress;
        let underapproximations = progress.observer.underapproximations.clone();
        let (executor, solver_session) = (self.bench.executor, &mut *self.bench.solver_session);
        let mut step = executor.run(state, solver_session, world, &mut progress.observer, most);
        progress.observer.underapproximations = underapproximations;
        progress.observer.forked_sides.clear();
        let executed = state.metrics.instructions - before.instructions;
        solver_session.note_executed(executed);
        let others = self
            .parts
            .shared_exploration
            .map(|member| &member.shared_exploration.coverage);
        let news = progress.coverage.absorb(&mut progress.observer, others);
        let news = news.as_ref();
        let first = news.is_some_and(|news| !news.shared.is_empty() || !news.own.is_empty());
        state.metrics.covered_new = before.covered_new || first;
        if let Step::Forked(siblings) = &mut step {
            for (place, sibling) in siblings.iter_mut().enumerate() {
                let fresh = news.and_then(|news| news.of_sibling(place));
                sibling.metrics.covered_new = fresh.is_some_and(|fresh| !fresh.is_empty());
            }
        }
        if let Some(news) = news {
            credit(news, state, &mut step);
            for fresh in news.by_path() {
                self.note_covered(fresh);
            }
        }
        step
    }

    pub(super) fn check_path_again(&mut self, state: &mut State) -> bool {
        let (solver_session, observer) =
            (&mut *self.bench.solver_session, &mut self.progress.observer);
        let checked = self
            .bench
            .executor
            .check_pending(state, solver_session, observer);
        let fresh = self.absorb_coverage();
        state.metrics.covered_new |= !fresh.is_empty();
        state.covered_first.push(&fresh.sides, &fresh.segments);
        self.note_covered(&fresh);
        checked.is_ok()
    }
}
