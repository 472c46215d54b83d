//! The run as its sources of states see it, and when they are asked.
//!
//! Invariant: while a source is asked, the engine has no sources, so none hears of what another one
//! does in that moment.

use super::paths::Departure;
use super::run::Engine;
use super::tail::OneModel;
use crate::coverage::Fresh;
use crate::exec::{EarlyReason, MutedConsole, Observer, Step, Termination, World};
use crate::expr::{Model, Terms};
use crate::probe::Input;
use crate::program::Program;
use crate::roots::{Next, ProbeNews, RootSource, RunView, TurnOver};
use crate::search::{Clock, StateId};
use crate::state::State;
use crate::testcase::WriteError;
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;

/// What the sources want: the number of the source, and what it wants.
pub(super) type Wanted = Option<(usize, Next)>;

impl<'r> Engine<'r, '_> {
    /// Asks the sources one after the other until one has an answer.
    fn ask_roots<T>(
        &mut self,
        mut ask: impl FnMut(usize, &mut (dyn RootSource + 'r), &mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.parts.policies.roots.is_empty() {
            return None;
        }
        let mut roots = std::mem::take(&mut self.parts.policies.roots);
        let mut numbered = roots.iter_mut().enumerate();
        let answer = numbered.find_map(|(number, root)| ask(number, &mut **root, self));
        self.parts.policies.roots = roots;
        for input in std::mem::take(&mut self.seed_inputs) {
            self.note_input(&input, true);
        }
        answer
    }

    /// Takes the states that the run begins with. The first of them has the credit for `fresh`.
    pub(super) fn begin_roots(&mut self, fresh: Option<Fresh>) {
        let mut fresh = fresh;
        self.ask_roots(|_, root, run| {
            let mut states = root.begin(run);
            if let Some(first) = states.first_mut()
                && let Some(fresh) = fresh.take()
            {
                first.metrics.covered_new = !fresh.is_empty();
                if !fresh.for_search {
                    first.metrics.instructions_since_new = 0;
                }
                run.note_credit(run.sequence(run.progress.next_id), &fresh);
            }
            if !states.is_empty() {
                run.add_states(None, states);
            }
            None::<()>
        });
    }

    /// What the sources want before the search's next choice.
    pub(super) fn before_choice(&mut self) -> Result<Wanted, WriteError> {
        let asked = self.ask_roots(|number, root, run| match root.before_choice(run) {
            Ok(Next::Search) => None,
            Ok(next) => Some(Ok((number, next))),
            Err(error) => Some(Err(error)),
        });
        asked.transpose()
    }

    /// The turn that a source asked for.
    pub(super) fn root_turn(
        &mut self,
        source: usize,
        state: StateId,
        retraced: bool,
    ) -> Result<(), WriteError> {
        let first_new = self.progress.next_id;
        let before = self.clock().work;
        self.turn(state, retraced)?;
        let new: Vec<StateId> = (first_new..self.progress.next_id)
            .map(StateId::new)
            .collect();
        let over = TurnOver {
            state,
            new: &new,
            work: self.clock().work - before,
        };
        self.ask_roots(|number, root, run| {
            if number == source {
                root.turn_over(&over, run);
            }
            None::<()>
        });
        Ok(())
    }

    /// Asks the sources for states, now that none is left. True if one gave some.
    pub(super) fn refill(&mut self) -> bool {
        let asked = self.ask_roots(|_, root, run| root.refill(run).then_some(()));
        asked.is_some()
    }

    /// States that the sources have to bring back.
    pub(super) fn swapped_out(&self) -> u64 {
        self.parts
            .policies
            .roots
            .iter()
            .map(|root| root.waiting())
            .sum()
    }

    /// Whether states that leave for want of memory can come back.
    pub(super) fn swaps(&self) -> bool {
        let mut roots = self.parts.policies.roots.iter();
        roots.any(|root| root.brings_back())
    }

    /// Whether no state may move to another thread.
    pub(super) fn holds_states(&self) -> bool {
        let mut roots = self.parts.policies.roots.iter();
        roots.any(|root| root.holds_some())
    }

    /// Whether a state might have a test if it left now.
    pub(super) fn might_show(&self, state: &State) -> bool {
        let left = Termination::Early(EarlyReason::Interrupted);
        let (results, selector) = (&self.parts.results, &*self.parts.policies.selector);
        state.ending.is_some() || results.may_want(selector, state, &left, &self.progress.credits)
    }

    /// Takes those of the states out that have nothing to show and can be brought back; the others
    /// are returned.
    pub(super) fn swap_out(&mut self, ids: &[StateId]) -> Vec<StateId> {
        let mut quiet: Vec<StateId> = ids.to_vec();
        quiet.retain(|id| match self.progress.states.get(id) {
            Some(state) => !self.might_show(state),
            None => false,
        });
        let mut taken = Vec::new();
        self.ask_roots(|_, root, run| {
            if taken.is_empty() && root.brings_back() {
                taken = root.swap_out(&quiet, run);
            }
            None::<()>
        });
        self.update_search(None, &[], &taken);
        for id in &taken {
            self.progress.states.remove(id);
        }
        let taken: FxHashSet<StateId> = taken.into_iter().collect();
        let others = ids.iter().copied();
        others.filter(|id| !taken.contains(id)).collect()
    }

    /// Tells the sources of an input that is worth changing.
    pub(super) fn note_input(&mut self, input: &Input, is_seed: bool) {
        for root in &mut self.parts.policies.roots {
            root.note_input(input, is_seed);
        }
    }

    /// What a probe saw counts for the run, but for what earlier runs have covered: each run begins
    /// with nothing covered, and a probe has found something only if no run had.
    fn absorb_probe(&mut self, seen: &mut Observer) -> Fresh {
        let earlier = self.parts.context.earlier_coverage;
        let observer = &mut self.progress.observer;
        for segment in seen.new_segments.drain(..) {
            if earlier.is_some_and(|earlier| earlier.segments.contains(segment)) {
                continue;
            }
            let entries = &mut observer.segment_entries[segment as usize];
            if *entries == 0 {
                *entries = 1;
                observer.new_segments.push(segment);
                self.learned.push(segment);
            }
        }
        for side in seen.new_sides.drain(..) {
            if !earlier.is_some_and(|earlier| earlier.sides.contains(side)) {
                observer.take_side(side);
            }
        }
        self.absorb_coverage()
    }
}

impl RunView for Engine<'_, '_> {
    fn clock(&self) -> Clock {
        Engine::clock(self)
    }

    fn executed(&self) -> u64 {
        self.progress.observer.instructions - self.instructions_at_start
    }

    fn terms(&self) -> &Terms {
        self.bench.terms
    }

    fn program(&self) -> &Program {
        self.bench.executor.program()
    }

    fn state(&self, id: StateId) -> Option<&State> {
        self.progress.states.get(&id).map(|state| &**state)
    }

    fn oldest(&self) -> Option<StateId> {
        self.progress.states.keys().next().copied()
    }

    fn last_run(&self) -> Option<&State> {
        self.last.and_then(|id| self.state(id))
    }

    fn instructions_left(&self) -> u64 {
        self.budget
            .instructions_left(self.instructions_for_budget())
    }

    fn is_interrupted(&self) -> bool {
        self.bench.signals.interrupt.load(Ordering::Relaxed)
    }

    fn add_state(&mut self, state: Box<State>) {
        self.add_states(None, vec![state]);
    }

    fn set_model(&mut self, id: StateId, model: Model) {
        if let Some(state) = self.progress.states.get_mut(&id) {
            state.model = model;
        }
    }

    fn forget_new(&mut self, id: StateId) {
        if let Some(state) = self.progress.states.get_mut(&id) {
            state.metrics.covered_new = false;
            self.progress.credits.take(state.sequence);
        }
    }

    fn execute(&mut self, state: &mut State, most: u64) -> Step {
        let world = World {
            host: self.bench.host,
            console: &mut MutedConsole,
        };
        let (prover, observer) = (&mut *self.bench.prover, &mut self.progress.observer);
        self.bench
            .executor
            .run(state, prover, world, observer, most)
    }

    fn forget_covered(&mut self) {
        self.progress.observer.forget_new();
    }

    fn execute_concretely(
        &mut self,
        state: &mut State,
        observer: &mut Observer,
        most: u64,
    ) -> Step {
        let world = World {
            host: self.bench.host,
            console: &mut MutedConsole,
        };
        let executor = self.bench.executor;
        executor.run(state, &mut OneModel, world, observer, most)
    }

    fn finish_probe(
        &mut self,
        mut state: State,
        termination: &Termination,
        seen: &mut Observer,
    ) -> Result<ProbeNews, WriteError> {
        let fresh = self.absorb_probe(seen);
        if fresh.is_empty() && !matches!(termination, Termination::Bug(_)) {
            return Ok(ProbeNews::default());
        }
        state.sequence = self.sequence(self.progress.next_id);
        self.progress.next_id += 1;
        state.metrics.covered_new = !fresh.is_empty();
        self.note_credit(state.sequence, &fresh);
        let before = self.parts.results.tests();
        let departure = Departure {
            hurry: true,
            probe: true,
            ..Departure::default()
        };
        self.finish(&state, termination, departure)?;
        Ok(ProbeNews {
            covered_new: (!fresh.is_empty()).then(|| Input::new(&state.symbolics, &state.model)),
            tests: self.parts.results.tests() - before,
        })
    }

    fn note_given_up(&mut self) {
        self.progress.gave_up = true;
    }

    fn tell_seed(&mut self, input: Input) {
        self.seed_inputs.push(input);
    }
}
