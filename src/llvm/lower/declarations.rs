//! Locals without an initial value whose declaration is reached again: they have no value then, and
//! not the value of the round before (C11 6.2.4p6).
//!
//! Invariant: only a local that some way from its declaration reads before it writes is looked at.
//! Debug information says where a declaration is.

use super::Unsupported;
use super::function::Body;
use super::marked_values::{is_debug, is_local};
use crate::c_api::{Block, LLVMOpcode, Value};
use rustc_hash::FxHashSet;

fn successors(block: Block) -> Vec<Block> {
    block.terminator().map_or(Vec::new(), Value::successors)
}

/// Returns true if a way leads from a block to itself.
fn is_repeated(block: Block) -> bool {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut waiting = successors(block);
    while let Some(next) = waiting.pop() {
        if seen.insert(next) {
            waiting.extend(successors(next));
        }
    }
    seen.contains(&block)
}

/// Effect of an instruction on a local.
enum Use {
    Nothing,
    Sets,
    Other,
}

fn use_of(inst: Value, local: Value) -> Use {
    let operands = || (0..inst.operand_count()).map(|index| inst.operand(index));
    if is_debug(inst) || operands().all(|operand| operand != local) {
        return Use::Nothing;
    }
    match inst.opcode() {
        LLVMOpcode::LLVMStore if inst.operand(0) != local => Use::Sets,
        LLVMOpcode::LLVMCall => {
            let name = inst.called_value().name();
            let fills = name.starts_with("llvm.mem") && inst.operand(0) == local;
            match name.starts_with("llvm.lifetime.") {
                true => Use::Nothing,
                false if fills => Use::Sets,
                false => Use::Other,
            }
        }
        _ => Use::Other,
    }
}

/// Returns true if a way from a declaration uses a local before it sets it.
fn may_be_read_unset(declaration: Value, local: Value) -> bool {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let all = declaration.block().instructions();
    let mut rest: Vec<Value> = all
        .skip_while(|inst| *inst != declaration)
        .skip(1)
        .collect();
    let mut waiting = vec![declaration.block()];
    while let Some(block) = waiting.pop() {
        let first = rest.iter().map(|inst| use_of(*inst, local));
        match first.into_iter().find(|one| !matches!(one, Use::Nothing)) {
            Some(Use::Other) => return true,
            Some(_) => {}
            None => {
                let next = successors(block).into_iter();
                waiting.extend(next.filter(|block| seen.insert(*block)));
            }
        }
        if let Some(next) = waiting.last() {
            rest = next
                .instructions()
                .take_while(|inst| *inst != declaration)
                .collect();
        }
    }
    false
}

impl Body<'_, '_> {
    /// Takes the value of the local away that a call of `llvm.dbg.declare` describes.
    pub fn renew_local(&mut self, declaration: Value) -> Result<(), Unsupported> {
        let Some((local, _)) = declaration.described_variable() else {
            return Ok(());
        };
        let is_asked = is_local(local)
            && local.operand(0).is_constant()
            && !declaration.is_inlined()
            && is_repeated(declaration.block())
            && may_be_read_unset(declaration, local);
        if is_asked && self.values.contains_key(&local) {
            let size = self
                .module
                .types
                .layout
                .allocation_size(local.allocated_type());
            let words = [self.scalar(local)?, self.int(64, size.into())];
            self.call_of_words("homi_renew", &words);
        }
        Ok(())
    }
}
