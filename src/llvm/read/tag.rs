//! Numbering of branch sites, and the mark of where each function comes from.
//!
//! Invariant: a module is tagged before any pass runs on it, in module order, so that the numbers
//! are a function of the bitcode alone: `homi run` and `homi instrument` agree on them. The number
//! is metadata on the terminator, which passes keep and copy with inlined code.

use super::super::c_api::{LLVMOpcode, ModuleRef, SourcePosition, Value, metadata_kind};
use super::super::condition::condition_of;
use homi_ir::program::{BranchKind, Condition, Origin};

/// The attribute on functions that says where they come from.
pub const ORIGIN_ATTRIBUTE: &str = "homi-origin";
/// The metadata kind of a branch's number.
pub const BRANCH_METADATA: &str = "homi.branch";

/// A branch site as found, before source positions have ids.
pub struct TaggedBranch {
    pub kind: BranchKind,
    pub sides: u32,
    pub function: String,
    pub origin: Origin,
    pub position: Option<SourcePosition>,
    pub condition: Condition,
}

pub fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Program => "program",
        Origin::Libc => "libc",
        Origin::Runtime => "runtime",
    }
}

/// The origin that a function was marked with; unmarked functions are the program's.
pub fn origin_of(function: Value) -> Origin {
    match function.text_attribute(ORIGIN_ATTRIBUTE).as_deref() {
        Some("libc") => Origin::Libc,
        Some("runtime") => Origin::Runtime,
        _ => Origin::Program,
    }
}

/// Marks every defined function and global variable of a module with its origin.
pub fn mark_origin(module: ModuleRef, origin: Origin) {
    for function in module.functions() {
        if !function.is_declaration() {
            let origin = if origin == Origin::Program && is_of_library(function) {
                Origin::Libc
            } else {
                origin
            };
            function.set_text_attribute(ORIGIN_ATTRIBUTE, origin_name(origin));
        }
    }
    if origin != Origin::Program {
        for global in module.globals() {
            global.set_text_metadata(module, ORIGIN_ATTRIBUTE, origin_name(origin));
        }
    }
}

/// Function that clang calls where an exception must not escape.
const TERMINATES: &str = "__clang_call_terminate";
/// Directories of the headers of C++ libraries, LLVM's and GNU's.
const LIBRARY_HEADERS: &[&str] = &["/c++/v1/", "/include/c++/"];

/// True if a function of the program's is the library's: made of a template in its headers, say.
/// Nobody wants these covered, and what goes wrong there is shown where the program called it.
fn is_of_library(function: Value) -> bool {
    let Some((file, directory)) = function.function_file() else {
        return function.name() == TERMINATES;
    };
    let is_whole = file.starts_with('/');
    let path = if is_whole {
        file
    } else {
        format!("{directory}/{file}")
    };
    LIBRARY_HEADERS.iter().any(|part| path.contains(part))
}

/// Numbers the branch sites of all defined functions, continuing after those in `branches`.
pub fn number_branches(module: ModuleRef, branches: &mut Vec<TaggedBranch>) {
    let kind_id = metadata_kind(module, BRANCH_METADATA);
    for function in module.functions() {
        if function.is_declaration() {
            continue;
        }
        let origin = origin_of(function);
        let name = function.name();
        for block in function.blocks() {
            let Some(terminator) = block.terminator() else {
                continue;
            };
            let Some(kind) = branch_kind(terminator) else {
                continue;
            };
            terminator.set_metadata_number(kind_id, branches.len() as u32);
            branches.push(TaggedBranch {
                kind,
                sides: count_sides(kind, terminator),
                function: name.clone(),
                origin,
                position: terminator.position(),
                condition: condition_of(terminator),
            });
        }
    }
}

/// The kind of branch site that a terminator is, if it is one.
pub fn branch_kind(terminator: Value) -> Option<BranchKind> {
    match terminator.opcode() {
        LLVMOpcode::LLVMBr if terminator.is_conditional() => Some(BranchKind::Conditional),
        LLVMOpcode::LLVMSwitch => Some(BranchKind::Switch),
        LLVMOpcode::LLVMIndirectBr => Some(BranchKind::Indirect),
        _ => None,
    }
}

/// Conditional branches have two sides even if both go to one block; others one per distinct
/// target.
fn count_sides(kind: BranchKind, terminator: Value) -> u32 {
    if kind == BranchKind::Conditional {
        return 2;
    }
    let mut seen = std::collections::HashSet::new();
    for block in terminator.successors() {
        seen.insert(block);
    }
    seen.len() as u32
}
