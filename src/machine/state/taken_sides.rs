//! Side of each two-way branch of user code, in order, as in KLEE's `.path` files.
//!
//! Invariant: states that forked share their common part; a fork copies the newest part only.

use std::sync::Arc;

/// Sides in the part that is copied at a fork.
const PART: usize = 1024;

/// A part that no longer changes.
#[derive(Debug)]
struct Part {
    sides: Vec<bool>,
    before: Option<Arc<Part>>,
}

/// The sides so far: true where the condition held.
#[derive(Clone, Default, Debug)]
pub struct TakenSides {
    older: Option<Arc<Part>>,
    newest: Vec<bool>,
    length: usize,
}

impl TakenSides {
    pub fn push(&mut self, holds: bool) {
        if self.newest.len() == PART {
            self.older = Some(Arc::new(Part {
                sides: std::mem::take(&mut self.newest),
                before: self.older.take(),
            }));
        }
        self.newest.push(holds);
        self.length += 1;
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// All sides, the first one first.
    pub fn to_vec(&self) -> Vec<bool> {
        let mut parts = vec![&self.newest];
        let mut part = self.older.as_deref();
        while let Some(found) = part {
            parts.push(&found.sides);
            part = found.before.as_deref();
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_share_what_they_had_in_common() {
        let mut one = TakenSides::default();
        (0..3 * PART).for_each(|number| one.push(number % 3 == 0));
        let mut other = one.clone();
        one.push(true);
        other.push(false);
        let (one, other) = (one.to_vec(), other.to_vec());
        assert_eq!(one.len(), 3 * PART + 1);
        assert_eq!(one[..3 * PART], other[..3 * PART]);
        assert!(one[3] && !one[4] && one[3 * PART] && !other[3 * PART]);
    }
}
