//! Tree that acts as an engine, for this module's tests.
//!
//! A node is named by the sides on the path to it, such as `01`: side 0 at the first branch, side 1
//! at the second. A run takes side 0 where feasible.

use super::argument::BranchWeights;
use super::registry::StrategyChoice;
use super::searcher::searcher;
use super::statistics::Statistics;
use crate::weights::features::BRANCH;
use homi_explore::search::{Added, Clock, Fork, Left, Metrics, Searcher, StateId, Update};
use homi_ir::program::Program;
use homi_report::ConcolicCounts;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Program as the tree of its branches.
#[derive(Clone, Default)]
pub(super) struct Tree {
    /// Ends of paths. A node that leads to no leaf is infeasible.
    pub(super) leaves: Vec<&'static str>,
    /// Nodes for which the solver times out; they are infeasible.
    pub(super) unknown: Vec<&'static str>,
    /// Branch site of each inner node; its depth by default.
    pub(super) sites: BTreeMap<&'static str, u32>,
    /// True if sides are queried when they are met, so that infeasible ones are not announced.
    pub(super) eager: bool,
}

impl Tree {
    /// Returns the tree of all nodes of `depth` branches, except the infeasible ones.
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

/// Returns the strategy of this name; one that needs weights gets a different weight per feature.
pub(super) fn choice(strategy: &str) -> StrategyChoice {
    if strategy != "param" {
        return StrategyChoice::parse(strategy).unwrap();
    }
    let values = (0..BRANCH.len()).map(|index| (index * 7 % 11) as f64 - 5.0);
    let weights = BranchWeights::new(&BRANCH, values.collect()).unwrap();
    StrategyChoice::of_weights(Arc::new(weights))
}

/// Returns an empty update.
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
    statistics: Arc<Statistics>,
    /// Node of each state; the flag is true if it was queried.
    pub(super) states: BTreeMap<StateId, (String, bool)>,
    covered: BTreeSet<u32>,
    next: u32,
    /// Leaves in the order in which runs reached them.
    pub(super) order: Vec<String>,
    /// Nodes in the order of their queries.
    pub(super) asked: Vec<String>,
}

impl Engine {
    /// Creates the engine; `seed` is for random choices, `covered` are sides covered before.
    pub(super) fn new(
        strategy: &str,
        program: &Program,
        tree: Tree,
        seed: u64,
        covered: &[u32],
    ) -> Self {
        Self::of(&choice(strategy), program, tree, seed, covered)
    }

    /// Creates the engine with a chosen strategy.
    pub(super) fn of(
        choice: &StrategyChoice,
        program: &Program,
        tree: Tree,
        seed: u64,
        covered: &[u32],
    ) -> Self {
        let (searcher, statistics) = searcher(choice, program, seed, covered);
        let mut engine = Self {
            tree,
            searcher,
            statistics,
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
        self.statistics.tally()
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

    /// Runs one batch of the state that the searcher selects; returns false if there is none.
    pub(super) fn batch(&mut self) -> bool {
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
                self.remove(id, Some(Left::Infeasible(id)), &[]);
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

    /// Returns the sides that the path to a node covers first.
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

    /// Runs until no state is left; returns the leaves in the order in which they were reached.
    pub(super) fn exhaust(&mut self) -> Vec<String> {
        while self.batch() {}
        assert!(self.states.is_empty(), "left: {:?}", self.states);
        assert!(self.searcher.is_empty());
        self.order.clone()
    }
}

/// Returns the leaves of a tree in the order in which a strategy reaches them, and its counters.
pub(super) fn explore(strategy: &str, tree: Tree) -> (Vec<String>, ConcolicCounts) {
    let mut engine = Engine::new(strategy, &Program::empty("tree.bc"), tree, 1, &[]);
    let order = engine.exhaust();
    (order, engine.tally())
}
