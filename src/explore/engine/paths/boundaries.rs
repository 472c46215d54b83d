//! Inputs at the boundaries of a path's comparisons.
//!
//! Idea: the side of `a < b` is pinned by an input with `a + 1 == b`, the other one by `a == b`: a
//! program that compares a little differently takes another path with one of them. A comparison of
//! several bytes with the same number is one boundary.

use homi_ir::ops::{BinOp, CmpOp};
use homi_machine::state::State;
use homi_solver::term::{Node, Term, Terms};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Boundaries of one path at most.
const MOST: usize = 48;

/// A condition that holds where a comparison would have another result for a neighboring value.
pub(super) struct Boundary {
    /// Equal for the comparisons of which one is enough.
    pub(super) key: u32,
    pub(super) condition: Term,
}

/// Returns the boundaries of a path, the latest comparisons first, each key once.
pub(super) fn boundaries(state: &State, terms: &Terms) -> Vec<Boundary> {
    let constraints: Vec<Term> = state.path.iter().collect();
    let mut found = Vec::new();
    for constraint in constraints.into_iter().rev() {
        terms.for_each_conjunct(constraint, |one| found.extend(boundary(terms, one)));
    }
    let mut keys = FxHashSet::default();
    found.retain(|boundary| keys.insert(boundary.key));
    found.truncate(MOST);
    found
}

/// Returns the boundary of a comparison for order.
fn boundary(terms: &Terms, comparison: Term) -> Option<Boundary> {
    let Node::Cmp(operator, a, b) = terms.node(comparison) else {
        return None;
    };
    let condition = match operator {
        CmpOp::Ult | CmpOp::Slt => {
            let one = terms.constant(terms.width(a), 1);
            terms.eq(terms.bin(BinOp::Add, a, one), b)
        }
        CmpOp::Ule | CmpOp::Sle => terms.eq(a, b),
        _ => return None,
    };
    let mut hasher = FxHasher::default();
    let numbers = (terms.as_const(a), terms.as_const(b));
    (operator.name(), terms.width(a), numbers).hash(&mut hasher);
    if numbers == (None, None) {
        terms.structural_hash(comparison).hash(&mut hasher);
    }
    let hash = hasher.finish();
    Some(Boundary {
        key: (hash >> 32) as u32 ^ hash as u32,
        condition,
    })
}
