//! Paths that can do nothing new are not followed (`--subsume`): the engine tells the tree of paths
//! what becomes of its states, and asks before one runs on from a fork.
//!
//! Invariant: whatever way a state leaves, the tree is told; what is not an end of its path counts
//! as lost.

use super::changes::Changes;
use super::paths::Departure;
use super::run::Engine;
use crate::explore::extensions::Leaving;
use crate::explore::extensions::subsume::{SUBSUMED, Subsumption, Surroundings};
use crate::explore::search::{Left, StateId};
use crate::machine::exec::{Absent, EarlyReason, Termination};
use crate::machine::state::State;
use crate::native::testcase::WriteError;
use crate::solver::{Oracle, WORK_OF_INSTRUCTION};

/// Units of work that the solver may take to find out whether one state is subsumed.
const LONGEST_TEST: u64 = 50_000;
/// What an instruction that is followed once more takes beside being one, and what trying a reason
/// on a state takes beside putting its terms in, in nanoseconds on common processors: right within
/// a factor of two or three.
const RETRACING: u64 = 600;
const TRYING: u64 = 300;

/// What becomes of a state that is to run.
pub(super) enum Arrived {
    /// It runs; finding that out took the solver so many nanoseconds, counted.
    Runs { work: u64 },
    /// It has left.
    Left,
}

impl Engine<'_, '_> {
    /// Calls `tell` with the tree, if there is one, and books what it executed as work.
    pub(super) fn tell_tree<T>(
        &mut self,
        tell: impl FnOnce(&mut Subsumption, &Surroundings<'_, '_>, &mut dyn Oracle) -> T,
    ) -> Option<T> {
        let work = self.work();
        let subsumption = self.progress.subsumption.as_mut()?;
        let with = Surroundings {
            work,
            executor: self.bench.executor,
            terms: self.bench.terms,
            host: self.bench.host,
            call_paths: self.progress.observer.call_paths.len(),
        };
        let cost = |subsumption: &Subsumption| {
            let (executed, tried) = (
                subsumption.retraced_instructions(),
                subsumption.tests_tried(),
            );
            let looks = RETRACING * executed + TRYING * tried;
            (executed, looks + self.bench.terms.walked())
        };
        let before = cost(subsumption);
        let told = tell(subsumption, &with, &mut *self.bench.prover);
        let after = cost(subsumption);
        self.note_beside(after.0 - before.0);
        self.note_looks(after.1 - before.1);
        Some(told)
    }

    /// A state that no fork has made comes into the run.
    pub(super) fn note_begun(&mut self, state: &mut State) {
        self.tell_tree(|tree, _, _| tree.begin(state));
    }

    /// What becomes of a state that is to run: what it awaited may not be possible, or it can do
    /// nothing new.
    pub(super) fn arrive(&mut self, id: StateId) -> Result<Arrived, WriteError> {
        if self.progress.subsumption.is_none() {
            return Ok(Arrived::Runs { work: 0 });
        }
        let Some(mut state) = self.progress.states.remove(&id) else {
            return Ok(Arrived::Runs { work: 0 });
        };
        let waited = state.awaits.is_some();
        let before = self.bench.prover.effort().work;
        let settled = self.settle(&mut state);
        let work = self.bench.prover.effort().work - before;
        if let Err(absent) = settled {
            let call_path = state.frames.top().call_path;
            self.progress.measure.book(call_path, work);
            self.leaves(&state, Leaving::Absent(absent));
            self.leave_absent(id, absent);
            return Ok(Arrived::Left);
        }
        if !self.arrives_subsumed(&mut state) || self.is_checked(&mut state) {
            self.progress.states.insert(id, state);
            return Ok(Arrived::Runs { work });
        }
        self.update_search(Changes {
            removed: &[id],
            // Where it waited to be negated, nothing was executed.
            left: Some(match waited {
                true => Left::Subsumed(id),
                false => Left::Ended(id),
            }),
            ..Changes::default()
        });
        // It may be the first on a branch side: that is its test's to show.
        let termination = Termination::Early(EarlyReason::Subsumed);
        self.finish(&state, &termination, Departure::default())?;
        Ok(Arrived::Left)
    }

    /// Whether a state that is about to run can do nothing new.
    pub(super) fn arrives_subsumed(&mut self, state: &mut State) -> bool {
        if self.progress.subsumption.is_none() {
            return false;
        }
        let limit = self.bench.prover.effort().work + LONGEST_TEST * WORK_OF_INSTRUCTION;
        self.bench.prover.set_work_limit(Some(limit));
        let subsumed = self.tell_tree(|tree, with, oracle| tree.arrives(with, state, oracle));
        self.bench.prover.set_work_limit(None);
        self.limit_solver_work(self.spent_for_budget());
        subsumed == Some(true)
    }

    /// Whether a subsumed state is followed all the same (`--check`).
    fn is_checked(&mut self, state: &mut State) -> bool {
        let tree = self.progress.subsumption.as_mut();
        self.parts.config.check && tree.is_some_and(|tree| tree.is_checked(state))
    }

    /// A state showed something new: none that was subsumed may.
    pub(super) fn note_news_of(&mut self, node: Option<u32>) {
        if node != Some(SUBSUMED) {
            return;
        }
        if let Some(tree) = &mut self.progress.subsumption {
            tree.contradicted();
        }
        let text = "a path that --subsume would have skipped shows something new: this is a fault \
                    of homi's, please report it";
        self.bench.log.lock().warning_once("contradiction", text);
    }

    /// A path came to its end, or was given up.
    pub(super) fn note_end(&mut self, state: &State, termination: &Termination) {
        self.tell_tree(|tree, with, _| tree.ended(with, state, termination));
    }

    /// A pending state does not run.
    pub(super) fn note_absent(&mut self, state: &State, absent: Absent) {
        self.tell_tree(|tree, with, _| match absent {
            Absent::Refuted => tree.refuted(with, state),
            Absent::Unknown => tree.lost(state),
        });
    }

    /// A state leaves whose paths are not followed.
    pub(super) fn note_left(&mut self, state: &State) {
        self.tell_tree(|tree, _, _| tree.lost(state));
    }
}
