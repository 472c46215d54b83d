//! Extension that skips subsumed paths (`--subsume`). It reports the fate of the run's states to
//! the execution tree and queries the tree before a state runs after a fork.
//!
//! Invariant: every removal of a state is reported to the tree; a removal that is not the end of
//! its path counts as lost.

use super::account::Counters;
use super::subsumption::{InterpolantKind, SUBSUMED, Subsumption, SubsumptionContext};
use crate::extensions::{Batch, Extension, ExtensionStatistics, ExtensionView, Leaving, Ran};
use crate::search::{Left, StateId};
use homi_config::{Greedy, InterpolantForm, RunConfig};
use homi_machine::exec::{Absent, EarlyReason, Observer, Step, Termination};
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use homi_solver::term::Term;
use homi_solver::{Oracle, WORK_OF_INSTRUCTION};

/// Maximum work of the solver to decide whether one state is subsumed, in work units.
const LONGEST_TEST: u64 = 50_000;
/// Extra cost of a re-executed instruction, and cost of testing an interpolant on a state without
/// the substitution of its terms, in nanoseconds of common CPUs. Both are estimates, right within a
/// factor of two or three.
const REEXECUTING: u64 = 600;
const TRYING: u64 = 300;

/// Subsumption of a run.
pub struct Subsuming {
    pub(super) tree: Subsumption,
    /// Observer of the states that greedy confirmation explores; its counts are never read.
    pub(super) main_observer: Option<Observer>,
    /// True if some subsumed states are explored nevertheless (`--self-check`).
    checks: bool,
    /// True if a path ended in this batch, so that greedy confirmation may start after it.
    path_is_over: bool,
}

impl Subsuming {
    /// Returns the subsumption that the options request.
    pub fn of(config: &RunConfig) -> Option<Self> {
        let wanted = config.subsume.as_ref()?;
        let form = match wanted.form {
            InterpolantForm::Wp => InterpolantKind::Wp,
            InterpolantForm::Core => InterpolantKind::Core,
        };
        Some(Self {
            tree: Subsumption::new(form, wanted.greedy == Greedy::On),
            main_observer: None,
            checks: config.check,
            path_is_over: false,
        })
    }

    /// Calls `act` with the tree, and adds the work of the call to the run's.
    pub(super) fn with_tree<T>(
        &mut self,
        run: &mut dyn ExtensionView,
        act: impl FnOnce(&mut Subsumption, &SubsumptionContext<'_, '_>, &mut dyn Oracle) -> T,
    ) -> T {
        let begun = self.open_account(run);
        let before = self.cost(run);
        let (work, call_paths) = (run.clock().counted, run.observer().call_paths.len());
        let lent = run.lend();
        let with = SubsumptionContext {
            work,
            executor: lent.executor,
            terms: lent.terms,
            host: lent.host,
            call_paths,
        };
        let result = act(&mut self.tree, &with, lent.oracle);
        let after = self.cost(run);
        run.note_work(after.0 - before.0, after.1 - before.1);
        self.close_account(begun, run);
        result
    }

    /// Begins work whose cost subsumption bears.
    pub(super) fn open_account(&mut self, run: &dyn ExtensionView) -> Option<Counters> {
        let now = self.counters(run);
        self.tree.account.begin(now)
    }

    /// Ends the work that [`Self::open_account`] began.
    pub(super) fn close_account(&mut self, begun: Option<Counters>, run: &dyn ExtensionView) {
        let now = self.counters(run);
        self.tree.account.end(begun, now);
    }

    /// Decides whether subsumption pauses from now on, and returns it.
    pub(super) fn decide(&mut self, run: &dyn ExtensionView) -> bool {
        let counters = self.counters(run);
        self.tree.account.decide(counters);
        self.tree.account.is_paused()
    }

    fn counters(&self, run: &dyn ExtensionView) -> Counters {
        Counters {
            searched: run.observer().instructions,
            greedy: self.tree.greedy_instructions(),
            counted: self.cost(run).1 + run.effort().work,
        }
    }

    /// Returns the instructions re-executed so far, and the cost of re-executions and tests so far
    /// in nanoseconds of counted work.
    fn cost(&self, run: &dyn ExtensionView) -> (u64, u64) {
        let (executed, tried) = (self.tree.subpath_instructions(), self.tree.tests_tried());
        let looks = REEXECUTING * executed + TRYING * tried;
        (executed, looks + run.terms().walked())
    }

    /// True if an entry subsumes a state that is about to run.
    pub(super) fn arrives(&mut self, state: &mut State, run: &mut dyn ExtensionView) -> bool {
        run.limit_solver(Some(LONGEST_TEST * WORK_OF_INSTRUCTION));
        let subsumed = self.with_tree(run, |tree, with, oracle| tree.arrives(with, state, oracle));
        run.limit_solver(None);
        subsumed
    }

    /// Reports to the tree that a path ended or was dropped.
    pub(super) fn note_end(
        &mut self,
        state: &State,
        termination: &Termination,
        run: &mut dyn ExtensionView,
    ) {
        self.with_tree(run, |tree, with, _| tree.ended(with, state, termination));
    }

    /// Reports to the tree that a pending state has no path, or may have none.
    pub(super) fn note_absent(
        &mut self,
        state: &State,
        absent: Absent,
        run: &mut dyn ExtensionView,
    ) {
        self.with_tree(run, |tree, with, _| match absent {
            Absent::Infeasible => tree.infeasible(with, state),
            Absent::Unknown => tree.lost(state),
        });
    }
}

impl Extension for Subsuming {
    /// Checks the pending side of a state, and whether the state is subsumed.
    fn before_batch(
        &mut self,
        id: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        let Some(mut state) = run.take_state(id) else {
            return Ok(Batch::Runs);
        };
        let waited = state.pending_check.is_some();
        let before = run.effort().work;
        let checked = run.check_pending(&mut state);
        let work = run.effort().work - before;
        if let Err(absent) = checked {
            run.record_solver_work(state.frames.top().call_path, work);
            run.put_state(id, state);
            self.path_is_over = true;
            return Ok(Batch::Absent(absent));
        }
        let subsumed = self.arrives(&mut state, run);
        if !subsumed || (self.checks && self.tree.is_checked(&mut state)) {
            run.put_state(id, state);
            return Ok(Batch::RunsAfter(work));
        }
        // A state that was pending as a negation has executed nothing.
        let left = if waited {
            Left::Subsumed(id)
        } else {
            Left::Ended(id)
        };
        run.leave_search(id, Some(left));
        self.path_is_over = true;
        // The state may be the first on a branch side, which its test shows.
        run.end_path(&state, &Termination::Early(EarlyReason::Subsumed))?;
        Ok(Batch::Over)
    }

    fn ran(&mut self, ran: &mut Ran<'_>, run: &mut dyn ExtensionView) {
        self.decide(run);
        if let Step::Forked(siblings) = ran.step
            && let Some(mut state) = run.take_state(ran.id)
        {
            self.tree.forked(&mut state, siblings);
            run.put_state(ran.id, state);
        }
    }

    /// Warns if a state that was subsumed, and explored nevertheless, covers something new.
    fn shows_new(&mut self, state: &State, run: &mut dyn ExtensionView) {
        if state.tags.tree_node != Some(SUBSUMED) {
            return;
        }
        self.tree.contradicted();
        let text = "a path that `--subsume` would have skipped covers something new; this is a \
                    bug in homi: please report it";
        run.warn_once("contradiction", text);
    }

    fn after_batch(
        &mut self,
        _ran: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        if std::mem::take(&mut self.path_is_over) {
            self.confirm_greedily(run)?;
        }
        Ok(())
    }

    fn begun(&mut self, state: &mut State) {
        self.tree.begin(state);
    }

    fn left(&mut self, state: &State, leaving: Leaving<'_>, run: &mut dyn ExtensionView) {
        match leaving {
            Leaving::Ended(termination) => {
                self.path_is_over = true;
                self.note_end(state, termination, run);
            }
            Leaving::Dropped => self.with_tree(run, |tree, _, _| tree.lost(state)),
            Leaving::Absent(absent) => self.note_absent(state, absent, run),
        }
    }

    fn resumed(&mut self) {
        self.tree.begin_slice();
    }

    fn trim(&mut self) {
        self.tree.relieve();
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        self.tree.visit_states(visit);
    }

    fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        self.tree.visit_terms(visit);
    }

    fn add_statistics(&self, statistics: &mut ExtensionStatistics) {
        statistics.subsumption = Some(self.tree.statistics());
    }
}
