//! Branches, switches and computed gotos.
//!
//! Invariant: one fork per feasible side. The state itself keeps the first side (the true side of a
//! branch, the model's side of a switch), siblings are at the start of their target already.

use super::super::concretize::{Why, put_on_path};
use super::super::context::{Context, Sides, branch_decisions};
use super::super::forking::OtherSide;
use super::super::side_answers::SideAnswer;
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use crate::state::{Continuation, Decision, PendingCheck, State, TakenSides};
use homi_ir::ops::CmpOp;
use homi_ir::program::{BlockId, BranchId, Inst, Origin, Slot, SwitchTable};
use homi_solver::term::{Term, Terms};
use homi_solver::{Check, OtherSides};

impl Context<'_, '_> {
    pub(in crate::exec) fn branch(
        &mut self,
        cond: Slot,
        then: BlockId,
        otherwise: BlockId,
        branch: Option<BranchId>,
    ) -> Result<(), Termination> {
        let side = |holds: bool| {
            branch.map(|branch| self.prepared.segments.side(branch, u32::from(!holds)))
        };
        let (true_side, false_side) = (side(true), side(false));
        let condition = self.get_defined(cond, 1, "branch on an undefined value");
        let given = self.given_side(condition)?;
        let holds = match condition {
            _ if given.is_some() => given == Some(true),
            Value::Concrete(value) => value != 0,
            Value::Term(term) if !self.state.forks.enabled => {
                let holds = self.follow_model(term);
                let other = if holds { false_side } else { true_side };
                self.note_answer(other, SideAnswer::NotFollowed);
                holds
            }
            Value::Term(term) if self.is_lazy() => {
                let sides = (then, otherwise);
                self.fork_branch_lazily(term, sides, (true_side, false_side))?
            }
            Value::Term(term) => match self.sides_telling(term, (true_side, false_side)) {
                Sides::True => true,
                Sides::False => false,
                Sides::Both { holds, fails } => {
                    let mut sibling = self.split(term, holds, fails)?;
                    sibling.decisions.push(Decision::Branch { side: 1 });
                    self.state.decisions.push(Decision::Branch { side: 0 });
                    if let Some(side) = false_side {
                        self.sibling_takes_side(&mut sibling, side);
                    }
                    self.sibling_goes_to(&mut sibling, otherwise);
                    self.keep_side_of(&mut sibling, false);
                    self.siblings.push(sibling);
                    true
                }
            },
        };
        if let Some(side) = if holds { true_side } else { false_side } {
            self.take_side(side);
        }
        if self.is_user_branch()
            && let Some(taken) = &mut self.state.record.taken
        {
            taken.push(holds);
        }
        self.go_to(if holds { then } else { otherwise });
        Ok(())
    }

    /// Returns true if the current function is user code.
    fn is_user_branch(&self) -> bool {
        self.function().origin == Origin::Program
    }

    /// A sibling has taken this side of the current branch.
    fn keep_side_of(&self, sibling: &mut State, holds: bool) {
        if self.is_user_branch()
            && let Some(taken) = &mut sibling.record.taken
        {
            taken.push(holds);
        }
    }

    /// The side that the path must take at the current branch, if its sides were given.
    fn given_side(&mut self, condition: Value) -> Result<Option<bool>, Termination> {
        let Some(given) = &self.prepared.config.given_sides else {
            return Ok(None);
        };
        if !self.is_user_branch() {
            return Ok(None);
        }
        let position = self.state.record.taken.as_ref().map_or(0, TakenSides::len);
        let Some(&wanted) = given.get(position) else {
            let message = "ran out of branches in replay path mode";
            return Err(self.program_bug(BugKind::User, message));
        };
        let is_possible = match condition {
            Value::Concrete(value) => (value != 0) == wanted,
            Value::Term(term) if wanted => self.assume(term)?,
            Value::Term(term) => {
                let fails = self.terms().not(term);
                self.assume(fails)?
            }
        };
        if is_possible {
            Ok(Some(wanted))
        } else {
            let message = "hit invalid branch in replay path mode";
            Err(self.program_bug(BugKind::User, message))
        }
    }

    /// Takes the model's side of a branch; the sibling has a pending check, or is at its target.
    fn fork_branch_lazily(
        &mut self,
        condition: Term,
        (then, otherwise): (BlockId, BlockId),
        (true_side, false_side): (Option<u32>, Option<u32>),
    ) -> Result<bool, Termination> {
        let condition = self.fixed_term(condition);
        let holds = self.example(condition) != 0;
        let terms = self.terms();
        let (kept, kept_side, other_side, target) = if holds {
            (condition, true_side, false_side, otherwise)
        } else {
            (terms.not(condition), false_side, true_side, then)
        };
        let Some(other) = self.beside(kept) else {
            self.note_infeasible(other_side);
            return Ok(holds);
        };
        if matches!(other, OtherSide::Pending) {
            self.note_answer(other_side, SideAnswer::Pending);
        }
        let continuation = Continuation::Branch { holds: !holds };
        let mut sibling = self.fork_beside(kept, other, continuation, branch_decisions(holds))?;
        if let (Some(kept), Some(taken)) = (kept_side, other_side) {
            self.note_fork(kept, taken);
        }
        if sibling.pending_check.is_none() {
            if let Some(side) = other_side {
                self.sibling_takes_side(&mut sibling, side);
            }
            self.sibling_goes_to(&mut sibling, target);
        }
        self.siblings.push(sibling);
        Ok(holds)
    }

    /// The sides of a branch's condition that are possible; what became of the other is noted.
    fn sides_telling(
        &mut self,
        condition: Term,
        (true_side, false_side): (Option<u32>, Option<u32>),
    ) -> Sides {
        let unknowns = self.observer.unknowns;
        let sides = self.sides(condition);
        let absent = match sides {
            Sides::True => false_side,
            Sides::False => true_side,
            Sides::Both { .. } => None,
        };
        if self.observer.unknowns == unknowns {
            self.note_infeasible(absent)
        } else {
            self.note_answer(absent, SideAnswer::Unknown)
        }
        sides
    }

    /// Keeps what became of the query about a side; of a condition that is not a branch of the
    /// program's nothing is kept.
    pub(in crate::exec) fn note_answer(&self, side: Option<u32>, answer: SideAnswer) {
        if let Some(side) = side {
            self.config().side_answers.note(side, answer);
        }
    }

    /// This path cannot take a side.
    pub(in crate::exec) fn note_infeasible(&self, side: Option<u32>) {
        let answer = if self.state.underapproximations.is_empty() {
            SideAnswer::Infeasible
        } else {
            SideAnswer::InfeasibleUnderapproximated
        };
        self.note_answer(side, answer);
    }

    /// The next sibling takes one side of a branch, and this state another.
    fn note_fork(&mut self, kept: u32, taken: u32) {
        let number = self.siblings.len();
        self.observer.forked_sides.push((number, kept, taken));
    }

    /// This state, whose side has turned out to be possible, leaves the instruction at which it
    /// waited.
    pub(in crate::exec) fn leave(&mut self, continuation: Continuation) {
        match (continuation, self.instruction()) {
            (
                Continuation::Branch { holds },
                Inst::Branch {
                    then,
                    otherwise,
                    branch,
                    ..
                },
            ) => {
                if let Some(branch) = branch {
                    let side = self.prepared.segments.side(branch, u32::from(!holds));
                    self.take_side(side);
                }
                self.go_to(if holds { then } else { otherwise });
            }
            (
                Continuation::Switch { target, side },
                Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. },
            ) => {
                let branch = self.function().switches[table as usize].branch;
                if let Some(branch) = branch {
                    let side = self.prepared.segments.side(branch, side);
                    self.take_side(side);
                }
                self.go_to(target);
            }
            _ => debug_assert!(continuation == Continuation::Again),
        }
    }

    pub(in crate::exec) fn switch(&mut self, value: Value, table: u32) -> Result<(), Termination> {
        let function = self.function();
        match value {
            Value::Concrete(value) => {
                let (target, side) = self.prepared.switch_target(function, table, value);
                if let Some(side) = side {
                    self.take_side(side);
                }
                self.go_to(target);
                Ok(())
            }
            Value::Term(term) => {
                let table = &function.switches[table as usize];
                let example = self.example(term);
                let targets = self.switch_targets(term, table, Some(table.default));
                self.fork_targets(table, targets, |case| case == Some(example))
            }
        }
    }

    /// A computed goto: block addresses outside of the table are a bug.
    pub(in crate::exec) fn indirect_branch(
        &mut self,
        value: Value,
        table: u32,
    ) -> Result<(), Termination> {
        let table = &self.function().switches[table as usize];
        match value {
            Value::Concrete(value) => {
                let case = table.cases.iter().find(|case| case.0 == value);
                let Some(&(_, target, side)) = case else {
                    return Err(self.program_bug(BugKind::Exec, "illegal label address"));
                };
                if let Some(branch) = table.branch {
                    let side = self.prepared.segments.side(branch, side);
                    self.take_side(side);
                }
                self.go_to(target);
                Ok(())
            }
            Value::Term(term) => {
                let example = self.example(term);
                let targets = self.switch_targets(term, table, None);
                let any = targets
                    .iter()
                    .fold(self.terms().bool(false), |any, target| {
                        self.terms().or(any, target.condition)
                    });
                self.require(any, |prepared, state| {
                    prepared.bug(state, BugKind::Exec, "illegal label address")
                })?;
                let example = if table.cases.iter().any(|case| case.0 == example) {
                    example
                } else {
                    // The requirement changed the model.
                    self.example(term)
                };
                self.fork_targets(table, targets, |case| case == Some(example))
            }
        }
    }

    /// The distinct targets of a switch on `term`, each with its condition.
    fn switch_targets(
        &self,
        term: Term,
        table: &SwitchTable,
        default: Option<BlockId>,
    ) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for &(value, block, side) in &table.cases {
            match targets.iter_mut().find(|target| target.block == block) {
                Some(target) => target.values.push(Some(value)),
                None => targets.push(Target {
                    block,
                    side,
                    condition: term,
                    values: vec![Some(value)],
                }),
            }
        }
        let terms = self.terms();
        for target in &mut targets {
            target.condition = is_one_of(terms, term, target.values.iter().flatten().copied());
        }
        let cases = table.cases.iter().map(|case| case.0);
        let none = terms.not(is_one_of(terms, term, cases));
        if let Some(block) = default {
            match targets.iter_mut().find(|target| target.block == block) {
                Some(target) => {
                    target.condition = terms.or(target.condition, none);
                    target.values.push(None);
                }
                None => targets.push(Target {
                    block,
                    side: table.default_side,
                    condition: none,
                    values: vec![None],
                }),
            }
        }
        targets
    }

    /// Takes the target that the model chooses and forks a sibling for each other feasible one.
    /// `chosen` tells whether the model's value is a given case.
    fn fork_targets(
        &mut self,
        table: &SwitchTable,
        targets: Vec<Target>,
        chosen: impl Fn(Option<u128>) -> bool,
    ) -> Result<(), Termination> {
        let own = targets
            .iter()
            .position(|target| target.values.iter().any(|value| chosen(*value)))
            .or_else(|| {
                targets
                    .iter()
                    .position(|target| target.values.contains(&None))
            });
        let Some(own) = own else {
            return Err(self.unsupported("a switch without a target for the model's value"));
        };
        let terms = self.terms();
        if !self.state.forks.enabled {
            self.follow_model(targets[own].condition);
            for (_, target) in targets
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != own)
            {
                self.note_answer(self.dense_side(table, target), SideAnswer::NotFollowed);
            }
            self.take_target(table, &targets[own]);
            return Ok(());
        }
        let (mut others, unknown) = self.other_targets(table, &targets, own);
        let own = if self.config().dialect.takes_last_case_first() && !unknown {
            self.take_last_case(&targets, own, &mut others)
        } else {
            own
        };
        let lost = unknown.then(|| self.note_unknown());
        let forked = !others.is_empty();
        let sides = OtherSides::open(others.len() as u32);
        let all_pending = others
            .iter()
            .all(|(_, side)| matches!(side, OtherSide::Pending));
        if forked {
            self.deepen()?;
        }
        for (index, other) in others {
            let kept = targets[own].side;
            let sibling = self.sibling_for_target(table, (&targets[index], kept), other, &sides);
            self.siblings.push(sibling);
        }
        let target = &targets[own];
        if forked || lost.is_some() {
            let pending_check = (all_pending && lost.is_none()).then_some(&sides);
            let why = match &lost {
                Some(lost) => Why::Underapproximations(lost),
                None => Why::of_others(pending_check),
            };
            put_on_path(terms, self.state, target.condition, why);
            let side = target.side;
            let decision = Decision::Switch { side };
            self.state.decisions.push_beside(decision, pending_check);
        }
        self.take_target(table, target);
        Ok(())
    }

    /// The possible targets in KLEE's order: cases from the last to the first, then the default.
    /// The state takes the first, with a model of it, and `others` are the rest. If some wait to be
    /// asked for it keeps its own.
    fn take_last_case(
        &mut self,
        targets: &[Target],
        own: usize,
        others: &mut Vec<(usize, OtherSide)>,
    ) -> usize {
        let is_pending = |other: &(usize, OtherSide)| matches!(other.1, OtherSide::Pending);
        if others.is_empty() || others.iter().any(is_pending) {
            return own;
        }
        others.push((own, OtherSide::Possible(self.state.model.clone())));
        others.sort_by_key(|(index, _)| {
            let is_default = targets[*index].values.contains(&None);
            (is_default, std::cmp::Reverse(*index))
        });
        let (first, side) = others.remove(0);
        if let OtherSide::Possible(model) = side {
            self.state.model = model;
        }
        first
    }

    /// Returns the targets other than the model's that may be feasible, and true if the solver
    /// timed out on another.
    fn other_targets(
        &mut self,
        table: &SwitchTable,
        targets: &[Target],
        own: usize,
    ) -> (Vec<(usize, OtherSide)>, bool) {
        let mut found = Vec::new();
        let mut unknown = false;
        let terms = self.prepared.terms;
        for (index, target) in targets.iter().enumerate() {
            if index == own {
                continue;
            }
            let answer = if self.is_lazy() {
                let (path, model) = (&self.state.path, &self.state.model);
                self.oracle
                    .check_cheaply(terms, path, model, target.condition)
            } else {
                Some(self.ask(target.condition))
            };
            let side = self.dense_side(table, target);
            match answer {
                Some(Check::Sat(model)) => found.push((index, OtherSide::Possible(model))),
                Some(Check::Unsat) => self.note_infeasible(side),
                Some(Check::Unknown(_)) => {
                    self.note_answer(side, SideAnswer::Unknown);
                    unknown = true;
                }
                None => {
                    self.note_answer(side, SideAnswer::Pending);
                    found.push((index, OtherSide::Pending));
                }
            }
        }
        (found, unknown)
    }

    /// The number of a target's side.
    fn dense_side(&self, table: &SwitchTable, target: &Target) -> Option<u32> {
        let branch = table.branch?;
        Some(self.prepared.segments.side(branch, target.side))
    }

    /// A sibling that takes a target where this state keeps to the side `kept`.
    fn sibling_for_target(
        &mut self,
        table: &SwitchTable,
        (target, kept): (&Target, u32),
        other: OtherSide,
        sides: &OtherSides,
    ) -> Box<State> {
        let side = target.side;
        let dense = |side| {
            let branch = table.branch?;
            Some(self.prepared.segments.side(branch, side))
        };
        let (kept, taken) = (dense(kept), dense(side));
        let model = match other {
            OtherSide::Pending => None,
            OtherSide::Possible(model) => Some(model),
        };
        let mut sibling = match model {
            Some(model) if !self.state.forks.only_executions_cover => {
                let mut sibling = self.fork_state();
                let (terms, condition) = (self.prepared.terms, target.condition);
                put_on_path(terms, &mut sibling, condition, Why::OthersFollowed);
                sibling.model = model;
                sibling
            }
            model => self.pending_sibling(PendingCheck {
                condition: target.condition,
                model,
                others: sides.clone(),
                continuation: Continuation::Switch {
                    target: target.block,
                    side,
                },
            }),
        };
        sibling.decisions.push(Decision::Switch { side });
        if let (Some(kept), Some(taken)) = (kept, taken) {
            self.note_fork(kept, taken);
        }
        if sibling.pending_check.is_none() {
            if let Some(side) = taken {
                self.sibling_takes_side(&mut sibling, side);
            }
            self.sibling_goes_to(&mut sibling, target.block);
        }
        sibling
    }

    fn take_target(&mut self, table: &SwitchTable, target: &Target) {
        if let Some(branch) = table.branch {
            let side = self.prepared.segments.side(branch, target.side);
            self.take_side(side);
        }
        self.go_to(target.block);
    }
}

/// The 1-bit condition that a term is one of some values. Runs of values are ranges: `case 'a': ...
/// case 'z':` is two comparisons, which interval arithmetic decides where it cannot decide 26
/// equalities.
fn is_one_of(terms: &Terms, term: Term, values: impl Iterator<Item = u128>) -> Term {
    let mut values: Vec<u128> = values.collect();
    values.sort_unstable();
    let width = terms.width(term);
    let constant = |value| terms.constant(width, value);
    let follows = |low: &u128, high: &u128| low.checked_add(1) == Some(*high);
    values
        .chunk_by(follows)
        .fold(terms.bool(false), |any, run| {
            let (low, high) = (run[0], run[run.len() - 1]);
            let here = if run.len() < SHORTEST_RUN {
                let equal = |&value| terms.cmp(CmpOp::Eq, term, constant(value));
                let equal = run.iter().map(equal);
                equal.fold(terms.bool(false), |any, equal| terms.or(any, equal))
            } else {
                terms.and(
                    terms.cmp(CmpOp::Uge, term, constant(low)),
                    terms.cmp(CmpOp::Ule, term, constant(high)),
                )
            };
            terms.or(any, here)
        })
}

/// Values in a row that are compared as a range.
const SHORTEST_RUN: usize = 3;

/// A distinct target of a switch.
struct Target {
    block: BlockId,
    /// Number of the side within its branch site.
    side: u32,
    /// Holds exactly for the values that lead here.
    condition: Term,
    /// The cases; `None` is the default.
    values: Vec<Option<u128>>,
}
