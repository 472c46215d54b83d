//! One turn: a state runs, the search and the coverage hear of it, and what ended becomes a test.

use super::accounting::{Accounts, Began};
use super::changes::Changes;
use super::cut_off::{BeforeBatch, is_last};
use super::engine_context::EngineContext;
use super::life::Engine;
use crate::coverage::BatchNews;
use crate::extensions::{Batch, Ran};
use crate::search::StateId;
use homi_machine::exec::{Observer, Step, World};
use homi_machine::state::{Siblings, State};
use homi_native::testcase::WriteError;

impl Engine<'_, '_> {
    /// Runs one state until it forks, ends or its batch is over. `reexecuted` is true if an earlier
    /// test has the same path and everything was learned from it.
    pub(super) fn batch(&mut self, id: StateId, reexecuted: bool) -> Result<(), WriteError> {
        let slice = self.instructions_of_batch();
        let may_fork = self.may_fork();
        let most = self.run.bench.tuning.engine.cached_states;
        self.run.cached.run(id, &mut self.run.progress.states, most);
        let mut cut = BeforeBatch::of(&mut self.run, id);
        let Some(work_of_arrival) = self.may_run(id, &mut cut)? else {
            return Ok(());
        };
        let Some(state) = self.run.progress.states.get_mut(&id) else {
            self.forget_unknown(id);
            return Ok(());
        };
        let began = Began::with(state, &*self.run.bench.solver_session, work_of_arrival);
        let observer = &mut self.run.progress.observer;
        let mut step = execute(&mut self.run.bench, observer, state, slice, may_fork);
        let first_new = self.run.progress.next_id;
        if cut.is_some() && !self.run.bench.solver_session.was_cut_off() {
            cut = None;
        }
        if is_last(&step)
            && let Some(before) = cut
        {
            self.cut_batches.drop_state(&mut self.run, id, before);
            return Ok(());
        }
        let accounts = Accounts {
            solver_session: &mut *self.run.bench.solver_session,
            observer: &mut self.run.progress.observer,
            coverage: &mut self.run.progress.coverage,
            measure: &mut self.run.progress.measure,
            pending: &mut self.run.parts.results.tally.pending,
            others: self
                .run
                .parts
                .shared_exploration
                .map(|member| &member.shared_exploration.coverage),
        };
        let news = accounts.record(state, &mut step, &began);
        let mut ran = Ran {
            id,
            decisions_before: began.decisions,
            instructions: began.executed(state),
            step: &mut step,
        };
        self.run.notify_of_batch(&mut ran);
        if let Some(news) = news {
            self.report_news(&news, id);
        }
        let goes_on = matches!(step, Step::Continue | Step::Forked(_));
        self.follow_step(id, step, reexecuted)?;
        if goes_on && let Some(before) = cut {
            (self.cut_batches).keep_states(&mut self.run, id, first_new, before);
        }
        Ok(())
    }

    /// The most instructions that the next batch may take. Holds the solver to what is left, too.
    fn instructions_of_batch(&mut self) -> u64 {
        let batch = match self.run.parts.config.search.batch_instructions {
            0 => self.run.bench.tuning.engine.longest_batch,
            batch => batch,
        };
        let usage = self.run.usage_for_budget();
        self.run.limit_solver_work(usage);
        batch.min(self.run.spending.budget.instructions_left(usage))
    }

    /// Decides whether a selected state runs in this batch. If so, returns the solver work of
    /// deciding that in counted nanoseconds, which belong to the batch; if not, the state has left,
    /// or the batch was spent on it.
    fn may_run(
        &mut self,
        id: StateId,
        cut: &mut Option<BeforeBatch>,
    ) -> Result<Option<u64>, WriteError> {
        match self.run.extensions_before_batch(id)? {
            Batch::Runs => Ok(Some(0)),
            Batch::RunsAfter(work) => Ok(Some(work)),
            Batch::Over => Ok(None),
            Batch::Absent(absent) => {
                self.run.leave_pending(id, absent);
                if let Some(before) = cut
                    .take()
                    .filter(|_| self.run.bench.solver_session.was_cut_off())
                {
                    self.cut_batches.drop_state(&mut self.run, id, before);
                }
                Ok(None)
            }
        }
    }

    /// The searcher named a state that has left: it forgets it, too.
    #[cold]
    fn forget_unknown(&mut self, id: StateId) {
        debug_assert!(false, "the searcher chose {id}, which does not exist");
        self.run.update_search(Changes {
            removed: &[id],
            ..Changes::default()
        });
    }

    /// Counts what the batch of a state covered first.
    fn report_news(&mut self, news: &BatchNews, id: StateId) {
        for fresh in news.by_path() {
            let new = self.run.note_covered(fresh);
            if new > 0
                && !self.run.progress.extensions.is_empty()
                && let Some(state) = self.run.progress.states.remove(&id)
            {
                self.run
                    .notify_extensions(|one, run| one.shows_new(&state, run));
                self.run.progress.states.insert(id, state);
            }
        }
    }

    /// Applies a step to the state that ran and the searcher.
    fn follow_step(&mut self, id: StateId, step: Step, reexecuted: bool) -> Result<(), WriteError> {
        match step {
            Step::Continue => self.run.update_search(Changes {
                current: Some(id),
                ..Changes::default()
            }),
            Step::Forked(siblings) => self.take_siblings(id, siblings),
            Step::Ended(termination) => {
                self.take_time_for_test();
                self.end(id, &termination, reexecuted)?;
            }
            Step::Absent(absent) => self.run.leave_pending(id, absent),
        }
        Ok(())
    }

    /// A state has forked.
    fn take_siblings(&mut self, id: StateId, siblings: Siblings) {
        self.run.progress.forks += siblings.len() as u64;
        let pending = siblings.iter().filter(|sibling| sibling.is_unchecked());
        self.run.parts.results.tally.pending.created += pending.count() as u64;
        let mut forks = std::mem::take(&mut self.run.progress.observer.forked_sides);
        self.run.add_forked(Some(id), siblings, &forks);
        // Its room is good for the next fork.
        forks.clear();
        self.run.progress.observer.forked_sides = forks;
    }

    pub(super) fn may_fork(&self) -> bool {
        let limit = self.run.parts.config.budget.forks;
        limit == 0 || self.sums().forks < limit
    }
}

/// Runs a state for at most `slice` instructions.
fn execute(
    bench: &mut EngineContext<'_, '_>,
    observer: &mut Observer,
    state: &mut State,
    slice: u64,
    may_fork: bool,
) -> Step {
    let forking = state.forks.enabled;
    state.forks.enabled &= may_fork;
    let world = World {
        host: bench.host,
        console: &mut *bench.console,
    };
    let mut step = (bench.executor).run(state, &mut *bench.solver_session, world, observer, slice);
    if !may_fork {
        state.forks.enabled = forking;
        if let Step::Forked(siblings) = &mut step {
            siblings
                .iter_mut()
                .for_each(|sibling| sibling.forks.enabled = forking);
        }
    }
    step
}
