//! The table of instructions: name and fields of each variant of `Inst`, for both directions.
//!
//! Invariant: the table names every variant with all its fields, or this file does not compile.

use super::field::{Words, put};
use crate::ir::program::Inst;

macro_rules! instructions {
    ($($variant:ident $name:literal { $($field:ident),* })*) => {
        /// Appends the instruction's name and fields.
        pub fn write_instruction(inst: &Inst, out: &mut String) {
            match inst {
                $(Inst::$variant { $($field),* } => {
                    out.push_str($name);
                    $(put(out, $field);)*
                })*
            }
        }

        /// The instruction that a line starts with.
        pub fn read_instruction(words: &mut Words) -> Result<Inst, String> {
            let name = words.word()?.to_string();
            match name.as_str() {
                $($name => Ok(Inst::$variant { $($field: words.read()?),* }),)*
                _ => Err(format!("`{name}` is no instruction")),
            }
        }
    };
}

instructions! {
    Move "move" { w, dst, src }
    Moves "moves" { index }
    Bin "bin" { op, w, dst, a, b }
    BinPromised "binpromised" { op, promises, w, dst, a, b }
    Undefined "undefined" { w, dst }
    Cmp "cmp" { op, w, dst, a, b }
    Cast "cast" { op, from, to, dst, src }
    Select "select" { w, dst, cond, a, b }
    PtrAdd "ptradd" { iw, dst, base, index, scale, offset }
    PtrPromised "ptrpromised" { promises, iw, dst, base, index, scale }
    PtrOffset "ptroffset" { dst, base, offset }
    Load "load" { w, dst, addr }
    Store "store" { w, addr, src }
    FrameAddress "frameaddress" { dst, object }
    AllocaDynamic "alloca" { dst, count, size, align }
    FrameBase "framebase" { dst, level }
    StackSave "stacksave" { dst }
    StackRestore "stackrestore" { src }
    Unary "unary" { op, w, dst, src }
    MinMax "minmax" { op, w, to, dst, a, b }
    Funnel "funnel" { op, w, dst, high, low, shift }
    Overflow "overflow" { op, w, dst, overflow, a, b }
    Float "float" { op, kind, dst, a, b }
    FloatUnary "floatunary" { op, kind, dst, src }
    FloatFma "fma" { kind, dst, a, b, c }
    FloatCmp "floatcmp" { op, kind, dst, a, b }
    FloatCast "floatcast" { op, kind, to_kind, w, dst, src }
    MemCopy "memcopy" { op, dst, src, len }
    MemSet "memset" { dst, value, len }
    AtomicRmw "atomic" { op, w, dst, addr, src }
    CompareExchange "cmpxchg" { w, dst, success, addr, expected, new }
    VaStart "vastart" { list }
    VaCopy "vacopy" { dst, src }
    Call "call" { site }
    Jump "jump" { target }
    Branch "branch" { cond, then, otherwise, branch }
    Switch "switch" { w, value, table }
    IndirectBranch "indirect" { value, table }
    Return "return" { index }
    Unreachable "unreachable" {}
    Trap "trap" {}
    Gap "gap" { what }
}
