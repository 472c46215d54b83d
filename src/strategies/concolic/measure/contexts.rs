//! Contexts of up to five sides, and which of them have been negated.
//!
//! Invariant: the context of length k is the first k sides; it is shorter where the path begins,
//! and is then compared with others of length k that were cut short alike.

use rustc_hash::FxHashSet;

/// The greatest length of a context.
const LONGEST: usize = 5;

/// What stands for a choice of a value, which leads to no side.
pub(super) const NO_SIDE: u32 = u32::MAX;

/// The contexts of a branch of all lengths, each the beginning of the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contexts {
    sides: [u32; LONGEST],
    known: usize,
}

impl Contexts {
    /// From the sides, nearest first; those beyond the greatest length do not count.
    pub(super) fn of(sides: impl Iterator<Item = u32>) -> Self {
        let mut contexts = Self {
            sides: [NO_SIDE; LONGEST],
            known: 0,
        };
        for side in sides.take(LONGEST) {
            contexts.sides[contexts.known] = side;
            contexts.known += 1;
        }
        contexts
    }

    /// That of a length, with what is missing or behind it filled up.
    fn of_length(&self, length: usize) -> [u32; LONGEST] {
        let mut sides = [NO_SIDE; LONGEST];
        let length = length.min(self.known);
        sides[..length].copy_from_slice(&self.sides[..length]);
        sides
    }
}

/// The contexts in which branches have been negated, by length.
#[derive(Debug, Default)]
pub(super) struct SeenContexts([FxHashSet<[u32; LONGEST]>; LONGEST]);

impl SeenContexts {
    pub(super) fn insert(&mut self, contexts: &Contexts) {
        for (index, seen) in self.0.iter_mut().enumerate() {
            seen.insert(contexts.of_length(index + 1));
        }
    }

    /// Whether each of them has been negated, from length 1 on.
    pub(super) fn seen(&self, contexts: &Contexts) -> [bool; LONGEST] {
        std::array::from_fn(|index| self.0[index].contains(&contexts.of_length(index + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_known_by_length() {
        let mut seen = SeenContexts::default();
        seen.insert(&Contexts::of([1, 2, 3, 4, 5, 6].into_iter()));
        let known = |sides: &[u32]| seen.seen(&Contexts::of(sides.iter().copied()));
        assert_eq!(known(&[1, 2, 3, 4, 5]), [true; 5]);
        assert_eq!(known(&[1, 2, 9, 4, 5]), [true, true, false, false, false]);
        assert_eq!(known(&[2, 2, 3]), [false; 5]);
        // One that the path's beginning cuts short is another than one that is not.
        assert_eq!(known(&[1, 2]), [true, true, false, false, false]);
    }

    #[test]
    fn contexts_that_were_cut_short_alike_are_one() {
        let mut seen = SeenContexts::default();
        seen.insert(&Contexts::of([1, 2].into_iter()));
        assert_eq!(seen.seen(&Contexts::of([1, 2].into_iter())), [true; 5]);
        let longer = seen.seen(&Contexts::of([1, 2, 3].into_iter()));
        assert_eq!(longer, [true, true, false, false, false]);
    }
}
