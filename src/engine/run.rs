//! The loop: choose a state, run it for a turn, tell the search what happened, turn what ended into tests.
//!
//! Invariant: every state of `states` is known to the searcher, and no other; ids are given in order of
//! creation. With budgets in instructions nothing in here depends on time.

use super::measure::Measure;
use super::memory;
use super::prover::Prover;
use super::sink::{Finishing, TestSink, branch_table};
use super::stop::{Budget, StopReason};
use super::watch::{Watch, WatchLimits};
use crate::config::RunConfig;
use crate::coverage::{Coverage, Fresh, Totals};
use crate::exec::{EarlyReason, Executor, Observer, Step, Termination, World};
use crate::expr::Terms;
use crate::report::{Log, Snapshot};
use crate::search::{self, Added, Clock, Searcher, StateId, Update};
use crate::state::State;
use crate::testcase::{BranchEntry, WriteError};
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Instructions of a turn if batches have no limit in instructions.
const LONGEST_TURN: u64 = 1 << 20;
/// Terms made since the last sweep that make a sweep worth while even without memory pressure.
const TERMS_BEFORE_SWEEP: u64 = 8 << 20;
/// Shares of the memory limit: where relief starts, where dropping caches must get to, where giving up
/// states must get to.
const RELIEF_STARTS: f64 = 0.93;
const CACHES_SUFFICE: f64 = 0.78;
const STATES_DOWN_TO: f64 = 0.72;
/// Share of the memory limit that terms must hold for a sweep under pressure: it visits every state.
const TERMS_WORTH_SWEEPING: f64 = 0.08;
/// States given up together: neighbours by age share memory, which only the last of them frees.
const GIVE_UP_TOGETHER: usize = 32;

/// What a run works with.
pub struct Parts<'r, 'p> {
    pub executor: &'r Executor<'p>,
    pub terms: &'r Terms,
    pub prover: &'r mut dyn Prover,
    pub world: &'r mut dyn World,
    pub log: &'r RefCell<Log>,
    pub sink: TestSink,
    pub config: &'r RunConfig,
    /// Makes the executor leave its loop; set by the watch and by the user's request to stop.
    pub interrupt: Arc<AtomicBool>,
    /// The user asked to stop.
    pub stop_requested: Arc<AtomicBool>,
}

/// How a run went.
pub struct Outcome {
    pub reason: StopReason,
    pub sink: TestSink,
    pub totals: Totals,
    pub instructions: u64,
    pub states_peak: u64,
    pub memory_peak: u64,
    pub wall: Duration,
    /// User and system time of all processes, in seconds.
    pub cpu_seconds: f64,
}

/// A run under way.
pub struct Engine<'r, 'p> {
    parts: Parts<'r, 'p>,
    observer: Observer,
    coverage: Coverage,
    measure: Measure,
    searcher: Box<dyn Searcher>,
    states: BTreeMap<StateId, Box<State>>,
    next_id: usize,
    states_peak: usize,
    forks: u64,
    budget: Budget,
    watch: Watch,
    start: Instant,
    /// Chooses the states to give up under memory pressure.
    generator: Pcg64,
    /// A path was given up before its end, so that running out of states is not exhaustion.
    gave_up: bool,
    /// Resident bytes before the first instruction: what no state can give back.
    memory_at_start: f64,
    bug_seen: bool,
    /// The state that ran last.
    last: Option<StateId>,
}

impl<'r, 'p> Engine<'r, 'p> {
    /// Prepares a run that starts with `initial`; time counts from `start`.
    pub fn new(parts: Parts<'r, 'p>, initial: State, start: Instant) -> Self {
        let executor = parts.executor;
        let program = executor.program();
        let config = parts.config;
        let budget = Budget::new(&config.budget);
        let limits = WatchLimits {
            deadline: budget.time().map(|time| start + time),
            memory: (config.budget.memory as f64 * RELIEF_STARTS) as u64,
        };
        let entry = initial.frames.top().function;
        let mut engine = Self {
            observer: Observer::new(executor.segments(), entry),
            coverage: Coverage::new(program, executor.segments(), config.search.scope),
            measure: Measure::new(program, &config.search),
            searcher: search::build(&config.search),
            states: BTreeMap::new(),
            next_id: 0,
            states_peak: 0,
            forks: 0,
            budget,
            watch: Watch::start(limits, Arc::clone(&parts.interrupt)),
            start,
            generator: Pcg64::new(u128::from(config.search.seed), 0x5851_f42d_4c95_7f2d),
            gave_up: false,
            memory_at_start: memory::resident_bytes() as f64,
            bug_seen: false,
            last: None,
            parts,
        };
        engine.parts.prover.set_deadline(limits.deadline);
        engine.refresh_distances();
        engine.add_states(None, vec![initial]);
        engine
    }

    /// The lines of the `info` file about the search.
    pub fn describe_search(&self) -> String {
        self.searcher.describe()
    }

    /// The table of the user's branches.
    pub fn branch_table(&self) -> Vec<BranchEntry> {
        let segments = self.parts.executor.segments();
        branch_table(self.parts.executor.program(), |branch| {
            let site = crate::program::BranchId(branch);
            self.coverage.is_own_side(segments.side(site, 0))
        })
    }

    /// Runs until something says stop, then writes the tests of open states.
    pub fn run(mut self) -> Outcome {
        let mut reason = match self.explore() {
            Ok(reason) => reason,
            Err(error) => StopReason::WriteFailed(error),
        };
        if !matches!(reason, StopReason::WriteFailed(_))
            && let Err(error) = self.finish_open_states()
        {
            reason = StopReason::WriteFailed(error);
        }
        self.parts.log.borrow_mut().status.clear();
        self.watch.look();
        Outcome {
            reason,
            totals: self.coverage.totals(),
            instructions: self.observer.instructions,
            states_peak: self.states_peak as u64,
            memory_peak: self.watch.peak(),
            wall: self.start.elapsed(),
            cpu_seconds: memory::cpu_seconds(),
            sink: self.parts.sink,
        }
    }

    /// Algorithm 1: the loop.
    fn explore(&mut self) -> Result<StopReason, WriteError> {
        loop {
            let now = self.start.elapsed();
            let tests = self.parts.sink.tests();
            if let Some(reason) = self.budget.check(now, self.observer.instructions, tests) {
                return Ok(reason);
            }
            if self.parts.interrupt.swap(false, Ordering::Relaxed) {
                if self.parts.stop_requested.load(Ordering::Relaxed) {
                    return Ok(StopReason::Interrupted);
                }
                if self.watch.take_memory_reached()
                    && let Some(reason) = self.relieve_memory()?
                {
                    return Ok(reason);
                }
            }
            if self.bug_seen && self.parts.config.budget.exit_on_error {
                return Ok(StopReason::ErrorFound);
            }
            if self.parts.log.borrow().status.is_due(now) {
                let snapshot = self.snapshot(now);
                self.parts.log.borrow_mut().status.show(&snapshot);
            }
            if self.parts.terms.made_since_sweep() > TERMS_BEFORE_SWEEP {
                self.collect_terms();
            }
            self.refresh_distances();
            let Some(id) = self.searcher.select(self.clock()) else {
                return Ok(if self.gave_up {
                    StopReason::NoStatesLeft
                } else {
                    StopReason::Exhausted
                });
            };
            self.turn(id)?;
        }
    }

    fn clock(&self) -> Clock {
        Clock {
            instructions: self.observer.instructions,
            time: self.start.elapsed(),
        }
    }

    fn refresh_distances(&mut self) {
        let time = self.start.elapsed();
        let executor = self.parts.executor;
        if self
            .measure
            .refresh(executor, &self.observer, &self.coverage, time)
        {
            let (measure, states, observer) = (&mut self.measure, &self.states, &self.observer);
            self.searcher
                .reweigh(&mut |id| Some(measure.of(states.get(&id)?, executor, observer)));
        }
    }

    /// Runs one state until it forks, ends or its turn is over.
    fn turn(&mut self, id: StateId) -> Result<(), WriteError> {
        let batch = match self.parts.config.search.batch_instructions {
            0 => LONGEST_TURN,
            batch => batch,
        };
        let slice = batch.min(self.budget.instructions_left(self.observer.instructions));
        let may_fork = self.may_fork();
        if let Some(last) = self.last.replace(id)
            && last != id
            && let Some(state) = self.states.get_mut(&last)
        {
            state.memory.trim();
        }
        let Some(state) = self.states.get_mut(&id) else {
            // The searcher named a state that has left: forget it there too.
            debug_assert!(false, "the searcher chose {id}, which does not exist");
            self.update_search(None, &[], &[id]);
            return Ok(());
        };
        let before = state.metrics;
        let forking = state.forking;
        state.forking &= may_fork;
        let solver_before = self.parts.prover.time();
        let mut step = self.parts.executor.run(
            state,
            &mut *self.parts.prover,
            &mut *self.parts.world,
            &mut self.observer,
            slice,
        );
        if !may_fork {
            state.forking = forking;
        }
        let solver_time = self.parts.prover.time().saturating_sub(solver_before);
        state.metrics.solver_seconds += solver_time.as_secs_f64();
        let fresh = self.coverage.absorb(&mut self.observer);
        // The executor counts any code as new; tests, and searches if told so, only the user's own.
        let executed = state.metrics.instructions - before.instructions;
        let own = |metrics: &mut crate::state::Metrics| {
            if !fresh.for_search {
                metrics.instructions_since_new = match before.instructions_since_new {
                    0 => 0,
                    count => count + executed,
                };
            }
        };
        own(&mut state.metrics);
        state.metrics.covered_new = before.covered_new || !fresh.is_empty();
        if let Step::Forked(siblings) = &mut step {
            for sibling in siblings {
                own(&mut sibling.metrics);
                // The executor credits a sibling with any code that it is first to enter, the kernel's too.
                sibling.metrics.covered_new &= !fresh.is_empty();
                sibling.metrics.solver_seconds = state.metrics.solver_seconds;
                if !may_fork {
                    sibling.forking = forking;
                }
            }
        }
        let sequence = state.sequence;
        self.note_credit(sequence, &fresh);
        match step {
            Step::Continue => {
                self.update_search(Some(id), &[], &[]);
                Ok(())
            }
            Step::Forked(siblings) => {
                self.forks += siblings.len() as u64;
                self.add_states(Some(id), siblings);
                Ok(())
            }
            Step::Ended(termination) => self.end(id, &termination),
        }
    }

    fn may_fork(&self) -> bool {
        let limit = self.parts.config.budget.forks;
        limit == 0 || self.forks < limit
    }

    /// Remembers what a state covered first, for its test.
    fn note_credit(&mut self, sequence: u64, fresh: &Fresh) {
        if fresh.is_empty() {
            return;
        }
        let wants_lines = self.parts.sink.wants_lines();
        let credit = self.parts.sink.credit(sequence);
        credit.sides.extend(&fresh.sides);
        if wants_lines {
            let executor = self.parts.executor;
            for segment in &fresh.segments {
                let (function, start, end) = executor.segments().range(*segment);
                let locations = &executor.program().function(function).locations;
                for location in &locations[start as usize..end as usize] {
                    let location = executor.program().location(*location);
                    if location.line != 0 {
                        credit.lines.insert((location.file, location.line));
                    }
                }
            }
        }
    }

    /// Gives new states their numbers and tells the search.
    fn add_states(&mut self, parent: Option<StateId>, states: Vec<State>) {
        let mut added = Vec::with_capacity(states.len());
        for mut state in states {
            let id = StateId::new(self.next_id);
            state.sequence = self.next_id as u64;
            self.next_id += 1;
            let metrics = self.measure.of(&state, self.parts.executor, &self.observer);
            added.push(Added {
                id,
                parent,
                metrics,
            });
            self.states.insert(id, Box::new(state));
        }
        self.states_peak = self.states_peak.max(self.states.len());
        self.update_search(parent, &added, &[]);
    }

    fn update_search(&mut self, current: Option<StateId>, added: &[Added], removed: &[StateId]) {
        let current = current.and_then(|id| {
            let state = self.states.get(&id)?;
            let metrics = self.measure.of(state, self.parts.executor, &self.observer);
            Some((id, metrics))
        });
        let clock = self.clock();
        self.searcher.update(&Update {
            current,
            added,
            removed,
            clock,
        });
    }

    /// Takes a state out of the run and writes its test if it deserves one.
    fn end(&mut self, id: StateId, termination: &Termination) -> Result<(), WriteError> {
        let Some(state) = self.states.remove(&id) else {
            return Ok(());
        };
        self.update_search(None, &[], &[id]);
        if matches!(termination, Termination::Early(_) | Termination::Gap(_)) {
            self.gave_up = true;
        }
        self.finish(&state, termination, false)
    }

    fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        hurry: bool,
    ) -> Result<(), WriteError> {
        let mut run = Finishing {
            executor: self.parts.executor,
            terms: self.parts.terms,
            coverage: &self.coverage,
            prover: &mut *self.parts.prover,
            hurry,
        };
        let finished = self.parts.sink.finish(state, termination, &mut run)?;
        if let Termination::Bug(bug) = termination
            && finished.new_bug
        {
            self.bug_seen = true;
            let place = self
                .parts
                .executor
                .program()
                .describe_location(bug.location);
            let test = finished.test.as_deref().unwrap_or("no test");
            let text = format!("ERROR: {place}: {} ({test})", bug.message);
            self.parts.log.borrow_mut().message(&text);
        }
        Ok(())
    }

    /// Writes the tests of states that are still open. After `halt_time` they are no longer polished.
    fn finish_open_states(&mut self) -> Result<(), WriteError> {
        let halt_time = self.parts.config.budget.halt_time;
        let deadline = Instant::now() + halt_time;
        self.parts.prover.set_deadline(Some(deadline));
        let mut open = std::mem::take(&mut self.states);
        // Those that show something come first, in case time or disk run out.
        let (first, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut open)
            .into_iter()
            .partition(|(_, state)| state.metrics.covered_new || state.ending.is_some());
        for (_, mut state) in first.into_iter().chain(rest) {
            let termination = match state.ending.take() {
                Some(ending) => *ending,
                None => Termination::Early(EarlyReason::Interrupted),
            };
            if !self.parts.config.tests.dump_open {
                self.parts.sink.paths.early += 1;
                continue;
            }
            let now = Instant::now();
            if now >= deadline + halt_time {
                // Writing itself is too slow (a network disk, say): leave the rest.
                self.parts.sink.paths.early += 1;
                continue;
            }
            self.finish(&state, &termination, now >= deadline)?;
        }
        Ok(())
    }

    fn snapshot(&self, time: Duration) -> Snapshot {
        let totals = self.coverage.totals();
        Snapshot {
            time,
            instructions: self.observer.instructions,
            states: self.states.len(),
            tests: self.parts.sink.tests(),
            bugs: self.parts.sink.bug_count(),
            branches: totals.branches,
            branches_total: totals.branches_total,
            solver_share: self.parts.prover.time().as_secs_f64() / time.as_secs_f64().max(1e-3),
            memory: self.watch.resident(),
        }
    }

    // ---- memory ----

    /// Frees the terms that no state can reach.
    fn collect_terms(&mut self) {
        self.parts.prover.trim();
        let terms = self.parts.terms;
        terms.begin_mark();
        let mut visited: FxHashSet<usize> = FxHashSet::default();
        for state in self.states.values() {
            state.visit_register_terms(|term| terms.mark(term));
            state
                .memory
                .mark_terms(&mut |part| visited.insert(part), &mut |term| {
                    terms.mark(term);
                });
            state.path.mark(terms);
        }
        terms.sweep();
    }

    /// Brings memory below the limit: first what can be computed again, then states.
    fn relieve_memory(&mut self) -> Result<Option<StopReason>, WriteError> {
        let limit = self.parts.config.budget.memory as f64;
        if self.parts.terms.memory() as f64 > limit * TERMS_WORTH_SWEEPING {
            self.collect_terms();
        } else {
            self.parts.prover.trim();
        }
        memory::release_freed();
        let mut resident = self.watch.look() as f64;
        if resident <= limit * CACHES_SUFFICE {
            return Ok(None);
        }
        while resident > limit * STATES_DOWN_TO {
            if self.states.len() <= 1 {
                if resident <= limit * RELIEF_STARTS {
                    return Ok(None);
                }
                let last = self.states.keys().next().copied();
                if let Some(id) = last {
                    self.end(id, &Termination::Early(EarlyReason::OutOfMemory))?;
                }
                return Ok(Some(StopReason::OutOfMemory));
            }
            let excess = resident - limit * STATES_DOWN_TO;
            let held = (resident - self.memory_at_start).max(excess);
            let count = (self.states.len() as f64 * excess / held).ceil() as usize;
            let count = count.clamp(1, self.states.len() - 1);
            self.give_up_states(count)?;
            memory::release_freed();
            resident = self.watch.look() as f64;
        }
        Ok(None)
    }

    /// Ends `count` states, those that covered something new last.
    fn give_up_states(&mut self, count: usize) -> Result<(), WriteError> {
        let groups = self.states.len().div_ceil(GIVE_UP_TOGETHER);
        let order: Vec<u64> = (0..groups).map(|_| self.generator.random()).collect();
        let mut victims: Vec<(bool, u64, StateId)> = self
            .states
            .iter()
            .enumerate()
            .map(|(position, (id, state))| {
                let group = order[position / GIVE_UP_TOGETHER];
                (state.metrics.covered_new, group, *id)
            })
            .collect();
        victims.sort_unstable();
        let text = format!(
            "memory limit: giving up {count} of {} states",
            victims.len()
        );
        self.parts
            .log
            .borrow_mut()
            .warning_once("memory limit", &text);
        for (_, _, id) in victims.into_iter().take(count) {
            self.end(id, &Termination::Early(EarlyReason::OutOfMemory))?;
        }
        Ok(())
    }
}
