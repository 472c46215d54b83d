//! Contexts of up to five sides, and the contexts of earlier negations.
//!
//! Invariant: the context of length k is the first k sides. Near the start of the path it is
//! shorter, and equals only contexts of length k that were truncated in the same way.

use rustc_hash::FxHashSet;

/// Maximum length of a context.
const LONGEST: usize = 5;

/// Marks a choice of a value, which leads to no side.
pub(super) const NO_SIDE: u32 = u32::MAX;

/// Contexts of a branch of all lengths; each is a prefix of the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contexts {
    sides: [u32; LONGEST],
    known: usize,
}

impl Contexts {
    /// Collects the contexts from the sides, nearest first; sides beyond the maximum length are
    /// ignored.
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

    /// Returns the context of a length, padded with `NO_SIDE`.
    fn of_length(&self, length: usize) -> [u32; LONGEST] {
        let mut sides = [NO_SIDE; LONGEST];
        let length = length.min(self.known);
        sides[..length].copy_from_slice(&self.sides[..length]);
        sides
    }
}

/// Contexts of negated branches, by length.
#[derive(Debug, Default)]
pub(super) struct SeenContexts([FxHashSet<[u32; LONGEST]>; LONGEST]);

impl SeenContexts {
    pub(super) fn insert(&mut self, contexts: &Contexts) {
        for (index, seen) in self.0.iter_mut().enumerate() {
            seen.insert(contexts.of_length(index + 1));
        }
    }

    /// Returns true for each length, from 1 on, whose context was negated before.
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
        // A context that the path's start truncates differs from one that is complete.
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
