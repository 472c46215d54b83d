//! One turn: a state runs, the search and the coverage hear of it, and what ended becomes a test.

use super::accounting::{Accounts, Began};
use super::cut_off::{BeforeTurn, is_last};
use super::run::Engine;
use super::workbench::Workbench;
use crate::explore::coverage::{Fresh, TurnNews};
use crate::explore::extensions::{Leaving, Ran, Turn};
use crate::explore::search::{Added, Fork, Left, StateId, Update};
use crate::machine::exec::{Absent, Observer, Step, World};
use crate::machine::state::{Siblings, State};
use crate::native::testcase::WriteError;
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
        let slice = self.instructions_of_turn();
        let may_fork = self.may_fork();
        self.note_chosen(id);
        let mut cut = self.before_turn(id);
        let Some(work_of_arrival) = self.may_run(id, &mut cut)? else {
            return Ok(());
        };
        let Some(state) = self.progress.states.get_mut(&id) else {
            self.forget_unknown(id);
            return Ok(());
        };
        let began = Began::with(state, &*self.bench.prover, work_of_arrival);
        let observer = &mut self.progress.observer;
        let mut step = execute(&mut self.bench, observer, state, slice, may_fork);
        let first_new = self.progress.next_id;
        if cut.is_some() && !self.bench.prover.was_cut_off() {
            cut = None;
        }
        if is_last(&step)
            && let Some(before) = cut
        {
            self.drop_cut_turn(id, before);
            return Ok(());
        }
        let accounts = Accounts {
            prover: &mut *self.bench.prover,
            observer: &mut self.progress.observer,
            coverage: &mut self.progress.coverage,
            measure: &mut self.progress.measure,
            pending: &mut self.parts.results.tally.pending,
            others: self.parts.team.map(|member| &member.team.coverage),
        };
        let news = accounts.book(state, &mut step, &began);
        let mut ran = Ran {
            id,
            decisions_before: began.decisions,
            instructions: began.executed(state),
            step: &mut step,
        };
        self.extensions_hear_of(&mut ran);
        if let Some(news) = news {
            self.tell_news(&news, id);
        }
        let goes_on = matches!(step, Step::Continue | Step::Forked(_));
        self.follow_step(id, step, retraced)?;
        if goes_on && let Some(before) = cut {
            self.keep_cut_turn(id, first_new, before);
        }
        Ok(())
    }

    /// The most instructions that the next turn may take. Holds the solver to what is left, too.
    fn instructions_of_turn(&mut self) -> u64 {
        let batch = match self.parts.config.search.batch_instructions {
            0 => self.bench.tuning.engine.longest_turn,
            batch => batch,
        };
        let spent = self.spent_for_budget();
        self.limit_solver_work(spent);
        batch.min(self.budget.instructions_left(spent))
    }

    /// A state is the last one that was chosen to run.
    fn note_chosen(&mut self, id: StateId) {
        if let Some(last) = self.last.replace(id)
            && last != id
        {
            self.keep_warm(last);
        }
    }

    /// Whether a chosen state runs on in this turn. If so, finding that out took the solver so many
    /// nanoseconds, counted, which are the turn's; if not, the state has left, or the turn was spent
    /// on it.
    fn may_run(
        &mut self,
        id: StateId,
        cut: &mut Option<BeforeTurn>,
    ) -> Result<Option<u64>, WriteError> {
        match self.extensions_before_turn(id)? {
            Turn::Runs => Ok(Some(0)),
            Turn::RunsAfter(work) => Ok(Some(work)),
            Turn::Over => Ok(None),
            Turn::Absent(absent) => {
                self.leave_pending(id, absent);
                if let Some(before) = cut.take().filter(|_| self.bench.prover.was_cut_off()) {
                    self.drop_cut_turn(id, before);
                }
                Ok(None)
            }
        }
    }

    /// The path of a pending state turned out not to be possible, or nobody knows: it leaves.
    fn leave_pending(&mut self, id: StateId, absent: Absent) {
        if let Some(state) = self.progress.states.remove(&id) {
            self.leaves(&state, Leaving::Absent(absent));
        }
        self.update_search(Changes {
            removed: &[id],
            left: Some(match absent {
                Absent::Refuted => Left::Refuted(id),
                Absent::Unknown => Left::Unknown(id),
            }),
            ..Changes::default()
        });
    }

    /// The searcher named a state that has left: it forgets it, too.
    #[cold]
    fn forget_unknown(&mut self, id: StateId) {
        debug_assert!(false, "the searcher chose {id}, which does not exist");
        self.update_search(Changes {
            removed: &[id],
            ..Changes::default()
        });
    }

    /// Counts what the turn of a state covered first.
    fn tell_news(&mut self, news: &TurnNews, id: StateId) {
        for fresh in news.by_path() {
            let new = self.note_covered(fresh);
            if new > 0
                && !self.progress.extensions.is_empty()
                && let Some(state) = self.progress.states.remove(&id)
            {
                self.tell_extensions(|one, run| one.shows_new(&state, run));
                self.progress.states.insert(id, state);
            }
        }
    }

    /// What follows from a step for the state that ran and the search.
    fn follow_step(&mut self, id: StateId, step: Step, retraced: bool) -> Result<(), WriteError> {
        match step {
            Step::Continue => self.update_search(Changes {
                current: Some(id),
                ..Changes::default()
            }),
            Step::Forked(siblings) => self.take_siblings(id, siblings),
            Step::Ended(termination) => {
                self.take_time_for_test();
                self.end(id, &termination, retraced)?;
            }
            Step::Absent(absent) => self.leave_pending(id, absent),
        }
        Ok(())
    }

    /// A state has forked.
    fn take_siblings(&mut self, id: StateId, siblings: Siblings) {
        self.progress.forks += siblings.len() as u64;
        let pending = siblings.iter().filter(|sibling| sibling.is_unasked());
        self.parts.results.tally.pending.made += pending.count() as u64;
        let mut forks = std::mem::take(&mut self.progress.observer.forked_sides);
        self.add_forked(Some(id), siblings, &forks);
        // Its room is good for the next fork.
        forks.clear();
        self.progress.observer.forked_sides = forks;
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
                let extensions = &mut self.progress.extensions;
                extensions.iter_mut().for_each(|one| one.begun(&mut state));
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
            if let Some(parent) = parent {
                let extensions = &mut self.progress.extensions;
                extensions
                    .iter_mut()
                    .for_each(|one| one.forked(parent, id, &state));
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

/// Runs a state for at most `slice` instructions.
fn execute(
    bench: &mut Workbench<'_, '_>,
    observer: &mut Observer,
    state: &mut State,
    slice: u64,
    may_fork: bool,
) -> Step {
    let forking = state.forking;
    state.forking &= may_fork;
    let world = World {
        host: bench.host,
        console: &mut *bench.console,
    };
    let mut step = (bench.executor).run(state, &mut *bench.prover, world, observer, slice);
    if !may_fork {
        state.forking = forking;
        if let Step::Forked(siblings) = &mut step {
            siblings
                .iter_mut()
                .for_each(|sibling| sibling.forking = forking);
        }
    }
    step
}
