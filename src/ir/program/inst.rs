//! One instruction of the IR. Operands are slots; widths are in bits and resolved.
//!
//! Invariant: executing an instruction whose operand slots are concrete needs nothing but the
//! frame, memory and the program. Anything LLVM has that no variant can express becomes `Gap`,
//! which ends the path that reaches it, never the run.

use super::{BlockId, BranchId, Slot, TextId};
use crate::ir::ops::float::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
use crate::ir::ops::{BinOp, CmpOp};
use serde::{Deserialize, Serialize};

/// Integer width changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CastOp {
    Zext,
    Sext,
    Trunc,
}

/// Integer operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum IntUnary {
    /// Population count.
    Ctpop,
    /// Leading zeros; the width for 0.
    Ctlz,
    /// Trailing zeros; the width for 0.
    Cttz,
    Bswap,
    BitReverse,
    /// Absolute value; the minimum stays itself.
    Abs,
    /// The value itself, with a fixed value in place of what is undefined in it.
    Freeze,
}

/// Integer minimum, maximum and saturating operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MinMaxOp {
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
    /// Three-way comparison: -1, 0 or 1 in the result's width (operand width given by `from`).
    UCmp,
    SCmp,
}

/// Funnel shifts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FunnelOp {
    Left,
    Right,
}

/// Arithmetic that also tells whether it overflowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OverflowOp {
    UAdd,
    SAdd,
    USub,
    SSub,
    UMul,
    SMul,
}

/// Bulk memory operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MemOp {
    /// Ranges may overlap only if equal.
    Copy,
    Move,
}

/// Read-modify-write operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AtomicOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

/// One instruction. `w` is the width in bits of the operands unless said otherwise; an operand of
/// more than 64 bits names the first of its two slots.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Inst {
    /// `dst = src`.
    Move {
        w: u8,
        dst: Slot,
        src: Slot,
    },
    /// Parallel assignment of an edge's phis: `moves[index]` of the function.
    Moves {
        index: u32,
    },
    /// `dst = a op b`. Division by zero and overshift are program bugs.
    Bin {
        op: BinOp,
        w: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// `dst = a op b`, undefined where a promise does not hold (a sum of `Promise` bits). Only in
    /// programs that are read to find the use of undefined values; others have `Bin`.
    BinPromised {
        op: BinOp,
        promises: u8,
        w: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// `dst` = an undefined value, which counts as 0. Only in programs as above; others have the
    /// constant 0.
    Undefined {
        w: u8,
        dst: Slot,
    },
    /// `dst` (1 bit) `= a op b`.
    Cmp {
        op: CmpOp,
        w: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// `dst` (`to` bits) from `src` (`from` bits).
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        dst: Slot,
        src: Slot,
    },
    /// `dst = cond ? a : b`; `cond` has 1 bit.
    Select {
        w: u8,
        dst: Slot,
        cond: Slot,
        a: Slot,
        b: Slot,
    },
    /// `dst = base + sext(index, iw) * scale + offset`, 64 bits. Pointer arithmetic: the result
    /// is meant to stay within the object that `base` points to.
    PtrAdd {
        iw: u8,
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u32,
        offset: i32,
    },
    /// `dst = base + sext(index, iw) * scale`, undefined where a promise does not hold
    /// (`ops::IN_BOUNDS` and the two of wrapping). Only in programs that are read to find the use
    /// of undefined values; others have `PtrAdd`.
    PtrPromised {
        promises: u8,
        iw: u8,
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u32,
    },
    /// `dst = base + offset`, pointer arithmetic with a constant.
    PtrOffset {
        dst: Slot,
        base: Slot,
        offset: i32,
    },
    /// `dst` (`w` bits, stored in ceil(w/8) bytes, little endian) from memory at `addr`.
    Load {
        w: u8,
        dst: Slot,
        addr: Slot,
    },
    /// Memory at `addr` from `src` (`w` bits, ceil(w/8) bytes written, padding bits zero).
    Store {
        w: u8,
        addr: Slot,
        src: Slot,
    },
    /// `dst` = address of entry `object` of the function's frame objects (fixed-size allocas).
    FrameAddress {
        dst: Slot,
        object: u32,
    },
    /// `dst` = a new stack object of `count` (64 bits) times `size` bytes; freed at return or stack
    /// restore.
    AllocaDynamic {
        dst: Slot,
        count: Slot,
        size: u32,
        align: u32,
    },
    /// `dst` = the address at which the native frame of the `level`-th caller (0: the function's
    /// own) would start; 0 if there are not as many.
    FrameBase {
        dst: Slot,
        level: u32,
    },
    StackSave {
        dst: Slot,
    },
    StackRestore {
        src: Slot,
    },
    Unary {
        op: IntUnary,
        w: u8,
        dst: Slot,
        src: Slot,
    },
    /// `w` is the operand width; for `UCmp`/`SCmp` the result has `to` bits, else `to == w`.
    MinMax {
        op: MinMaxOp,
        w: u8,
        to: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Funnel {
        op: FunnelOp,
        w: u8,
        dst: Slot,
        high: Slot,
        low: Slot,
        shift: Slot,
    },
    /// `dst` = result modulo 2^w, `overflow` = 1 bit.
    Overflow {
        op: OverflowOp,
        w: u8,
        dst: Slot,
        overflow: Slot,
        a: Slot,
        b: Slot,
    },
    Float {
        op: FloatOp,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FloatUnary {
        op: FloatUnary,
        kind: FloatKind,
        dst: Slot,
        src: Slot,
    },
    /// `dst = a * b + c`, rounded once.
    FloatFma {
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    FloatCmp {
        op: FloatCmp,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// `kind` is the float side (the source of `Convert`), `to_kind` the target of `Convert`;
    /// `w` is the integer side's width.
    FloatCast {
        op: FloatCastOp,
        kind: FloatKind,
        to_kind: FloatKind,
        w: u8,
        dst: Slot,
        src: Slot,
    },
    /// memcpy / memmove of `len` (64 bits) bytes.
    MemCopy {
        op: MemOp,
        dst: Slot,
        src: Slot,
        len: Slot,
    },
    /// memset: `value` has 8 bits, `len` 64.
    MemSet {
        dst: Slot,
        value: Slot,
        len: Slot,
    },
    /// Changes memory in one step; `dst` gets the old value.
    AtomicRmw {
        op: AtomicOp,
        w: u8,
        dst: Slot,
        addr: Slot,
        src: Slot,
    },
    /// `dst` = old value, `success` = 1 bit.
    CompareExchange {
        w: u8,
        dst: Slot,
        success: Slot,
        addr: Slot,
        expected: Slot,
        new: Slot,
    },
    /// va_start on the va_list object at `list` (x86-64: 24 bytes).
    VaStart {
        list: Slot,
    },
    VaCopy {
        dst: Slot,
        src: Slot,
    },
    /// The call `calls[site]` of the function.
    Call {
        site: u32,
    },
    Jump {
        target: BlockId,
    },
    /// `cond` has 1 bit; `branch` is `None` for branches that lowering made.
    Branch {
        cond: Slot,
        then: BlockId,
        otherwise: BlockId,
        branch: Option<BranchId>,
    },
    /// `switches[table]` of the function on a `w`-bit value.
    Switch {
        w: u8,
        value: Slot,
        table: u32,
    },
    /// Computed goto: `value` holds a block address; targets are `switches[table]`'s.
    IndirectBranch {
        value: Slot,
        table: u32,
    },
    /// Returns the values in the function's `returns[index]` list of slots.
    Return {
        index: u32,
    },
    /// Reaching it is a program bug (`unreachable.err`... KLEE: "reached \"unreachable\"
    /// instruction").
    Unreachable,
    /// llvm.trap / llvm.debugtrap: a program bug of kind abort.
    Trap,
    /// What homi cannot execute: ends the path as a named gap.
    Gap {
        what: TextId,
    },
}

impl Inst {
    /// True for instructions that end a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::IndirectBranch { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
        )
    }
}
