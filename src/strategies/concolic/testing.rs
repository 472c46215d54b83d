//! An engine made of a tree, for this module's tests.
//!
//! A node is named by the sides on the way to it, such as `01`: side 0 at the first branch, side 1
//! at the second. A run goes to side 0 where it may.

use super::argument::BranchWeights;
use super::figures::Figures;
use super::registry::StrategyChoice;
use super::searcher::searcher;
use crate::explore::search::{Added, Clock, Fork, Left, Metrics, Searcher, StateId, Update};
use crate::ir::program::Program;
use crate::report::ConcolicCounts;
use crate::strategies::weights::features::BRANCH;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A program as the tree of its branches.
#[derive(Clone, Default)]
pub(super) struct Tree {
    /// Ends of paths. No input reaches a node that leads to none.
    pub(super) leaves: Vec<&'static str>,
    /// Nodes of which the solver cannot say whether an input reaches them; none does.
    pub(super) unknown: Vec<&'static str>,
    /// The branch site of each inner node; if not given, its depth.
    pub(super) sites: BTreeMap<&'static str, u32>,
    /// Sides are asked as soon as they are met, and what is impossible is not announced.
    pub(super) eager: bool,
}

impl Tree {
    /// All nodes of `depth` branches, but for the impossible ones.
    pub(super) fn complete(depth: u32, impossible: &[&'static str]) -> Self {
        let names = (0..1_u32 << depth).map(|number| {
            let width = depth as usize;
            &*format!("{number:0width$b}").leak()
        });
        let dead = |name: &&str| impossible.iter().any(|node| name.starts_with(node));
        Self {
            leaves: names.filter(|name| !dead(name)).collect(),
            ..Self::default()
        }
    }

    fn reached(&self, node: &str) -> bool {
        self.leaves.iter().any(|leaf| leaf.starts_with(node))
    }

    fn site(&self, node: &str) -> u32 {
        self.sites.get(node).copied().unwrap_or(node.len() as u32)
    }
}

/// The strategy of this name; one that needs weights gets some that differ from feature to feature.
pub(super) fn choice(strategy: &str) -> StrategyChoice {
    if strategy != "param" {
        return StrategyChoice::parse(strategy).unwrap();
    }
    let values = (0..BRANCH.len()).map(|index| (index * 7 % 11) as f64 - 5.0);
    let weights = BranchWeights::new(&BRANCH, values.collect()).unwrap();
    StrategyChoice::of_weights(Arc::new(weights))
}

/// An update in which nothing happened.
pub(super) fn nothing() -> Update<'static> {
    Update {
        current: None,
        added: &[],
        removed: &[],
        left: None,
        covered: &[],
        taken: &[],
        clock: Clock::default(),
    }
}

/// Runs a tree with a strategy.
pub(super) struct Engine {
    tree: Tree,
    pub(super) searcher: Box<dyn Searcher>,
    figures: Arc<Figures>,
    /// The node of each state, and whether it has been asked.
    pub(super) states: BTreeMap<StateId, (String, bool)>,
    covered: BTreeSet<u32>,
    next: u32,
    /// Leaves in the order in which runs reached them.
    pub(super) order: Vec<String>,
    /// Nodes in the order in which they were asked for.
    pub(super) asked: Vec<String>,
}

impl Engine {
    /// `seed` is that of random choices; `covered` are sides that are covered before.
    pub(super) fn new(
        strategy: &str,
        program: &Program,
        tree: Tree,
        seed: u64,
        covered: &[u32],
    ) -> Self {
        Self::of(&choice(strategy), program, tree, seed, covered)
    }

    /// The same with a strategy as it was chosen.
    pub(super) fn of(
        choice: &StrategyChoice,
        program: &Program,
        tree: Tree,
        seed: u64,
        covered: &[u32],
    ) -> Self {
        let (searcher, figures) = searcher(choice, program, seed, covered);
        let mut engine = Self {
            tree,
            searcher,
            figures,
            states: BTreeMap::new(),
            covered: covered.iter().copied().collect(),
            next: 0,
            order: Vec::new(),
            asked: Vec::new(),
        };
        engine.add_root("");
        engine
    }

    pub(super) fn tally(&self) -> ConcolicCounts {
        self.figures.tally()
    }

    pub(super) fn add_root(&mut self, node: &str) {
        let added = self.added(None, node, None, false);
        self.searcher.update(&Update {
            added: &[added],
            ..nothing()
        });
    }

    fn added(
        &mut self,
        parent: Option<StateId>,
        node: &str,
        fork: Option<Fork>,
        pending: bool,
    ) -> Added {
        let id = StateId(self.next);
        self.next += 1;
        self.states.insert(id, (node.to_string(), !pending));
        Added {
            id,
            parent,
            metrics: Metrics::default(),
            fork,
            pending,
            ends: false,
        }
    }

    pub(super) fn remove(&mut self, id: StateId, left: Option<Left>, covered: &[u32]) {
        self.states.remove(&id);
        self.searcher.update(&Update {
            removed: &[id],
            left,
            covered,
            ..nothing()
        });
    }

    /// One turn of the state that the searcher chooses; false if there is none.
    pub(super) fn turn(&mut self) -> bool {
        let Some(id) = self.searcher.select(Clock::default()) else {
            return false;
        };
        let (node, asked) = self.states.get(&id).cloned().expect("a state that is left");
        if !asked {
            self.asked.push(node.clone());
            if self.tree.unknown.contains(&&*node) {
                self.remove(id, Some(Left::Unknown(id)), &[]);
                return true;
            }
            if !self.tree.reached(&node) {
                self.remove(id, Some(Left::Refuted(id)), &[]);
                return true;
            }
        }
        let mut covered = self.cover(&node);
        if self.tree.leaves.contains(&&*node) {
            self.order.push(node);
            self.remove(id, Some(Left::Ended(id)), &covered);
            return true;
        }
        let kept = u32::from(!self.tree.reached(&format!("{node}0")));
        let side = 2 * self.tree.site(&node);
        let fork = Fork {
            kept: side + kept,
            taken: side + 1 - kept,
        };
        let away = format!("{node}{}", 1 - kept);
        let stay = format!("{node}{kept}");
        let mut added = Vec::new();
        if !self.tree.eager || self.tree.reached(&away) {
            let pending = !self.tree.eager;
            added.push(self.added(Some(id), &away, Some(fork), pending));
        }
        covered.extend(self.cover(&stay));
        self.states.insert(id, (stay, true));
        self.searcher.update(&Update {
            current: Some((id, Metrics::default())),
            added: &added,
            covered: &covered,
            ..nothing()
        });
        true
    }

    /// What the way to a node covers first.
    fn cover(&mut self, node: &str) -> Vec<u32> {
        let Some((before, last)) = node.split_at_checked(node.len().saturating_sub(1)) else {
            return Vec::new();
        };
        if last.is_empty() {
            return Vec::new();
        }
        let side = 2 * self.tree.site(before) + u32::from(last == "1");
        let first = self.covered.insert(side);
        first.then_some(side).into_iter().collect()
    }

    /// Runs until nothing is left; the leaves in the order in which they were reached.
    pub(super) fn exhaust(&mut self) -> Vec<String> {
        while self.turn() {}
        assert!(self.states.is_empty(), "left: {:?}", self.states);
        assert!(self.searcher.is_empty());
        self.order.clone()
    }
}

/// The leaves of a tree in the order in which a strategy reaches them, and what it counted.
pub(super) fn explore(strategy: &str, tree: Tree) -> (Vec<String>, ConcolicCounts) {
    let mut engine = Engine::new(strategy, &Program::empty("tree.bc"), tree, 1, &[]);
    let order = engine.exhaust();
    (order, engine.tally())
}
