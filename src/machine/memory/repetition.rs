//! Comparison of two versions of one address space: do they hold the same, for the same input?
//!
//! Invariant: equal versions behave equally, apart from the addresses of later objects. What the
//! two share is not looked at: parts are compared by their nodes first and by their bytes only
//! where those differ.

use super::Memory;
use super::bytes::{ByteValue, byte_shown};
use super::chunk::CHUNK_SIZE;
use super::contents::Contents;
use super::object::Object;
use super::stack::{Frame, Stack};
use std::sync::Arc;

/// Bytes at one address in two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteChange {
    pub address: u64,
    pub now: ByteValue,
    pub before: ByteValue,
}

impl ByteChange {
    /// True if the bytes differ for every input.
    fn is_certain(&self) -> bool {
        let known = |byte| matches!(byte, ByteValue::Concrete(_));
        known(self.now) && known(self.before)
    }
}

/// Collects changes.
struct Changes {
    found: Vec<ByteChange>,
    most: usize,
    /// Certain changes are of no use.
    only_uncertain: bool,
}

impl Changes {
    /// Notes the bytes at an address; `None` if the comparison is over.
    fn note(&mut self, change: ByteChange) -> Option<()> {
        if change.now == change.before {
            return Some(());
        }
        if self.only_uncertain && change.is_certain() {
            return None;
        }
        self.found.push(change);
        (self.found.len() <= self.most).then_some(())
    }
}

impl Memory {
    /// Returns the bytes that must be equal so that both versions are; `None` if they differ for
    /// every input, in more bytes than `most`, or in what is not compared: writes at symbolic
    /// offsets, further threads, mappings.
    pub fn repeats(&self, earlier: &Memory, most: usize) -> Option<Vec<ByteChange>> {
        self.compare(earlier, most, true)
    }

    /// Returns the bytes that have changed since an earlier version; `None` if objects have come or
    /// gone, more bytes than `most` have changed, or in the other cases of `repeats`.
    pub fn changes(&self, earlier: &Memory, most: usize) -> Option<Vec<ByteChange>> {
        self.compare(earlier, most, false)
    }

    fn compare(
        &self,
        earlier: &Memory,
        most: usize,
        only_uncertain: bool,
    ) -> Option<Vec<ByteChange>> {
        let is_plain = |memory: &Memory| !memory.layered && memory.parked.is_empty();
        if !is_plain(self) || !is_plain(earlier) || !Arc::ptr_eq(&self.fixed, &earlier.fixed) {
            return None;
        }
        for memory in [self, earlier] {
            if let Some(cache) = memory.cache.get() {
                cache.take_back_writes();
            }
        }
        let mut changes = Changes {
            found: Vec::new(),
            most,
            only_uncertain,
        };
        self.stack.compare(&earlier.stack, &mut changes)?;
        for (class, space) in self.classes.iter().enumerate() {
            let Some(before) = earlier.classes.get(class) else {
                let is_live = |index| space.objects.get(index).filter(|one| one.freed.is_none());
                if (0..space.next).any(|index| is_live(index).is_some()) {
                    return None;
                }
                continue;
            };
            for index in space.objects.differing(&before.objects) {
                let live = |object: Option<&Object>| object.is_some_and(|one| one.freed.is_none());
                match (space.objects.get(index), before.objects.get(index)) {
                    (Some(own), Some(theirs)) if live(Some(own)) && live(Some(theirs)) => {
                        own.compare(theirs, &mut changes)?;
                    }
                    (own, theirs) if live(own) || live(theirs) => return None,
                    _ => {}
                }
            }
        }
        Some(changes.found)
    }
}

impl Object {
    fn compare(&self, earlier: &Object, changes: &mut Changes) -> Option<()> {
        let is_alike = self.info.is_like(&earlier.info)
            && self.info.size == earlier.info.size
            && (self.read_only, self.kept) == (earlier.read_only, earlier.kept);
        is_alike.then_some(())?;
        self.contents
            .compare(&earlier.contents, self.info.base, changes)
    }
}

impl Stack {
    fn compare(&self, earlier: &Stack, changes: &mut Changes) -> Option<()> {
        self.has_calls_of(earlier).then_some(())?;
        for index in self.frames().differing(earlier.frames()) {
            self.frame(index)?.compare(earlier.frame(index)?, changes)?;
        }
        Some(())
    }
}

impl Frame {
    /// Compares the locals that live. Of a local whose block has ended nothing is left.
    fn compare(&self, earlier: &Frame, changes: &mut Changes) -> Option<()> {
        self.is_version_of(earlier).then_some(())?;
        let locals = self.contents.iter().zip(&earlier.contents);
        for (object, (own, theirs)) in (0..).zip(locals) {
            if !self.blocks.has_ended(object) {
                let (offset, _) = self.layout.objects[object as usize];
                own.compare(theirs, self.address() + offset, changes)?;
            }
        }
        Some(())
    }
}

impl Contents {
    fn compare(&self, earlier: &Contents, base: u64, changes: &mut Changes) -> Option<()> {
        if self.size() != earlier.size() {
            return None;
        }
        if self.root().is_same_as(earlier.root()) {
            return Some(());
        }
        // Large blocks that are written in a loop are not worth the time.
        if self.size() > (CHUNK_SIZE * CHUNK_SIZE) as u64 {
            return None;
        }
        for offset in 0..self.size() {
            changes.note(ByteChange {
                address: base + offset,
                now: byte_shown(self, offset),
                before: byte_shown(earlier, offset),
            })?;
        }
        Some(())
    }
}
