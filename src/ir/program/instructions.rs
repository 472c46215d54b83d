//! The table of instructions: every property of an instruction except its execution.
//!
//! Owns: one row for each instruction, from which come the enum `Inst`, its text form, its operands
//! and what `verify` asks of it. A row reads:
//!
//! ```text
//! /// What it computes, and when it is a bug of the program.
//! Name "word" Effect { field: kind, .. };
//! ```
//!
//! The word names it in the text form. `Effect` is one of the variants of that enum, and `Acts`
//! where a condition behind `unless` holds. The kind of a field is one of
//! - `read(bits)`, `write(bits)`: a slot that it reads or writes, with the width of the value,
//! - `block`, `branch`, `text`: a block, the branch site it decides (or none), an interned text,
//! - `row(table)`: an index into that `Table` of the function,
//! - any other type, which is a plain value: a width, an operator, a constant.
//!
//! A rule behind `where` is what must hold of plain values. The text form and the cache of lowered
//! programs have the fields in the order of the row.

/// Passes the rows to the macro `$make`. Each use of the table is such a macro, defined where its
/// output belongs.
macro_rules! instructions {
    ($make:ident) => {
        $make! {
            /// `dst = src`.
            Move "move" Computes { w: u8, dst: write(w), src: read(w) };
            /// Parallel assignment of an edge's phis: `moves[index]` of the function.
            Moves "moves" Acts { index: row(Moves) };
            /// `dst = a op b`. Division by zero and overshift are program bugs.
            Bin "bin" Computes unless (op.is_division() || op.is_shift()) {
                op: BinOp, w: u8, dst: write(w), a: read(w), b: read(w)
            };
            /// `dst = a op b`, undefined where a promise does not hold (a sum of `Promise` bits).
            /// Only in programs that are read to find overflow or the use of undefined values;
            /// others have `Bin`.
            BinPromised "binpromised" Computes unless (
                op.is_division() || op.is_shift() || promises & ops::WRAPS != 0
            ) {
                op: BinOp, promises: u8, w: u8, dst: write(w), a: read(w), b: read(w)
            };
            /// `dst` = an undefined value, which counts as 0, or any value (`is_any` is 1) where
            /// such values are symbolic. Only in programs as above; others have the constant 0.
            Undefined "undefined" Computes { w: u8, is_any: u8, dst: write(w) };
            /// `dst` (1 bit) `= a op b`.
            Cmp "cmp" Computes { op: CmpOp, w: u8, dst: write(1), a: read(w), b: read(w) };
            /// `dst` (`to` bits) from `src` (`from` bits).
            Cast "cast" Computes { op: CastOp, from: u8, to: u8, dst: write(to), src: read(from) };
            /// `dst = cond ? a : b`; `cond` has 1 bit.
            Select "select" Computes {
                w: u8, dst: write(w), cond: read(1), a: read(w), b: read(w)
            };
            /// `dst = base + sext(index, iw) * scale + offset`, 64 bits. Pointer arithmetic: the
            /// result is meant to stay within the object that `base` points to.
            PtrAdd "ptradd" Computes {
                iw: u8, dst: write(64), base: read(64), index: read(iw), scale: u32, offset: i32
            } where (iw <= 64);
            /// `dst = base + sext(index, iw) * scale`, undefined where a promise does not hold
            /// (`ops::IN_BOUNDS` and the two of wrapping). Only in programs that are read to find
            /// the use of undefined values; others have `PtrAdd`.
            PtrPromised "ptrpromised" Computes {
                promises: u8, iw: u8, dst: write(64), base: read(64), index: read(iw), scale: u32
            } where (iw <= 64);
            /// `dst = base + offset`, pointer arithmetic with a constant.
            PtrOffset "ptroffset" Computes { dst: write(64), base: read(64), offset: i32 };
            /// `dst` (`w` bits, stored in ceil(w/8) bytes, little endian) from memory at `addr`.
            Load "load" Reads { w: u8, dst: write(w), addr: read(64) };
            /// Memory at `addr` from `src` (`w` bits, ceil(w/8) bytes written, padding bits zero).
            Store "store" Writes { w: u8, addr: read(64), src: read(w) };
            /// `dst` = address of entry `object` of the function's frame objects (fixed-size
            /// allocas).
            FrameAddress "frameaddress" Computes { dst: write(64), object: row(FrameObjects) };
            /// `dst` = address of the local in entry `object` of the function's frame objects,
            /// whose block begins: if it has ended, the entry that had no turn last, this one or
            /// the next.
            ScopeBegin "scopebegin" Acts { dst: write(64), object: row(FrameObjects) };
            /// The block of the local in entry `object` ends: an access to it is a bug.
            ScopeEnd "scopeend" Acts { object: row(FrameObjects) };
            /// `dst` = a new stack object of `count` (64 bits) times `size` bytes; freed at return
            /// or stack restore.
            AllocaDynamic "alloca" Acts { dst: write(64), count: read(64), size: u32, align: u32 };
            /// `dst` = the address at which the native frame of the `level`-th caller (0: the
            /// function's own) would start; 0 if there are not as many.
            FrameBase "framebase" Acts { dst: write(64), level: u32 };
            /// `dst` = a token for the stack objects that there are.
            StackSave "stacksave" Acts { dst: write(64) };
            /// Frees the stack objects made since `src` was saved.
            StackRestore "stackrestore" Acts { src: read(64) };
            /// `dst = op src`.
            Unary "unary" Computes { op: IntUnary, w: u8, dst: write(w), src: read(w) };
            /// `w` is the operand width; for `UCmp`/`SCmp` the result has `to` bits, else
            /// `to == w`.
            MinMax "minmax" Computes {
                op: MinMaxOp, w: u8, to: u8, dst: write(to), a: read(w), b: read(w)
            };
            /// `dst` = upper (`Left`) or lower (`Right`) `w` bits of `high` and `low` in a row,
            /// shifted by `shift` modulo `w`.
            Funnel "funnel" Computes {
                op: FunnelOp, w: u8, dst: write(w), high: read(w), low: read(w), shift: read(w)
            };
            /// `dst` = result modulo 2^w, `overflow` = 1 bit.
            Overflow "overflow" Computes {
                op: OverflowOp, w: u8, dst: write(w), overflow: write(1), a: read(w), b: read(w)
            };
            /// `dst = a op b`.
            Float "float" Computes {
                op: FloatOp, kind: FloatKind,
                dst: write(kind.width()), a: read(kind.width()), b: read(kind.width())
            };
            /// `dst = op src`.
            FloatUnary "floatunary" Computes {
                op: FloatUnary, kind: FloatKind, dst: write(kind.width()), src: read(kind.width())
            };
            /// `dst = a * b + c`, rounded once.
            FloatFma "fma" Computes {
                kind: FloatKind, dst: write(kind.width()),
                a: read(kind.width()), b: read(kind.width()), c: read(kind.width())
            };
            /// `dst` (1 bit) `= a op b`.
            FloatCmp "floatcmp" Computes {
                op: FloatCmp, kind: FloatKind,
                dst: write(1), a: read(kind.width()), b: read(kind.width())
            };
            /// `kind` is the float side (the source of `Convert`), `to_kind` the target of
            /// `Convert`; `w` is the integer side's width.
            FloatCast "floatcast" Computes {
                op: FloatCastOp, kind: FloatKind, to_kind: FloatKind, w: u8,
                dst: write(cast_widths(op, kind, to_kind, w.into()).1),
                src: read(cast_widths(op, kind, to_kind, w.into()).0)
            };
            /// memcpy / memmove of `len` (64 bits) bytes.
            MemCopy "memcopy" Writes { op: MemOp, dst: read(64), src: read(64), len: read(64) };
            /// memset: `value` has 8 bits, `len` 64.
            MemSet "memset" Writes { dst: read(64), value: read(8), len: read(64) };
            /// Changes memory in one step; `dst` gets the old value.
            AtomicRmw "atomic" Writes {
                op: AtomicOp, w: u8, dst: write(w), addr: read(64), src: read(w)
            };
            /// `dst` = old value, `success` = 1 bit.
            CompareExchange "cmpxchg" Writes {
                w: u8, dst: write(w), success: write(1),
                addr: read(64), expected: read(w), new: read(w)
            };
            /// va_start on the va_list object at `list` (x86-64: 24 bytes).
            VaStart "vastart" Writes { list: read(64) };
            /// va_copy of the va_list object at `src` to `dst`.
            VaCopy "vacopy" Writes { dst: read(64), src: read(64) };
            /// The call `calls[site]` of the function.
            Call "call" Acts { site: row(Calls) };
            /// Continues at `target`.
            Jump "jump" Ends { target: block };
            /// `cond` has 1 bit; `branch` is `None` for branches that lowering made.
            Branch "branch" Ends {
                cond: read(1), then: block, otherwise: block, branch: branch
            };
            /// `switches[table]` of the function on a `w`-bit value.
            Switch "switch" Ends { w: u8, value: read(w), table: row(Switches) };
            /// Computed goto: `value` holds a block address; targets are `switches[table]`'s.
            IndirectBranch "indirect" Ends { value: read(64), table: row(Switches) };
            /// Returns the values in the function's `returns[index]` list of slots.
            Return "return" Ends { index: row(Returns) };
            /// Reaching it is a program bug (`unreachable.err`... KLEE: "reached \"unreachable\"
            /// instruction").
            Unreachable "unreachable" Ends;
            /// llvm.trap / llvm.debugtrap: a program bug of kind abort.
            Trap "trap" Acts;
            /// Ends the path as a named unsupported feature.
            Unsupported "unsupported" Acts { what: text };
        }
    };
}

pub(crate) use instructions;
