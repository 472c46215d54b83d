//! Frames: all fixed-size locals of one call live in one region.
//!
//! Idea: each function has a layout (offset of every frame object, with guard gaps); a call places
//! the layout at the next free position of its thread's area, and a return drops it whole. Later
//! calls and later locals lie at lower addresses, as on the CPU: positions are counted from the
//! area's end. Positions only grow, so a pointer into a returned frame finds nothing (use after
//! return) until the area (6 TiB for the first thread, 24 GiB for others) is used up: then
//! positions wrap to its start and step over frames that still live. With one small local a frame
//! takes 12 KiB, so half a billion calls pass before an address of a dead frame is reused. Calls of
//! functions without frame objects only count.

use super::UNINITIALISED;
use super::address::stack_area;
use super::block_locals::BlockLocals;
use super::contents::Contents;
use super::layout::FrameLayout;
use super::object::AllocationSite;
use super::radix::Radix;
use super::returned::ReturnedFrames;
use super::undefined::fresh;
use homi_ir::program::PointerWidth;
use homi_solver::term::Term;
use std::sync::Arc;

/// Addresses of the first thread's stack, and of each further one's.
const fn first_size(pointers: PointerWidth) -> u64 {
    stack_area(pointers).1 / 2
}
const fn further_size(pointers: PointerWidth) -> u64 {
    match pointers {
        PointerWidth::Bits64 => stack_area(pointers).1 / 512,
        PointerWidth::Bits32 => stack_area(pointers).1 / 64,
    }
}
/// Returns the largest number of threads with a separate stack, including the first.
pub const fn max_stacks(pointers: PointerWidth) -> u32 {
    match pointers {
        PointerWidth::Bits64 => 250,
        PointerWidth::Bits32 => 30,
    }
}
/// Bytes of native stack whose frames have places in 32-bit programs, whatever is in them.
pub const STACK_BYTES_OF_32_BITS: u64 = 8 << 20;
/// The number of the stack that an address belongs to.
pub(super) fn stack_of(pointers: PointerWidth, address: u64) -> u32 {
    let (base, first) = (stack_area(pointers).0, first_size(pointers));
    match address.saturating_sub(base).checked_sub(first) {
        Some(offset) => (offset / further_size(pointers)) as u32 + 1,
        None => 0,
    }
}

/// The address at which a thread's native stack would begin, to grow downwards: in the part of the
/// stack area that no thread's objects lie in.
pub fn native_stack_top(pointers: PointerWidth, thread: u32) -> u64 {
    let (base, size) = stack_area(pointers);
    // What the threads' stacks leave, shared evenly.
    let distance = match pointers {
        PointerWidth::Bits64 => 1 << 28,
        PointerWidth::Bits32 => 1 << 15,
    };
    base + size - 4096 - u64::from(thread.min(max_stacks(pointers))) * distance
}

/// A call that has stack objects.
#[derive(Clone)]
pub(super) struct Frame {
    /// Position in the endless sequence of stack positions; the address follows from its remainder
    /// by the area's size.
    start: u64,
    address: u64,
    /// The call depth that the frame belongs to.
    depth: u32,
    pub layout: Arc<FrameLayout>,
    pub contents: Box<[Contents]>,
    /// Addresses of this call's dynamic objects in the size classes, oldest first.
    pub dynamic: Vec<u64>,
    pub blocks: BlockLocals,
}

impl Frame {
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Returns true if the other is a version of the same call's frame, in which the same objects
    /// live.
    pub fn is_version_of(&self, other: &Frame) -> bool {
        (self.start, self.depth) == (other.start, other.depth)
            && Arc::ptr_eq(&self.layout, &other.layout)
            && self.dynamic == other.dynamic
            && self.blocks.are_live_as(other.blocks)
    }

    /// Returns true if the other is a version of the same call's frame, with the same dynamic
    /// objects.
    pub fn is_call_of(&self, other: &Frame) -> bool {
        (self.start, self.depth) == (other.start, other.depth)
            && Arc::ptr_eq(&self.layout, &other.layout)
            && self.dynamic == other.dynamic
            && self.blocks == other.blocks
    }
}

/// The frames of the live calls.
#[derive(Clone)]
pub(super) struct Stack {
    /// The area: first address and size in bytes.
    base: u64,
    size: u64,
    frames: Radix<Frame>,
    count: u64,
    depth: u32,
    /// The depth of the last of `frames`, so that calls without objects return without a look at
    /// it.
    top_depth: u32,
    next: u64,
    /// Flips bits of [`UNINITIALISED`] in fresh bytes.
    variation: u8,
    /// The frames that were left last.
    returned: ReturnedFrames,
}

/// The depth of the last frame if there is none.
const NO_FRAME: u32 = u32::MAX;

impl Default for Stack {
    fn default() -> Self {
        Self::new(PointerWidth::default(), 0)
    }
}

impl Stack {
    /// The empty stack of thread `number`, which is less than `max_stacks`.
    pub fn new(pointers: PointerWidth, number: u32) -> Self {
        let (start, first) = (stack_area(pointers).0, first_size(pointers));
        let (base, size) = match number.checked_sub(1) {
            None => (start, first),
            Some(further) => {
                let size = further_size(pointers);
                (start + first + u64::from(further) * size, size)
            }
        };
        Self {
            base,
            size,
            frames: Radix::default(),
            count: 0,
            depth: 0,
            top_depth: NO_FRAME,
            next: 0,
            variation: 0,
            returned: ReturnedFrames::default(),
        }
    }

    /// Drops all frames. Their positions stay used, like the positions of returned calls.
    pub fn clear(&mut self) {
        self.frames = Radix::default();
        self.count = 0;
        self.depth = 0;
        self.top_depth = NO_FRAME;
    }

    /// The address of a frame of `size` bytes at a position.
    fn address_of(&self, position: u64, size: u64) -> u64 {
        self.base + self.size - position % self.size - size
    }

    /// The offset in the area, counted from its end, of an address.
    fn offset_from_end(&self, address: u64) -> Option<u64> {
        let offset = address.checked_sub(self.base)?;
        (self.size - 1).checked_sub(offset)
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Flips these bits in the bytes of later frames and places them `shift` bytes further.
    pub fn vary(&mut self, variation: u8, shift: u64) {
        self.variation = variation;
        self.next += shift;
    }

    /// Enters a call; the frame's address (meaningless for an empty layout). `undefined` is as in
    /// `Memory`.
    pub fn push(&mut self, layout: &Arc<FrameLayout>, undefined: Option<&[Term]>) -> u64 {
        let nowhere = self.push_empty();
        if layout.objects.is_empty() {
            return nowhere;
        }
        let start = self.reserve(layout);
        let contents = layout.objects.iter();
        let fill = UNINITIALISED ^ self.variation;
        let address = self.address_of(start, layout.size);
        let frame = Frame {
            start,
            address,
            depth: self.depth,
            layout: layout.clone(),
            contents: contents
                .map(|place| fresh(undefined, address + place.0, place.1, fill))
                .collect(),
            dynamic: Vec::new(),
            blocks: BlockLocals::of(layout),
        };
        self.add(frame);
        address
    }

    /// Enters a call without objects; the address means nothing.
    #[inline(always)]
    pub fn push_empty(&mut self) -> u64 {
        self.depth += 1;
        0
    }

    fn add(&mut self, frame: Frame) {
        self.top_depth = frame.depth;
        self.frames.insert(self.count, frame);
        self.count += 1;
    }

    fn reserve(&mut self, layout: &FrameLayout) -> u64 {
        let mut start = self.next.next_multiple_of(layout.grain);
        // Frames never straddle the end of the area; positions that wrap realign there.
        if start % self.size + layout.size > self.size {
            start = start.next_multiple_of(self.size);
        }
        // In 32-bit programs there may be no room left: then addresses are used twice.
        let last = start.saturating_add(2 * self.size);
        while start >= self.size && start < last {
            let low = start % self.size;
            match self.live_overlap(low, low + layout.size) {
                Some(end) => start += (end - low).next_multiple_of(layout.grain),
                None => break,
            }
        }
        self.next = start + layout.size;
        start
    }

    /// The end (offset in the area) of a live frame that overlaps `low..high`, one past its last
    /// byte.
    fn live_overlap(&self, low: u64, high: u64) -> Option<u64> {
        let mut found = None;
        self.frames.for_each(&mut |_, frame| {
            let first = frame.start % self.size;
            if first < high && low < first + frame.layout.size {
                found = Some(first + frame.layout.size);
            }
        });
        found
    }

    /// Leaves a call; its frame if it had objects.
    #[inline]
    pub fn pop(&mut self) -> Option<Arc<Frame>> {
        let has_objects = self.top_depth == self.depth;
        self.depth = self.depth.saturating_sub(1);
        if !has_objects {
            return None;
        }
        self.pop_objects()
    }

    fn pop_objects(&mut self) -> Option<Arc<Frame>> {
        self.count -= 1;
        let frame = self.frames.remove(self.count);
        if let Some(frame) = frame.as_ref().filter(|frame| !frame.contents.is_empty()) {
            self.returned.add(frame.address, &frame.layout);
        }
        self.top_depth = self.top().map_or(NO_FRAME, |frame| frame.depth);
        frame
    }

    fn top(&self) -> Option<&Frame> {
        self.frames.get(self.count.checked_sub(1)?)
    }

    /// Returns true if the other has as many calls as this one, with and without frames.
    pub fn has_calls_of(&self, other: &Stack) -> bool {
        (self.count, self.depth, self.top_depth) == (other.count, other.depth, other.top_depth)
    }

    /// Positions that the other has given out are not given out again.
    pub fn use_up_positions_of(&mut self, other: &Stack) {
        self.next = self.next.max(other.next);
    }

    /// True if both share all frames: neither has changed since one was cloned from the other.
    pub fn is_same_as(&self, other: &Stack) -> bool {
        self.frames.is_same_as(&other.frames)
    }

    /// The dynamic objects of the current call.
    pub fn dynamic(&self) -> &[u64] {
        match self.top() {
            Some(frame) if self.top_depth == self.depth => &frame.dynamic,
            _ => &[],
        }
    }

    /// The list of the current call's dynamic objects, to be changed.
    pub fn dynamic_mut(&mut self, empty: &Arc<FrameLayout>) -> Option<&mut Vec<u64>> {
        if self.top_depth != self.depth {
            let frame = Frame {
                start: self.next,
                address: self.address_of(self.next, 0),
                depth: self.depth,
                layout: empty.clone(),
                contents: Box::new([]),
                dynamic: Vec::new(),
                blocks: BlockLocals::default(),
            };
            self.add(frame);
        }
        Some(&mut self.frames.get_mut(self.count - 1)?.dynamic)
    }

    /// The frame and object that an address belongs to, or would if it were a little smaller.
    pub fn find(&self, address: u64) -> Option<(u64, u32)> {
        let offset = self.offset_from_end(address)?;
        // Positions seldom wrap, and a division costs more than all else here.
        let mut round = if self.next < self.size {
            0
        } else {
            self.next / self.size
        };
        loop {
            let position = round * self.size + offset;
            if let Some(index) = self.find_position(position) {
                let frame = self.frames.get(index)?;
                let object = frame.layout.object_at(address - frame.address);
                return Some((index, object as u32));
            }
            round = round.checked_sub(1)?;
        }
    }

    fn find_position(&self, position: u64) -> Option<u64> {
        // Starts ascend with the index: find the last frame that starts at or below.
        let (mut low, mut high) = (0, self.count);
        // Most accesses are to the innermost frame.
        if self.top().is_some_and(|top| top.start <= position) {
            low = high;
        }
        while low < high {
            let middle = (low + high) / 2;
            if self.frames.get(middle)?.start <= position {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // Frames without a layout have no extent; step over them.
        while low > 0 {
            let frame = self.frames.get(low - 1)?;
            if position < frame.start + frame.layout.size {
                return Some(low - 1);
            }
            if frame.layout.size > 0 {
                return None;
            }
            low -= 1;
        }
        None
    }

    /// True if some call has had the address in its frame.
    pub fn was_used(&self, address: u64) -> bool {
        self.offset_from_end(address)
            .is_some_and(|offset| offset < self.next)
    }

    /// The local that had the address in a frame that was left not long ago.
    pub fn returned_local(&self, address: u64) -> Option<AllocationSite> {
        let (layout, offset) = self.returned.find(address)?;
        Some(AllocationSite::FrameObject {
            function: layout.function,
            object: layout.object_at(offset) as u32,
        })
    }

    /// The frame of the current call, to be changed, if it has objects.
    pub fn top_mut(&mut self) -> Option<&mut Frame> {
        if self.top_depth != self.depth {
            return None;
        }
        self.frames.get_mut(self.count.checked_sub(1)?)
    }

    pub fn frame(&self, index: u64) -> Option<&Frame> {
        self.frames.get(index)
    }

    pub fn frame_mut(&mut self, index: u64) -> Option<&mut Frame> {
        self.frames.get_mut(index)
    }

    pub fn frames(&self) -> &Radix<Frame> {
        &self.frames
    }

    /// Maps the terms that locals hold.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        self.frames.replace(&mut |frame| {
            let changed: Vec<Option<Contents>> = frame
                .contents
                .iter()
                .map(|contents| contents.with_terms(map))
                .collect();
            if changed.iter().all(Option::is_none) {
                return None;
            }
            let mut frame = frame.clone();
            for (contents, changed) in frame.contents.iter_mut().zip(changed) {
                if let Some(changed) = changed {
                    *contents = changed;
                }
            }
            Some(frame)
        });
    }
}

#[cfg(test)]
#[path = "stack_tests.rs"]
mod tests;
