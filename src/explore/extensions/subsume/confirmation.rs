//! Separate exploration of half nodes, so that forks become full early (greedy confirmation).
//!
//! Invariant: the nodes of an attempt are younger than all others and are removed when it ends.
//! Only the half node's interpolant and entries of points on the way are kept.

use super::frames::FrameView;
use super::point::Point;
use super::subsumption::{Subsumption, SubsumptionContext};
use super::tree::NodeId;
use homi_machine::state::State;
use rustc_hash::FxHashSet;

/// Separate exploration of a half node.
pub struct Confirmation {
    node: NodeId,
    /// Node of the separate exploration.
    own: NodeId,
    /// Point of the half node.
    point: u64,
    /// Points that were explored.
    seen: FxHashSet<u64>,
}

impl Subsumption {
    /// Returns a half successor of a node with another, full successor, for separate exploration
    /// (greedy confirmation), and its state under a separate node.
    pub fn next_confirmation(&mut self) -> Option<(Confirmation, Box<State>)> {
        if self.account.is_paused() {
            self.candidates.clear();
        }
        while let Some(&candidate) = self.candidates.last() {
            let half = self
                .tree
                .half_successor(candidate)
                .filter(|_| self.is_greedy);
            let Some(id) = half else {
                self.candidates.pop();
                continue;
            };
            let node = self.tree.get_mut(id)?;
            node.was_tried = true;
            let kept = node.start.as_ref().or(node.fresh.as_ref());
            let mut state = kept?.clone();
            let point = point_of(&state).unwrap_or_default();
            if !self.backoff.tries(point) {
                continue;
            }
            let own = self.tree.add(None);
            if let Some(node) = self.tree.get_mut(own) {
                node.is_confirmed = true;
            }
            state.tags.tree_node = Some(own);
            self.statistics.greedy_tried += 1;
            self.is_confirming = true;
            let confirmation = Confirmation {
                node: id,
                own,
                point,
                seen: FxHashSet::default(),
            };
            return Some((confirmation, state));
        }
        None
    }

    /// Returns true if a state of a confirmation may continue: each point is explored at most once.
    pub fn may_explore(&self, confirmation: &mut Confirmation, state: &State) -> bool {
        let point = point_of(state);
        point.is_some_and(|point| confirmation.seen.insert(point))
    }

    /// Ends a confirmation. The half node becomes full if all paths below its separate node are
    /// explored.
    pub fn confirmed(&mut self, with: &SubsumptionContext<'_, '_>, confirmation: Confirmation) {
        let Confirmation {
            node, own, point, ..
        } = confirmation;
        self.is_confirming = false;
        let found = if self.tree.is_full(own) {
            self.tree.remove(own)
        } else {
            None
        };
        self.backoff.note(point, found.is_some());
        self.tree.forget_since(own);
        self.candidates.retain(|candidate| *candidate < own);
        let Some(found) = found else {
            return;
        };
        let Some(half) = self.tree.get_mut(node) else {
            return;
        };
        self.statistics.greedy_succeeded += 1;
        half.arrival = found.arrival;
        half.status = found.status;
        half.start = None;
        half.fresh = None;
        half.ends.clear();
        let children = std::mem::take(&mut half.children);
        let parent = half.parent;
        self.tree.orphan(&children);
        if let Some(parent) = parent {
            self.candidates.push(parent);
            self.complete(with, parent);
        }
    }
}

/// Returns the hash of a state's point; `None` if it has none.
fn point_of(state: &State) -> Option<u64> {
    let frames = FrameView::new(state);
    Point::of(state, &frames).map(|point| point.hash())
}
