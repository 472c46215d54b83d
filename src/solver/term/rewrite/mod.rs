//! Rewrite rules by kind of operator. A rule is a function that returns the better term, or nothing
//! when it does not match; its comment gives the pattern (`match`) and the result.
//!
//! In the patterns `x y z` are any terms, `c d k` constants, `w` the width of the whole; constants
//! are the right operands of commutative operators. Rules must shrink a term or move it towards the
//! normal form (constants outwards, extensions outwards, extractions inwards), so that they end.

pub(super) mod arithmetic;
pub(super) mod bitwise;
pub(super) mod compare;
pub(super) mod division;
pub(super) mod select;
pub(super) mod structure;

#[cfg(test)]
mod tests;

use super::node::{Node, Term};
use super::pool::Terms;
use homi_ir::ops::BinOp;

/// A rule for a binary operator.
pub(super) type BinRule = fn(&Terms, Term, Term) -> Option<Term>;

impl Terms {
    /// The operands of a binary node of operator `op`.
    fn as_bin(&self, op: BinOp, term: Term) -> Option<(Term, Term)> {
        match self.node(term) {
            Node::Bin(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// `x` and `c` of `x op c`.
    fn as_bin_const(&self, op: BinOp, term: Term) -> Option<(Term, u128)> {
        let (a, b) = self.as_bin(op, term)?;
        Some((a, self.as_const(b)?))
    }

    /// `x` of `zext x`.
    fn as_zext(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::Zext { term, .. } => Some(term),
            _ => None,
        }
    }

    /// `x` of `sext x`.
    fn as_sext(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::Sext { term, .. } => Some(term),
            _ => None,
        }
    }

    /// True if the term is the constant `value`.
    fn is_const(&self, term: Term, value: u128) -> bool {
        self.as_const(term) == Some(value)
    }

    /// True if the top bit is known to be 0.
    fn is_nonnegative(&self, term: Term) -> bool {
        let width = self.width(term);
        self.range(term).1 >> (width - 1) == 0
    }

    /// True if the two 1-bit terms are each other's negation, as far as their nodes show.
    fn are_opposite(&self, a: Term, b: Term) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Not(x), _) if x == b => true,
            (_, Node::Not(y)) if y == a => true,
            (Node::Cmp(..), Node::Cmp(..)) => self.not(a) == b,
            _ => false,
        }
    }
}
