//! The run as its sources of states see it.
//!
//! Invariant: a source changes the run through these methods only.

use super::changes::Changes;
use super::completion::OneModel;
use super::paths::Departure;
use super::run::Run;
use crate::coverage::Fresh;
use crate::search::{Clock, StateId};
use crate::sources::fuzz::Input;
use crate::sources::{FuzzingNews, RunView};
use homi_config::Usage;
use homi_ir::program::Program;
use homi_machine::exec::SizeMismatch;
use homi_machine::exec::{
    Example, Host, MutedConsole, Observer, Step, Termination, Underapproximation, World,
};
use homi_machine::host::{ProgramArguments, set_up};
use homi_machine::state::{CoveredFirst, GivenObjects, ProgramPoint, State};
use homi_native::testcase::WriteError;
use homi_solver::term::{Model, Terms};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Run<'_, '_> {
    /// Adds the coverage of a fuzzing run, except what earlier runs have: each run begins with
    /// nothing covered, and a fuzzing run finds something only if no run had it.
    fn absorb_fuzzing_run(&mut self, seen: &mut Observer) -> Fresh {
        let earlier = self.parts.context.earlier_coverage;
        let observer = &mut self.progress.observer;
        for segment in seen.new_segments.drain(..) {
            if earlier.is_some_and(|earlier| earlier.segments.contains(segment)) {
                continue;
            }
            self.sharing.enter(segment, observer);
        }
        for side in seen.new_sides.drain(..) {
            if !earlier.is_some_and(|earlier| earlier.sides.contains(side)) {
                observer.take_side(side);
            }
        }
        self.absorb_coverage()
    }
}

impl RunView for Run<'_, '_> {
    fn clock(&self) -> Clock {
        Run::clock(self)
    }

    fn usage(&self) -> Usage {
        Usage {
            time: self.spending.clock.now(),
            instructions: (self.spending)
                .instructions_of_slice(self.progress.observer.instructions),
            work: self.work_of_slice(),
        }
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
        self.cached.last().and_then(|id| self.state(id))
    }

    fn host(&self) -> &dyn Host {
        self.bench.host
    }

    fn is_side_new(&self, side: u32) -> bool {
        let earlier = self.parts.context.earlier_coverage;
        let progress = &self.progress;
        progress.coverage.is_user_side(side)
            && !progress.observer.sides.contains(side)
            && !earlier.is_some_and(|earlier| earlier.sides.contains(side))
    }

    fn branches_covered(&self) -> usize {
        self.branches() as usize
    }

    fn instructions_left(&self) -> u64 {
        self.spending
            .budget
            .instructions_left(self.usage_for_budget())
    }

    fn work_left(&self) -> u64 {
        let left = self.spending.budget.work_left(self.usage_for_budget().work);
        left.unwrap_or(u64::MAX)
    }

    fn is_interrupted(&self) -> bool {
        self.bench.signals.interrupt.load(Ordering::Relaxed)
    }

    fn add_state(&mut self, state: Box<State>) {
        self.progress
            .observer
            .underapproximations
            .learn(&state.underapproximations);
        self.add_states(vec![state]);
    }

    fn set_model(&mut self, id: StateId, model: Model) {
        if let Some(state) = self.progress.states.get_mut(&id) {
            state.model = model;
        }
    }

    fn follow(&mut self, id: StateId, tests: Option<Arc<Vec<Arc<GivenObjects>>>>) {
        if let Some(state) = self.progress.states.get_mut(&id) {
            state.input.follows = tests;
        }
    }

    fn take_size_mismatches(&mut self) -> Vec<SizeMismatch> {
        std::mem::take(&mut self.progress.observer.size_mismatches)
    }

    fn forget_new(&mut self, id: StateId) {
        if let Some(state) = self.progress.states.get_mut(&id) {
            state.metrics.covered_new = false;
            state.covered_first.claim();
        }
    }

    fn execute(&mut self, state: &mut State, most: u64) -> Step {
        let world = World {
            host: self.bench.host,
            console: &mut MutedConsole,
        };
        self.limit_solver_work(self.usage_for_budget());
        let (solver_session, observer) =
            (&mut *self.bench.solver_session, &mut self.progress.observer);
        // It is the run's loss once the state is the run's.
        let underapproximations = observer.underapproximations.clone();
        let executor = self.bench.executor;
        let step = executor.run(state, solver_session, world, observer, most);
        observer.underapproximations = underapproximations;
        step
    }

    fn execute_again(&mut self, state: &mut State, most: u64) -> Option<Step> {
        self.limit_solver_work(self.usage_for_budget());
        self.bench.solver_session.was_cut_off();
        let step = self.execute_path_again(state, most);
        (!self.bench.solver_session.was_cut_off()).then_some(step)
    }

    fn check_again(&mut self, state: &mut State) -> Option<bool> {
        self.bench.solver_session.was_cut_off();
        let checked = self.check_path_again(state);
        (!self.bench.solver_session.was_cut_off()).then_some(checked)
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
        let before = observer.instructions;
        let step = executor.run(state, &mut OneModel, world, observer, most);
        (self.spending.work).note_concrete(observer.instructions - before);
        step
    }

    fn first_state(&self, arguments: &[Vec<u8>]) -> Option<State> {
        let executor = self.bench.executor;
        let program = executor.program();
        let entry = program.runtime_entry.unwrap_or(program.entry);
        let mut state = executor.initial_state(entry, &[]);
        let given = ProgramArguments {
            arguments: arguments.to_vec(),
            environment: self.bench.image?.environment().to_vec(),
        };
        set_up(program, &mut state, &given).ok()?;
        Some(state)
    }

    fn finish_fuzzing_run(
        &mut self,
        mut state: State,
        termination: &Termination,
        seen: &mut Observer,
        arguments: Option<Vec<Vec<u8>>>,
    ) -> Result<FuzzingNews, WriteError> {
        let fresh = self.absorb_fuzzing_run(seen);
        let is_bug = matches!(termination, Termination::Bug(_));
        if fresh.is_empty() && !is_bug && !state.input.is_disputed {
            return Ok(FuzzingNews::default());
        }
        state.tags.sequence = self.parts.sequence(self.progress.next_id);
        self.progress.next_id += 1;
        state.metrics.covered_new = !fresh.is_empty();
        state.covered_first = CoveredFirst::of(&fresh.sides, &fresh.segments);
        self.note_covered(&fresh);
        let branches = fresh.sides.len();
        let departure = Departure {
            hurry: true,
            fuzzing_run: true,
            ..Departure::default()
        };
        let others = arguments.map(|mut arguments| {
            if let Some(first) = arguments.first_mut() {
                *first = self.bench.executor.program().name.as_bytes().to_vec();
            }
            self.parts.results.replace_arguments(Some(arguments))
        });
        let finished = self.finish(&state, termination, departure);
        if let Some(others) = others {
            self.parts.results.replace_arguments(others);
        }
        let test = finished?;
        Ok(FuzzingNews {
            covered_new: (!fresh.is_empty())
                .then(|| Input::new(&state.symbolics.objects, &state.model)),
            branches,
            test,
        })
    }

    fn discard(&mut self, states: &[StateId], why: &str) {
        self.update_search(Changes {
            removed: states,
            ..Changes::default()
        });
        for id in states {
            if let Some(state) = self.progress.states.remove(id) {
                self.note_others_left(&state, why);
            }
        }
    }

    fn note_others_left(&mut self, state: &State, why: &str) {
        self.note_dropped(state, Underapproximation::Pruned, Example::note(why));
    }

    fn note_dropped_path(&mut self, at: ProgramPoint) {
        let at = (Underapproximation::Memory, at.function, at.pc);
        let why = || Example::note("it left memory, and its path was not found again");
        self.progress.observer.underapproximations.note(at, why);
    }

    fn message(&mut self, text: &str) {
        self.bench.log.lock().message(text);
    }

    fn report_seed(&mut self, input: Input) {
        self.seed_inputs.push(input);
    }

    fn report_longer_input(&mut self, input: Input) {
        self.longer_inputs.push(input);
    }
}
