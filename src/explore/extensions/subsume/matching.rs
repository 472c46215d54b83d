//! Terms of a state that replace the inputs of an entry (the form `core`).
//!
//! Invariant: each input is replaced by the same term everywhere.

use homi_solver::term::{Byte, Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Inputs of an entry, with the terms of a state that replace them.
#[derive(Default)]
pub(super) struct Matching {
    pub(super) inputs: FxHashMap<Byte, Term>,
}

impl Matching {
    /// Returns true if a value is a pattern with its inputs replaced by terms, each input by one
    /// term; records the replacements.
    pub(super) fn matches(&mut self, terms: &Terms, pattern: Term, value: Term) -> bool {
        let mut work = vec![(pattern, value)];
        let mut seen = FxHashSet::default();
        while let Some((pattern, value)) = work.pop() {
            if !seen.insert((pattern, value)) {
                continue;
            }
            match (terms.node(pattern), terms.node(value)) {
                (Node::Symbol(byte), _) => {
                    if *self.inputs.entry(byte).or_insert(value) != value {
                        return false;
                    }
                }
                (Node::Const { .. }, _) if pattern != value => return false,
                (Node::Const { .. }, _) => {}
                (pattern, value) => {
                    if !alike(pattern, value) {
                        return false;
                    }
                    let mut parts = (Vec::new(), Vec::new());
                    pattern.for_each_operand(|operand| parts.0.push(operand));
                    value.for_each_operand(|operand| parts.1.push(operand));
                    work.extend(parts.0.into_iter().zip(parts.1));
                }
            }
        }
        true
    }
}

/// True if two terms have the same operator.
fn alike(a: Node, b: Node) -> bool {
    match (a, b) {
        (Node::Bin(a, ..), Node::Bin(b, ..)) => a == b,
        (Node::Cmp(a, ..), Node::Cmp(b, ..)) => a == b,
        (Node::Not(_), Node::Not(_)) | (Node::Ite(..), Node::Ite(..)) => true,
        (Node::Concat(..), Node::Concat(..)) => true,
        (Node::Zext { width: a, .. }, Node::Zext { width: b, .. }) => a == b,
        (Node::Sext { width: a, .. }, Node::Sext { width: b, .. }) => a == b,
        (
            Node::Extract {
                low: a, width: c, ..
            },
            Node::Extract {
                low: b, width: d, ..
            },
        ) => (a, c) == (b, d),
        (Node::Table(a, _), Node::Table(b, _)) => a == b,
        (Node::Float(a, _), Node::Float(b, _)) => a == b,
        _ => false,
    }
}
