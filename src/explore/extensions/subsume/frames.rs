//! Frames of a state by depth, blocks that an entry names, and addresses relative to them.
//!
//! Invariant: depth 0 is the outermost frame. Frames take addresses downwards and never overlap, so
//! the frame of a local is the one with the highest start at or below it.

use super::storage::Region;
use homi_machine::state::{Frame, State};
use homi_solver::term::{Term, Terms};
use rustc_hash::FxHashMap;

/// Frames of a state, the outermost first.
pub(super) struct FrameView<'s> {
    frames: Vec<&'s Frame>,
    /// Bases of the heap blocks to which terms over storage locations point.
    blocks: FxHashMap<Term, u64>,
}

impl<'s> FrameView<'s> {
    pub(super) fn new(state: &'s State) -> Self {
        let mut frames: Vec<&Frame> = state.frames.iter().collect();
        frames.reverse();
        let blocks = FxHashMap::default();
        Self { frames, blocks }
    }

    /// Records the block to which a term points.
    pub(super) fn bind(&mut self, pointer: Term, base: u64) {
        self.blocks.insert(pointer, base);
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

    /// Returns the address of a region in this state.
    pub(super) fn address(&self, region: Region) -> Option<u64> {
        match region {
            Region::Absolute(base) => Some(base),
            Region::Frame { depth, offset } => {
                Some(self.get(depth as usize)?.stack_base.wrapping_add(offset))
            }
            Region::Pointed(pointer) => self.blocks.get(&pointer).copied(),
        }
    }

    /// Returns the region of an address in the stack.
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

    /// Returns byte `index` of a register.
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
