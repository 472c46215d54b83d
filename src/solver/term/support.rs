//! The set of symbolic bytes a term depends on, interned: terms over the same bytes share one set.
//!
//! Invariant: sets are sorted without duplicates; set 0 is the empty one. Sets are made when a term
//! is, and the union of two sets is remembered, so a new term costs one look-up.

use super::node::Byte;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A sorted set of bytes, cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Support(Arc<[Byte]>);

impl std::ops::Deref for Support {
    type Target = [Byte];

    fn deref(&self) -> &[Byte] {
        &self.0
    }
}

#[derive(Debug)]
pub(super) struct Supports {
    sets: Vec<Support>,
    ids: FxHashMap<Support, u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl Supports {
    pub fn new() -> Supports {
        let empty = Support(Arc::from([]));
        Supports {
            sets: vec![empty.clone()],
            ids: FxHashMap::from_iter([(empty, 0)]),
            unions: FxHashMap::default(),
        }
    }

    pub fn get(&self, id: u32) -> &Support {
        &self.sets[id as usize]
    }

    pub fn single(&mut self, byte: Byte) -> u32 {
        self.intern(vec![byte])
    }

    pub fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut bytes = self.sets[a as usize].to_vec();
        bytes.extend_from_slice(&self.sets[b as usize]);
        bytes.sort_unstable();
        bytes.dedup();
        let id = self.intern(bytes);
        self.unions.insert(key, id);
        id
    }

    fn intern(&mut self, bytes: Vec<Byte>) -> u32 {
        let set = Support(bytes.into());
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    /// Keeps the sets for which `used` holds; returns the new id of each old one.
    pub fn retain(&mut self, used: &[bool]) -> Vec<u32> {
        let old = std::mem::replace(self, Supports::new());
        let mut renamed = vec![0; old.sets.len()];
        for (id, set) in old.sets.into_iter().enumerate().skip(1) {
            if used[id] {
                renamed[id] = self.intern_support(set);
            }
        }
        renamed
    }

    fn intern_support(&mut self, set: Support) -> u32 {
        let id = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Estimated memory of the structure in bytes.
    pub fn memory(&self) -> usize {
        let sets: usize = self.sets.iter().map(|set| set.len() * 8 + 16).sum();
        sets + self.sets.capacity() * 16 + self.ids.capacity() * 25 + self.unions.capacity() * 13
    }
}
