//! The call stack: frames that this state owns above frames that it shares with the states it forked
//! from or that forked from it.
//!
//! Invariant: only the innermost frame is ever written, through `top_mut`, which first takes a copy of it
//! if it is shared. `freeze` makes all owned frames shared, so that a clone after it is O(1); between forks
//! calls and returns touch owned frames only and need no atomic operation.

use super::frame::{Frame, FrameSerial};
use crate::program::FuncId;
use std::ops::Deref;
use std::sync::Arc;

/// Frames of returned calls kept for reuse by later calls.
const MAX_SPARE: usize = 32;

#[derive(Debug)]
struct Shared {
    frame: Frame,
    parent: Option<Arc<Shared>>,
}

impl Drop for Shared {
    /// Frees outer frames in a loop, because recursion in the program can be deep.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(shared) = next {
            next = Arc::into_inner(shared).and_then(|mut shared| shared.parent.take());
        }
    }
}

/// The stack of frames; never empty.
#[derive(Debug, Default)]
pub struct Frames {
    /// The inner frames, innermost last.
    owned: Vec<Frame>,
    /// The outer frames, innermost first.
    shared: Option<Arc<Shared>>,
    shared_length: usize,
    next_serial: FrameSerial,
    /// Frames of returned calls, so that calls need not allocate.
    spare: Vec<Frame>,
}

impl Clone for Frames {
    /// O(frames entered or written since the last `freeze`).
    fn clone(&self) -> Self {
        Self {
            owned: self.owned.clone(),
            shared: self.shared.clone(),
            shared_length: self.shared_length,
            next_serial: self.next_serial,
            spare: Vec::new(),
        }
    }
}

/// A frame that was left; for reading its results.
pub enum Left {
    Owned(Frame),
    Shared(SharedFrame),
}

/// A frame that other states may still have.
pub struct SharedFrame(Arc<Shared>);

impl Deref for Left {
    type Target = Frame;

    #[inline]
    fn deref(&self) -> &Frame {
        match self {
            Left::Owned(frame) => frame,
            Left::Shared(shared) => &shared.0.frame,
        }
    }
}

impl Frames {
    pub fn new(first: Frame) -> Self {
        let mut frames = Frames::default();
        frames.push(first);
        frames
    }

    /// Makes serial numbers start at `first` instead of 0; for stacks on which nothing has run yet.
    pub(super) fn number_from(&mut self, first: FrameSerial) {
        self.owned
            .iter_mut()
            .for_each(|frame| frame.serial += first);
        self.next_serial += first;
    }

    /// The innermost frame.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        match (self.owned.last(), &self.shared) {
            (Some(frame), _) => frame,
            (None, Some(shared)) => &shared.frame,
            (None, None) => unreachable!("a state has a frame from `new` on, and `pop` leaves one"),
        }
    }

    /// The innermost frame for writing; copied first if it is shared.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        if self.owned.is_empty() {
            self.own_top();
        }
        match self.owned.last_mut() {
            Some(frame) => frame,
            None => unreachable!("`own_top` leaves an owned frame"),
        }
    }

    #[cold]
    fn own_top(&mut self) {
        let Some(mut shared) = self.shared.take() else {
            return;
        };
        self.shared = shared.parent.clone();
        self.shared_length -= 1;
        let frame = match Arc::get_mut(&mut shared) {
            // The other states are gone: no need to copy.
            Some(shared) => {
                let empty = Frame::new(shared.frame.function, &[]);
                std::mem::replace(&mut shared.frame, empty)
            }
            None => shared.frame.clone(),
        };
        self.owned.push(frame);
    }

    /// Shares all frames, so that clones cost nothing until they write.
    pub fn freeze(&mut self) {
        for frame in self.owned.drain(..) {
            let parent = self.shared.take();
            self.shared = Some(Arc::new(Shared { frame, parent }));
            self.shared_length += 1;
        }
    }

    /// Enters an activation and gives it its serial number.
    pub fn push(&mut self, frame: Frame) {
        self.push_owned(frame);
    }

    #[inline]
    fn push_owned(&mut self, mut frame: Frame) {
        frame.serial = self.next_serial;
        self.next_serial += 1;
        self.owned.push(frame);
    }

    /// Enters an activation of `function` with fresh registers, reusing a returned frame if there is one.
    /// `fill` gets the caller's frame and the new one before it becomes the innermost.
    #[inline]
    pub fn enter(&mut self, function: FuncId, bits: &[u64], fill: impl FnOnce(&Frame, &mut Frame)) {
        let mut frame = match self.spare.pop() {
            Some(mut frame) => {
                frame.renew(function, bits);
                frame
            }
            None => Frame::new(function, bits),
        };
        fill(self.top(), &mut frame);
        self.push_owned(frame);
    }

    /// Leaves the innermost activation; `None` if it is the only one, which stays. The frame is for
    /// reading; giving it back to `recycle` saves an allocation.
    #[inline]
    pub fn pop(&mut self) -> Option<Left> {
        if self.len() < 2 {
            return None;
        }
        if let Some(frame) = self.owned.pop() {
            return Some(Left::Owned(frame));
        }
        let shared = self.shared.take()?;
        self.shared = shared.parent.clone();
        self.shared_length -= 1;
        Some(Left::Shared(SharedFrame(shared)))
    }

    /// Keeps a left frame for reuse if nobody else has it.
    #[inline]
    pub fn recycle(&mut self, frame: Left) {
        if let Left::Owned(frame) = frame {
            if self.spare.len() < MAX_SPARE {
                self.spare.push(frame);
            }
        }
    }

    /// Drops what only makes a running state faster; for states that wait.
    pub fn trim(&mut self) {
        self.spare = Vec::new();
    }

    /// Number of frames.
    #[inline]
    pub fn len(&self) -> usize {
        self.owned.len() + self.shared_length
    }

    /// Always false; here for clippy's and readers' peace.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes every frame; afterwards none is shared.
    pub fn for_each_mut(&mut self, change: impl FnMut(&mut Frame)) {
        let mut all: Vec<Frame> = self.iter().cloned().collect();
        all.reverse();
        all.iter_mut().for_each(change);
        self.owned = all;
        self.shared = None;
        self.shared_length = 0;
    }

    /// From the innermost frame outwards.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        let shared =
            std::iter::successors(self.shared.as_deref(), |shared| shared.parent.as_deref());
        let owned = self.owned.iter().rev();
        owned.chain(shared.map(|shared| &shared.frame))
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
        for freeze in [false, true] {
            let mut a = Frames::new(frame(0));
            a.push(frame(1));
            if freeze {
                a.freeze();
            }
            let mut b = a.clone();
            a.top_mut().bits[0] = 7;
            assert_eq!(b.top().bits[0], 0);
            assert_eq!(b.pop().map(|frame| frame.function), Some(FuncId(1)));
            b.top_mut().bits[1] = 9;
            assert_eq!(a.iter().nth(1).map(|frame| frame.bits[1]), Some(0));
            assert!(b.pop().is_none());
            assert_eq!((a.len(), b.len()), (2, 1));
            assert_eq!(a.pop().map(|frame| frame.bits[0]), Some(7));
        }
    }

    #[test]
    fn changing_all_frames_leaves_clones_alone() {
        let mut a = Frames::new(frame(0));
        a.push(frame(1));
        a.freeze();
        a.push(frame(2));
        let b = a.clone();
        a.for_each_mut(|frame| frame.bits[0] = 10 + u64::from(frame.function.0));
        let firsts = |frames: &Frames| frames.iter().map(|f| f.bits[0]).collect::<Vec<_>>();
        assert_eq!(firsts(&a), [12, 11, 10]);
        assert_eq!(firsts(&b), [0, 0, 0]);
        assert_eq!(a.len(), 3);
        assert_eq!(a.top().serial, b.top().serial);
    }

    #[test]
    fn deep_stacks_are_freed_without_recursion() {
        let mut frames = Frames::new(frame(0));
        for _ in 0..300_000 {
            frames.push(frame(1));
        }
        frames.freeze();
        assert_eq!(frames.len(), 300_001);
        assert_eq!(frames.iter().count(), 300_001);
        let shared = frames.clone();
        drop(frames);
        drop(shared);
    }

    #[test]
    fn reused_frames_start_fresh() {
        let terms = crate::expr::Terms::new();
        let mut frames = Frames::new(frame(0));
        frames.enter(FuncId(1), &[5, 6], |caller, callee| {
            assert_eq!(caller.function, FuncId(0));
            callee.set_term(1, terms.bool(true));
            callee.variadic.gp_offset = 9;
        });
        let first = frames.top().serial;
        let left = frames.pop().expect("a frame");
        frames.recycle(left);
        frames.enter(FuncId(2), &[7, 8, 9], |_, _| {});
        let top = frames.top();
        assert_eq!((top.function, &top.bits[..]), (FuncId(2), &[7, 8, 9][..]));
        assert_eq!((top.term(1), top.variadic.gp_offset), (None, 0));
        assert_ne!(top.serial, first);
        assert_eq!(frames.len(), 2);
    }
}
