//! Answers of the exact layers, by the question's encoding.
//!
//! Invariant: an entry is what the search or the SMT layer would answer again, because both depend on
//! the encoding only; so a hit changes how long an answer takes and nothing else. Keys are 128-bit
//! fingerprints: among a billion questions two collide with probability below 10^-20. Unknowns are
//! not kept.

use rustc_hash::FxHashMap;

/// What is known about one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// Values by byte number.
    Sat(Box<[u8]>),
    Unsat,
}

/// Bounded by entries: when half of the bound is reached, the older half is forgotten.
#[derive(Debug)]
pub struct Cache {
    young: FxHashMap<u128, Known>,
    old: FxHashMap<u128, Known>,
    limit: usize,
}

impl Cache {
    /// At most `limit` entries.
    pub fn new(limit: usize) -> Cache {
        Cache {
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            limit: limit.max(2),
        }
    }

    pub fn get(&mut self, key: u128) -> Option<Known> {
        if let Some(known) = self.young.get(&key) {
            return Some(known.clone());
        }
        let known = self.old.remove(&key)?;
        self.insert(key, known.clone());
        Some(known)
    }

    pub fn insert(&mut self, key: u128, known: Known) {
        if self.young.len() >= self.limit / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, known);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Estimated bytes.
    pub fn memory(&self) -> usize {
        let values = |map: &FxHashMap<u128, Known>| -> usize {
            let sizes = map.values().map(|known| match known {
                Known::Sat(values) => values.len() + 16,
                Known::Unsat => 0,
            });
            sizes.sum::<usize>() + map.capacity() * (size_of::<(u128, Known)>() + 1)
        };
        values(&self.young) + values(&self.old)
    }

    /// Forgets the older entries, up to half of all.
    pub fn trim(&mut self) {
        self.old = std::mem::take(&mut self.young);
        self.old.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_entries_survive_the_bound() {
        let mut cache = Cache::new(8);
        cache.insert(0, Known::Unsat);
        for key in 1..100u128 {
            cache.insert(key, Known::Sat(Box::from([key as u8])));
            assert_eq!(cache.get(0), Some(Known::Unsat), "used all the time");
            assert!(cache.len() <= 8);
        }
        assert_eq!(cache.get(99), Some(Known::Sat(Box::from([99]))));
        assert_eq!(cache.get(1), None);
    }
}
