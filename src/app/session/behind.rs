//! Exploration behind library calls that give something else natively: the path of a divergence
//! goes on with the native result.
//!
//! Invariant: the native result holds for the input of its test alone, so the path keeps the bytes
//! that the call depends on, which the run's record of what it lost says.

use super::call_trace::{CallTrace, MOST_INSTRUCTIONS};
use super::causes::{Explained, ImposedResults};
use super::concrete::objects_of;
use super::exploration::{Exploration, FirstThread};
use super::explore::Explored;
use super::standalone::first_state;
use homi_config::Budget;
use homi_explore::engine::{EarlierCoverage, Engine, Parts, Policies, RunContext, StopReason};
use homi_explore::sources::{EntryState, FromEntryState};
use homi_machine::exec::keep_native_input;
use homi_machine::exec::{MutedConsole, Observer, Step, Underapproximations, World};
use homi_machine::state::{Siblings, SideSet, State, WantedObject};
use homi_native::replay::NativeResult;
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::tests_in;
use homi_solver::term::{Byte, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Explorations behind calls in one run.
const MOST_EXPLORED: usize = 16;

/// Explorations behind library calls so far.
#[derive(Default)]
pub(super) struct Behind {
    /// Native results for the tests that were made there.
    imposed: ImposedResults,
    /// Causes of divergences that have been followed.
    causes: BTreeSet<String>,
}

impl Behind {
    pub(super) fn imposed(&self) -> &ImposedResults {
        &self.imposed
    }
}

impl Exploration<'_> {
    /// Explores behind the calls that are causes of divergences, while there is time. Returns true
    /// if it explored behind one.
    pub(super) fn explore_behind(
        &self,
        first: &mut FirstThread<'_>,
        explored: &mut Explored,
        found: Vec<Explained>,
        behind: &mut Behind,
    ) -> bool {
        let mut went_on = false;
        for one in found {
            let is_new = !behind.causes.contains(&one.cause);
            if !is_new || behind.causes.len() >= MOST_EXPLORED || !self.goes_on(explored) {
                continue;
            }
            behind.causes.insert(one.cause.clone());
            let before: BTreeSet<PathBuf> = self.tests().collect();
            if !self.follow_native_result(first, explored, &one) {
                continue;
            }
            went_on = true;
            for test in self.tests().filter(|test| !before.contains(test)) {
                let name = test.file_stem().unwrap_or_default().to_string_lossy();
                behind
                    .imposed
                    .insert(name.into_owned(), one.imposed.clone());
            }
        }
        went_on
    }

    fn tests(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let tests = tests_in(self.output.directory.path());
        tests.unwrap_or_default().into_iter()
    }

    /// True if a run is over and has time left. With budgets in work or instructions nothing that
    /// the native program does changes what is explored.
    fn goes_on(&self, explored: &Explored) -> bool {
        let config = &self.config;
        let has_time = match config.budget.time {
            Budget::Time(limit) => limit.is_zero() || self.plan.times.clock.elapsed() < limit,
            Budget::Instructions(_) | Budget::Work(_) => false,
        };
        let reason = &explored.outcome.reason;
        let is_over = reason.is_exhausted() || matches!(reason, StopReason::NoStatesLeft);
        let is_special = config.concolic.is_some()
            || config.property.is_some()
            || config.search.target.is_some()
            || self.loaded.resumption.is_some()
            || self.plan.caller.job.is_some();
        has_time && is_over && config.budget.instructions == 0 && !is_special
    }

    /// Explores from the state behind one call. Returns false if its native result does not fit.
    fn follow_native_result(
        &self,
        first: &mut FirstThread<'_>,
        explored: &mut Explored,
        one: &Explained,
    ) -> bool {
        let file = self.output.directory.file(&format!("{}.ktest", one.test));
        let Ok(test) = KTest::read(&file) else {
            return false;
        };
        let mut observer = explored.outcome.observer.clone();
        let found = self.state_behind(first, (&test, &one.imposed), &mut observer);
        let Some((state, lost)) = found else {
            return false;
        };
        let text = format!("going on behind {} ({})", one.cause, one.test);
        self.output.log.lock().message(&text);
        observer.underapproximations.add(&lost);
        let entry_state = EntryState { state, observer };
        let mut console = self.output.console();
        let signals = self.world.caller.signals.of_one_session();
        let (executor, solver) = (&first.executor, &mut first.solver);
        let bench = self.context((executor, first.terms), solver, &mut console, signals);
        let mut policies = Policies::of(&self.config, &self.world.caller.policies);
        policies.sources = vec![Box::new(FromEntryState::new(&entry_state))];
        let start = self.plan.times.clock;
        let (sides, segments) = covered(&entry_state.observer);
        let earlier_coverage = Some(EarlierCoverage {
            sides: &sides,
            segments: &segments,
            branches: explored.outcome.totals.branches,
            known_to_searches: true,
        });
        let parts = Parts {
            results: explored.outcome.results.for_thread(),
            policies,
            config: &self.config,
            context: RunContext {
                earlier_coverage,
                ..RunContext::alone(start)
            },
            shared_exploration: None,
        };
        let behind = Engine::new(bench, parts, &entry_state, start).run();
        let outcome = &mut explored.outcome;
        outcome.add(&behind);
        outcome.underapproximations.add(&lost);
        outcome.states_peak = outcome.states_peak.max(behind.states_peak);
        let (sides, segments) = covered(&behind.observer);
        let totals = self.coverage.totals_of(&sides, &segments);
        if totals.branches >= outcome.totals.branches {
            (outcome.totals, outcome.observer) = (totals, behind.observer);
        }
        outcome.reason = match behind.reason {
            StopReason::Exhausted(_)
            | StopReason::ExhaustedUnderapproximated
            | StopReason::NoStatesLeft => StopReason::without_states(&outcome.underapproximations),
            reason => reason,
        };
        true
    }

    /// Returns the state of a test's path behind the last call with a native result, and what is
    /// lost there.
    fn state_behind(
        &self,
        first: &mut FirstThread<'_>,
        (test, imposed): (&KTest, &[NativeResult]),
        observer: &mut Observer,
    ) -> Option<(State, Underapproximations)> {
        let FirstThread {
            executor,
            solver,
            terms,
            ..
        } = first;
        let mut state = first_state(executor, &self.world.arguments_of(test)).ok()?;
        let forks = state.forks;
        // Only the path of the test is wanted.
        state.forks.enabled = false;
        let given = objects_of(test);
        state.input.follows = Some(given);
        let mut trace = CallTrace::new(&self.loaded.program, terms, imposed);
        let most = observer.instructions + MOST_INSTRUCTIONS;
        let mut lost = Underapproximations::default();
        let mut call = None;
        while trace.imposed_left() > 0 || call.is_some() {
            if observer.instructions > most || trace.is_full() {
                return None;
            }
            trace.before_step(&state);
            if let Some(function) = trace.next_imposed() {
                let top = state.frames.top();
                let place = (top.function, top.pc);
                call = Some((
                    function,
                    place,
                    trace.given_terms(&state),
                    state.path.clone(),
                ));
            }
            let world = World {
                host: &self.world.host,
                console: &mut MutedConsole,
            };
            match executor.run(&mut state, solver, world, observer, 1) {
                Step::Continue => {}
                Step::Forked(siblings) => state = self.state_of(test, state, siblings, terms)?,
                Step::Ended(_) | Step::Absent(_) => return None,
            }
            let left = trace.imposed_left();
            trace.after_step(&mut state);
            if trace.has_failed() {
                return None;
            }
            if trace.imposed_left() < left {
                let (function, place, mut given, path) = call.take()?;
                given.extend(trace.take_replaced());
                given.extend(state.path.since(&path)?);
                let kept = keep_native_input(&mut state, (terms, &given), place, function);
                lost.add(&kept);
            }
        }
        state.forks = forks;
        state.input.follows = None;
        Some((state, lost))
    }

    /// Returns the one of a state and its siblings that takes a test's way.
    fn state_of(
        &self,
        test: &KTest,
        state: State,
        siblings: Siblings,
        terms: &Terms,
    ) -> Option<State> {
        let given = objects_of(test);
        let mut model = state.model.clone();
        let made = &state.symbolics.objects;
        let mut names = BTreeMap::new();
        for (number, object) in made.iter().enumerate() {
            let (name, size) = (&object.name, object.size);
            let earlier = names.entry(name).or_insert(0);
            let found = given.first()?.find(WantedObject {
                name,
                size,
                earlier: *earlier,
                before: &made[..number],
            })?;
            *earlier += 1;
            for (index, value) in (0..size).zip(&found.bytes) {
                let array = object.array;
                model.set(Byte { array, index }, *value);
            }
        }
        let siblings = siblings.into_iter().map(|sibling| *sibling);
        let mut states = std::iter::once(state).chain(siblings);
        let mut taken = states.find(|one| one.ending.is_none() && one.admits(terms, &model))?;
        taken.model = model;
        Some(taken)
    }
}

/// Returns the covered sides and segments of an observer.
fn covered(observer: &Observer) -> (SideSet, SideSet) {
    let mut segments = SideSet::default();
    for (segment, entries) in (0..).zip(&observer.segment_entries) {
        if *entries > 0 {
            segments.insert(segment);
        }
    }
    (observer.sides.clone(), segments)
}
