//! The order in which the operands of an expression are evaluated, where it may matter: C leaves it
//! to the compiler, and bitcode has the one that clang chose.
//!
//! Idea: without optimization, a value that an instruction uses was loaded or returned in the same
//! expression; values of earlier statements are loaded again. So two operands of an instruction are
//! compared: what the calls of one read and change (`effects`) with what the calls and loads of the
//! other do, and loads of a variable with its changes until the instruction.
//!
//! Invariant: only operands within a block are followed, so the operators that order their operands
//! (`&&`, `||`, `?:`) do not count, nor what is evaluated beside them.

use super::effects::{Access, EffectsOfCalls, base_of};
use crate::c_api::{Block, LLVMOpcode, Value};
use rustc_hash::FxHashSet;

/// Loads and calls that an operand's evaluation consists of.
#[derive(Default)]
struct Evaluation {
    loads: FxHashSet<Value>,
    calls: FxHashSet<Value>,
    seen: FxHashSet<Value>,
}

impl Evaluation {
    fn of(operand: Value, user: Value) -> Self {
        let mut found = Self::default();
        found.add(operand, user);
        found
    }

    fn add(&mut self, value: Value, user: Value) {
        use LLVMOpcode as Op;
        if !value.is_instruction() || value.block() != user.block() || !self.seen.insert(value) {
            return;
        }
        match value.opcode() {
            Op::LLVMAlloca | Op::LLVMPHI => return,
            Op::LLVMLoad => drop(self.loads.insert(value)),
            Op::LLVMCall => drop(self.calls.insert(value)),
            _ => {}
        }
        for index in 0..value.operand_count() {
            self.add(value.operand(index), user);
        }
    }

    fn is_empty(&self) -> bool {
        self.loads.is_empty() && self.calls.is_empty()
    }

    /// Leaves out what both operands share.
    fn without(&self, other: &Self) -> Self {
        let only = |own: &FxHashSet<Value>, others: &FxHashSet<Value>| {
            own.difference(others).copied().collect()
        };
        Self {
            loads: only(&self.loads, &other.loads),
            calls: only(&self.calls, &other.calls),
            seen: FxHashSet::default(),
        }
    }
}

/// Returns the instructions of a block at which an evaluation begins whose order matters.
pub(super) fn unordered(effects: &mut EffectsOfCalls, block: Block) -> FxHashSet<Value> {
    let users = block.instructions();
    let evaluated = users.filter_map(|inst| unordered_operands(effects, inst));
    let first = |all: FxHashSet<Value>| block.instructions().find(|inst| all.contains(inst));
    evaluated.filter_map(first).collect()
}

/// Returns the loads and calls of an instruction's operands, if its result may be another where
/// they are evaluated in another order.
fn unordered_operands(effects: &mut EffectsOfCalls, inst: Value) -> Option<FxHashSet<Value>> {
    use LLVMOpcode as Op;
    let has_order = matches!(inst.opcode(), Op::LLVMBr | Op::LLVMSwitch | Op::LLVMPHI);
    if has_order || inst.operand_count() < 2 {
        return None;
    }
    let operands = (0..inst.operand_count()).map(|index| inst.operand(index));
    let all: Vec<Evaluation> = operands
        .map(|operand| Evaluation::of(operand, inst))
        .filter(|one| !one.is_empty())
        .collect();
    let mut pairs = (0..all.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let found = pairs.find(|(a, b)| {
        let (first, second) = (all[*a].without(&all[*b]), all[*b].without(&all[*a]));
        is_changed_between(&first, &second, inst)
            || conflict(effects, &first, &second)
            || conflict(effects, &second, &first)
    })?;
    let (a, b) = (&all[found.0], &all[found.1]);
    let parts = [&a.loads, &a.calls, &b.loads, &b.calls];
    Some(parts.into_iter().flatten().copied().collect())
}

/// Returns true if both operands load a variable that changes before the instruction.
fn is_changed_between(first: &Evaluation, second: &Evaluation, inst: Value) -> bool {
    first.loads.iter().any(|load| {
        let mut others = second.loads.iter();
        let other = others.find(|other| other.operand(0) == load.operand(0));
        other.is_some_and(|other| is_stored_until(*load, inst) || is_stored_until(*other, inst))
    })
}

/// Returns true if a store to the loaded variable lies between a load and an instruction.
fn is_stored_until(load: Value, inst: Value) -> bool {
    let behind = inst.block().instructions().skip_while(|one| *one != load);
    let mut between = behind.take_while(|one| *one != inst);
    between.any(|one| one.opcode() == LLVMOpcode::LLVMStore && one.operand(1) == load.operand(0))
}

/// Returns true if calls of one operand change what the other's evaluation sees.
fn conflict(effects: &mut EffectsOfCalls, one: &Evaluation, other: &Evaluation) -> bool {
    one.calls.iter().any(|call| {
        let own = effects.of(*call);
        let seen = |load: &Value| own.changes(&Access::at(base_of(load.operand(0))));
        other.loads.iter().any(seen) || other.calls.iter().any(|call| effects.of(*call).sees(&own))
    })
}
