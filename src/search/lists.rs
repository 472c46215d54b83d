//! Searchers that need no weights: depth first, breadth first, uniformly random.
//!
//! Invariant of the ordered ones: `order` lists the states by age of their turn; removing any state
//! costs O(log n).

use super::{Clock, Searcher, StateId, Update};
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;
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

/// The newest state runs. A fork's new side runs before the old one.
#[derive(Debug, Default)]
pub(super) struct DepthFirst {
    queue: Queue,
}

impl Searcher for DepthFirst {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        self.queue.order.values().next_back().copied()
    }

    fn update(&mut self, update: &Update<'_>) {
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
    use super::super::testing::{add, clock, histogram, metrics, remove};
    use super::*;

    #[test]
    fn depth_first_runs_the_newest() {
        let mut searcher = DepthFirst::default();
        add(&mut searcher, None, 0, metrics());
        add(&mut searcher, Some(0), 1, metrics());
        add(&mut searcher, Some(1), 2, metrics());
        assert_eq!(searcher.select(clock(0)), Some(StateId(2)));
        remove(&mut searcher, 1);
        remove(&mut searcher, 2);
        assert_eq!(searcher.select(clock(0)), Some(StateId(0)));
        remove(&mut searcher, 0);
        assert!(searcher.is_empty());
        assert_eq!(searcher.select(clock(0)), None);
    }

    #[test]
    fn breadth_first_moves_a_forked_state_to_the_end() {
        let mut searcher = BreadthFirst::default();
        add(&mut searcher, None, 0, metrics());
        add(&mut searcher, Some(0), 1, metrics()); // order 0 1
        add(&mut searcher, Some(0), 2, metrics()); // order 1 0 2
        assert_eq!(searcher.select(clock(0)), Some(StateId(1)));
        remove(&mut searcher, 1);
        assert_eq!(searcher.select(clock(0)), Some(StateId(0)));
        add(&mut searcher, Some(0), 3, metrics()); // order 2 0 3
        assert_eq!(searcher.select(clock(0)), Some(StateId(2)));
    }

    #[test]
    fn random_state_is_uniform() {
        let mut searcher = RandomState::new(super::super::generator(7, 0));
        for id in 0..4 {
            add(&mut searcher, None, id, metrics());
        }
        remove(&mut searcher, 1);
        let counts = histogram(&mut searcher, 4, 9_000);
        assert_eq!(counts[1], 0);
        for id in [0, 2, 3] {
            assert!((2_800..3_200).contains(&counts[id]), "{counts:?}");
        }
    }
}
