//! Calls that exceptions leave, and their landing pads.
//!
//! Invariant: a call with a landing pad is followed by a branch on whether an exception came, which
//! does not count as the program's; the landing pad's values are results of the call, moved on the
//! edge like a phi's values, since several calls may share the pad. A selector is a number per
//! type, the same in the whole program; selectors of filters are negative and belong to the landing
//! pad.

use super::Unsupported;
use super::function::{Body, phis};
use super::types::Scalar;
use crate::c_api::{Block, LLVMOpcode, LLVMTypeKind, Value};
use homi_ir::program::{Clause, ClauseKind, Inst, Landing, Slot};

/// Function that continues an exception that a landing pad has only seen (Itanium C++ ABI).
pub const RESUME: &str = "_Unwind_Resume";

impl Body<'_, '_> {
    /// Lowers a call, then a branch to one of its two continuations.
    pub fn lower_invoke(&mut self, inst: Value) -> Result<(), Unsupported> {
        let targets = inst.successors();
        let (Some(&normal), Some(&unwind)) = (targets.first(), targets.get(1)) else {
            return Err(Unsupported::new("an invoke without targets"));
        };
        self.landing = Some(self.landing_of(unwind)?);
        let result = self.lower_call(inst);
        let unused = self.landing.take();
        result?;
        let block = inst.block();
        let Some(results) = self.landing_results.take().filter(|_| unused.is_none()) else {
            // No call was made of it, so nothing can come out.
            return self.jump(block, normal);
        };
        if let Some(pad) = landing_pad(unwind) {
            self.incoming.insert(block, results);
            debug_assert!(self.values.contains_key(&pad));
        }
        let then = self.edge(block, unwind)?;
        let otherwise = self.edge(block, normal)?;
        self.emit(Inst::Branch {
            cond: results.came,
            then,
            otherwise,
            branch: None,
        });
        Ok(())
    }

    /// The entry of `landings` for the pad that a block starts with.
    fn landing_of(&mut self, block: Block) -> Result<u32, Unsupported> {
        let Some(pad) = landing_pad(block) else {
            return Err(Unsupported::new(
                "a way of exceptions that starts with no landingpad",
            ));
        };
        if let Some(known) = self.landing_pads.get(&pad) {
            return Ok(*known);
        }
        let mut landing = Landing {
            cleanup: pad.is_cleanup(),
            clauses: Vec::new(),
        };
        let mut filters = 0;
        for clause in pad.clauses() {
            if clause.ty().kind() != LLVMTypeKind::LLVMArrayTypeKind {
                landing.clauses.push(Clause {
                    kind: ClauseKind::Catch,
                    selector: self.module.type_number(clause),
                    of: self.module.single(clause)?,
                });
                continue;
            }
            filters += 1;
            landing.clauses.push(Clause {
                kind: ClauseKind::Filter,
                selector: -filters,
                of: super::constant::int(64, 0),
            });
            for index in 0..clause.ty().array_length() {
                let listed = clause.aggregate_element(index as u32);
                let listed = listed.ok_or_else(|| Unsupported::new("a filter without types"))?;
                landing.clauses.push(Clause {
                    kind: ClauseKind::Listed,
                    selector: -filters,
                    of: self.module.single(listed)?,
                });
            }
        }
        let index = self.landings.len() as u32;
        self.landings.push(landing);
        self.landing_pads.insert(pad, index);
        Ok(index)
    }

    /// Returns the results of an invoke's call for its landing pad.
    pub fn results_of_landing(&mut self) -> Option<(u32, LandingResults)> {
        let landing = self.landing.take()?;
        let results = LandingResults {
            came: self.new_slot(1),
            exception: self.new_slot(64),
            selector: self.new_slot(32),
        };
        self.landing_results = Some(results);
        Some((landing, results))
    }

    /// The moves of an edge into a landing pad.
    pub fn landing_moves(&mut self, from: Block, to: Block) -> Vec<(u8, Slot, Slot)> {
        let (Some(results), Some(pad)) = (self.incoming.get(&from), landing_pad(to)) else {
            return Vec::new();
        };
        match self.values.get(&pad).map(Vec::as_slice) {
            Some(&[exception, selector]) => vec![
                (64, exception, results.exception),
                (32, selector, results.selector),
            ],
            _ => Vec::new(),
        }
    }

    /// Reserves slots for the values of these blocks' landing pads.
    pub fn reserve_landing_pads(&mut self, order: &[Block]) {
        for pad in order.iter().copied().filter_map(landing_pad) {
            let slots = vec![self.new_slot(64), self.new_slot(32)];
            self.values.insert(pad, slots);
        }
    }

    /// Lowers `resume`: the exception propagates to the next caller with a landing pad for it.
    pub fn lower_resume(&mut self, inst: Value) -> Result<(), Unsupported> {
        let exception = self.operand(inst.operand(0))?;
        let function = self.module.word_function(RESUME, 1);
        let function =
            function.ok_or_else(|| Unsupported::new(format!("{RESUME} is not there")))?;
        let exception = exception.first().copied();
        let exception = exception.ok_or_else(|| Unsupported::new("a resume of nothing"))?;
        self.call_function(function, vec![(exception, Scalar::Pointer)], None);
        self.emit(Inst::Unreachable);
        Ok(())
    }
}

/// Slots of a call for an exception.
#[derive(Clone, Copy, Debug)]
pub struct LandingResults {
    pub came: Slot,
    pub exception: Slot,
    pub selector: Slot,
}

/// The landing pad that a block starts with.
fn landing_pad(block: Block) -> Option<Value> {
    let first = block.instructions().nth(phis(block).len())?;
    (first.opcode() == LLVMOpcode::LLVMLandingPad).then_some(first)
}

impl super::Lowering<'_> {
    /// The number by which landing pads know a type.
    pub fn type_number(&mut self, of: Value) -> i32 {
        let next = self.type_numbers.len() as i32 + 1;
        *self.type_numbers.entry(of).or_insert(next)
    }
}
