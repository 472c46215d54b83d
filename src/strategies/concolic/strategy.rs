//! A strategy: which open branch is negated next.
//!
//! Contract: `choose` names a branch that is open, and none only if no path that has ended has one
//! left. Its own rule decides as long as the rule allows a branch; then come branches of older
//! paths if the rule looks at the last path only, and last of all what the rule skips. So every
//! path of a finite program is run in the end.

use super::argument::{Argument, BranchWeights};
use super::history::Answer;
use super::path::BranchRef;
use super::seen::Seen;
use crate::ir::program::Program;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// Stream of the generator of a strategy, different from those of other random choices with the
/// same seed.
const STREAM: u128 = 0x5eed_c04c_011c_7e57;

/// With what a strategy begins.
#[derive(Clone, Copy)]
pub struct Start<'p> {
    pub program: &'p Program,
    /// Seed of its random choices.
    pub seed: u64,
    /// What stood behind the strategy's name.
    pub argument: &'p Argument,
    /// What the file that stood there says.
    pub weights: Option<&'p Arc<BranchWeights>>,
}

impl Start<'_> {
    /// The random numbers of the strategy.
    pub fn generator(&self) -> Pcg64 {
        generator(self.seed)
    }
}

/// The random numbers of a strategy with this seed.
pub(super) fn generator(seed: u64) -> Pcg64 {
    Pcg64::new(u128::from(seed), STREAM)
}

/// Why a branch was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The strategy's rule wants it.
    Rule,
    /// The last path has none left that the rule allows: it is a branch of an older one.
    Older,
    /// The rule skips it, and nothing else is left.
    Skipped,
}

/// A branch to be negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub branch: BranchRef,
    pub reason: Reason,
    /// The strategy was stuck and began anew somewhere else.
    pub restarted: bool,
}

impl Choice {
    /// What the strategy's rule wants.
    pub fn by_rule(branch: BranchRef) -> Self {
        Self {
            branch,
            reason: Reason::Rule,
            restarted: false,
        }
    }

    /// What comes last.
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
    /// A path has ended; it is `seen.last`.
    fn path_ended(&mut self, seen: &Seen);
    /// The branch to negate; asked again after an answer other than `Possible`.
    fn choose(&mut self, seen: &Seen) -> Option<Choice>;
    /// What became of the branch that was chosen last.
    fn answered(&mut self, _branch: BranchRef, _answer: Answer) {}
    /// Its name and what it was told, as the user types them.
    fn describe(&self) -> String;
}
