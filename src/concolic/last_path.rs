//! Strategies that look at the last path only, and what they do when it has nothing for them.
//!
//! Invariant: `within` holds the paths that may have an open branch that the rule allows, newest
//! last; a path for which the rule found none goes to `skipped` for good. That is right because no
//! rule ever allows later what it did not allow before.

use super::path::{BranchRef, PathBranch, PathId};
use super::seen::Seen;
use super::strategy::{Choice, Reason, Strategy};
use std::collections::BTreeSet;

/// A rule over the branches of one path. What it does not allow it never allows later.
pub(super) trait PathRule {
    /// One of the open branches, which are given in the order of the path.
    fn pick(&mut self, open: &[PathBranch], fresh: Fresh) -> Option<BranchRef>;
    fn describe(&self) -> String;
}

/// Whether a rule sees the path of the last run for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fresh {
    /// The first position after the one that was negated to get the path; none if the rule has seen
    /// it before or it is an older path.
    pub(super) after: Option<u32>,
}

/// A strategy from a rule over the last path.
#[derive(Debug)]
pub(super) struct OnLastPath<R> {
    rule: R,
    within: Vec<PathId>,
    skipped: BTreeSet<PathId>,
    fresh: Fresh,
}

impl<R: PathRule> OnLastPath<R> {
    pub(super) fn new(rule: R) -> Self {
        Self {
            rule,
            within: Vec::new(),
            skipped: BTreeSet::new(),
            fresh: Fresh { after: None },
        }
    }

    /// The open branches of the path, from its beginning.
    fn open(seen: &Seen, path: PathId) -> Vec<PathBranch> {
        match &seen.last {
            Some(last) if last.id == path => seen.open(&last.branches).copied().collect(),
            _ => {
                let branches = seen.paths.branches(path);
                seen.open(&branches).copied().collect()
            }
        }
    }

    fn by_rule(&mut self, seen: &Seen) -> Option<Choice> {
        let last = seen.last.as_ref().map(|last| last.id);
        while let Some(path) = self.within.last().copied() {
            let open = Self::open(seen, path);
            let fresh = std::mem::replace(&mut self.fresh, Fresh { after: None });
            if let Some(branch) = self.rule.pick(&open, fresh) {
                let reason = match last == Some(path) {
                    true => Reason::Rule,
                    false => Reason::Older,
                };
                return Some(Choice {
                    branch,
                    reason,
                    restarted: false,
                });
            }
            self.within.pop();
            if !open.is_empty() {
                self.skipped.insert(path);
            }
        }
        None
    }

    /// The deepest branch of the newest path that has one.
    fn skipped(&mut self, seen: &Seen) -> Option<Choice> {
        while let Some(path) = self.skipped.last().copied() {
            if let Some(branch) = Self::open(seen, path).last() {
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
            self.fresh = Fresh {
                after: Some(last.negated.map_or(0, |position| position + 1)),
            };
        }
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        self.by_rule(seen).or_else(|| self.skipped(seen))
    }

    fn describe(&self) -> String {
        self.rule.describe()
    }
}
