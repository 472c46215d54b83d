//! The call stack: one frame per activation, linked from the innermost outwards.
//!
//! Invariant: frames are shared between states that forked from each other; only the innermost frame is
//! ever written, through `top_mut`, which copies it if another state shares it. `terms` is empty until a
//! register of the frame first holds a term; then it runs parallel to `bits`, and `terms[s]` decides
//! whether `bits[s]` means anything. A value above 64 bits keeps its term at its first slot.

use crate::expr::Term;
use crate::program::FuncId;
use crate::util::dense_id;
use std::sync::Arc;

dense_id!(
    /// A node of the tree of call paths (parent node, call site, callee); recursion folds onto the
    /// nearest equal ancestor.
    CallPathId, "cp");

/// A number that no two activations on one path share.
pub type FrameSerial = u64;

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FuncId,
    /// Index into `Function::code`: the next instruction; in an outer frame the instruction after its call.
    pub pc: u32,
    pub serial: FrameSerial,
    pub call_path: CallPathId,
    /// Registers: 64-bit slots, unused upper bits zero.
    pub bits: Vec<u64>,
    pub terms: Vec<Option<Term>>,
    /// Number of `Some` in `terms`.
    pub live_terms: u32,
    /// Address of the frame's region of stack memory; its objects lie at the layout's offsets from it.
    pub stack_base: u64,
    /// Address of the object with the variadic arguments (System V overflow area), 0 if there are none.
    pub variadic_area: u64,
    /// Index into the caller's `calls`, which says where results go; `None` for an outermost frame or
    /// one that the engine itself pushed (constructors).
    pub call_site: Option<u32>,
    parent: Option<Arc<Frame>>,
    depth: u32,
}

impl Frame {
    /// A frame about to execute the function's first instruction, with these registers.
    pub fn new(function: FuncId, bits: &[u64]) -> Self {
        Self {
            function,
            pc: 0,
            serial: 0,
            call_path: CallPathId(0),
            bits: bits.to_vec(),
            terms: Vec::new(),
            live_terms: 0,
            stack_base: 0,
            variadic_area: 0,
            call_site: None,
            parent: None,
            depth: 0,
        }
    }

    /// The term in a slot, if the slot's value is symbolic.
    #[inline(always)]
    pub fn term(&self, slot: usize) -> Option<Term> {
        if self.live_terms == 0 {
            return None;
        }
        self.terms[slot]
    }

    /// Makes `terms` run parallel to `bits`.
    #[inline]
    pub fn make_room_for_terms(&mut self) {
        if self.terms.is_empty() {
            self.terms.resize(self.bits.len(), None);
        }
    }

    /// Puts a term into a slot.
    pub fn set_term(&mut self, slot: usize, term: Term) {
        self.make_room_for_terms();
        if self.terms[slot].replace(term).is_none() {
            self.live_terms += 1;
        }
    }

    /// Makes a slot concrete.
    #[inline(always)]
    pub fn clear_term(&mut self, slot: usize) {
        if self.live_terms != 0 && self.terms[slot].take().is_some() {
            self.live_terms -= 1;
        }
    }

    /// Number of frames below this one (outwards).
    pub fn depth(&self) -> u32 {
        self.depth
    }

    pub fn parent(&self) -> Option<&Frame> {
        self.parent.as_deref()
    }
}

impl Drop for Frame {
    /// Frees unshared outer frames in a loop, because recursion in the program can be deep.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(frame) = next {
            next = Arc::into_inner(frame).and_then(|mut frame| frame.parent.take());
        }
    }
}

/// Frames of returned calls kept for reuse by later calls.
const MAX_SPARE: usize = 32;

/// The stack of frames; never empty. `clone` is O(1).
#[derive(Debug)]
pub struct Frames {
    top: Arc<Frame>,
    next_serial: FrameSerial,
    /// Unshared frames of returned calls, so that calls need not allocate.
    spare: Vec<Arc<Frame>>,
}

impl Clone for Frames {
    fn clone(&self) -> Self {
        Self {
            top: Arc::clone(&self.top),
            next_serial: self.next_serial,
            spare: Vec::new(),
        }
    }
}

impl Frames {
    pub fn new(mut first: Frame) -> Self {
        first.serial = 0;
        Self {
            top: Arc::new(first),
            next_serial: 1,
            spare: Vec::new(),
        }
    }

    /// The innermost frame.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        &self.top
    }

    /// The innermost frame for writing; copied first if another state shares it.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        Arc::make_mut(&mut self.top)
    }

    /// Enters an activation and gives it its serial number.
    pub fn push(&mut self, frame: Frame) {
        self.push_shared(Arc::new(frame));
    }

    fn push_shared(&mut self, mut shared: Arc<Frame>) {
        let frame = Arc::make_mut(&mut shared);
        frame.serial = self.next_serial;
        self.next_serial += 1;
        frame.depth = self.top.depth + 1;
        std::mem::swap(&mut self.top, &mut shared);
        // `shared` is the old top now, `top` the new one, which nobody else has.
        if let Some(frame) = Arc::get_mut(&mut self.top) {
            frame.parent = Some(shared);
        }
    }

    /// Enters an activation of `function` with fresh registers, reusing a returned frame if there is one.
    /// `fill` gets the caller's frame and the new one before it becomes the innermost.
    pub fn enter(&mut self, function: FuncId, bits: &[u64], fill: impl FnOnce(&Frame, &mut Frame)) {
        let mut shared = self.spare.pop();
        let reused = shared.as_mut().and_then(Arc::get_mut);
        let mut shared = match reused {
            Some(frame) => {
                frame.function = function;
                frame.pc = 0;
                frame.bits.clear();
                frame.bits.extend_from_slice(bits);
                frame.terms.clear();
                frame.live_terms = 0;
                frame.variadic_area = 0;
                frame.call_site = None;
                shared
            }
            None => None,
        }
        .unwrap_or_else(|| Arc::new(Frame::new(function, bits)));
        fill(&self.top, Arc::make_mut(&mut shared));
        self.push_shared(shared);
    }

    /// Leaves the innermost activation; `None` if it is the only one, which stays. The frame is for
    /// reading; giving it back to `recycle` saves an allocation.
    pub fn pop(&mut self) -> Option<Arc<Frame>> {
        let parent = match Arc::get_mut(&mut self.top) {
            Some(frame) => frame.parent.take()?,
            None => self.top.parent.clone()?,
        };
        Some(std::mem::replace(&mut self.top, parent))
    }

    /// Keeps a popped frame for reuse if nobody else has it.
    #[inline]
    pub fn recycle(&mut self, mut frame: Arc<Frame>) {
        if self.spare.len() < MAX_SPARE && Arc::get_mut(&mut frame).is_some() {
            self.spare.push(frame);
        }
    }

    /// Drops what only makes a running state faster; for states that wait.
    pub fn trim(&mut self) {
        self.spare = Vec::new();
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.top.depth as usize + 1
    }

    /// Always false; here for clippy's and readers' peace.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// From the innermost frame outwards.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&*self.top), |frame| frame.parent.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: u32) -> Frame {
        Frame::new(FuncId(function), &[0; 2])
    }

    #[test]
    fn a_fork_does_not_see_the_others_writes() {
        let mut a = Frames::new(frame(0));
        a.push(frame(1));
        let mut b = a.clone();
        a.top_mut().bits[0] = 7;
        assert_eq!(b.top().bits[0], 0);
        assert_eq!(b.pop().map(|frame| frame.function), Some(FuncId(1)));
        b.top_mut().bits[1] = 9;
        assert_eq!(a.iter().nth(1).map(|frame| frame.bits[1]), Some(0));
        assert!(b.pop().is_none());
    }

    #[test]
    fn reused_frames_start_fresh() {
        let terms = crate::expr::Terms::new();
        let mut frames = Frames::new(frame(0));
        frames.enter(FuncId(1), &[5, 6], |caller, callee| {
            assert_eq!(caller.function, FuncId(0));
            callee.set_term(1, terms.bool(true));
            callee.variadic_area = 9;
        });
        let first = frames.top().serial;
        let popped = frames.pop().expect("a frame");
        frames.recycle(popped);
        frames.enter(FuncId(2), &[7, 8, 9], |_, _| {});
        let top = frames.top();
        assert_eq!((top.function, &top.bits[..]), (FuncId(2), &[7, 8, 9][..]));
        assert_eq!((top.term(1), top.variadic_area), (None, 0));
        assert_ne!(top.serial, first);
        assert_eq!(frames.len(), 2);
    }

    #[test]
    fn deep_stacks_are_freed_without_recursion() {
        let mut frames = Frames::new(frame(0));
        for _ in 0..300_000 {
            frames.push(frame(1));
        }
        assert_eq!(frames.len(), 300_001);
        let shared = frames.clone();
        drop(frames);
        drop(shared);
    }
}
