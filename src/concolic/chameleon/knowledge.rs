//! What vectors of weights have covered, and which of them were the best and the worst.
//!
//! Invariant: each vector has a number of its own, given in the order in which vectors came in, and
//! of equal ones the earlier counts. The knowledge has a size; the oldest vectors leave.

use rustc_hash::FxHashSet;

/// Vectors that are known at most.
const MOST: usize = 1000;

/// What new sides are worth, and what all sides of a vector are.
const NEW: f64 = 0.95;
const ALL: f64 = 0.05;

/// A vector that has had its turn.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Known {
    /// Given by the knowledge.
    pub(super) number: u64,
    /// The vector that it was made from; none if it was drawn.
    pub(super) parent: Option<u64>,
    pub(super) values: Vec<f64>,
    /// Sides that its executions took.
    pub(super) sides: FxHashSet<u32>,
}

/// All vectors that are known.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    vectors: Vec<Known>,
    next: u64,
}

impl Knowledge {
    /// How many vectors are known.
    pub(super) fn len(&self) -> usize {
        self.vectors.len()
    }

    /// Takes in a round of vectors. Of their parents those leave whose children took no side that
    /// was not known before.
    pub(super) fn refine(&mut self, parents: &[u64], round: Vec<Known>) {
        let mut good = FxHashSet::default();
        {
            let known: FxHashSet<u32> = self.sides().collect();
            for child in &round {
                let new = child.sides.iter().any(|side| !known.contains(side));
                good.extend(child.parent.filter(|_| new));
            }
        }
        let stays = |number: &u64| !parents.contains(number) || good.contains(number);
        self.vectors.retain(|known| stays(&known.number));
        for known in round {
            self.next += 1;
            self.vectors.push(Known {
                number: self.next,
                ..known
            });
        }
        let surplus = self.vectors.len().saturating_sub(MOST);
        self.vectors.drain(..surplus);
    }

    fn sides(&self) -> impl Iterator<Item = u32> {
        let sides = self.vectors.iter().flat_map(|known| &known.sides);
        sides.copied()
    }

    /// Up to so many vectors that together cover much: greedily, each by what it adds to those
    /// before it. One that adds nothing is none of them.
    pub(super) fn best(&self, count: usize) -> Vec<&Known> {
        self.greedily(count, |worth, best| worth > best, true)
    }

    /// Up to so many vectors that cover little, greedily in the same way.
    pub(super) fn worst(&self, count: usize) -> Vec<&Known> {
        self.greedily(count, |worth, best| worth < best, false)
    }

    fn greedily(&self, count: usize, beats: fn(f64, f64) -> bool, must_add: bool) -> Vec<&Known> {
        let mut covered: FxHashSet<u32> = FxHashSet::default();
        let mut left: Vec<&Known> = self.vectors.iter().collect();
        let mut chosen = Vec::new();
        while chosen.len() < count {
            let mut best: Option<(f64, usize)> = None;
            for (at, known) in left.iter().enumerate() {
                let new = known.sides.iter().filter(|side| !covered.contains(side));
                let new = new.count();
                let worth = NEW * new as f64 + ALL * known.sides.len() as f64;
                if (new > 0 || !must_add) && best.is_none_or(|(so_far, _)| beats(worth, so_far)) {
                    best = Some((worth, at));
                }
            }
            let Some((_, at)) = best else {
                break;
            };
            let known = left.remove(at);
            covered.extend(&known.sides);
            chosen.push(known);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(in crate::concolic::chameleon) fn known(sides: &[u32], parent: Option<u64>) -> Known {
        Known {
            parent,
            values: vec![0.0],
            sides: sides.iter().copied().collect(),
            ..Known::default()
        }
    }

    fn knowledge(sets: &[&[u32]]) -> Knowledge {
        let mut knowledge = Knowledge::default();
        let round = sets.iter().map(|sides| known(sides, None));
        knowledge.refine(&[], round.collect());
        knowledge
    }

    fn numbers(chosen: Vec<&Known>) -> Vec<u64> {
        chosen.into_iter().map(|known| known.number).collect()
    }

    #[test]
    fn the_best_cover_most_together() {
        let knowledge = knowledge(&[&[1, 2, 3], &[1, 2, 3, 4], &[5, 6], &[1, 2, 7], &[1]]);
        // 2 adds 4 sides; then 3 adds 2, 4 adds 1; 1 and 5 add nothing.
        assert_eq!(numbers(knowledge.best(2)), [2, 3]);
        assert_eq!(numbers(knowledge.best(8)), [2, 3, 4]);
    }

    #[test]
    fn a_twentieth_of_a_vectors_own_size_counts() {
        // After 1, vector 2 adds one side and has 21 (0.95 + 1.05), vector 3 adds two and has two
        // (1.9 + 0.1): a tie, which the earlier one wins.
        let all: Vec<u32> = (0..30).collect();
        let second: Vec<u32> = (0..20).chain([40]).collect();
        let mut sets = vec![&all[..], &second[..], &[50, 51][..]];
        assert_eq!(numbers(knowledge(&sets).best(3)), [1, 2, 3]);
        // With 20 sides it is 0.95 + 1.0.
        sets[1] = &second[1..];
        assert_eq!(numbers(knowledge(&sets).best(3)), [1, 3, 2]);
    }

    #[test]
    fn the_worst_cover_least_together() {
        let knowledge = knowledge(&[&[1, 2, 3], &[], &[9], &[1, 2], &[9, 8]]);
        // 2 with nothing; 3 with 1; then 5 adds one and has two (1.05), 4 adds two (2.0).
        assert_eq!(numbers(knowledge.worst(3)), [2, 3, 5]);
        assert_eq!(numbers(knowledge.worst(9)).len(), 5);
    }

    #[test]
    fn parents_whose_children_bring_nothing_new_leave() {
        let mut knowledge = knowledge(&[&[1, 2], &[3], &[4]]);
        // Children of 1 and 2; only 2's brings side 5. A drawn vector belongs to nobody.
        let round = vec![
            known(&[1, 3], Some(1)),
            known(&[3, 5], Some(2)),
            known(&[2], Some(2)),
            known(&[6], None),
        ];
        knowledge.refine(&[1, 2], round);
        let left: Vec<u64> = knowledge.vectors.iter().map(|known| known.number).collect();
        assert_eq!(left, [2, 3, 4, 5, 6, 7]);
        // Side 2 has left with vector 1 but for the child that took it; side 1 is child 4's.
        assert_eq!(knowledge.len(), 6);
        knowledge.refine(&[4], vec![known(&[1, 2, 3], Some(4))]);
        let left: Vec<u64> = knowledge.vectors.iter().map(|known| known.number).collect();
        assert_eq!(left, [2, 3, 5, 6, 7, 8]);
    }

    #[test]
    fn the_oldest_leave_when_there_are_too_many() {
        let mut knowledge = Knowledge::default();
        for _ in 0..3 {
            let round = (0..400).map(|side| known(&[side], None));
            knowledge.refine(&[], round.collect());
        }
        assert_eq!(knowledge.len(), MOST);
        assert_eq!(knowledge.vectors[0].number, 201);
    }
}
