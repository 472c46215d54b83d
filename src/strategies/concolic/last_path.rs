//! Strategies that choose from the last path, and their fallbacks.
//!
//! Invariant: `within` holds the paths that may have an open branch that the rule allows, newest
//! last. A path without such a branch moves to `skipped` permanently. This is sound because no rule
//! ever allows a branch that it did not allow before.

use super::path::{BranchRef, PathBranch, PathId};
use super::seen::Seen;
use super::strategy::{Choice, Reason, Strategy};
use std::collections::BTreeSet;

/// Rule over the branches of one path. It never allows a branch that it rejected before.
pub(super) trait PathRule {
    /// Picks one of the open branches.
    fn pick(&mut self, open: &OpenBranches<'_>, look: Look) -> Option<Pick>;
    fn describe(&self) -> String;
}

/// Path that a rule examines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) path: PathId,
    /// Position after the negated one, or 0, if this is the path of the last run and examined for
    /// the first time; else `None`.
    pub(super) after_negated: Option<u32>,
}

/// Branch that a rule picked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) branch: BranchRef,
    pub(super) restarted: bool,
}

impl Pick {
    pub(super) fn of(branch: BranchRef) -> Self {
        Self {
            branch,
            restarted: false,
        }
    }
}

/// Branches of a path whose other side was not taken.
pub(super) struct OpenBranches<'s> {
    seen: &'s Seen,
    path: PathId,
}

impl<'s> OpenBranches<'s> {
    /// Returns the branches in path order.
    pub(super) fn in_order(&self) -> Vec<PathBranch> {
        let Self { seen, path } = self;
        let is_last = seen.last.as_ref().is_some_and(|last| last.id == *path);
        let kept = if is_last {
            seen.last_branches().to_vec()
        } else {
            seen.paths.branches(*path)
        };
        let open = |branch: &PathBranch| seen.paths.is_open(branch.at);
        kept.into_iter().filter(open).collect()
    }

    /// Returns the branches lazily, the deepest first.
    pub(super) fn deepest_first(&self) -> impl Iterator<Item = PathBranch> + use<'s> {
        self.seen.open_deepest_first(self.path)
    }
}

/// Strategy that applies a rule to the last path.
#[derive(Debug)]
pub(super) struct OnLastPath<R> {
    rule: R,
    within: Vec<PathId>,
    skipped: BTreeSet<PathId>,
    after_negated: Option<u32>,
}

impl<R: PathRule> OnLastPath<R> {
    pub(super) fn new(rule: R) -> Self {
        Self {
            rule,
            within: Vec::new(),
            skipped: BTreeSet::new(),
            after_negated: None,
        }
    }

    fn by_rule(&mut self, seen: &Seen) -> Option<Choice> {
        let last = seen.last.as_ref().map(|last| last.id);
        while let Some(path) = self.within.last().copied() {
            let open = OpenBranches { seen, path };
            let look = Look {
                path,
                after_negated: self.after_negated.take(),
            };
            if let Some(pick) = self.rule.pick(&open, look) {
                let reason = if last == Some(path) {
                    Reason::Rule
                } else {
                    Reason::Older
                };
                return Some(Choice {
                    branch: pick.branch,
                    reason,
                    restarted: pick.restarted,
                });
            }
            self.within.pop();
            if open.deepest_first().next().is_some() {
                self.skipped.insert(path);
            }
        }
        None
    }

    /// Returns the deepest open branch of the newest skipped path.
    fn skipped(&mut self, seen: &Seen) -> Option<Choice> {
        while let Some(path) = self.skipped.last().copied() {
            if let Some(branch) = seen.open_deepest_first(path).next() {
                return Some(Choice::skipped(branch.at));
            }
            self.skipped.pop_last();
        }
        None
    }
}

impl<R: PathRule> Strategy for OnLastPath<R> {
    fn path_ended(&mut self, seen: &Seen) {
        if let Some(last) = &seen.last {
            self.within.push(last.id);
            self.after_negated = Some(last.negated.map_or(0, |position| position + 1));
        }
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        self.by_rule(seen).or_else(|| self.skipped(seen))
    }

    fn describe(&self) -> String {
        self.rule.describe()
    }
}
