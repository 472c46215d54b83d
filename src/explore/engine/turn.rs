//! One turn: a state runs, the search and the coverage hear of it, and what ended becomes a test.

use super::cut_off::is_last;
use super::run::Engine;
use super::subsuming::Arrived;
use crate::explore::coverage::{Fresh, TurnNews};
use crate::explore::search::{Added, Fork, Left, StateId, Update};
use crate::ir::util::clock::Moment;
use crate::machine::exec::{Absent, Step, World};
use crate::machine::state::{Metrics, Siblings, State};
use crate::native::testcase::WriteError;
use crate::report::Answer;
use rustc_hash::FxHashSet;

/// Mentions of states that ran or were forked, for each that keeps its cache, after which their
/// number is looked at.
const MENTIONS: usize = 4;

/// What the search is told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Changes<'c> {
    /// The state that ran, if it goes on.
    pub(super) current: Option<StateId>,
    pub(super) added: &'c [Added],
    pub(super) removed: &'c [StateId],
    pub(super) left: Option<Left>,
    /// Own sides of the path that ended, if the search wants to know.
    pub(super) taken: &'c [u32],
}

impl Engine<'_, '_> {
    /// Runs one state until it forks, ends or its turn is over. `retraced`: its path is that of an
    /// earlier test from which all was learned.
    pub(super) fn turn(&mut self, id: StateId, retraced: bool) -> Result<(), WriteError> {
        let batch = match self.parts.config.search.batch_instructions {
            0 => self.bench.tuning.engine.longest_turn,
            batch => batch,
        };
        let spent = self.spent_for_budget();
        self.limit_solver_work(spent);
        let slice = batch.min(self.budget.instructions_left(spent));
        let may_fork = self.may_fork();
        if let Some(last) = self.last.replace(id)
            && last != id
        {
            self.keep_warm(last);
        }
        let least = self.wants_least_inputs();
        let mut before_turn = self.before_turn(id);
        if least && !self.begins_on_least_input(id) {
            if let Some(before) = before_turn.filter(|_| self.bench.prover.was_cut_off()) {
                self.drop_cut_turn(id, before);
            }
            return Ok(());
        }
        if self.begins_at_start(id) {
            match self.run_from_start(id) {
                Ok(()) => self.update_search(Changes {
                    current: Some(id),
                    ..Changes::default()
                }),
                Err(absent) => self.leave_absent(id, absent),
            }
            return Ok(());
        }
        let work_of_arrival = match self.arrive(id)? {
            Arrived::Runs { work } => work,
            Arrived::Left => return self.confirm_greedily(),
        };
        let Some(state) = self.progress.states.get_mut(&id) else {
            // The searcher named a state that has left: forget it there too.
            debug_assert!(false, "the searcher chose {id}, which does not exist");
            self.update_search(Changes {
                removed: &[id],
                ..Changes::default()
            });
            return Ok(());
        };
        let before = state.metrics;
        let fingerprint = state.decisions.fingerprint();
        // Reading the clock is a tenth of a short turn.
        let turn_start = self.parts.context.rewalked.is_some().then(Moment::now);
        let forking = state.forking;
        state.forking &= may_fork;
        let was_unasked = state.is_unasked();
        let input_before = least.then(|| state.model.clone());
        let before_asking = self.bench.prover.effort();
        let mut step = self.bench.executor.run(
            state,
            &mut *self.bench.prover,
            World {
                host: self.bench.host,
                console: &mut *self.bench.console,
            },
            &mut self.progress.observer,
            slice,
        );
        if !may_fork {
            state.forking = forking;
        }
        let first_new = self.progress.next_id;
        if before_turn.is_some() && !self.bench.prover.was_cut_off() {
            before_turn = None;
        }
        if is_last(&step)
            && let Some(before) = before_turn
        {
            self.drop_cut_turn(id, before);
            return Ok(());
        }
        if was_unasked {
            self.parts.results.tally.pending.note(answer_of(&step));
        }
        let effort = self.bench.prover.effort();
        let solver_time = effort.time.saturating_sub(before_asking.time);
        let work = effort.work - before_asking.work + work_of_arrival;
        state.metrics.solver_seconds += work as f64 * 1e-9;
        let call_path = state.frames.top().call_path;
        self.progress.measure.book(call_path, work);
        let others = self.parts.team.map(|member| &member.team.coverage);
        let news = self
            .progress
            .coverage
            .absorb(&mut self.progress.observer, others);
        // The executor counts any code as new; tests, and searches if told so, only the user's own.
        let executed = state.metrics.instructions - before.instructions;
        self.bench.prover.note_executed(executed);
        let news = news.as_ref();
        let shared = news.map(|news| &news.shared);
        let interests = |fresh: Option<&Fresh>| fresh.is_some_and(|fresh| fresh.for_search);
        let own = |metrics: &mut Metrics, fresh: Option<&Fresh>| {
            if !interests(shared) && !interests(fresh) {
                metrics.instructions_since_new = match before.instructions_since_new {
                    0 => 0,
                    count => count + executed,
                };
            }
        };
        own(&mut state.metrics, news.map(|news| &news.own));
        let first = news.is_some_and(|news| !news.shared.is_empty() || !news.own.is_empty());
        state.metrics.covered_new = before.covered_new || first;
        if let (Some(rewalked), Some(turn_start)) = (&mut self.parts.context.rewalked, turn_start) {
            let time = [turn_start.elapsed(), solver_time];
            rewalked.book(fingerprint, executed, time);
        }
        if let Step::Forked(siblings) = &mut step {
            for (place, sibling) in siblings.iter_mut().enumerate() {
                let fresh = news.and_then(|news| news.of_sibling(place));
                own(&mut sibling.metrics, fresh);
                // The executor credits a sibling with any code that it is first to enter, the
                // kernel's too.
                sibling.metrics.covered_new = fresh.is_some_and(|fresh| !fresh.is_empty());
                sibling.metrics.solver_seconds = state.metrics.solver_seconds;
                if !may_fork {
                    sibling.forking = forking;
                }
            }
        }
        if let Some(news) = news {
            credit(news, state, &mut step);
        }
        if let (Some(tree), Step::Forked(siblings)) = (&mut self.progress.subsumption, &mut step) {
            tree.forked(state, siblings);
        }
        if let Some(news) = news {
            let node = state.tree_node;
            for fresh in news.by_path() {
                let new = self.note_covered(fresh);
                if new > 0 {
                    self.note_news_of(node);
                }
            }
        }
        if let Some(input) = input_before {
            self.leave_bug_behind(id, &input, &step);
        }
        match step {
            Step::Continue => {
                self.update_search(Changes {
                    current: Some(id),
                    ..Changes::default()
                });
                if let Some(before) = before_turn {
                    self.keep_cut_turn(id, first_new, before);
                }
                Ok(())
            }
            Step::Forked(siblings) => {
                self.progress.forks += siblings.len() as u64;
                let pending = siblings.iter().filter(|sibling| sibling.is_unasked());
                self.parts.results.tally.pending.made += pending.count() as u64;
                let mut forks = std::mem::take(&mut self.progress.observer.forked_sides);
                self.add_forked(Some(id), siblings, &forks);
                // Its room is good for the next fork.
                forks.clear();
                self.progress.observer.forked_sides = forks;
                if let Some(before) = before_turn {
                    self.keep_cut_turn(id, first_new, before);
                }
                Ok(())
            }
            Step::Ended(termination) => {
                self.take_time_for_test();
                self.end(id, &termination, retraced)?;
                self.confirm_greedily()
            }
            Step::Absent(absent) => {
                if let Some(state) = self.progress.states.remove(&id) {
                    self.note_absent(&state, absent);
                }
                self.leave_absent(id, absent);
                Ok(())
            }
        }
    }

    /// Forgets a pending state that has no path.
    pub(super) fn leave_absent(&mut self, id: StateId, absent: Absent) {
        self.progress.states.remove(&id);
        self.update_search(Changes {
            removed: &[id],
            left: Some(match absent {
                Absent::Refuted => Left::Refuted(id),
                Absent::Unknown => Left::Unknown(id),
            }),
            ..Changes::default()
        });
    }

    /// Lets a state keep its access cache for a while, as one of the last that ran or were forked.
    pub(super) fn keep_warm(&mut self, id: StateId) {
        self.warm.push_back(id);
        if self.warm.len() >= MENTIONS * self.bench.tuning.engine.warm_states {
            self.cool();
        }
    }

    /// Takes their caches from the states that ran or were forked longest ago. Those that have left
    /// do not count: a depth-first search comes back to a few states after any number of paths, and
    /// all below them inherit what they remember.
    #[cold]
    pub(super) fn cool(&mut self) {
        let mut seen = FxHashSet::default();
        let mentions = std::mem::take(&mut self.warm);
        for id in mentions.into_iter().rev() {
            let Some(state) = self.progress.states.get_mut(&id) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            if self.warm.len() < self.bench.tuning.engine.warm_states {
                self.warm.push_front(id);
            } else if Some(id) != self.last {
                state.trim();
            }
        }
    }

    pub(super) fn may_fork(&self) -> bool {
        let limit = self.parts.config.budget.forks;
        limit == 0 || self.sums().forks < limit
    }

    /// Counts what was covered first. Returns the number of sides that no earlier run of the
    /// session has covered either.
    pub(super) fn note_covered(&mut self, fresh: &Fresh) -> u64 {
        if fresh.is_empty() {
            return 0;
        }
        self.progress.newly_covered.extend(&fresh.sides);
        self.bench
            .recorder
            .lock()
            .cover(fresh, &self.progress.coverage);
        let new = self.new_to_session(fresh);
        self.new_branches += new;
        let events = self.parts.results.events();
        if events.is_heard() {
            let total = self.progress.coverage.totals().branches_total;
            events.tell_coverage(self.branches(), total);
        }
        new
    }

    /// How many of the sides no earlier run of the session has covered.
    fn new_to_session(&self, fresh: &Fresh) -> u64 {
        let Some(earlier) = &self.parts.context.earlier_coverage else {
            return fresh.sides.len() as u64;
        };
        let new = fresh.sides.iter();
        let new = new.filter(|side| !earlier.sides.contains(**side));
        new.count() as u64
    }

    /// Gives new states their numbers and tells the search.
    pub(super) fn add_states(&mut self, parent: Option<StateId>, states: Siblings) {
        self.add_forked(parent, states, &[]);
    }

    /// The same for siblings; `forks` tells at which sides of branches of the program (see
    /// `Observer::forked_sides`).
    fn add_forked(
        &mut self,
        parent: Option<StateId>,
        states: Siblings,
        forks: &[(usize, u32, u32)],
    ) {
        let mut added = Vec::with_capacity(states.len());
        for (place, mut state) in states.into_iter().enumerate() {
            if parent.is_none() {
                self.note_begun(&mut state);
            }
            let id = StateId::new(self.progress.next_id);
            state.sequence = self.sequence(self.progress.next_id);
            self.progress.next_id += 1;
            let metrics =
                self.progress
                    .measure
                    .of(&state, self.bench.executor, &self.progress.observer);
            added.push(Added {
                id,
                parent,
                metrics,
                fork: fork_of(forks, place),
                pending: state.awaits.is_some(),
                ends: state.ending.is_some(),
            });
            if let Some(parent) = parent.and_then(|parent| self.progress.states.get(&parent)) {
                state.memory.warm_from(&parent.memory);
            }
            if let Some(re_execution) = &mut self.progress.re_execution
                && parent.is_some()
            {
                re_execution.note_new(id, &state);
            }
            self.progress.states.insert(id, state);
            self.keep_warm(id);
        }
        self.progress.states_peak = self.progress.states_peak.max(self.progress.states.len());
        self.update_search(Changes {
            current: parent,
            added: &added,
            ..Changes::default()
        });
    }

    /// Tells the search what has changed, and what has been covered since it was last told.
    pub(super) fn update_search(&mut self, changes: Changes<'_>) {
        let current = changes.current.and_then(|id| {
            let state = self.progress.states.get(&id)?;
            let metrics =
                self.progress
                    .measure
                    .of(state, self.bench.executor, &self.progress.observer);
            Some((id, metrics))
        });
        let clock = self.clock();
        self.progress.searcher.update(&Update {
            current,
            added: changes.added,
            removed: changes.removed,
            left: changes.left,
            covered: &self.progress.newly_covered,
            taken: changes.taken,
            clock,
        });
        self.progress.newly_covered.clear();
    }
}

/// The sides of the sibling at a place.
fn fork_of(forks: &[(usize, u32, u32)], place: usize) -> Option<Fork> {
    let found = forks.iter().find(|(sibling, ..)| *sibling == place);
    found.map(|&(_, kept, taken)| Fork { kept, taken })
}

/// What came of asking for the side of a pending state that was run.
fn answer_of(step: &Step) -> Answer {
    match step {
        Step::Absent(Absent::Refuted) => Answer::Refuted,
        Step::Absent(Absent::Unknown) => Answer::Unknown,
        Step::Continue | Step::Forked(_) | Step::Ended(_) => Answer::Possible,
    }
}

/// Gives what a turn covered first to the paths that did, for their tests.
pub(super) fn credit(news: &TurnNews, state: &mut State, step: &mut Step) {
    if news.is_empty() {
        return;
    }
    let add = |state: &mut State, fresh: &Fresh| {
        state.covered_first.push(&fresh.sides, &fresh.segments);
    };
    add(state, &news.shared);
    if let Step::Forked(siblings) = step {
        for (place, sibling) in siblings.iter_mut().enumerate() {
            sibling.covered_first = state.covered_first.clone();
            if let Some(fresh) = news.of_sibling(place) {
                add(sibling, fresh);
            }
        }
    }
    add(state, &news.own);
}
