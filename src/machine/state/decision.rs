//! The path as a list of decisions, which distinguish it from all other paths.
//!
//! Invariant: running the program from its start and answering each query from this list, in
//! order, rebuilds the state without a solver, unless paths were merged. The list shares its older
//! part with the states it forked from.

use homi_ir::program::FuncId;
use homi_solver::OtherSides;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Reason for concretizing a symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ConcretiseReason {
    /// Operand of a floating-point operation.
    Float,
    /// An address with too many possible objects.
    Pointer,
    /// Size of an allocation or a bulk memory operation.
    Size,
    /// Argument of a built-in function or a system call that needs a number.
    Argument,
    /// Byte of a string that a built-in function must know.
    Text,
    /// An exit status with too many possible values.
    ExitStatus,
    /// Operand of an operation that has no symbolic form.
    Operation,
    /// A byte of a condition that the solver gave up on.
    Solver,
    /// `klee_get_value`: the value is used, the path is not constrained.
    Value,
}

/// One choice. A decision is listed only where more than one outcome was possible or not excluded.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Decision {
    /// A symbolic condition: 0 = it holds (then-side), 1 = it does not.
    Branch { side: u8 },
    /// A symbolic switch or computed goto: the number of the distinct target.
    Switch { side: u32 },
    /// A value picked for a symbolic expression; on the path from now on unless the reason is
    /// `Value`.
    Concretised {
        reason: ConcretiseReason,
        value: u128,
    },
    /// The object a symbolic address lies in, by its base address.
    Object { base: u64 },
    /// The function a symbolic pointer calls.
    Callee { function: FuncId },
    /// A check for a bug with a symbolic condition: true = this path shows the bug.
    Check { bug: bool },
    /// The solver gave up on one side, which was dropped.
    Unknown,
    /// Reached while replaying: the model of the environment failed a call on purpose (1) or not
    /// (0).
    Failure { injected: bool },
    /// A host file was read: a hash of its contents.
    HostFile { hash: u64 },
    /// Another path was merged into this one; a hash of its decisions. The list before belongs to
    /// one of the two.
    Merged { with: u64 },
}

#[derive(Debug)]
struct Node {
    decision: Decision,
    parent: Option<Arc<Node>>,
    length: usize,
    /// Fingerprint of this decision and all before it.
    fingerprint: u64,
    /// Set if the other outcomes were left unchecked.
    others: Option<OtherSides>,
}

impl Node {
    /// Returns true if the choice was forced: the other outcomes turned out infeasible.
    fn was_forced(&self) -> bool {
        self.others.as_ref().is_some_and(OtherSides::are_infeasible)
    }
}

/// A decision in a list, forced or not.
#[derive(Clone, Copy, Debug)]
pub struct ListedDecision<'l> {
    pub decision: &'l Decision,
    /// The number of decisions up to this one.
    pub length: usize,
    /// Set if the other outcomes were left unchecked.
    pub others: Option<&'l OtherSides>,
    /// Identity of the entry, equal in all lists that share it while one of them lives.
    pub identity: usize,
}

/// A persistent list that grows at its end; `clone` is O(1).
#[derive(Clone, Debug, Default)]
pub struct DecisionList {
    last: Option<Arc<Node>>,
}

impl DecisionList {
    pub fn push(&mut self, decision: Decision) {
        self.push_beside(decision, None);
    }

    /// Adds a choice with the count of its unchecked other outcomes. If all of them are infeasible,
    /// it is no longer listed.
    pub fn push_beside(&mut self, decision: Decision, others: Option<&OtherSides>) {
        let length = self.len() + 1;
        let mut hasher = FxHasher::default();
        self.fingerprint().hash(&mut hasher);
        decision.hash(&mut hasher);
        let fingerprint = hasher.finish();
        let parent = self.last.take();
        self.last = Some(Arc::new(Node {
            decision,
            parent,
            length,
            fingerprint,
            others: others.cloned(),
        }));
    }

    /// Returns the number of decisions, including forced ones.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |node| node.length)
    }

    /// Returns a hash of the whole list, including forced decisions: equal lists have equal ones,
    /// in every run of the same homi.
    pub fn fingerprint(&self) -> u64 {
        self.last.as_ref().map_or(0, |node| node.fingerprint)
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The decisions from the newest to the oldest.
    pub fn iter_reversed(&self) -> impl Iterator<Item = &Decision> {
        std::iter::successors(self.last.as_deref(), |node| node.parent.as_deref())
            .filter(|node| !node.was_forced())
            .map(|node| &node.decision)
    }

    /// Returns the decisions from the newest to the oldest, including forced ones.
    pub fn all_reversed(&self) -> impl Iterator<Item = ListedDecision<'_>> {
        std::iter::successors(self.last.as_deref(), |node| node.parent.as_deref()).map(|node| {
            ListedDecision {
                decision: &node.decision,
                length: node.length,
                others: node.others.as_ref(),
                identity: std::ptr::from_ref(node).addr(),
            }
        })
    }

    /// The decisions in the order they were made.
    pub fn to_vec(&self) -> Vec<Decision> {
        let mut decisions: Vec<_> = self.iter_reversed().cloned().collect();
        decisions.reverse();
        decisions
    }
}

impl Drop for DecisionList {
    /// Frees the unshared part in a loop: recursion over a long path would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(node) = next {
            next = Arc::into_inner(node).and_then(|mut node| node.parent.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_share_the_past_and_differ_later() {
        let mut a = DecisionList::default();
        a.push(Decision::Branch { side: 0 });
        let mut b = a.clone();
        a.push(Decision::Switch { side: 3 });
        b.push(Decision::Check { bug: true });
        assert_eq!(
            a.to_vec(),
            [Decision::Branch { side: 0 }, Decision::Switch { side: 3 }]
        );
        assert_eq!(
            b.to_vec(),
            [Decision::Branch { side: 0 }, Decision::Check { bug: true }]
        );
        assert_ne!(a.fingerprint(), b.fingerprint());
        let mut again = DecisionList::default();
        again.push(Decision::Branch { side: 0 });
        again.push(Decision::Switch { side: 3 });
        assert_eq!(again.fingerprint(), a.fingerprint());
    }

    #[test]
    fn a_long_list_is_freed_without_recursion() {
        let mut list = DecisionList::default();
        for _ in 0..1_000_000 {
            list.push(Decision::Unknown);
        }
        assert_eq!(list.len(), 1_000_000);
        drop(list);
    }
}
