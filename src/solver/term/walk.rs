//! Visiting what a term is made of.
//!
//! Invariant: operands come before their users, from left to right, each term once. The stack is
//! the walk's own, because terms can be deep.

use super::node::{Node, Term};
use super::pool::Terms;
use homi_ir::ops::BinOp;
use rustc_hash::FxHashSet;

/// Visitor of terms that remembers visited ones.
pub trait PostOrder {
    /// True if the walk has visited a term.
    fn knows(&self, term: Term) -> bool;

    /// Visits a term whose operands have been visited, and knows it from now on. False ends the
    /// walk.
    fn visit(&mut self, term: Term, node: &Node) -> bool;
}

impl Terms {
    /// Visits each conjunct of a condition once, from left to right. What a conjunction shares with
    /// its parts it shares with theirs too, so without the "once" n conjunctions can have 2^n
    /// conjuncts.
    pub fn for_each_conjunct(&self, condition: Term, mut visit: impl FnMut(Term)) {
        let Node::Bin(BinOp::And, a, b) = self.node(condition) else {
            return visit(condition);
        };
        let mut seen = FxHashSet::default();
        let mut pending = vec![b, a];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Bin(BinOp::And, a, b) => pending.extend([b, a]),
                _ => visit(term),
            }
        }
    }

    /// Visits what `visitor` does not know of a term, the term itself last. False if the visitor
    /// ended it.
    pub fn post_order(&self, root: Term, visitor: &mut impl PostOrder) -> bool {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if visitor.knows(top) {
                stack.pop();
                continue;
            }
            let node = self.node(top);
            let before = stack.len();
            node.for_each_operand(|operand| {
                if !visitor.knows(operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                stack[before..].reverse();
                continue;
            }
            stack.pop();
            if !visitor.visit(top, &node) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;

    #[test]
    fn conjuncts_come_once() {
        let terms = Terms::new();
        let array = terms.array("s", 0, 200);
        let zero = |index| terms.eq_const(terms.symbol(Byte { array, index }), 0);
        let mut whole = zero(0);
        let mut expected = vec![whole];
        // Each level holds the one below twice: 2^60 ways down.
        for level in 0..60 {
            let (left, right) = (zero(1 + 2 * level), zero(2 + 2 * level));
            whole = terms.and(terms.and(whole, left), terms.and(whole, right));
            expected.extend([left, right]);
        }
        let mut found = Vec::new();
        terms.for_each_conjunct(whole, |term| found.push(term));
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
