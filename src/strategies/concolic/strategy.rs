//! Strategy: the choice of the next open branch to negate.
//!
//! Contract: `choose` returns an open branch, and `None` only if no ended path has one. The rule of
//! the strategy decides while it allows a branch. Branches of older paths follow if the rule covers
//! the last path only, and skipped branches come last. Every path of a finite program is therefore
//! run eventually.

use super::argument::{Argument, BranchWeights};
use super::history::Answer;
use super::path::BranchRef;
use super::seen::Seen;
use homi_ir::program::Program;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// Random stream of strategies, which differs from other random choices with the same seed.
const STREAM: u128 = 0x5eed_c04c_011c_7e57;

/// Parameters of a new strategy.
#[derive(Clone, Copy)]
pub struct Start<'p> {
    pub program: &'p Program,
    /// Seed of its random choices.
    pub seed: u64,
    /// Argument after the strategy's name.
    pub argument: &'p Argument,
    /// Weights in the file that the argument names.
    pub weights: Option<&'p Arc<BranchWeights>>,
}

impl Start<'_> {
    /// Returns the random generator of the strategy.
    pub fn generator(&self) -> Pcg64 {
        generator(self.seed)
    }
}

/// Returns the random generator of a strategy with this seed.
pub(super) fn generator(seed: u64) -> Pcg64 {
    Pcg64::new(u128::from(seed), STREAM)
}

/// Reason for a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The strategy's rule selected the branch.
    Rule,
    /// The rule allows no branch of the last path; the branch belongs to an older one.
    Older,
    /// The rule skips the branch, and no other is left.
    Skipped,
}

/// Branch to negate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub branch: BranchRef,
    pub reason: Reason,
    /// True if the strategy was stuck and restarted elsewhere.
    pub restarted: bool,
}

impl Choice {
    /// Returns the choice of the strategy's rule.
    pub fn by_rule(branch: BranchRef) -> Self {
        Self {
            branch,
            reason: Reason::Rule,
            restarted: false,
        }
    }

    /// Returns the choice of a skipped branch.
    pub fn skipped(branch: BranchRef) -> Self {
        Self {
            branch,
            reason: Reason::Skipped,
            restarted: false,
        }
    }
}

/// Chooses the branch to negate.
pub trait Strategy {
    /// Updates the strategy after a path ended; the path is `seen.last`.
    fn path_ended(&mut self, seen: &Seen);
    /// Returns the branch to negate; called again after an answer other than `Feasible`.
    fn choose(&mut self, seen: &Seen) -> Option<Choice>;
    /// Reports the outcome of the last chosen branch.
    fn answered(&mut self, _branch: BranchRef, _answer: Answer) {}
    /// Returns the name and the argument, as the user types them.
    fn describe(&self) -> String;
}
