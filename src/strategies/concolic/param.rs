//! `param:FILE`: the branch of the last path with the highest score, which is the sum of the
//! weights of its features. Cha, Hong, Lee and Oh (ICSE 2018).
//!
//! A path's branches are scored once, when the search first examines it, and tried from the highest
//! score down; a seeded generator breaks ties. As in the paper's tool, a branch whose side was
//! infeasible more than 70 times is skipped. When a path has no branch left, the tool restarts with
//! the first input. homi never executes a path twice, so the search continues with the oldest path
//! that has a branch left.

use super::argument::{ArgumentKind, BranchWeights};
use super::code::BranchCode;
use super::history::Answer;
use super::measure::{BranchMeasure, Measured};
use super::path::{BranchRef, PathBranch, PathId};
use super::row::StrategyRow;
use super::searcher::{Chosen, StrategySearcher};
use super::seen::Seen;
use super::strategy::{Choice, Reason, Strategy, generator};
use crate::weights::features::{BRANCH, Preferences};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of infeasible queries after which a branch is skipped, as in the paper's tool.
const MOST_REFUTATIONS: u32 = 70;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "param",
    aliases: &["parameterised", "parameterized"],
    help: "Select the branch of the last path with the highest weighted feature score; param:FILE \
         reads the weights from FILE",
    argument: ArgumentKind::Weights,
    make: |start| {
        let weights = start.weights.cloned();
        let weights = weights.unwrap_or_else(|| Arc::new(BranchWeights::zeros(&BRANCH)));
        let code = Arc::new(BranchCode::of(start.program));
        Box::new(Parameterised::new(
            ROW.with(start.argument),
            weights,
            code,
            start.generator(),
        ))
    },
};

/// Returns the searcher of `param` with these weights, for a program with the static facts `code`.
pub fn weighted(weights: BranchWeights, code: Arc<BranchCode>, seed: u64) -> Chosen {
    let name = ROW.name.to_string();
    let strategy = Parameterised::new(name, Arc::new(weights), code, generator(seed));
    StrategySearcher::chosen(Box::new(strategy), &[])
}

/// Branches of paths by score.
///
/// Invariant: `waiting` holds the paths that may have an open branch that was not skipped. A path
/// without one moves to `skipped` permanently, because the number of infeasible queries only grows.
#[derive(Debug)]
struct Parameterised {
    /// Name as the user types it.
    name: String,
    weights: Arc<BranchWeights>,
    measure: BranchMeasure,
    generator: Pcg64,
    waiting: BTreeSet<PathId>,
    skipped: BTreeSet<PathId>,
    current: Option<Ranked>,
    asked: Option<Measured>,
}

/// Rest of the branches of a path, the best last.
#[derive(Debug)]
struct Ranked {
    path: PathId,
    branches: Vec<Measured>,
    is_last: bool,
    /// True if the search has just switched to this path from an exhausted one.
    restarted: bool,
}

impl Parameterised {
    fn new(
        name: String,
        weights: Arc<BranchWeights>,
        code: Arc<BranchCode>,
        generator: Pcg64,
    ) -> Self {
        Self {
            name,
            weights,
            measure: BranchMeasure::new(code),
            generator,
            waiting: BTreeSet::new(),
            skipped: BTreeSet::new(),
            current: None,
            asked: None,
        }
    }

    /// Returns the best branch of the current path that is open and not skipped.
    fn next_of_current(&mut self, seen: &Seen) -> Option<Choice> {
        let current = self.current.as_mut()?;
        while let Some(measured) = current.branches.pop() {
            let branch = measured.branch;
            if !seen.paths.is_open(branch.at) || is_hopeless(seen, &branch) {
                continue;
            }
            self.asked = Some(measured);
            return Some(Choice {
                branch: branch.at,
                reason: if current.is_last {
                    Reason::Rule
                } else {
                    Reason::Older
                },
                restarted: std::mem::replace(&mut current.restarted, false),
            });
        }
        None
    }

    /// Scores the open branches of a path.
    fn rank(&mut self, seen: &Seen, path: PathId, restarted: bool) -> Ranked {
        let last = seen.last.as_ref().filter(|last| last.id == path);
        let is_last = last.is_some();
        let measured = match last {
            Some(last) => self
                .measure
                .measure(seen, seen.last_branches(), last.negated),
            None => {
                let origin = seen.paths.origin(path);
                let negated = origin.and_then(|at| seen.paths.branch(at));
                let negated = negated.map(|branch| branch.position);
                let branches = seen.paths.branches(path);
                self.measure.measure(seen, &branches, negated)
            }
        };
        let scored = measured.into_iter().map(|measured| {
            let score = self.weights.score(&measured.numbers);
            (score, self.generator.random::<u64>(), measured)
        });
        let mut scored: Vec<(f64, u64, Measured)> = scored.collect();
        scored.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Ranked {
            path,
            branches: scored.into_iter().map(|(.., measured)| measured).collect(),
            is_last,
            restarted,
        }
    }

    /// Returns the deepest open branch of the newest skipped path.
    fn skipped(&mut self, seen: &Seen) -> Option<Choice> {
        self.asked = None;
        while let Some(path) = self.skipped.last().copied() {
            if let Some(branch) = seen.open_deepest_first(path).next() {
                return Some(Choice::skipped(branch.at));
            }
            self.skipped.pop_last();
        }
        None
    }
}

/// True if the branch's other side was infeasible too often.
fn is_hopeless(seen: &Seen, branch: &PathBranch) -> bool {
    let refuted = branch.other.map(|side| seen.history.refuted_count(side));
    refuted.is_some_and(|count| count > MOST_REFUTATIONS)
}

impl Strategy for Parameterised {
    fn path_ended(&mut self, seen: &Seen) {
        self.measure.run_ended(seen);
        if let Some(last) = &seen.last {
            self.waiting.insert(last.id);
            self.current = Some(self.rank(seen, last.id, false));
        }
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        loop {
            if let Some(choice) = self.next_of_current(seen) {
                return Some(choice);
            }
            if let Some(done) = self.current.take() {
                self.waiting.remove(&done.path);
                self.skipped.insert(done.path);
            }
            let Some(path) = self.waiting.first().copied() else {
                return self.skipped(seen);
            };
            self.current = Some(self.rank(seen, path, true));
        }
    }

    fn answered(&mut self, branch: BranchRef, answer: Answer) {
        let asked = self.asked.take();
        if let Some(measured) = asked.filter(|measured| measured.branch.at == branch)
            && answer == Answer::Feasible
        {
            self.measure.negated(&measured);
        }
    }

    fn describe(&self) -> String {
        format!("{}: {}", self.name, Preferences::of(&self.weights))
    }
}
