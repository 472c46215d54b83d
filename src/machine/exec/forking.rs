//! Forks of states: this state continues with one side of a condition, siblings with the others.
//!
//! Idea: the model says for free which side this state may take. The other one is either asked for
//! at once (eager, as KLEE), or it is left pending: a sibling that awaits its side, and is asked
//! for when it is chosen (lazy). Layers without search are asked at once in both cases, so that a
//! condition which the path implies rarely creates a sibling. Invariant: sides that end as bugs are
//! asked for at once, always; a pending sibling covers nothing, and its path is its parent's, until
//! it is checked. In a concolic run that is so for sides that are known to be possible too: what no
//! execution has done is not covered.

use super::concretize::{Why, put_on_path};
use super::console::MutedConsole;
use super::context::{Context, Sides};
use super::executor::{Absent, Executor};
use super::observer::Observer;
use super::prepared::PreparedProgram;
use super::side_answers::SideAnswer;
use super::world::EmptyHost;
use crate::outcome::{EarlyReason, Example, Termination, Underapproximation};
use crate::state::{Continuation, Decision, PendingCheck, State};
use homi_ir::program::Inst;
use homi_solver::term::{Model, Term};
use homi_solver::{Check, Oracle, OtherSides};

/// Knowledge about the side that a state does not take.
pub(super) enum OtherSide {
    /// The side is feasible: a model of it.
    Possible(Model),
    /// Nobody has asked.
    Pending,
}

impl<'a> Context<'_, 'a> {
    /// Returns true if other sides are left pending. At the limit of forks a path must know whether
    /// it forks.
    pub(super) fn is_lazy(&self) -> bool {
        self.state.forks.lazy && self.state.forks.enabled && !self.is_at_depth_limit()
    }

    fn is_at_depth_limit(&self) -> bool {
        let limit = self.config().budget.depth;
        limit != 0 && u64::from(self.state.metrics.depth) >= limit
    }

    /// One more fork on this path, if the limit allows it.
    pub(super) fn deepen(&mut self) -> Result<(), Termination> {
        if self.is_at_depth_limit() {
            return Err(Termination::Early(EarlyReason::DepthLimit));
        }
        self.state.metrics.depth += 1;
        Ok(())
    }

    /// A sibling that is to go its own way.
    pub(super) fn fork_state(&mut self) -> Box<State> {
        let mut sibling = self.state.fork();
        // The receiver of the coverage credit must not be counted twice.
        sibling.metrics.covered_new = false;
        sibling
    }

    /// Forks on a condition that both sides of are possible: this state takes the side where it
    /// holds, the returned sibling (not yet in `siblings`) the other. Neither has a decision pushed
    /// yet.
    pub fn split(
        &mut self,
        condition: Term,
        holds: Model,
        fails: Model,
    ) -> Result<Box<State>, Termination> {
        self.deepen()?;
        let mut sibling = self.fork_state();
        let terms = self.prepared.terms;
        let otherwise = terms.not(condition);
        put_on_path(terms, &mut sibling, otherwise, Why::OthersFollowed);
        sibling.model = fails;
        self.constrain(condition, holds, Why::OthersFollowed);
        Ok(sibling)
    }

    /// Returns the other side of a condition that the model satisfies; `None` if the path implies
    /// the condition.
    pub(super) fn beside(&mut self, kept: Term) -> Option<OtherSide> {
        if self.is_lazy() && self.terms().as_const(kept).is_none() {
            let other = self.terms().not(kept);
            let (path, model) = (&self.state.path, &self.state.model);
            let terms = self.prepared.terms;
            let over_several_bytes = terms.single_byte(kept).is_none();
            if over_several_bytes && path.decided(terms, kept) == Some(true) {
                return None;
            }
            return match self.oracle.check_cheaply(terms, path, model, other) {
                Some(Check::Sat(model)) => Some(OtherSide::Possible(model)),
                Some(Check::Unsat) => None,
                Some(Check::Unknown(_)) | None => Some(OtherSide::Pending),
            };
        }
        match self.sides(kept) {
            Sides::Both { fails, .. } => Some(OtherSide::Possible(fails)),
            // The model satisfies it, so it is never found false.
            Sides::True | Sides::False => None,
        }
    }

    /// Forks at a condition that the model satisfies: this state keeps to it, the returned sibling
    /// (not yet in `siblings`) has the other side, and continues as `continuation` says once it is
    /// known to be feasible. `own` and `its` are their decisions.
    pub(super) fn fork_beside(
        &mut self,
        kept: Term,
        other: OtherSide,
        continuation: Continuation,
        (own, its): (Decision, Decision),
    ) -> Result<Box<State>, Termination> {
        let model = match other {
            OtherSide::Possible(fails) if !self.state.forks.only_executions_cover => {
                let holds = self.state.model.clone();
                let mut sibling = self.split(kept, holds, fails)?;
                self.state.decisions.push(own);
                sibling.decisions.push(its);
                return Ok(sibling);
            }
            OtherSide::Possible(fails) => Some(fails),
            OtherSide::Pending => None,
        };
        self.deepen()?;
        let others = OtherSides::open(1);
        let terms = self.prepared.terms;
        let pending_check = PendingCheck {
            condition: terms.not(kept),
            model,
            others: others.clone(),
            continuation,
        };
        let is_known = pending_check.model.is_some();
        let mut sibling = self.pending_sibling(pending_check);
        sibling.decisions.push(its);
        let others = (!is_known).then_some(&others);
        put_on_path(terms, self.state, kept, Why::of_others(others));
        self.state.decisions.push_beside(own, others);
        Ok(sibling)
    }

    /// A sibling that awaits a side.
    pub(super) fn pending_sibling(&mut self, pending_check: PendingCheck) -> Box<State> {
        let mut sibling = self.fork_state();
        sibling.pending_check = Some(Box::new(pending_check));
        sibling
    }

    /// Keeps to a condition that the model satisfies. For where it does not hold a sibling forks
    /// off, if there may be such values, which executes the instruction again. Whether it did.
    pub(super) fn keep_to(&mut self, kept: Term, own: Decision) -> Result<bool, Termination> {
        let Some(other) = self.beside(kept) else {
            return Ok(false);
        };
        let decisions = (own, Decision::Branch { side: 1 });
        let sibling = self.fork_beside(kept, other, Continuation::Again, decisions)?;
        self.siblings.push(sibling);
        Ok(true)
    }

    /// Continues where `fine` holds, if both sides are feasible; a sibling shows the bug that
    /// `ending` describes.
    pub(super) fn fork_bug(
        &mut self,
        fine: Term,
        (holds, fails): (Model, Model),
        ending: impl FnOnce(&Self, &State) -> Termination,
    ) -> Result<(), Termination> {
        let mut sibling = self.split(fine, holds, fails)?;
        sibling.ending = Some(Box::new(ending(self, &sibling)));
        sibling.decisions.push(Decision::Check { bug: true });
        self.state.decisions.push(Decision::Check { bug: false });
        self.siblings.push(sibling);
        Ok(())
    }

    /// Finds out whether the side that this state awaits is possible, and puts it there.
    fn check_pending(&mut self) -> Result<(), Absent> {
        let Some(pending_check) = self.state.pending_check.take() else {
            return Ok(());
        };
        let condition = pending_check.condition;
        let side = self
            .prepared
            .side_behind(self.state, pending_check.continuation);
        let answer = match pending_check.model {
            // The state may have been given another input that takes the side.
            _ if self.example(condition) != 0 => Check::Sat(self.state.model.clone()),
            Some(model) => Check::Sat(model),
            None => self.ask(condition),
        };
        match answer {
            Check::Sat(model) => self.constrain(condition, model, Why::OthersFollowed),
            Check::Unsat => {
                self.note_infeasible(side);
                pending_check.others.refute_one();
                return Err(Absent::Infeasible);
            }
            Check::Unknown(_) => {
                self.note_answer(side, SideAnswer::Unknown);
                self.observer.unknowns += 1;
                // No path loses values by it, but the run loses a path.
                let (function, pc) = self.prepared.place(self.state);
                let at = (Underapproximation::Unknown, function, pc);
                let what = || Example::note("one side of a condition was left out");
                self.observer.underapproximations.note(at, what);
                return Err(Absent::Unknown);
            }
        }
        self.leave(pending_check.continuation);
        Ok(())
    }
}

impl PreparedProgram<'_> {
    /// The branch side that a pending state is to take, by its dense number; nothing if what it
    /// awaits is not a side of a branch of the program.
    pub fn pending_side(&self, state: &State) -> Option<u32> {
        self.side_behind(state, state.pending_check.as_ref()?.continuation)
    }

    /// Returns the branch side that a state takes with a continuation.
    fn side_behind(&self, state: &State, continuation: Continuation) -> Option<u32> {
        let top = state.frames.top();
        let function = self.program.function(top.function);
        let (branch, side) = match (continuation, function.code[top.pc as usize]) {
            (Continuation::Branch { holds }, Inst::Branch { branch, .. }) => {
                (branch?, u32::from(!holds))
            }
            (
                Continuation::Switch { side, .. },
                Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. },
            ) => (function.switches[table as usize].branch?, side),
            _ => return None,
        };
        Some(self.segments.side(branch, side))
    }
}

impl Executor<'_> {
    /// Finds out whether the side that a state awaits is possible, if it awaits one. Then the state
    /// has taken that side, with a model of it, and has covered what a state that takes it covers.
    pub fn check_pending(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        observer: &mut Observer,
    ) -> Result<(), Absent> {
        if state.pending_check.is_none() {
            return Ok(());
        }
        let top = state.frames.top();
        let site = (top.call_path, top.pc);
        let before = oracle.effort();
        let mut siblings = Vec::new();
        let mut context = Context {
            prepared: self,
            state,
            oracle,
            host: &EmptyHost::default(),
            console: &mut MutedConsole,
            observer,
            siblings: &mut siblings,
        };
        let checked = context.check_pending();
        observer.sites.record(site, before, oracle.effort(), 0);
        checked
    }
}
