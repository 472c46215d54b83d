//! Searchers that need no weights: depth first, breadth first, uniformly random.
//!
//! Invariant of the ordered ones: they list the states by age of their turn; removing any state
//! costs O(log n) at most.

use super::{Clock, Searcher, StateId, Update};
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// States in a queue from which any element can leave.
#[derive(Debug, Default)]
struct Queue {
    order: BTreeMap<u64, StateId>,
    position: FxHashMap<StateId, u64>,
    next: u64,
}

impl Queue {
    fn push(&mut self, id: StateId) {
        self.order.insert(self.next, id);
        self.position.insert(id, self.next);
        self.next += 1;
    }

    fn remove(&mut self, id: StateId) -> bool {
        match self.position.remove(&id) {
            Some(position) => self.order.remove(&position).is_some(),
            None => false,
        }
    }
}

/// Number of states on top of a stack that are searched for a removed one.
const NEAR_TOP: usize = 8;

/// The newest state runs. A fork's new side runs before the old one.
///
/// Removed states are usually among the newest, so this is a stack. Others stay on it for a while
/// after their removal, at most about as many as there are live ones; the top is live.
#[derive(Debug, Default)]
pub(super) struct DepthFirst {
    stack: Vec<StateId>,
    /// States that have left, all those on the stack among them.
    left: FxHashSet<StateId>,
}

impl DepthFirst {
    fn remove(&mut self, id: StateId) {
        if self.stack.last() == Some(&id) {
            self.stack.pop();
        } else {
            self.remove_below_top(id);
        }
        if self.left.is_empty() {
            return;
        }
        if self.left.len() > self.stack.len() / 2 + NEAR_TOP {
            self.stack.retain(|id| !self.left.contains(id));
            self.left.clear();
        }
        while let Some(top) = self.stack.last()
            && self.left.remove(top)
        {
            self.stack.pop();
        }
    }

    fn remove_below_top(&mut self, id: StateId) {
        let newest = self.stack.len().saturating_sub(NEAR_TOP);
        match self.stack[newest..].iter().rposition(|near| *near == id) {
            Some(location) => {
                self.stack.remove(newest + location);
            }
            None => {
                self.left.insert(id);
            }
        }
    }
}

impl Searcher for DepthFirst {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        self.stack.last().copied()
    }

    fn update(&mut self, update: &Update<'_>) {
        self.stack.extend(update.added.iter().map(|added| added.id));
        for id in update.removed {
            self.remove(*id);
        }
    }

    fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    fn describe(&self) -> String {
        "dfs\n".to_string()
    }
}

/// The state whose last fork is oldest runs: after a fork both sides go to the end.
#[derive(Debug, Default)]
pub(super) struct BreadthFirst {
    queue: Queue,
}

impl Searcher for BreadthFirst {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        self.queue.order.values().next().copied()
    }

    fn update(&mut self, update: &Update<'_>) {
        if let Some((current, _)) = update.current
            && !update.added.is_empty()
            && self.queue.remove(current)
        {
            self.queue.push(current);
        }
        for added in update.added {
            self.queue.push(added.id);
        }
        for id in update.removed {
            self.queue.remove(*id);
        }
    }

    fn is_empty(&self) -> bool {
        self.queue.order.is_empty()
    }

    fn describe(&self) -> String {
        "bfs\n".to_string()
    }
}

/// Every state with equal probability.
#[derive(Debug)]
pub(super) struct RandomState {
    generator: Pcg64,
    states: Vec<StateId>,
    position: FxHashMap<StateId, usize>,
}

impl RandomState {
    pub(super) fn new(generator: Pcg64) -> Self {
        Self {
            generator,
            states: Vec::new(),
            position: FxHashMap::default(),
        }
    }
}

impl Searcher for RandomState {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        if self.states.is_empty() {
            return None;
        }
        let index = self.generator.random_range(0..self.states.len());
        self.states.get(index).copied()
    }

    fn update(&mut self, update: &Update<'_>) {
        for added in update.added {
            self.position.insert(added.id, self.states.len());
            self.states.push(added.id);
        }
        for id in update.removed {
            if let Some(index) = self.position.remove(id) {
                self.states.swap_remove(index);
                if let Some(moved) = self.states.get(index) {
                    self.position.insert(*moved, index);
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    fn describe(&self) -> String {
        "random-state\n".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{add, clock, histogram, remove};
    use super::*;
    use crate::search::Metrics;

    #[test]
    fn depth_first_runs_the_newest() {
        let mut searcher = DepthFirst::default();
        add(&mut searcher, None, 0, Metrics::default());
        add(&mut searcher, Some(0), 1, Metrics::default());
        add(&mut searcher, Some(1), 2, Metrics::default());
        assert_eq!(searcher.select(clock(0)), Some(StateId(2)));
        remove(&mut searcher, 1);
        remove(&mut searcher, 2);
        assert_eq!(searcher.select(clock(0)), Some(StateId(0)));
        remove(&mut searcher, 0);
        assert!(searcher.is_empty());
        assert_eq!(searcher.select(clock(0)), None);
    }

    #[test]
    fn depth_first_runs_the_newest_after_any_removal() {
        let mut searcher = DepthFirst::default();
        let mut open = Vec::new();
        let mut random = 1_u32;
        for id in 0..2_000 {
            add(&mut searcher, None, id, Metrics::default());
            open.push(id);
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // More come than leave at first, then more leave.
            let leaving = if id < 1_000 {
                random >> 31
            } else {
                random >> 30
            };
            for _ in 0..leaving {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if !open.is_empty() {
                    let location = (random >> 8) as usize % open.len();
                    remove(&mut searcher, open.remove(location));
                }
            }
            // Removing an unknown state has no effect.
            remove(&mut searcher, 9_999);
            assert_eq!(searcher.select(clock(0)), open.last().copied().map(StateId));
            assert_eq!(searcher.is_empty(), open.is_empty());
            assert!(searcher.stack.len() <= 2 * (open.len() + NEAR_TOP));
        }
    }

    #[test]
    fn breadth_first_moves_a_forked_state_to_the_end() {
        let mut searcher = BreadthFirst::default();
        add(&mut searcher, None, 0, Metrics::default());
        add(&mut searcher, Some(0), 1, Metrics::default()); // order 0 1
        add(&mut searcher, Some(0), 2, Metrics::default()); // order 1 0 2
        assert_eq!(searcher.select(clock(0)), Some(StateId(1)));
        remove(&mut searcher, 1);
        assert_eq!(searcher.select(clock(0)), Some(StateId(0)));
        add(&mut searcher, Some(0), 3, Metrics::default()); // order 2 0 3
        assert_eq!(searcher.select(clock(0)), Some(StateId(2)));
    }

    #[test]
    fn random_state_is_uniform() {
        let mut searcher = RandomState::new(super::super::generator(7, 0));
        for id in 0..4 {
            add(&mut searcher, None, id, Metrics::default());
        }
        remove(&mut searcher, 1);
        let counts = histogram(&mut searcher, 4, 9_000);
        assert_eq!(counts[1], 0);
        for id in [0, 2, 3] {
            assert!((2_800..3_200).contains(&counts[id]), "{counts:?}");
        }
    }
}
