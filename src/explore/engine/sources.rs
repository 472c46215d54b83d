//! When a run's sources of states are asked, and what follows from their answers.
//!
//! Invariant: while a source is asked, the engine has no sources, so none hears of what another one
//! does in that moment.

use super::changes::Changes;
use super::run::Run;
use crate::coverage::Fresh;
use crate::extensions::Leaving;
use crate::search::StateId;
use crate::sources::{BatchOver, Next, StateSource};
use homi_machine::state::CoveredFirst;
use homi_native::testcase::WriteError;
use rustc_hash::FxHashSet;

/// Request of the sources: the number of the source, and the request.
pub(super) type Wanted = Option<(usize, Next)>;

impl<'r> Run<'r, '_> {
    /// Asks the sources one after the other until one has an answer.
    fn ask_sources<T>(
        &mut self,
        mut ask: impl FnMut(usize, &mut (dyn StateSource + 'r), &mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.parts.policies.sources.is_empty() {
            return None;
        }
        let mut sources = std::mem::take(&mut self.parts.policies.sources);
        let mut numbered = sources.iter_mut().enumerate();
        let answer = numbered.find_map(|(number, root)| ask(number, &mut **root, self));
        self.parts.policies.sources = sources;
        // Asked before every batch: an empty list must cost no more than a look.
        if !self.seed_inputs.is_empty() {
            for input in std::mem::take(&mut self.seed_inputs) {
                self.parts.policies.note_input(&input, true);
            }
        }
        for input in std::mem::take(&mut self.longer_inputs) {
            let sources = &mut self.parts.policies.sources;
            sources
                .iter_mut()
                .for_each(|root| root.note_longer_input(&input));
        }
        answer
    }

    /// Takes the states that the run begins with. The first of them has the credit for `fresh`.
    pub(super) fn begin_sources(&mut self, fresh: Option<Fresh>) {
        let mut fresh = fresh;
        self.ask_sources(|_, root, run| {
            let mut states = root.begin(run);
            if let Some(first) = states.first_mut()
                && let Some(fresh) = fresh.take()
            {
                first.covered_first = CoveredFirst::of(&fresh.sides, &fresh.segments);
                first.metrics.covered_new = !fresh.is_empty();
                if !fresh.for_search {
                    first.metrics.instructions_since_new = 0;
                }
                run.note_covered(&fresh);
            }
            if !states.is_empty() {
                run.add_states(states);
            }
            None::<()>
        });
    }

    /// Returns the sources' request before the searcher's next choice.
    pub(super) fn before_choice(&mut self) -> Result<Wanted, WriteError> {
        let asked = self.ask_sources(|number, root, run| match root.before_choice(run) {
            Ok(Next::Search) => None,
            Ok(next) => Some(Ok((number, next))),
            Err(error) => Some(Err(error)),
        });
        asked.transpose()
    }

    /// Reports the batch that a source asked for to the source.
    pub(super) fn batch_over(&mut self, source: usize, over: &BatchOver<'_>) {
        self.ask_sources(|number, root, run| {
            if number == source {
                root.batch_over(over, run);
            }
            None::<()>
        });
    }

    /// Asks the sources for states, now that none is left. True if one gave some.
    pub(super) fn refill(&mut self) -> bool {
        let asked = self.ask_sources(|_, root, run| root.refill(run).then_some(()));
        asked.is_some()
    }

    /// Swaps out the states that have nothing to show and can be brought back; returns the others.
    pub(super) fn swap_out(&mut self, ids: &[StateId]) -> Vec<StateId> {
        let mut quiet: Vec<StateId> = ids.to_vec();
        quiet.retain(|id| match self.progress.states.get(id) {
            // A state that represents several paths has more than one input.
            Some(state) => !self.parts.might_show(state, self.bench.executor) && !state.is_merged(),
            None => false,
        });
        let mut taken = Vec::new();
        self.ask_sources(|_, root, run| {
            if taken.is_empty() && root.brings_back() {
                taken = root.swap_out(&quiet, run);
            }
            None::<()>
        });
        self.update_search(Changes {
            removed: &taken,
            ..Changes::default()
        });
        for id in &taken {
            if let Some(state) = self.progress.states.remove(id) {
                self.leaves(&state, Leaving::Dropped);
            }
        }
        let taken: FxHashSet<StateId> = taken.into_iter().collect();
        let others = ids.iter().copied();
        others.filter(|id| !taken.contains(id)).collect()
    }
}
