//! One instruction of the IR. Operands are slots; widths are in bits and resolved.
//!
//! Invariant: executing an instruction whose operand slots are concrete needs only the frame,
//! memory and the program. Anything LLVM has that no variant can express becomes `Unsupported`,
//! which ends the path that reaches it, never the run.

use super::instructions::instructions;
use super::{BlockId, BranchId, Slot, TextId};
use crate::ops;
use crate::ops::float::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
use crate::ops::{BinOp, CmpOp};
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

/// Effects of an instruction except writing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// No effect: the instruction is dead if nothing reads its results.
    Computes,
    /// The instruction reads memory.
    Reads,
    /// The instruction writes memory, and may read it.
    Writes,
    /// Anything else, also to be a bug of the program.
    Acts,
    /// The instruction ends its block.
    Ends,
}

/// The type of a field by its kind in the table.
macro_rules! field_type {
    (read) => { Slot };
    (write) => { Slot };
    (block) => { BlockId };
    (branch) => { Option<BranchId> };
    (text) => { TextId };
    (row) => { u32 };
    ($plain:ident) => { $plain };
}

macro_rules! define {
    ($(
        $(#[$doc:meta])* $name:ident $word:literal $effect:ident $(unless ($acts:expr))?
        $({ $($field:ident : $kind:ident $(($($of:tt)*))?),* })? $(where ($rule:expr))?;
    )*) => {
        /// One instruction. `w` is the width in bits of the operands unless said otherwise; an
        /// operand of more than 64 bits names the first of its two slots.
        #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
        pub enum Inst {
            $($(#[$doc])* $name $({ $($field: field_type!($kind)),* })?,)*
        }

        impl Inst {
            /// Returns the effect of the instruction.
            #[allow(unused_variables)]
            pub fn effect(self) -> Effect {
                match self {
                    $(Inst::$name $({ $($field),* })? => {
                        $(if $acts {
                            return Effect::Acts;
                        })?
                        Effect::$effect
                    })*
                }
            }

            /// The rule of the instruction's plain values that does not hold.
            #[allow(unused_variables)]
            pub fn broken_rule(self) -> Option<&'static str> {
                match self {
                    $(Inst::$name $({ $($field),* })? => {
                        $(if !($rule) {
                            return Some(stringify!($rule));
                        })?
                        None
                    })*
                }
            }
        }
    };
}

instructions!(define);

impl Inst {
    /// True for instructions that end a block.
    pub fn is_terminator(self) -> bool {
        self.effect() == Effect::Ends
    }

    /// True if the instruction has no effect except its result and can never be a program bug, so
    /// that it may be removed if nothing reads the result.
    pub fn is_removable(self) -> bool {
        self.effect() == Effect::Computes
    }
}
