//! The frames of a state by depth, and addresses relative to them.
//!
//! Invariant: depth 0 is the outermost frame. Frames take addresses downwards and never overlap, so
//! the frame of a local is the one with the highest start at or below it.

use super::places::Region;
use crate::expr::{Term, Terms};
use crate::state::{Frame, State};

/// A state's frames, the outermost first.
pub(super) struct FrameView<'s> {
    frames: Vec<&'s Frame>,
}

/// An address as it is told to other paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Target(pub(super) Region);

impl<'s> FrameView<'s> {
    pub(super) fn new(state: &'s State) -> Self {
        let mut frames: Vec<&Frame> = state.frames.iter().collect();
        frames.reverse();
        Self { frames }
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn get(&self, depth: usize) -> Option<&'s Frame> {
        self.frames.get(depth).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'s Frame> {
        self.frames.iter().copied()
    }

    /// The address of a region in this state.
    pub(super) fn address(&self, region: Region) -> Option<u64> {
        match region {
            Region::Absolute(base) => Some(base),
            Region::Frame { depth, offset } => {
                Some(self.get(depth as usize)?.stack_base.wrapping_add(offset))
            }
        }
    }

    /// The region of an address in the stack.
    pub(super) fn region(&self, address: u64) -> Region {
        let below = self.frames.iter().enumerate();
        let below = below.filter(|(_, frame)| frame.stack_base <= address && frame.stack_base != 0);
        match below.max_by_key(|(_, frame)| frame.stack_base) {
            Some((depth, frame)) => Region::Frame {
                depth: depth as u32,
                offset: address - frame.stack_base,
            },
            None => Region::Absolute(address),
        }
    }

    /// Byte `index` of a register.
    pub(super) fn register_byte(
        &self,
        terms: &Terms,
        depth: u32,
        slot: u32,
        index: u32,
    ) -> Option<Term> {
        let frame = self.get(depth as usize)?;
        let slot = slot as usize;
        if let Some(term) = frame.term(slot) {
            let width = terms.width(term);
            let low = 8 * index;
            if low >= width {
                return Some(terms.constant(8, 0));
            }
            let piece = terms.extract(term, low, (width - low).min(8));
            return Some(terms.zext(piece, 8));
        }
        let word = frame.bits.get(slot + (index / 8) as usize).copied();
        let byte = word.unwrap_or(0) >> (8 * (index % 8)) & 0xff;
        Some(terms.constant(8, byte.into()))
    }
}

/// The address that a number is in a state, told so that it holds for other paths: by the frame if
/// it leads to a local.
pub(super) fn target(state: &State, frames: &FrameView<'_>, value: u64) -> Target {
    match state.memory.owner(value) {
        Some(object) => {
            let region = super::places::region_of(frames, &object);
            match region {
                Region::Absolute(_) => Target(Region::Absolute(value)),
                Region::Frame { .. } => Target(frames.region(value)),
            }
        }
        None => Target(Region::Absolute(value)),
    }
}
