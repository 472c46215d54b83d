//! Engine over a small tree of paths, for this module's tests.

use homi_explore::search::{Added, Clock, Fork, Left, Metrics, Searcher, StateId, Update};
use std::collections::{BTreeMap, BTreeSet};

/// Engine whose paths have `depth` decisions, each written as 0 or 1. A path takes side 0 of a
/// decision first; sides for which `refuted` returns true are infeasible.
pub(super) struct SmallEngine {
    depth: usize,
    refuted: fn(&str) -> bool,
    states: BTreeMap<StateId, (String, bool)>,
    next: u32,
    /// Paths that ended.
    pub(super) ended: Vec<String>,
    /// Sides that the paths took.
    pub(super) covered: BTreeSet<u32>,
}

/// Returns the sides of a path: one for each of the seven kinds of decisions.
fn sides(node: &str) -> Vec<u32> {
    let taken = (0..node.len()).map(|at| side(&node[..at], node.as_bytes()[at] == b'1'));
    let taken: BTreeSet<u32> = taken.collect();
    taken.into_iter().collect()
}

fn side(before: &str, one: bool) -> u32 {
    let kind = before.bytes().fold(before.len() as u32, |kind, letter| {
        kind * 5 + u32::from(letter)
    });
    2 * (kind % 7) + u32::from(one)
}

fn nothing() -> Update<'static> {
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

impl SmallEngine {
    pub(super) fn new(
        depth: usize,
        refuted: fn(&str) -> bool,
        searcher: &mut dyn Searcher,
    ) -> Self {
        let mut engine = Self {
            depth,
            refuted,
            states: BTreeMap::new(),
            next: 0,
            ended: Vec::new(),
            covered: BTreeSet::new(),
        };
        let root = engine.add(None, "", None);
        searcher.update(&Update {
            added: &[root],
            ..nothing()
        });
        engine
    }

    fn add(&mut self, parent: Option<StateId>, node: &str, fork: Option<Fork>) -> Added {
        let id = StateId(self.next);
        self.next += 1;
        self.states.insert(id, (node.to_string(), fork.is_some()));
        Added {
            id,
            parent,
            metrics: Metrics::default(),
            fork,
            pending: fork.is_some(),
            ends: false,
        }
    }

    /// Runs one batch of the state that the searcher selects; returns false if there is none.
    pub(super) fn turn(&mut self, searcher: &mut dyn Searcher) -> bool {
        let Some(id) = searcher.select(Clock::default()) else {
            return false;
        };
        let (node, pending) = self.states[&id].clone();
        if pending && (self.refuted)(&node) {
            self.leave(searcher, id, Left::Infeasible(id), &[], &[]);
        } else if node.len() == self.depth {
            let taken = sides(&node);
            let first = taken
                .iter()
                .copied()
                .filter(|side| self.covered.insert(*side));
            let first: Vec<u32> = first.collect();
            self.ended.push(node);
            self.leave(searcher, id, Left::Ended(id), &first, &taken);
        } else {
            let fork = Fork {
                kept: side(&node, false),
                taken: side(&node, true),
            };
            let away = self.add(Some(id), &format!("{node}1"), Some(fork));
            self.states.insert(id, (format!("{node}0"), false));
            searcher.update(&Update {
                current: Some((id, Metrics::default())),
                added: &[away],
                ..nothing()
            });
        }
        true
    }

    fn leave(
        &mut self,
        searcher: &mut dyn Searcher,
        id: StateId,
        left: Left,
        covered: &[u32],
        taken: &[u32],
    ) {
        self.states.remove(&id);
        searcher.update(&Update {
            removed: &[id],
            left: Some(left),
            covered,
            taken,
            ..nothing()
        });
    }

    /// Drops every other state, as for lack of memory.
    pub(super) fn give_up_half(&mut self, searcher: &mut dyn Searcher) {
        let ids: Vec<StateId> = self.states.keys().copied().step_by(2).collect();
        for id in &ids {
            self.states.remove(id);
        }
        searcher.update(&Update {
            removed: &ids,
            ..nothing()
        });
    }
}
