//! One step's view of everything, and the primitives that ask the oracle: decide a condition,
//! assume one, fork a bug, pick a value.
//!
//! Invariant: `state.model` satisfies `state.path` before and after every primitive. Each choice
//! that was not forced is pushed to `state.decisions`. Omitted values are recorded (`narrow`). The
//! innermost frame's `pc` is the instruction being executed, so a sibling made in the middle of an
//! instruction executes it again, with its own condition decided.

use super::concretize::{Why, put_on_path};
use super::config::ExecConfig;
use super::console::Console;
use super::observer::Observer;
use super::prepared::PreparedProgram;
use super::world::Host;
use crate::memory::Value;
use crate::outcome::{Bug, EarlyReason, Termination, Unsupported};
use crate::state::{ConcretiseReason, Continuation, Decision, Frame, Siblings, State};
use homi_ir::ops::{BinOp, CmpOp, mask};
use homi_ir::program::{Function, Inst, Program};
use homi_solver::term::{Model, Term, Terms};
use homi_solver::{Check, Oracle, Wanted, possible_values};

/// The decisions of a state that takes a condition's side and of a sibling that takes the other.
pub(super) fn branch_decisions(holds: bool) -> (Decision, Decision) {
    let side = |holds: bool| Decision::Branch {
        side: u8::from(!holds),
    };
    (side(holds), side(!holds))
}

/// Parts that an executing instruction or built-in function may use.
pub struct Context<'c, 'a> {
    pub prepared: &'c PreparedProgram<'a>,
    pub state: &'c mut State,
    pub oracle: &'c mut dyn Oracle,
    pub host: &'c dyn Host,
    pub console: &'c mut dyn Console,
    pub observer: &'c mut Observer,
    /// States forked by this step, in order.
    pub siblings: &'c mut Siblings,
}

/// Sides of a condition that the path may take.
#[derive(Debug)]
pub enum Sides {
    /// Only the true one: the condition always holds.
    True,
    /// Only the false one: the condition never holds.
    False,
    /// Both are possible: models for the side where it holds and for the other.
    Both { holds: Model, fails: Model },
}

impl<'a> Context<'_, 'a> {
    pub fn terms(&self) -> &'a Terms {
        self.prepared.terms
    }

    pub fn program(&self) -> &'a Program {
        self.prepared.program
    }

    pub fn config(&self) -> &'a ExecConfig {
        self.prepared.config
    }

    /// Executes one instruction, or finds out why it ends the path.
    pub(super) fn step_or_end(&mut self) -> Result<(), Termination> {
        let stepped = match self.step() {
            Err(termination) => {
                let grown = self.grow_or_end(termination);
                grown.or_else(|termination| self.refuse_or_end(termination))
            }
            done => done,
        };
        if let Err(termination) = &stepped {
            self.check_cut(termination);
        }
        stepped
    }

    /// The function of the innermost frame.
    pub fn function(&self) -> &'a Function {
        self.prepared
            .program
            .function(self.state.frames.top().function)
    }

    /// The instruction being executed.
    pub fn instruction(&self) -> Inst {
        self.function().code[self.state.frames.top().pc as usize]
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.state.frames.top_mut()
    }

    /// The value of `term` under the state's model: one of its possible values.
    pub fn example(&self, term: Term) -> u128 {
        self.terms().eval(self.fixed_term(term), &self.state.model)
    }

    /// Finds out which sides of a 1-bit condition are possible. The model gives one for free, the
    /// oracle is asked for the other. If it gives up, that side is dropped: the path is constrained
    /// to the model's side, and to the model's values of the bytes that the condition depends on.
    pub fn sides(&mut self, condition: Term) -> Sides {
        let terms = self.terms();
        let condition = self.fixed_term(condition);
        if let Some(value) = terms.as_const(condition) {
            return if value != 0 {
                Sides::True
            } else {
                Sides::False
            };
        }
        let over_several_bytes = terms.single_byte(condition).is_none();
        if over_several_bytes && let Some(outcome) = self.state.path.decided(terms, condition) {
            return if outcome { Sides::True } else { Sides::False };
        }
        let holds_now = self.example(condition) != 0;
        let negation = terms.not(condition);
        let (known, asked) = if holds_now {
            (condition, negation)
        } else {
            (negation, condition)
        };
        match self.ask(asked) {
            Check::Sat(other) => {
                let own = self.state.model.clone();
                let (holds, fails) = if holds_now {
                    (own, other)
                } else {
                    (other, own)
                };
                return Sides::Both { holds, fails };
            }
            Check::Unsat if over_several_bytes => self.state.path.note_proven(terms, known),
            Check::Unsat => {}
            Check::Unknown(_) => self.drop_unknown_side(known),
        }
        if holds_now { Sides::True } else { Sides::False }
    }

    /// Asks whether the path allows a condition.
    pub(super) fn ask(&mut self, condition: Term) -> Check {
        let (path, model) = (&self.state.path, &self.state.model);
        self.oracle
            .check(self.prepared.terms, path, model, condition)
    }

    /// Puts `condition` on the path; `model` must satisfy it and the path.
    pub(super) fn constrain(&mut self, condition: Term, model: Model, why: Why<'_>) {
        put_on_path(self.prepared.terms, self.state, condition, why);
        self.state.model = model;
    }

    /// Decides a 1-bit condition on this path, forking if both sides are possible. The sibling
    /// executes the current instruction again, so nothing may have been changed before in this
    /// instruction.
    pub fn branch_on(&mut self, condition: Term) -> Result<bool, Termination> {
        let decided = self.defined(Value::Term(condition), "use of an undefined value");
        let condition = self.values().term(decided, 1);
        if !self.state.forks.enabled && self.terms().as_const(condition).is_none() {
            return Ok(self.follow_model(condition));
        }
        if self.is_lazy() {
            return self.branch_lazily(condition);
        }
        match self.sides(condition) {
            Sides::True => Ok(true),
            Sides::False => Ok(false),
            Sides::Both { holds, fails } => {
                let mut sibling = self.split(condition, holds, fails)?;
                sibling.decisions.push(Decision::Branch { side: 1 });
                self.state.decisions.push(Decision::Branch { side: 0 });
                self.siblings.push(sibling);
                Ok(true)
            }
        }
    }

    /// The model's side of a condition; the other one waits to be asked for.
    fn branch_lazily(&mut self, condition: Term) -> Result<bool, Termination> {
        let condition = self.fixed_term(condition);
        let holds = self.example(condition) != 0;
        let terms = self.terms();
        let kept = if holds {
            condition
        } else {
            terms.not(condition)
        };
        if let Some(other) = self.beside(kept) {
            let sides = branch_decisions(holds);
            let sibling = self.fork_beside(kept, other, Continuation::Again, sides)?;
            self.siblings.push(sibling);
        }
        Ok(holds)
    }

    /// Puts a condition on the path; false (and no change) if it cannot hold.
    pub fn assume(&mut self, condition: Term) -> Result<bool, Termination> {
        let condition = self.fixed_term(condition);
        let terms = self.terms();
        if let Some(value) = terms.as_const(condition) {
            return Ok(value != 0);
        }
        if self.example(condition) != 0 {
            put_on_path(terms, self.state, condition, Why::Asked);
            return Ok(true);
        }
        match self.ask(condition) {
            Check::Sat(model) => {
                self.constrain(condition, model, Why::Asked);
                Ok(true)
            }
            Check::Unsat => Ok(false),
            Check::Unknown(_) => Err(Termination::Early(EarlyReason::SolverTimeout)),
        }
    }

    /// Continues on the side where `fine` holds. If it may fail, the other side is forked off to
    /// end as the bug that `bug` makes; if it must fail, the path ends so.
    pub fn require(
        &mut self,
        fine: Term,
        bug: impl FnOnce(&PreparedProgram<'a>, &State) -> Bug,
    ) -> Result<(), Termination> {
        match self.sides(fine) {
            Sides::True => Ok(()),
            Sides::False => Err(Termination::Bug(Box::new(bug(self.prepared, self.state)))),
            Sides::Both { holds, fails } => {
                self.fork_bug(fine, (holds, fails), |context, state| {
                    Termination::Bug(Box::new(bug(context.prepared, state)))
                })
            }
        }
    }

    /// Gives one value of a symbolic expression and forks a sibling for all the others, which
    /// executes the current instruction again; so every feasible value is explored, one fork each.
    /// Expressions with more than `limit` possible values are concretized instead.
    pub fn enumerate(
        &mut self,
        value: Value,
        reason: ConcretiseReason,
        limit: u128,
    ) -> Result<u128, Termination> {
        match self.each_value(value, limit)? {
            Some(chosen) => Ok(chosen),
            None => Ok(self.concretise(value, reason)),
        }
    }

    /// Forks for each value, unless the expression may have more than `limit` values: then nothing
    /// is decided. With a limit of 0 nothing is decided or queried.
    pub fn each_value(&mut self, value: Value, limit: u128) -> Result<Option<u128>, Termination> {
        let value = self.defined(value, "use of an undefined number");
        let term = match value {
            Value::Concrete(value) => return Ok(Some(value)),
            Value::Term(term) => term,
        };
        let may_fork = self.state.forks.enabled && limit != 0;
        if !may_fork || !self.has_few_values(term, limit) {
            return Ok(None);
        }
        let chosen = self.example(term);
        let equal = self.equals(term, chosen);
        self.keep_to(equal, Decision::Branch { side: 0 })?;
        Ok(Some(chosen))
    }

    /// Returns true if a term has at most about `limit` values: by its bytes, or because all lie
    /// near its example.
    fn has_few_values(&mut self, term: Term, limit: u128) -> bool {
        let terms = self.terms();
        let values = possible_values(terms, &self.state.path, term);
        if values.is_some_and(|values| values.len() as u128 <= limit) {
            return true;
        }
        let (low, high) = self.wanted_bounds(term, Wanted::UNCHECKED);
        if high - low < limit {
            return true;
        }
        let width = terms.width(term);
        let constant = |value: u128| terms.constant(width, value & mask(width));
        let least = constant(self.example(term).wrapping_sub(limit));
        let distance = terms.bin(BinOp::Sub, term, least);
        let far = terms.cmp(CmpOp::Ult, constant(2 * limit), distance);
        self.ask(far) == Check::Unsat
    }

    /// Sound unsigned bounds of a term on this path.
    pub fn bounds(&mut self, term: Term) -> (u128, u128) {
        self.wanted_bounds(term, Wanted::EXACT)
    }

    /// Sound unsigned bounds of a term on this path, as narrow as `wanted` asks for.
    pub fn wanted_bounds(&mut self, term: Term, wanted: Wanted) -> (u128, u128) {
        let term = self.fixed_term(term);
        let terms = self.prepared.terms;
        let (path, model) = (&self.state.path, &self.state.model);
        let bounds = self.oracle.min_max(terms, path, model, term, wanted);
        // Others take what is kept for as exact as queries make it.
        if wanted.narrow_enough == 0 {
            self.state.path.note_bounds(terms, term, bounds);
        }
        bounds
    }

    /// Sound unsigned bounds of a term that were found on this path at most `age` constraints ago.
    pub fn known_bounds(&self, term: Term, age: usize) -> Option<(u128, u128)> {
        let term = self.fixed_term(term);
        let (bounds, since) = self.state.path.proven_bounds(self.prepared.terms, term)?;
        (since <= age).then_some(bounds)
    }

    /// The 1-bit term `term == value`.
    pub fn equals(&self, term: Term, value: u128) -> Term {
        let terms = self.terms();
        let constant = terms.constant(terms.width(term), value);
        terms.cmp(homi_ir::ops::CmpOp::Eq, term, constant)
    }

    /// Ends the path as a named unsupported feature of ours at the current instruction.
    pub fn unsupported(&self, what: impl Into<String>) -> Termination {
        Termination::Unsupported(Unsupported {
            what: what.into(),
            location: self.prepared.location(self.state),
        })
    }
}
