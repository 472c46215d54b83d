//! Weight per code location: states at the same instruction with the same distance share one
//! weight.
//!
//! A loop over symbolic bytes that passes by uncovered code which no input reaches (a `case` that
//! an option rules out, say) makes states without end, all of them near that code. With a weight
//! each, as in KLEE, they take every batch, and the few states elsewhere never run again. A place's
//! weight does not grow with the number of states there, and falls with the batches it has had:
//! code that stays uncovered although states near it ran thousands of times is probably out of
//! reach. With weights w and many batches, a location gets batches in proportion to sqrt(w).
//!
//! Solver work of a batch counts as further batches, if searches are to see it: the search prefers
//! other locations to one whose queries take as long as a thousand batches elsewhere.
//!
//! Invariant: `members[g]` lists exactly the slots whose `location_of` says `g`; a group without
//! members weighs 0.

use super::sum_tree::SumTree;
use rustc_hash::FxHashMap;

/// Turns after which a place has half its weight.
const HALVING_BATCHES: f64 = 64.0;

/// Instructions' worth of the solver's work that count as a batch.
const WORK_OF_BATCH: f64 = 250.0;

/// Returns the factor of a location's weight after a number of batches.
fn batch_factor(batches: f64) -> f64 {
    1.0 / (1.0 + batches / HALVING_BATCHES)
}

/// An instruction (the segment's number) and a distance from it.
pub(super) type CodeLocation = (u32, u32);

/// Slots grouped by place.
#[derive(Debug)]
pub(super) struct CodeLocations {
    groups: FxHashMap<CodeLocation, usize>,
    members: Vec<Vec<usize>>,
    keys: Vec<CodeLocation>,
    free: Vec<usize>,
    /// Group and position in it, by slot.
    location_of: Vec<Option<(usize, usize)>>,
    weights: SumTree,
    /// The weight of each group's place before its batches count.
    base: Vec<f64>,
    /// Turns had, by place; places without states keep theirs.
    batches: FxHashMap<CodeLocation, f64>,
}

impl CodeLocations {
    pub(super) fn new() -> Self {
        Self {
            groups: FxHashMap::default(),
            members: Vec::new(),
            keys: Vec::new(),
            free: Vec::new(),
            location_of: Vec::new(),
            weights: SumTree::new(),
            base: Vec::new(),
            batches: FxHashMap::default(),
        }
    }

    /// Puts a slot at a place of the given weight, away from where it was.
    pub(super) fn put(&mut self, slot: usize, location: CodeLocation, weight: f64) {
        if self.location_of.len() <= slot {
            self.location_of.resize(slot + 1, None);
        }
        if let Some((group, _)) = self.location_of[slot] {
            if self.keys[group] == location {
                return;
            }
            self.take(slot);
        }
        let group = match self.groups.get(&location) {
            Some(group) => *group,
            None => self.open(location, weight),
        };
        self.location_of[slot] = Some((group, self.members[group].len()));
        self.members[group].push(slot);
    }

    fn open(&mut self, location: CodeLocation, weight: f64) -> usize {
        let group = self.free.pop().unwrap_or_else(|| {
            self.members.push(Vec::new());
            self.keys.push(location);
            self.base.push(0.0);
            self.members.len() - 1
        });
        self.keys[group] = location;
        self.groups.insert(location, group);
        self.base[group] = weight;
        let batches = self.batches.get(&location).copied().unwrap_or(0.0);
        self.weights.set(group, weight * batch_factor(batches));
        group
    }

    /// Takes a slot out.
    pub(super) fn take(&mut self, slot: usize) {
        let Some((group, position)) = self.location_of.get_mut(slot).and_then(Option::take) else {
            return;
        };
        let members = &mut self.members[group];
        members.swap_remove(position);
        if let Some(moved) = members.get(position) {
            self.location_of[*moved] = Some((group, position));
        } else if members.is_empty() {
            self.groups.remove(&self.keys[group]);
            self.weights.set(group, 0.0);
            self.free.push(group);
        }
    }

    /// The sum of the places' weights.
    pub(super) fn total(&self) -> f64 {
        self.weights.total()
    }

    /// A slot: the place by its weight from `fraction`, the member from `second` (both in [0, 1)).
    pub(super) fn find(&self, fraction: f64, second: f64) -> Option<usize> {
        let members = &self.members[self.weights.find(fraction)?];
        let position = (second * members.len() as f64) as usize;
        members.get(position.min(members.len() - 1)).copied()
    }

    /// The slot's place had a batch.
    pub(super) fn count_batch(&mut self, slot: usize) {
        self.count(slot, 1.0);
    }

    /// Counts solver work, in instructions, for the slot's location.
    pub(super) fn count_work(&mut self, slot: usize, work: u64) {
        self.count(slot, work as f64 / WORK_OF_BATCH);
    }

    fn count(&mut self, slot: usize, more: f64) {
        let Some((group, _)) = self.location_of.get(slot).copied().flatten() else {
            return;
        };
        let batches = self.batches.entry(self.keys[group]).or_default();
        *batches += more;
        self.weights
            .set(group, self.base[group] * batch_factor(*batches));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_weighs_as_much_as_a_single_state() {
        let mut locations = CodeLocations::new();
        for slot in 0..8 {
            locations.put(slot, (1, 2), 0.25);
        }
        locations.put(8, (2, 4), 0.75);
        assert_eq!(locations.total(), 1.0);
        assert_eq!(locations.find(0.2, 0.0), Some(0));
        assert_eq!(locations.find(0.2, 0.99), Some(7));
        assert_eq!(locations.find(0.3, 0.5), Some(8));
    }

    #[test]
    fn batches_cost_weight_and_are_remembered() {
        let mut locations = CodeLocations::new();
        locations.put(0, (1, 2), 1.0);
        for _ in 0..64 {
            locations.count_batch(0);
        }
        assert_eq!(locations.total(), 0.5);
        locations.take(0);
        locations.put(1, (1, 3), 1.0);
        assert_eq!(locations.total(), 1.0);
        locations.put(1, (1, 2), 1.0);
        assert_eq!(locations.total(), 0.5);
    }

    #[test]
    fn what_the_solver_does_counts_as_batches() {
        let mut locations = CodeLocations::new();
        locations.put(0, (1, 2), 1.0);
        locations.put(1, (3, 4), 1.0);
        locations.count_work(0, 250 * 64 * 3);
        assert_eq!(locations.total(), 1.25);
        assert_eq!(locations.find(0.5, 0.5), Some(1));
    }

    #[test]
    fn slots_move_and_leave() {
        let mut locations = CodeLocations::new();
        locations.put(0, (1, 2), 0.25);
        locations.put(1, (1, 2), 0.25);
        locations.put(2, (1, 2), 0.25);
        locations.put(0, (5, 1), 1.0);
        let total = |locations: &CodeLocations| (locations.total() * 1e3).round() / 1e3;
        assert_eq!(total(&locations), 1.25);
        locations.take(2);
        assert_eq!(locations.find(0.0, 0.9), Some(1));
        locations.take(1);
        assert_eq!(locations.total(), 1.0);
        assert_eq!(locations.find(0.0, 0.9), Some(0));
        // Taking what is not there changes nothing.
        locations.take(1);
        locations.take(77);
        locations.put(3, (9, 9), 0.5);
        assert_eq!(locations.total(), 1.5);
        locations.take(0);
        locations.take(3);
        assert_eq!(locations.find(0.5, 0.5), None);
    }
}
