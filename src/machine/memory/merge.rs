//! Two address spaces become one: of each byte that they do not agree on, a choice by a condition.
//!
//! Invariant: the result has the objects of both, at the same addresses; if one has a live object
//! and the other has none, they are not merged. An object that one has freed is freed in the
//! result, and no address is given out that either has given out. Parts that both share are not
//! looked at.

use super::Memory;
use super::bytes::ByteValue;
use super::object::{Object, ObjectInfo};
use super::stack::{Frame, Stack};
use homi_solver::term::{Term, Terms};
use std::sync::Arc;

/// Reason why two address spaces cannot be merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlike {
    /// An object lives in one of them only.
    Objects,
    /// An object has another size, kind or protection.
    Object,
    /// The frames of calls are not the same.
    Frames,
    /// More bytes differ than may.
    Bytes,
}

/// Choice between the bytes of two states.
pub(super) struct Choice<'t> {
    terms: &'t Terms,
    /// 1 bit: true for the bytes of the first address space.
    condition: Term,
    /// Bytes that may still differ.
    bytes_left: u64,
}

impl Choice<'_> {
    /// The byte that is the first where the condition holds, else the second.
    pub(super) fn byte(&mut self, first: ByteValue, second: ByteValue) -> Result<Term, Unlike> {
        self.bytes_left = self.bytes_left.checked_sub(1).ok_or(Unlike::Bytes)?;
        let term = |byte| match byte {
            ByteValue::Concrete(byte) => self.terms.constant(8, u128::from(byte)),
            ByteValue::Term(term) => term,
        };
        Ok(self.terms.ite(self.condition, term(first), term(second)))
    }

    /// A byte of memory as it is kept.
    pub(super) fn kept(&self, byte: Term) -> ByteValue {
        match self.terms.as_const(byte) {
            Some(value) => ByteValue::Concrete(value as u8),
            None => ByteValue::Term(byte),
        }
    }
}

impl Memory {
    /// Takes the bytes of `other` where `condition` (1 bit) does not hold, if no more than
    /// `most_bytes` differ. After an error the address space is of no use.
    pub fn merge(
        &mut self,
        terms: &Terms,
        other: &Memory,
        condition: Term,
        most_bytes: u64,
    ) -> Result<(), Unlike> {
        let mut other = other.clone();
        self.trim();
        let mut choice = Choice {
            terms,
            condition,
            bytes_left: most_bytes,
        };
        let undefined = |memory: &Memory| memory.undefined.as_ref().map(|bytes| bytes[0]);
        if self.running != other.running || undefined(self) != undefined(&other) {
            return Err(Unlike::Frames);
        }
        self.merge_classes(&mut other, &mut choice)?;
        self.merge_stacks(&mut other, &mut choice)?;
        self.merge_fixed(&mut other, &mut choice)?;
        self.layered |= other.layered;
        self.trim();
        Ok(())
    }

    fn merge_classes(&mut self, other: &mut Memory, choice: &mut Choice<'_>) -> Result<(), Unlike> {
        let count = self.classes.len().max(other.classes.len());
        self.classes.resize_with(count, Default::default);
        other.classes.resize_with(count, Default::default);
        for class in 0..count {
            let differing = self.classes[class]
                .objects
                .differing(&other.classes[class].objects);
            for index in differing {
                self.merge_object(other, class, index, choice)?;
            }
            let theirs = other.classes[class].next;
            let own = &mut self.classes[class];
            own.next = own.next.max(theirs);
        }
        Ok(())
    }

    fn merge_object(
        &mut self,
        other: &mut Memory,
        class: usize,
        index: u64,
        choice: &mut Choice<'_>,
    ) -> Result<(), Unlike> {
        let lives = |memory: &Memory| {
            let object = memory.classes[class].objects.get(index);
            object
                .filter(|object| object.freed.is_none())
                .map(|object| object.info.base)
        };
        let base = match (lives(self), lives(other)) {
            (Some(base), Some(_)) => base,
            (None, None) => {
                let freed = other.classes[class].objects.get(index);
                if let (None, Some(freed)) = (self.classes[class].objects.get(index), freed) {
                    self.classes[class].objects.insert(index, freed.clone());
                }
                return Ok(());
            }
            _ => return Err(Unlike::Objects),
        };
        self.settle(choice.terms, base, u64::MAX);
        other.settle(choice.terms, base, u64::MAX);
        let theirs = other.classes[class].objects.get(index);
        let own = self.classes[class].objects.get_mut(index);
        match (own, theirs) {
            (Some(own), Some(theirs)) => own.merge(theirs, choice),
            _ => Err(Unlike::Objects),
        }
    }

    fn merge_fixed(&mut self, other: &mut Memory, choice: &mut Choice<'_>) -> Result<(), Unlike> {
        if Arc::ptr_eq(&self.fixed, &other.fixed) {
            return Ok(());
        }
        if !self.fixed.keys().eq(other.fixed.keys()) {
            return Err(Unlike::Objects);
        }
        let places: Vec<u64> = self.fixed.keys().copied().collect();
        for place in places {
            self.settle(choice.terms, place, u64::MAX);
            other.settle(choice.terms, place, u64::MAX);
            let own = Arc::make_mut(&mut self.fixed).get_mut(&place);
            if let (Some(own), Some(theirs)) = (own, other.fixed.get(&place)) {
                own.merge(theirs, choice)?;
            }
        }
        Ok(())
    }

    fn merge_stacks(&mut self, other: &mut Memory, choice: &mut Choice<'_>) -> Result<(), Unlike> {
        if !self.parked.keys().eq(other.parked.keys()) {
            return Err(Unlike::Frames);
        }
        let bases = self.bases_of_differing_locals(other);
        for base in bases {
            self.settle(choice.terms, base, u64::MAX);
            other.settle(choice.terms, base, u64::MAX);
        }
        self.stack.merge(&other.stack, choice)?;
        for (own, theirs) in self.parked.values_mut().zip(other.parked.values()) {
            own.merge(theirs, choice)?;
        }
        Ok(())
    }

    /// Returns the addresses of locals whose frames are not shared, if there are layered writes.
    fn bases_of_differing_locals(&self, other: &Memory) -> Vec<u64> {
        if !self.layered && !other.layered {
            return Vec::new();
        }
        let pairs = self.stacks().zip(other.stacks());
        let frames = pairs.flat_map(|(own, theirs)| {
            let differing = own.frames().differing(theirs.frames()).into_iter();
            differing.filter_map(|index| own.frames().get(index))
        });
        let bases = frames.flat_map(|frame| {
            let places = frame.layout.objects.iter();
            places
                .map(|place| frame.address() + place.0)
                .collect::<Vec<_>>()
        });
        bases.collect()
    }
}

impl Object {
    /// Merges an object that lives in both.
    fn merge(&mut self, other: &Object, choice: &mut Choice<'_>) -> Result<(), Unlike> {
        let alike = self.info.is_like(&other.info)
            && self.read_only == other.read_only
            && self.kept == other.kept;
        if !alike {
            return Err(Unlike::Object);
        }
        if other.info.size < self.info.size {
            Arc::make_mut(&mut self.info).size = other.info.size;
        }
        self.contents.merge(&other.contents, choice)
    }
}

impl ObjectInfo {
    /// Returns true if all but the place of allocation is equal. For a symbolic size, the part that
    /// a path has shown to exist may differ.
    pub(super) fn is_like(&self, other: &ObjectInfo) -> bool {
        // A new field does not compile until it is thought of here.
        let ObjectInfo {
            base,
            size,
            capacity,
            symbolic_size,
            kind,
            site: _,
            hole,
            window,
            hidden,
        } = self;
        let same_size = *size == other.size || symbolic_size.is_some();
        same_size
            && (*base, *capacity, *symbolic_size)
                == (other.base, other.capacity, other.symbolic_size)
            && (*kind, *hole, *window, *hidden)
                == (other.kind, other.hole, other.window, other.hidden)
    }
}

impl Stack {
    fn merge(&mut self, other: &Stack, choice: &mut Choice<'_>) -> Result<(), Unlike> {
        if !self.has_calls_of(other) {
            return Err(Unlike::Frames);
        }
        for index in self.frames().differing(other.frames()) {
            let (Some(own), Some(theirs)) = (self.frame_mut(index), other.frame(index)) else {
                return Err(Unlike::Frames);
            };
            own.merge(theirs, choice)?;
        }
        self.use_up_positions_of(other);
        Ok(())
    }
}

impl Frame {
    fn merge(&mut self, other: &Frame, choice: &mut Choice<'_>) -> Result<(), Unlike> {
        if !self.is_call_of(other) {
            return Err(Unlike::Frames);
        }
        for (own, theirs) in self.contents.iter_mut().zip(&other.contents) {
            own.merge(theirs, choice)?;
        }
        Ok(())
    }
}
