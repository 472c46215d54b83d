//! Locals of blocks in a frame: which of them live.
//!
//! Idea: a local of a block has two places in its frame, objects `i` and `i + 1`, that take turns,
//! so that a pointer to the local of the last round finds nothing in this round. Natively both are
//! one place: a new round starts with the bytes of the last one.

use super::layout::FrameLayout;
use super::undefined::fresh;
use super::{Memory, UNINITIALISED};

/// The state of the locals of blocks in one frame.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct BlockLocals {
    /// Bit `i`: nothing lives at object `i`.
    ended: u64,
    /// Bit `i`, for the first place of a local: the second place had the last turn.
    second: u64,
}

impl BlockLocals {
    /// No block has begun.
    pub fn of(layout: &FrameLayout) -> Self {
        Self {
            ended: layout.in_block,
            second: layout.in_block,
        }
    }

    #[inline]
    pub fn has_ended(self, object: u32) -> bool {
        object < 64 && self.ended >> object & 1 != 0
    }

    /// Returns true if the same places are alive.
    pub fn are_live_as(self, other: BlockLocals) -> bool {
        self.ended == other.ended
    }

    /// The place that the local whose first place is `first` has, or had last.
    fn place(self, first: u32) -> u32 {
        first + (self.second >> first & 1) as u32
    }

    /// Gives the local the other place.
    fn turn(&mut self, first: u32) {
        self.second ^= 1 << first;
        self.ended |= 3 << first;
        self.ended &= !(1 << self.place(first));
    }
}

impl Memory {
    /// The block of a local of the current call begins, unless it has begun: the local's address.
    /// `first` is the first of the local's frame objects.
    pub fn begin_block(&mut self, first: u32) -> u64 {
        let undefined = self.undefined.clone();
        let fill = UNINITIALISED ^ self.variation;
        let Some(frame) = self.stack.top_mut() else {
            return 0;
        };
        if frame.blocks.has_ended(frame.blocks.place(first)) {
            frame.blocks.turn(first);
            let place = frame.blocks.place(first);
            let (offset, size) = frame.layout.objects[place as usize];
            let address = frame.address() + offset;
            match undefined {
                Some(_) => {
                    let bytes = fresh(undefined.as_deref(), address, size, fill);
                    frame.contents[place as usize] = bytes;
                }
                None => frame.contents.swap(first as usize, first as usize + 1),
            }
            self.forget_object(address, size);
            return address;
        }
        let place = frame.blocks.place(first);
        frame.address() + frame.layout.objects[place as usize].0
    }

    /// The block of a local of the current call ends.
    pub fn end_block(&mut self, first: u32) {
        let Some(frame) = self.stack.top_mut() else {
            return;
        };
        let place = frame.blocks.place(first);
        frame.blocks.ended |= 1 << place;
        let (offset, size) = frame.layout.objects[place as usize];
        let address = frame.address() + offset;
        self.forget_object(address, size);
    }
}
