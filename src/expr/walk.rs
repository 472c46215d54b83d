//! Visiting what a term is made of.
//!
//! Invariant: operands come before their users, from left to right, each term once. The stack is the walk's
//! own, because terms can be deep.

use super::node::{Node, Term};
use super::pool::Terms;

/// Who visits terms, and remembers which.
pub trait PostOrder {
    /// Whether a term has been visited.
    fn knows(&self, term: Term) -> bool;

    /// Visits a term whose operands have been visited, and knows it from now on. False ends the walk.
    fn visit(&mut self, term: Term, node: &Node) -> bool;
}

impl Terms {
    /// Visits what `visitor` does not know of a term, the term itself last. False if the visitor ended it.
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
