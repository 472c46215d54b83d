//! The function that a call through a pointer reaches.
//!
//! Invariant: a symbolic pointer forks over functions, never over numbers.

use super::super::context::{Context, Sides};
use super::super::prepared::PreparedProgram;
use super::bases::scan_constants;
use crate::memory;
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use crate::state::{Decision, State};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{FuncId, PointerWidth, Slot};
use homi_solver::term::Term;

impl PreparedProgram<'_> {
    /// Returns the termination of a path that calls an address without a function.
    fn no_function(&self, state: &State, address: u64) -> Termination {
        let mut bug = self.bug(state, BugKind::Exec, "invalid function pointer");
        bug.details.push(format!("address: {address:#x}"));
        Termination::Bug(Box::new(bug))
    }
}

impl Context<'_, '_> {
    /// Returns the function that a pointer calls. A symbolic pointer forks over all functions that
    /// it may be, first the functions in its term; other values are a bug.
    pub(super) fn indirect_callee(&mut self, slot: Slot) -> Result<FuncId, Termination> {
        let term = match self.get_defined(slot, 64, "call of an undefined function pointer") {
            Value::Concrete(address) => return self.function_at(address as u64),
            Value::Term(term) => term,
        };
        let mut candidates = Vec::new();
        let count = self.program().functions.len();
        let mut consider = |value| {
            let function = memory::function_at(value as u64);
            candidates.extend(function.filter(|function| function.index() < count));
        };
        scan_constants(self.terms(), term, 64, &mut consider);
        if self.program().pointers == PointerWidth::Bits32 {
            // What has been in memory.
            scan_constants(self.terms(), term, 32, &mut consider);
        }
        candidates.sort_unstable();
        candidates.dedup();
        for function in candidates {
            if self.calls(term, function)? {
                return Ok(function);
            }
        }
        self.require_function(term, count as u64)?;
        let function = self.function_at(self.example(term) as u64)?;
        // The model satisfies it.
        self.calls(term, function)?;
        Ok(function)
    }

    /// Returns true if a function pointer is the address of a function. If it may have another
    /// value, a sibling forks off that tries the other functions.
    fn calls(&mut self, pointer: Term, function: FuncId) -> Result<bool, Termination> {
        let equal = self.equals(pointer, memory::function_address(function).into());
        if self.example(equal) != 0 {
            self.keep_to(equal, Decision::Callee { function })?;
            return Ok(true);
        }
        match self.sides(equal) {
            Sides::False => Ok(false),
            Sides::True => Ok(true),
            Sides::Both { holds, fails } => {
                let mut sibling = self.split(equal, holds, fails)?;
                sibling.decisions.push(Decision::Branch { side: 1 });
                self.state.decisions.push(Decision::Callee { function });
                self.siblings.push(sibling);
                Ok(true)
            }
        }
    }

    /// Continues the path if a pointer is the address of one of the program's `count` functions;
    /// else the path ends as a bug.
    fn require_function(&mut self, pointer: Term, count: u64) -> Result<(), Termination> {
        let terms = self.terms();
        let constant = |value: u64| terms.constant(64, value.into());
        let (base, stride) = (memory::FUNCTION_BASE, memory::FUNCTION_STRIDE);
        let distance = terms.bin(BinOp::Sub, pointer, constant(base));
        let near = terms.cmp(CmpOp::Ult, distance, constant(count * stride));
        let rest = terms.bin(BinOp::URem, distance, constant(stride));
        let is_function = terms.and(near, terms.eq_const(rest, 0));
        match self.sides(is_function) {
            Sides::True => Ok(()),
            Sides::False => self.function_at(self.example(pointer) as u64).map(|_| ()),
            Sides::Both { holds, fails } => {
                self.fork_bug(is_function, (holds, fails), |context, sibling| {
                    let address = terms.eval(pointer, &sibling.model) as u64;
                    context.prepared.no_function(sibling, address)
                })
            }
        }
    }

    /// The function that starts at an address, else a bug.
    fn function_at(&self, address: u64) -> Result<FuncId, Termination> {
        memory::function_at(address)
            .filter(|function| function.index() < self.program().functions.len())
            .ok_or_else(|| self.prepared.no_function(self.state, address))
    }
}
