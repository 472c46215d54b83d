//! Calls: their frames, the objects that die with them, and the stacks of threads.
//!
//! Invariant: one stack runs, the stacks of other threads wait in `parked`; objects of a waiting
//! stack stay accessible.

use super::Memory;
use super::layout::{EMPTY_LAYOUT, FrameLayout};
use super::object::{AllocationSite, ObjectKey};
use super::stack::{Frame, Stack, stack_of};
use std::sync::Arc;

/// Bytes that a dynamic local of `size` bytes takes of a native stack, which stays aligned to 16.
pub fn dynamic_stack_bytes(size: u64) -> u64 {
    size.next_multiple_of(16)
}

impl Memory {
    /// Enters a call. Frame object `i` lies at the returned address plus `layout.offset(i)`.
    #[inline]
    pub fn push_frame(&mut self, layout: &Arc<FrameLayout>) -> u64 {
        self.stack.push(layout, self.undefined.as_deref())
    }

    /// Enters a call without frame objects.
    #[inline(always)]
    pub fn push_empty_frame(&mut self) -> u64 {
        self.stack.push_empty()
    }

    /// Leaves a call: all objects of its frame die.
    #[inline]
    pub fn pop_frame(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.drop_objects(&frame);
        }
    }

    /// The objects of a frame that has left the stack die.
    fn drop_objects(&mut self, frame: &Frame) {
        let base = frame.address();
        for &(offset, size) in &frame.layout.objects {
            self.forget_object(base + offset, size);
        }
        self.retire_dynamic(&frame.dynamic);
    }

    /// Number of frames pushed and not popped.
    pub fn frame_depth(&self) -> u32 {
        self.stack.depth()
    }

    /// Goes on with the stack of another thread, empty if it has none yet; `number` is less than
    /// `max_stacks`. The objects of a stack that waits stay accessible.
    pub fn switch_stack(&mut self, number: u32) {
        let next = self.parked.remove(&number);
        let next = next.unwrap_or_else(|| Stack::new(self.pointers, number));
        let last = std::mem::replace(&mut self.stack, next);
        self.parked.insert(self.running, last);
        self.running = number;
    }

    /// All objects of the running thread's calls die, as when they return.
    pub fn drop_calls(&mut self) {
        while self.stack.depth() > 0 {
            self.pop_frame();
        }
        self.stack.clear();
    }

    pub(super) fn stacks(&self) -> impl Iterator<Item = &Stack> {
        std::iter::once(&self.stack).chain(self.parked.values())
    }

    pub(super) fn stack_at(&self, address: u64) -> Option<&Stack> {
        match stack_of(self.pointers, address) {
            number if number == self.running => Some(&self.stack),
            number => self.parked.get(&number),
        }
    }

    /// A token for the current call's dynamic objects (llvm.stacksave).
    pub fn stack_save(&self) -> u64 {
        self.stack.dynamic().len() as u64
    }

    /// Frees the current call's dynamic objects made since `stack_save` gave this token; the bytes
    /// of a native stack that they had at least (`dynamic_stack_bytes` of each).
    pub fn stack_restore(&mut self, token: u64) -> u64 {
        let kept = usize::try_from(token).unwrap_or(usize::MAX);
        if self.stack.dynamic().len() <= kept {
            return 0;
        }
        let Some(dynamic) = self.stack.dynamic_mut(&EMPTY_LAYOUT) else {
            return 0;
        };
        let gone = dynamic.split_off(kept);
        let objects = gone.iter().filter_map(|&address| self.locate(address).ok());
        let known = objects.filter(|object| object.symbolic_size.is_none());
        let bytes = known.map(|object| dynamic_stack_bytes(object.size)).sum();
        self.retire_dynamic(&gone);
        bytes
    }

    fn retire_dynamic(&mut self, addresses: &[u64]) {
        for &address in addresses {
            if let Ok(object) = self.locate(address) {
                let ObjectKey::Class { class, index } = object.key else {
                    continue;
                };
                if self.class_object(class, index).is_some_and(|o| !o.kept) {
                    self.retire(&object, AllocationSite::Engine("return"));
                }
            }
        }
    }
}
