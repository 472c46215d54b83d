//! Numbers of a path's branches, on which features are conditions.
//!
//! Invariant: static facts are computed once. Counters are updated by the new coverage of a run and
//! by the negated branch, so the cost of a path is proportional to its branches. Only negations
//! that resulted in a run count, as in the paper's tool.

mod ahead;
mod contexts;
mod frequency;
mod functions;
mod negations;
#[cfg(test)]
mod tests;

use super::code::BranchCode;
use super::path::PathBranch;
use super::seen::Seen;
use crate::weights::features::BranchNumbers;
use ahead::Ahead;
use contexts::{Contexts, SeenContexts};
use frequency::Frequency;
use functions::FunctionCounts;
use negations::Negations;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Counters of a run.
#[derive(Debug)]
pub struct BranchMeasure {
    code: Arc<BranchCode>,
    functions: FunctionCounts,
    ahead: Ahead,
    contexts: SeenContexts,
    negations: Negations,
    /// Sides that the last run covered first.
    news: FxHashSet<u32>,
}

/// Branch of a path with its numbers and its contexts.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub branch: PathBranch,
    pub numbers: BranchNumbers,
    contexts: Contexts,
}

impl BranchMeasure {
    pub fn new(code: Arc<BranchCode>) -> Self {
        Self {
            functions: FunctionCounts::of(code.functions()),
            ahead: Ahead::new(&code),
            contexts: SeenContexts::default(),
            negations: Negations::default(),
            news: FxHashSet::default(),
            code,
        }
    }

    /// Updates the counters after a run; its path is `seen.last`.
    pub fn run_ended(&mut self, seen: &Seen) {
        self.functions.take_in(self.code.functions(), &seen.history);
        let news = seen.last.iter().flat_map(|last| &last.news);
        self.news = news.copied().collect();
    }

    /// Counts a negation whose other side a run follows.
    pub fn negated(&mut self, measured: &Measured) {
        self.contexts.insert(&measured.contexts);
        self.negations.add(measured.branch.taken);
    }

    /// Returns the open branches of a path with their numbers. `branches` are all branches of the
    /// path from its start; `negated` is the position of the branch whose negation resulted in it.
    pub fn measure(
        &mut self,
        seen: &Seen,
        branches: &[PathBranch],
        negated: Option<u32>,
    ) -> Vec<Measured> {
        let frequency = Frequency::of(branches);
        let most_uncovered = self
            .functions
            .most_uncovered(self.code.functions(), branches);
        let mut measured = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            if !seen.paths.is_open(branch.at) {
                continue;
            }
            let contexts = frequency.contexts(&self.code.dominators, branch);
            let mut numbers = BranchNumbers {
                code: self.code.facts(branch.taken),
                position: branch.position,
                length: frequency.length(),
                times: frequency.times(at),
                most_times: frequency.most(),
                least_times: frequency.least(),
                negated,
                contexts: self.contexts.seen(&contexts),
                ..BranchNumbers::default()
            };
            self.count(seen, branch, &mut numbers);
            self.look_ahead(seen, branch, &mut numbers);
            let function = self.function_of(branch.taken);
            numbers.in_most_uncovered =
                function.is_some_and(|function| most_uncovered.contains(&function));
            measured.push(Measured {
                branch: *branch,
                numbers,
                contexts,
            });
        }
        measured
    }

    fn function_of(&self, side: Option<u32>) -> Option<u32> {
        self.code.functions().of_side(side?)
    }

    /// Fills in the counters of the run.
    fn count(&self, seen: &Seen, branch: &PathBranch, numbers: &mut BranchNumbers) {
        let refuted = |side: Option<u32>| side.map_or(0, |side| seen.history.refuted_count(side));
        numbers.times_refuted = refuted(branch.other);
        numbers.opposite_refuted = refuted(branch.taken);
        let Some(taken) = branch.taken else {
            return;
        };
        numbers.newly_covered = self.news.contains(&taken);
        numbers.times_negated = self.negations.times(taken);
        numbers.negations_since = self.negations.since(taken);
        let function = self.function_of(branch.taken);
        numbers.lately_reached =
            function.is_some_and(|function| self.functions.is_lately_reached(function));
    }

    /// Fills in the facts about the code after the other side.
    fn look_ahead(&mut self, seen: &Seen, branch: &PathBranch, numbers: &mut BranchNumbers) {
        let Some(other) = branch.other else {
            return;
        };
        // Coverage counts user code only.
        if self.function_of(branch.other).is_some() {
            numbers.opposite_uncovered = !seen.history.is_covered(other);
            numbers.next_uncovered = numbers.opposite_uncovered
                && self
                    .ahead
                    .is_next_uncovered(&self.code, &seen.history, other);
        }
        numbers.unreached_near = self
            .ahead
            .unreached_near(&self.code, &self.functions, other);
        numbers.unreached_largest = self.functions.unreached_largest();
    }
}
