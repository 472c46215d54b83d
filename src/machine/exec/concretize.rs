//! Under-approximation: the one place where a path continues with fewer values than it allows, and
//! the one where a path's conditions grow.
//!
//! Invariant: every condition on a path comes with the reason why nothing is lost by it, or with
//! the proof that the loss has been recorded, with its kind, its location and an example, for the
//! path and for the run. Taking the only value of a term loses nothing.

use super::context::Context;
use crate::memory::Value;
use crate::outcome::{Example, Underapproximation, Underapproximations};
use crate::state::{ConcretiseReason, Decision, State};
use homi_ir::ops::CmpOp;
use homi_ir::program::FuncId;
use homi_solver::term::{Node, Term, Terms};
use homi_solver::{Check, OtherSides, Wanted, has_another_value, possible_values};

/// Nodes of a term that are looked at for floating-point operations.
const LOOKED_AT: usize = 256;
/// Values among which one was taken are counted up to here; more says nothing to people.
const MOST_COUNTED: u128 = 1 << 32;

/// Proof that a loss of the path has been recorded. Only `Context::narrow` and
/// `keep_native_input` make one.
#[must_use]
#[derive(Debug)]
pub struct Recorded(());

/// Reason for a condition on a path.
pub(super) enum Why<'r> {
    /// Another state continues where the condition does not hold, or nothing can.
    OthersFollowed,
    /// Other states are pending where the condition does not hold.
    OthersPending(&'r OtherSides),
    /// The program asks for it, or one input suffices to show a bug.
    Asked,
    /// The loss has been recorded.
    Underapproximations(&'r Recorded),
}

impl<'r> Why<'r> {
    /// The others are followed, or they wait.
    pub(super) fn of_others(waiting: Option<&'r OtherSides>) -> Self {
        waiting.map_or(Why::OthersFollowed, Why::OthersPending)
    }
}

/// Puts a condition on a state's path: the only function of the module that does.
pub(super) fn put_on_path(terms: &Terms, state: &mut State, condition: Term, why: Why<'_>) {
    match why {
        Why::OthersFollowed | Why::Asked | Why::Underapproximations(Recorded(())) => {
            state.path.add(terms, condition);
        }
        Why::OthersPending(others) => state.path.add_beside(terms, condition, Some(others)),
    }
}

/// Restricts a path to its model's values of the input bytes that `terms` depend on: a library call
/// at `place`, which depends on them, leaves the path with its native result. What the path lost
/// before is forgotten. Returns the loss.
pub fn keep_native_input(
    state: &mut State,
    terms: (&Terms, &[Term]),
    place: (FuncId, u32),
    function: &str,
) -> Underapproximations {
    let (terms, depending) = terms;
    let lost = Recorded(());
    state.underapproximations = Underapproximations::default();
    let at = (Underapproximation::NativeResult, place.0, place.1);
    state
        .underapproximations
        .note(at, || Example::note(function));
    for term in depending {
        for &byte in terms.support(*term).iter() {
            let value = terms.constant(8, u128::from(state.model.get(byte)));
            let equal = terms.cmp(CmpOp::Eq, terms.symbol(byte), value);
            put_on_path(terms, state, equal, Why::Underapproximations(&lost));
        }
    }
    state.underapproximations.clone()
}

/// Returns the kind of loss when a value is concretized.
fn kind_of(reason: ConcretiseReason, forking: bool) -> Underapproximation {
    match reason {
        ConcretiseReason::Pointer | ConcretiseReason::Size if !forking => {
            Underapproximation::Forking
        }
        ConcretiseReason::Pointer => Underapproximation::Address,
        ConcretiseReason::Size => Underapproximation::Size,
        ConcretiseReason::Float => Underapproximation::Float,
        ConcretiseReason::Argument => Underapproximation::Argument,
        ConcretiseReason::Text => Underapproximation::Text,
        ConcretiseReason::Operation => Underapproximation::Operation,
        ConcretiseReason::ExitStatus => Underapproximation::ExitStatus,
        ConcretiseReason::Solver => Underapproximation::Unknown,
        ConcretiseReason::Value => Underapproximation::GivenValue,
    }
}

impl Context<'_, '_> {
    /// Records that the path continues with fewer values than it allows, at its current instruction
    /// of user code. The example is asked for if there is none yet.
    pub(super) fn narrow(
        &mut self,
        kind: Underapproximation,
        example: impl FnOnce(&mut Self) -> Example,
    ) -> Recorded {
        let (function, pc) = self.prepared.place(self.state);
        let at = (kind, function, pc);
        let is_known =
            self.state.underapproximations.knows(at) && self.observer.underapproximations.knows(at);
        let example = if is_known {
            Example::default()
        } else {
            example(self)
        };
        self.state.underapproximations.note(at, || example.clone());
        self.observer.underapproximations.note(at, || example);
        Recorded(())
    }

    /// Records that one value of a term is taken where the path allows others.
    pub(super) fn note_taken(
        &mut self,
        term: Term,
        reason: ConcretiseReason,
        value: u128,
    ) -> Recorded {
        let kind = kind_of(reason, self.state.forks.enabled);
        self.state.metrics.concretisations += 1;
        self.observer.concretisations += 1;
        let decision = Decision::Concretised { reason, value };
        self.state.decisions.push(decision);
        let (function, pc) = self.prepared.place(self.state);
        self.narrow(kind, |context| {
            // Counting takes queries: the run's first count at the location serves all losses
            // there.
            let known = context
                .observer
                .underapproximations
                .among((kind, function, pc));
            Example::taken(
                value,
                known.unwrap_or_else(|| context.alternatives(term, kind)),
            )
        })
    }

    /// Returns an upper bound on the values of a term, or on the objects of an address; `None` if
    /// it is not worth reporting.
    fn alternatives(&mut self, term: Term, kind: Underapproximation) -> Option<u128> {
        let (low, high) = self.wanted_bounds(term, Wanted::UNCHECKED);
        let count = match kind {
            Underapproximation::Address => {
                let objects = self.state.memory.objects_between(low as u64, high as u64);
                objects.count() as u128
            }
            _ => (high - low).saturating_add(1),
        };
        (count > 1 && count <= MOST_COUNTED).then_some(count)
    }

    /// Replaces a symbolic value by the model's and constrains the path to it. Where it can have
    /// others, they are lost, which is recorded; see `enumerate` for the way that loses none.
    pub fn concretise(&mut self, value: Value, reason: ConcretiseReason) -> u128 {
        let term = match self.fixed(value) {
            Value::Concrete(value) => return value,
            Value::Term(term) => term,
        };
        let chosen = self.example(term);
        let equal = self.equals(term, chosen);
        let is_certain = match reason {
            ConcretiseReason::Float => self.is_certain_float(term, equal),
            _ => self.is_certain(equal),
        };
        if is_certain {
            return chosen;
        }
        let lost = self.note_taken(term, reason, chosen);
        // `klee_get_value` gives a value, and leaves the path as it is.
        if reason != ConcretiseReason::Value {
            self.keep_only(equal, &lost);
        }
        chosen
    }

    /// Constrains the path to what is still followed.
    pub(super) fn keep_only(&mut self, condition: Term, lost: &Recorded) {
        put_on_path(
            self.prepared.terms,
            self.state,
            condition,
            Why::Underapproximations(lost),
        );
    }

    /// Returns true if a condition that the model satisfies holds for all of the path.
    pub(super) fn is_certain(&mut self, condition: Term) -> bool {
        let terms = self.terms();
        match terms.as_const(condition) {
            Some(value) => value != 0,
            None => {
                let (path, model) = (&self.state.path, &self.state.model);
                !has_another_value(terms, path, model, condition, 1)
                    && self.ask(terms.not(condition)) == Check::Unsat
            }
        }
    }

    /// Returns true if `term == value` is certain, without queries about floating-point operations,
    /// which cost too much for this alone.
    fn is_certain_float(&mut self, term: Term, equal: Term) -> bool {
        let terms = self.terms();
        if let Some(values) = possible_values(terms, &self.state.path, term) {
            return values.len() <= 1;
        }
        let support = terms.support(term);
        let mut domains = support.iter().map(|byte| self.state.path.domain(*byte));
        domains.all(|domain| domain.len() == 1)
            || (!computes_floats(terms, term) && self.is_certain(equal))
    }

    /// Takes the model's side of a condition without forking. Where the other is possible, the path
    /// is constrained and the loss recorded.
    pub fn follow_model(&mut self, condition: Term) -> bool {
        let condition = self.fixed_term(condition);
        let holds = self.example(condition) != 0;
        let terms = self.terms();
        let known = if holds {
            condition
        } else {
            terms.not(condition)
        };
        if self.is_certain(known) {
            return holds;
        }
        let lost = self.narrow(Underapproximation::Forking, |_| {
            Example::taken(holds.into(), Some(2))
        });
        self.keep_only(known, &lost);
        let side = u8::from(!holds);
        self.state.decisions.push(Decision::Branch { side });
        holds
    }

    /// Goes on where `known` holds, because the solver gave up on the other side, and with the
    /// model's values of the bytes that the condition depends on, so that the path does not run
    /// into the limit again at the next condition over them.
    pub(super) fn drop_unknown_side(&mut self, known: Term) {
        let lost = self.note_unknown();
        self.keep_only(known, &lost);
        let terms = self.terms();
        for &byte in terms.support(known).iter() {
            let value = self.state.model.get(byte);
            let constant = terms.constant(8, u128::from(value));
            let fixed = terms.cmp(CmpOp::Eq, terms.symbol(byte), constant);
            self.keep_only(fixed, &lost);
            self.state.decisions.push(Decision::Concretised {
                reason: ConcretiseReason::Solver,
                value: u128::from(value),
            });
        }
    }

    /// The solver gave up on a query whose answer may be a side of the path.
    pub(super) fn note_unknown(&mut self) -> Recorded {
        self.observer.unknowns += 1;
        self.state.decisions.push(Decision::Unknown);
        self.narrow(Underapproximation::Unknown, |_| {
            Example::note("one side of a condition was left out")
        })
    }
}

/// Returns true if a term has floating-point operations, or is too large to tell.
fn computes_floats(terms: &Terms, root: Term) -> bool {
    let mut work = vec![root];
    let mut looked_at = 0;
    while let Some(term) = work.pop() {
        looked_at += 1;
        let node = terms.node(term);
        if looked_at > LOOKED_AT || matches!(node, Node::Float(..)) {
            return true;
        }
        node.for_each_operand(|operand| work.push(operand));
    }
    false
}
