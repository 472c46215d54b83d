//! The register IR that homi executes.
//!
//! Owns: flat, typed register instructions, functions, globals, source locations, branch sites and
//! derived graphs (CFG, call graph). Never: LLVM, symbolic terms, execution state. Data come from
//! `bitcode` (lowering) or `text` (tests) and go to `exec`, `search` and `coverage`.
//!
//! Model: a frame is an array of 64-bit *slots*. A value of 1 to 64 bits takes one slot (upper bits
//! zero); a value of 65 to 128 bits takes two consecutive slots, low half first. Vectors and
//! aggregates are scalarized by lowering. Parameters come first, constants have separate slots that
//! are filled when the frame is made, so every operand of every instruction is a slot.

mod builtins;
pub mod flow;
mod function;
mod hash;
mod inst;
mod instructions;
mod linker_symbols;
mod mark;
mod module;
mod operands;
#[doc(hidden)]
pub mod testing;
pub mod text;
mod type_name;
pub mod watch;

pub use crate::ops::float::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
pub use builtins::{Builtin, OWN, builtin_for, builtin_name, builtin_table, is_builtin};
pub use function::{
    ArgClass, BlockInfo, CallSite, Callee, Clause, ClauseKind, Declared, FrameObject, Function,
    LANDING_RESULTS, Landing, Moves, Param, SwitchTable,
};
pub use hash::HashError;
pub use inst::{AtomicOp, CastOp, Effect, FunnelOp, Inst, IntUnary, MemOp, MinMaxOp, OverflowOp};
pub use linker_symbols::{LinkerSymbol, linker_symbol};
pub use mark::Mark;
pub use module::{
    AliasNote, BranchKind, BranchSite, Condition, ConstValue, Global, GlobalInit, Location, Origin,
    PointerWidth, Program, Relocation,
};
pub use operands::{Access, Operand, Table};
pub use type_name::type_name;

use crate::util::dense_id;

/// Entry point of fuzzers instead of `main` (libFuzzer's documentation).
pub const FUZZED: &str = "LLVMFuzzerTestOneInput";

dense_id!(
    /// A function of the program (defined or only declared).
    FuncId, "f");
dense_id!(
    /// A global variable.
    GlobalId, "g");
dense_id!(
    /// A basic block within its function.
    BlockId, "b");
dense_id!(
    /// A 64-bit register slot within its function's frames.
    Slot, "%");
dense_id!(
    /// A source location; 0 is "unknown".
    LocId, "l");
dense_id!(
    /// A conditional branch or switch of the source program; inlined copies share it. Its sides are
    /// numbered 0.. (for a conditional branch 0 is the true side, 1 the false side).
    BranchId, "br");
dense_id!(
    /// An interned string (unsupported feature reasons, assembly text).
    TextId, "t");
