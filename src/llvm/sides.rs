//! Code that notes which side a branch takes, before the branch.
//!
//! Invariant: the control flow does not change. The index of the side is computed from the very
//! same (frozen) value that the branch then tests.

use super::c_api::{Block, LLVMIntPredicate, ModuleRef, Type, Value, metadata_kind};
use super::read::tag::{BRANCH_METADATA, TaggedBranch, branch_kind};
use homi_ir::program::BranchKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;
use std::collections::HashMap;

/// A branch site in a module.
pub(crate) struct BranchSite {
    terminator: Value,
    kind: BranchKind,
    /// The index of its first side among the sides of all branches.
    first: usize,
}

/// Visits each numbered branch site.
pub(crate) fn for_each_branch(
    module: ModuleRef,
    branches: &[TaggedBranch],
    visit: &mut dyn FnMut(&BranchSite),
) {
    let firsts: Vec<usize> = branches
        .iter()
        .scan(0, |next, branch| {
            let first = *next;
            *next += branch.sides as usize;
            Some(first)
        })
        .collect();
    let metadata = metadata_kind(module, BRANCH_METADATA);
    let functions = module.functions().into_iter();
    for terminator in functions
        .flat_map(Value::blocks)
        .filter_map(Block::terminator)
    {
        let number = terminator.metadata_number(metadata);
        if let (Some(number), Some(kind)) = (number, branch_kind(terminator)) {
            visit(&BranchSite {
                terminator,
                kind,
                first: firsts[number as usize],
            });
        }
    }
}

/// Makes the code.
pub(crate) struct SideBuilder {
    builder: LLVMBuilderRef,
    byte: Type,
    word: Type,
    pointer: Type,
}

impl Drop for SideBuilder {
    fn drop(&mut self) {
        // SAFETY: made by `new`, disposed of once.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl SideBuilder {
    pub fn new(module: ModuleRef) -> SideBuilder {
        let context = module.context();
        // SAFETY: a builder and types of a live module's own context.
        unsafe {
            SideBuilder {
                builder: LLVMCreateBuilderInContext(context),
                byte: Type::from_raw(LLVMInt8TypeInContext(context)),
                word: Type::from_raw(LLVMInt64TypeInContext(context)),
                pointer: Type::from_raw(LLVMPointerTypeInContext(context, 0)),
            }
        }
    }

    /// Returns the address that a global holds.
    pub fn load_pointer(&self, location: Value) -> Value {
        // SAFETY: the builder stands before a branch; the global holds a pointer.
        unsafe {
            let (pointer, name) = (self.pointer.raw(), c"".as_ptr());
            Value::from_raw(LLVMBuildLoad2(self.builder, pointer, location.raw(), name))
        }
    }

    /// Stores 1 in the byte of a side.
    pub fn store_one(&self, sides: Value, side: Value) {
        // SAFETY: the builder stands before a branch; the index is in the array.
        unsafe {
            let one = LLVMConstInt(self.byte.raw(), 1, 0);
            LLVMBuildStore(self.builder, one, self.byte_of(sides, side).raw());
        }
    }

    /// Adds 1 to the byte of a side; 255 becomes 1, so that the count of a side taken is never 0.
    pub fn count_one(&self, sides: Value, side: Value) {
        let name = c"".as_ptr();
        let byte = self.byte.raw();
        // SAFETY: the builder stands before a branch; the index is in the array.
        unsafe {
            let address = self.byte_of(sides, side).raw();
            let one = LLVMConstInt(byte, 1, 0);
            let count = LLVMBuildLoad2(self.builder, byte, address, name);
            let next = LLVMBuildAdd(self.builder, count, one, name);
            let zero = LLVMConstInt(byte, 0, 0);
            let equal = LLVMIntPredicate::LLVMIntEQ;
            let wraps = LLVMBuildICmp(self.builder, equal, next, zero, name);
            let carry = LLVMBuildZExt(self.builder, wraps, byte, name);
            let next = LLVMBuildAdd(self.builder, next, carry, name);
            LLVMBuildStore(self.builder, next, address);
        }
    }

    fn byte_of(&self, sides: Value, side: Value) -> Value {
        let mut indices = [side.raw()];
        // SAFETY: as the callers say.
        unsafe {
            Value::from_raw(LLVMBuildGEP2(
                self.builder,
                self.byte.raw(),
                sides.raw(),
                indices.as_mut_ptr(),
                1,
                c"".as_ptr(),
            ))
        }
    }

    fn constant(&self, value: usize) -> Value {
        // SAFETY: an integer type of the live context, and a constant of it.
        unsafe { Value::from_raw(LLVMConstInt(self.word.raw(), value as u64, 0)) }
    }

    /// Places the builder before a branch; returns the index of the side that the branch takes.
    pub fn side_taken(&self, branch: &BranchSite) -> Value {
        let name = c"".as_ptr();
        let terminator = branch.terminator;
        // SAFETY: the builder is positioned before a live terminator whose kind `for_each_branch`
        // has checked; operand 0 of switch and indirectbr is the value they test.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, terminator.raw());
            let tested = match branch.kind {
                BranchKind::Conditional => LLVMGetCondition(terminator.raw()),
                BranchKind::Switch | BranchKind::Indirect => LLVMGetOperand(terminator.raw(), 0),
            };
            let frozen = LLVMBuildFreeze(self.builder, tested, name);
            match branch.kind {
                BranchKind::Conditional => {
                    LLVMSetCondition(terminator.raw(), frozen);
                    let (yes, no) = (self.constant(branch.first), self.constant(branch.first + 1));
                    let side = LLVMBuildSelect(self.builder, frozen, yes.raw(), no.raw(), name);
                    Value::from_raw(side)
                }
                BranchKind::Switch | BranchKind::Indirect => {
                    LLVMSetOperand(terminator.raw(), 0, frozen);
                    self.side_of_many(branch, Value::from_raw(frozen))
                }
            }
        }
    }

    /// The index of the side that a switch or computed goto takes, by a chain of selects.
    fn side_of_many(&self, branch: &BranchSite, tested: Value) -> Value {
        let terminator = branch.terminator;
        let mut sides: HashMap<Block, usize> = HashMap::new();
        let mut result = self.constant(branch.first);
        for (position, target) in terminator.successors().into_iter().enumerate() {
            let next = sides.len();
            let side = *sides.entry(target).or_insert(next);
            if position == 0 {
                continue; // the default, or the first target, if nothing else matches
            }
            // SAFETY: as in `side_taken`; a block address needs its function.
            unsafe {
                let expected = match branch.kind {
                    BranchKind::Switch => terminator.switch_case(position as u32).raw(),
                    _ => LLVMBlockAddress(LLVMGetBasicBlockParent(target.raw()), target.raw()),
                };
                let name = c"".as_ptr();
                let predicate = LLVMIntPredicate::LLVMIntEQ;
                let equal = LLVMBuildICmp(self.builder, predicate, tested.raw(), expected, name);
                let here = self.constant(branch.first + side);
                let chosen = LLVMBuildSelect(self.builder, equal, here.raw(), result.raw(), name);
                result = Value::from_raw(chosen);
            }
        }
        result
    }
}
