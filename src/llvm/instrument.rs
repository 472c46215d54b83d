//! A native program with a counter per branch side: the exact oracle of what the engine says a test
//! covers.
//!
//! Invariant: numbers come from the same tagging of the same modules as in a load, before anything
//! else. The control flow is not changed: before each branch site one store marks the side that the
//! very same (frozen) condition then takes. The result is compiled without optimisation.

use super::c_api::{Block, LLVMIntPredicate, ModuleRef, Type, Value, metadata_kind};
use super::link::join::{Joined, read_program};
use super::read::error::LoadError;
use super::read::inputs::find_modules;
use super::read::tag::{BRANCH_METADATA, TaggedBranch, branch_kind, mark_origin, number_branches};
use crate::ir::program::{BranchKind, Origin};
use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// The C file that owns the counters at run time.
const COUNTERS_SOURCE: &str = include_str!("../../runtime/instrument/counters.c");

/// Options of the build.
pub struct InstrumentOptions {
    /// Bitcode files, as for a load.
    pub inputs: Vec<PathBuf>,
    /// The executable to write.
    pub output: PathBuf,
    /// clang of the version that homi was built with.
    pub clang: PathBuf,
    /// Further words for the link: objects, C files, libraries, flags.
    pub link_arguments: Vec<String>,
}

/// Builds the program with counters; returns the number of branch sides.
pub fn instrument(options: &InstrumentOptions) -> Result<usize, LoadError> {
    let failed = |reason: String| LoadError::Instrument { reason };
    let context = Context::create();
    let inputs = find_modules(&options.inputs)?;
    let Joined { module, .. } = read_program(&context, &inputs, "main", &mut |_| {})?;
    // SAFETY: the module lives to the end of this function, and the handle does not leave it.
    let handle = unsafe { ModuleRef::from_raw(module.as_mut_ptr()) };
    mark_origin(handle, Origin::Program);
    let mut branches = Vec::new();
    number_branches(handle, &mut branches);
    let sides = insert_counters(handle, &branches);
    module
        .verify()
        .map_err(|message| failed(format!("instrumented module: {message}")))?;

    let io = |error: std::io::Error| failed(error.to_string());
    let directory = tempfile::tempdir().map_err(io)?;
    let bitcode = directory.path().join("program.bc");
    if !module.write_bitcode_to_path(&bitcode) {
        return Err(failed(format!("cannot write {}", bitcode.display())));
    }
    let counters = directory.path().join("counters.c");
    let mut file = std::fs::File::create(&counters).map_err(io)?;
    file.write_all(COUNTERS_SOURCE.as_bytes()).map_err(io)?;
    drop(file);
    let output = Command::new(&options.clang)
        .args(["-O0", "-w", "-no-pie", "-rdynamic", "-o"])
        .arg(&options.output)
        .arg(&bitcode)
        .arg(&counters)
        .args(&options.link_arguments)
        .args(["-lm", "-lpthread", "-ldl", "-lrt"])
        .output()
        .map_err(|error| failed(format!("{}: {error}", options.clang.display())))?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        let words: Vec<&str> = messages.lines().take(8).collect();
        return Err(failed(format!(
            "{} failed: {}",
            options.clang.display(),
            words.join("; ")
        )));
    }
    Ok(sides)
}

/// The index of each branch's first side in the counters, and the number of all sides.
fn first_sides(sides: impl Iterator<Item = u32>) -> (Vec<usize>, usize) {
    let mut next = 0;
    let mut first = Vec::new();
    for count in sides {
        first.push(next);
        next += count as usize;
    }
    (first, next)
}

/// Declares the counters and marks the side taken before every branch site.
fn insert_counters(module: ModuleRef, branches: &[TaggedBranch]) -> usize {
    let (first, total) = first_sides(branches.iter().map(|branch| branch.sides));
    let kind = metadata_kind(module, BRANCH_METADATA);
    let counters = Counters::new(module, total);
    for function in module.functions() {
        for block in function.blocks() {
            let Some(terminator) = block.terminator() else {
                continue;
            };
            let Some(number) = terminator.metadata_number(kind) else {
                continue;
            };
            if let Some(kind) = branch_kind(terminator) {
                counters.mark(terminator, kind, first[number as usize]);
            }
        }
    }
    total
}

/// Makes the marking code.
struct Counters {
    builder: LLVMBuilderRef,
    byte: Type,
    word: Type,
    pointer: Type,
    /// The global that holds the address of the counters.
    location: Value,
}

impl Drop for Counters {
    fn drop(&mut self) {
        // SAFETY: made by `new`, disposed of once.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl Counters {
    fn new(module: ModuleRef, total: usize) -> Counters {
        let context = module.context();
        // SAFETY: types, constants and globals of a live module's own context.
        unsafe {
            let byte = LLVMInt8TypeInContext(context);
            let word = LLVMInt64TypeInContext(context);
            let pointer = LLVMPointerTypeInContext(context, 0);
            let array = LLVMArrayType2(byte, total.max(1) as u64);
            let fallback = LLVMAddGlobal(module.raw(), array, c"__homi_branch_fallback".as_ptr());
            LLVMSetInitializer(fallback, LLVMConstNull(array));
            let sides = LLVMAddGlobal(module.raw(), word, c"__homi_branch_sides".as_ptr());
            LLVMSetInitializer(sides, LLVMConstInt(word, total as u64, 0));
            let location = LLVMAddGlobal(module.raw(), pointer, c"__homi_branch_counters".as_ptr());
            LLVMSetInitializer(location, fallback);
            Counters {
                builder: LLVMCreateBuilderInContext(context),
                byte: Type::from_raw(byte),
                word: Type::from_raw(word),
                pointer: Type::from_raw(pointer),
                location: Value::from_raw(location),
            }
        }
    }

    fn constant(&self, value: usize) -> Value {
        // SAFETY: an integer type of the live context, and a constant of it.
        unsafe { Value::from_raw(LLVMConstInt(self.word.raw(), value as u64, 0)) }
    }

    /// Inserts the store for one branch site whose first side has index `first`.
    fn mark(&self, terminator: Value, kind: BranchKind, first: usize) {
        let name = c"".as_ptr();
        // SAFETY: the builder is positioned before a live terminator whose kind was checked by the
        // caller; operand 0 of switch and indirectbr is the value they test.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, terminator.raw());
            let tested = match kind {
                BranchKind::Conditional => LLVMGetCondition(terminator.raw()),
                BranchKind::Switch | BranchKind::Indirect => LLVMGetOperand(terminator.raw(), 0),
            };
            let frozen = LLVMBuildFreeze(self.builder, tested, name);
            match kind {
                BranchKind::Conditional => LLVMSetCondition(terminator.raw(), frozen),
                BranchKind::Switch | BranchKind::Indirect => {
                    LLVMSetOperand(terminator.raw(), 0, frozen)
                }
            }
            let index = match kind {
                BranchKind::Conditional => LLVMBuildSelect(
                    self.builder,
                    frozen,
                    self.constant(first).raw(),
                    self.constant(first + 1).raw(),
                    name,
                ),
                BranchKind::Switch | BranchKind::Indirect => self
                    .side(terminator, kind, Value::from_raw(frozen), first)
                    .raw(),
            };
            let base = LLVMBuildLoad2(self.builder, self.pointer.raw(), self.location.raw(), name);
            let mut indices = [index];
            let address = LLVMBuildGEP2(
                self.builder,
                self.byte.raw(),
                base,
                indices.as_mut_ptr(),
                1,
                name,
            );
            let one = LLVMConstInt(self.byte.raw(), 1, 0);
            LLVMBuildStore(self.builder, one, address);
        }
    }

    /// The index of the side that a switch or computed goto takes, by a chain of selects.
    fn side(&self, terminator: Value, kind: BranchKind, tested: Value, first: usize) -> Value {
        let mut sides: HashMap<Block, usize> = HashMap::new();
        let mut result = self.constant(first);
        for (position, target) in terminator.successors().into_iter().enumerate() {
            let next = sides.len();
            let side = *sides.entry(target).or_insert(next);
            if position == 0 {
                continue; // the default, or the first target, if nothing else matches
            }
            // SAFETY: as in `mark`; a block address needs its function.
            unsafe {
                let expected = match kind {
                    BranchKind::Switch => terminator.switch_case(position as u32).raw(),
                    _ => LLVMBlockAddress(LLVMGetBasicBlockParent(target.raw()), target.raw()),
                };
                let name = c"".as_ptr();
                let equal = LLVMBuildICmp(
                    self.builder,
                    LLVMIntPredicate::LLVMIntEQ,
                    tested.raw(),
                    expected,
                    name,
                );
                let here = self.constant(first + side);
                let chosen = LLVMBuildSelect(self.builder, equal, here.raw(), result.raw(), name);
                result = Value::from_raw(chosen);
            }
        }
        result
    }
}
