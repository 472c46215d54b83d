//! A native program with a counter per branch side: the exact oracle of what the engine says a test
//! covers.
//!
//! Invariant: numbers come from the same tagging of the same modules as in a load, before anything
//! else. The control flow is not changed: before each branch site one store marks the side that the
//! very same (frozen) condition then takes. The result is compiled without optimisation, unless the
//! caller wants another build to compare with.

use super::c_api::{ModuleRef, Value};
use super::link::join::{Joined, read_program};
use super::read::error::LoadError;
use super::read::inputs::find_modules;
use super::read::tag::{TaggedBranch, mark_origin, number_branches};
use super::sides::{SideBuilder, for_each_branch};
use homi_ir::program::{BranchKind, Origin};
use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
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

/// A branch of an instrumented program.
#[derive(Clone, Debug)]
pub struct InstrumentedBranch {
    pub kind: BranchKind,
    /// Number of sides; their counters follow the counters of the branches before.
    pub sides: u32,
    pub function: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// Line and column; 0 if unknown.
    pub line: u32,
    pub column: u32,
}

/// Builds the program with counters; returns the number of branch sides.
pub fn instrument(options: &InstrumentOptions) -> Result<usize, LoadError> {
    let branches = instrument_at(options, "-O0")?;
    Ok(branches.iter().map(|branch| branch.sides as usize).sum())
}

/// Builds the program with counters at a level of optimization; returns its branches.
pub fn instrument_at(
    options: &InstrumentOptions,
    level: &str,
) -> Result<Vec<InstrumentedBranch>, LoadError> {
    let failed = |reason: String| LoadError::Instrument { reason };
    let context = Context::create();
    let inputs = find_modules(&options.inputs)?;
    let Joined { module, .. } = read_program(&context, &inputs, "main", &mut |_| {})?;
    // SAFETY: the module lives to the end of this function, and the handle does not leave it.
    let handle = unsafe { ModuleRef::from_raw(module.as_mut_ptr()) };
    mark_origin(handle, Origin::Program);
    let mut branches = Vec::new();
    number_branches(handle, &mut branches);
    insert_counters(handle, &branches);
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
        .args([level, "-w", "-no-pie", "-rdynamic", "-o"])
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
    Ok(branches.into_iter().map(InstrumentedBranch::of).collect())
}

impl InstrumentedBranch {
    fn of(branch: TaggedBranch) -> Self {
        let position = branch.position;
        let (file, line, column) = position.map_or_else(Default::default, |position| {
            (position.file, position.line, position.column)
        });
        Self {
            kind: branch.kind,
            sides: branch.sides,
            function: branch.function,
            file,
            line,
            column,
        }
    }
}

/// Declares the counters and marks the side taken before every branch site.
fn insert_counters(module: ModuleRef, branches: &[TaggedBranch]) {
    let total = branches.iter().map(|branch| branch.sides as usize).sum();
    let location = declare_counters(module, total);
    let builder = SideBuilder::new(module);
    for_each_branch(module, branches, &mut |branch| {
        let side = builder.side_taken(branch);
        let counters = builder.load_pointer(location);
        builder.store_one(counters, side);
    });
}

/// Declares what runtime/instrument/counters.c refers to; returns the global that holds the address
/// of the counters.
fn declare_counters(module: ModuleRef, total: usize) -> Value {
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
        Value::from_raw(location)
    }
}
