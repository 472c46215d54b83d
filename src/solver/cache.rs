//! Answers of the exact layers, by the query's encoding.
//!
//! Invariant: an entry is what the search or the SMT layer would answer again, because both depend
//! on the encoding only; so a hit changes how long an answer takes and nothing else. Keys are
//! 128-bit fingerprints: among a billion queries two collide with probability below 10^-20.
//! Unknowns are not kept.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Cached result of one query.
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
    /// Sizes of the values in `young` and in `old` in bytes, kept so that they need no counting.
    young_bytes: usize,
    old_bytes: usize,
}

impl Known {
    fn bytes(&self) -> usize {
        match self {
            Known::Sat(values) => values.len() + 16,
            Known::Unsat => 0,
        }
    }
}

impl Cache {
    /// At most `limit` entries.
    pub fn new(limit: usize) -> Cache {
        Cache {
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            limit: limit.max(2),
            young_bytes: 0,
            old_bytes: 0,
        }
    }

    pub fn get(&mut self, key: u128) -> Option<Known> {
        if let Some(known) = self.young.get(&key) {
            return Some(known.clone());
        }
        let known = self.old.remove(&key)?;
        self.old_bytes -= known.bytes();
        self.insert(key, known.clone());
        Some(known)
    }

    pub fn insert(&mut self, key: u128, known: Known) {
        if self.young.len() >= self.limit / 2 {
            self.old = std::mem::take(&mut self.young);
            self.old_bytes = std::mem::take(&mut self.young_bytes);
        }
        self.young_bytes += known.bytes();
        if let Some(replaced) = self.young.insert(key, known) {
            self.young_bytes -= replaced.bytes();
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Estimated bytes.
    pub fn memory(&self) -> usize {
        let slots = self.young.capacity() + self.old.capacity();
        self.young_bytes + self.old_bytes + slots * (size_of::<(u128, Known)>() + 1)
    }

    /// Forgets the older entries, up to half of all.
    pub fn trim(&mut self) {
        self.old = std::mem::take(&mut self.young);
        self.old_bytes = std::mem::take(&mut self.young_bytes);
        self.old.shrink_to_fit();
    }
}

/// Parts of a cache that threads share; more than threads, so that they seldom wait for each other.
const SHARDS: usize = 64;

#[derive(Debug)]
struct Shard {
    answers: Cache,
    /// Queries that the SMT layer gave up on for lack of time.
    too_hard: FxHashSet<u128>,
}

/// Answers that the solvers of several threads share; a clone is the same cache. Keys hold no ids
/// of terms or objects, so an answer means the same to every thread.
#[derive(Clone, Debug)]
pub struct SharedCache {
    shards: Arc<[Mutex<Shard>]>,
}

impl SharedCache {
    /// Returns a cache of at most `limit` entries for this many threads.
    pub fn new(limit: usize, threads: usize) -> SharedCache {
        let count = if threads > 1 { SHARDS } else { 1 };
        let shards = (0..count).map(|_| {
            Mutex::new(Shard {
                answers: Cache::new(limit / count),
                too_hard: FxHashSet::default(),
            })
        });
        SharedCache {
            shards: shards.collect(),
        }
    }

    fn shard(&self, key: u128) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[(key >> 64) as usize % self.shards.len()];
        // Each operation leaves the maps whole, also if its thread panics later.
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, key: u128) -> Option<Known> {
        self.shard(key).answers.get(key)
    }

    pub fn insert(&self, key: u128, known: Known) {
        self.shard(key).answers.insert(key, known);
    }

    pub fn is_too_hard(&self, key: u128) -> bool {
        self.shard(key).too_hard.contains(&key)
    }

    pub fn note_too_hard(&self, key: u128) {
        self.shard(key).too_hard.insert(key);
    }

    /// Estimated bytes.
    pub fn memory(&self) -> usize {
        let shards = self.shards.iter();
        let shards = shards.map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner));
        shards.map(|shard| shard.answers.memory()).sum()
    }

    /// Forgets the older entries, up to half of all.
    pub fn trim(&self) {
        for shard in self.shards.iter() {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.answers.trim();
        }
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
            // One byte each, all but the first, and 16 for where they are.
            let counted = cache.young_bytes + cache.old_bytes;
            assert_eq!(counted, 17 * (cache.len() - 1));
        }
        assert_eq!(cache.get(99), Some(Known::Sat(Box::from([99]))));
        assert_eq!(cache.get(1), None);
    }

    #[test]
    fn threads_see_each_others_answers() {
        let cache = SharedCache::new(1 << 12, 2);
        let other = cache.clone();
        let writer = std::thread::spawn(move || {
            for key in 0..1000u128 {
                other.insert(key << 64 | key, Known::Unsat);
            }
            other.note_too_hard(7);
        });
        writer.join().unwrap();
        let known = (0..1000u128).filter(|key| cache.get(key << 64 | key).is_some());
        assert_eq!(known.count(), 1000);
        assert!(cache.is_too_hard(7) && !cache.is_too_hard(8));
    }
}
