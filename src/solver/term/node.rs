//! The shape of a term: one operator over other terms of the same pool.
//!
//! Invariant: a `Term` is only meaningful to the `Terms` that made it, and only until a sweep that
//! did not mark it. Operands are ids, so a node is `Copy` and comparing two nodes of one pool is
//! comparing their words.

use homi_ir::ops::float::FloatFunction;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::util::dense_id;
use std::num::NonZeroU32;
use std::sync::Arc;

/// Id of a hash-consed term of 1 to 128 bits: equal terms of one pool have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(super) NonZeroU32);

impl Term {
    /// The position in the pool.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    pub(super) fn from_index(index: usize) -> Term {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        // The pool refuses to grow beyond 2^32 - 2 entries (192 GiB) long after memory limits act.
        Term(number.unwrap_or(NonZeroU32::MAX))
    }
}

dense_id!(
    /// A symbolic object (an array of symbolic bytes), interned by name, version and size.
    ArrayId, "a");
dense_id!(
    /// An interned table of constants.
    TableId, "table");

/// Name of a symbolic object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayInfo {
    pub name: Arc<str>,
    /// The how-many-th object of this name on its path, from 0.
    pub version: u32,
    /// Size in bytes.
    pub size: u32,
}

/// One byte of a symbolic object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Byte {
    pub array: ArrayId,
    pub index: u32,
}

/// One operator with its operands. Widths that operands do not determine are part of the node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// `value` has no bits at or above `width`.
    Const { width: u8, value: u128 },
    /// A symbolic byte, 8 bits.
    Symbol(Byte),
    /// An operator on two operands that have the width of the result.
    Bin(BinOp, Term, Term),
    /// 1 bit. Only `Eq`, `Ne`, `Ult`, `Ule`, `Slt`, `Sle` are kept; others are turned round.
    Cmp(CmpOp, Term, Term),
    /// Bitwise complement.
    Not(Term),
    /// Zero extension to `width` bits.
    Zext { width: u8, term: Term },
    /// Sign extension to `width` bits.
    Sext { width: u8, term: Term },
    /// Bits `low .. low + width` of a term.
    Extract { low: u8, width: u8, term: Term },
    /// High part, low part.
    Concat(Term, Term),
    /// Condition (1 bit), value if true, value if false.
    Ite(Term, Term, Term),
    /// The element at the (unsigned) index, 0 beyond the end.
    Table(TableId, Term),
    /// Floating-point arithmetic on bit patterns. Operands beyond the operator's arity repeat the
    /// first.
    Float(FloatFunction, [Term; 3]),
}

impl Node {
    /// Calls `visit` with each operand, left to right.
    #[inline]
    pub fn for_each_operand(&self, mut visit: impl FnMut(Term)) {
        match *self {
            Node::Const { .. } | Node::Symbol(_) => {}
            Node::Bin(_, a, b) | Node::Cmp(_, a, b) | Node::Concat(a, b) => {
                visit(a);
                visit(b);
            }
            Node::Not(a) | Node::Table(_, a) => visit(a),
            Node::Zext { term, .. } | Node::Sext { term, .. } | Node::Extract { term, .. } => {
                visit(term)
            }
            Node::Ite(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
            Node::Float(function, operands) => {
                operands[..function.arity()].iter().for_each(|&a| visit(a));
            }
        }
    }
}
