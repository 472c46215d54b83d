//! The call stack: frames that this state owns above frames that it shares with the states it
//! forked from or that forked from it.
//!
//! Invariant: only the innermost frame is ever written, through `top_mut`, which first takes a copy
//! of it if it is shared. `share_outer` makes all owned frames but the innermost shared; between
//! forks calls and returns touch owned frames only and need no atomic operation.

use super::frame::{Frame, FrameSerial};
use homi_ir::program::FuncId;
use std::sync::Arc;

/// Frames of returned calls kept for reuse by later calls.
const MAX_SPARE: usize = 32;

/// The message of a panic that cannot be: a state always has a frame.
const NEVER_EMPTY: &str = "a state has a frame from `new` on, and `leave` keeps one";

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
    /// The `live` inner frames, innermost last; above them frames of returned calls, so that calls
    /// need neither allocate nor move a frame.
    owned: Vec<Frame>,
    live: usize,
    /// The outer frames, innermost first.
    shared: Option<Arc<Shared>>,
    shared_length: usize,
    next_serial: FrameSerial,
}

impl Clone for Frames {
    /// O(frames entered or written since the last `share_outer`).
    fn clone(&self) -> Self {
        // Both sides of a fork soon call or return: room for some more frames.
        let mut owned = Vec::with_capacity(self.live + 3);
        owned.extend_from_slice(&self.owned[..self.live]);
        Self {
            owned,
            live: self.live,
            shared: self.shared.clone(),
            shared_length: self.shared_length,
            next_serial: self.next_serial,
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
        match (self.live.checked_sub(1), &self.shared) {
            (Some(top), _) => &self.owned[top],
            (None, Some(shared)) => &shared.frame,
            (None, None) => unreachable!("{NEVER_EMPTY}"),
        }
    }

    /// The innermost frame for writing; copied first if it is shared.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        if self.live == 0 {
            self.take_next_shared();
        }
        &mut self.owned[self.live - 1]
    }

    /// Makes the innermost shared frame the outermost owned one.
    #[cold]
    fn take_next_shared(&mut self) {
        let Some(mut shared) = self.shared.take() else {
            unreachable!("{NEVER_EMPTY}");
        };
        self.shared_length -= 1;
        match Arc::get_mut(&mut shared) {
            // The other states are gone: no need to copy.
            Some(shared) => {
                self.shared = shared.parent.take();
                let empty = Frame::new(shared.frame.function, &[]);
                let frame = std::mem::replace(&mut shared.frame, empty);
                self.owned.insert(0, frame);
            }
            None => {
                self.shared = shared.parent.clone();
                self.own_copy(&shared.frame);
            }
        }
        self.live += 1;
    }

    /// Puts a copy of a frame below the owned ones.
    fn own_copy(&mut self, frame: &Frame) {
        // A frame of a returned call has room for the copy.
        match self.owned.get_mut(self.live) {
            Some(spare) => spare.clone_from(frame),
            None => self.owned.push(frame.clone()),
        }
        match self.live {
            // What a fork leaves; a rotation costs more.
            1 => self.owned.swap(0, 1),
            live => self.owned[..=live].rotate_right(1),
        }
    }

    /// Shares all frames but the innermost, so that a clone copies that one only, which both are
    /// about to write.
    pub fn share_outer(&mut self) {
        if self.live > 1 {
            for frame in self.owned.drain(..self.live - 1) {
                let parent = self.shared.take();
                self.shared = Some(Arc::new(Shared { frame, parent }));
                self.shared_length += 1;
            }
            self.live = 1;
        }
    }

    /// Enters an activation and gives it its serial number.
    pub fn push(&mut self, mut frame: Frame) {
        frame.serial = self.next_serial;
        self.next_serial += 1;
        self.owned.truncate(self.live);
        self.owned.push(frame);
        self.live += 1;
    }

    /// Enters an activation of `function` with fresh registers, in the place of a returned one if
    /// there is one. `fill` gets the caller's frame and the new one before it becomes the
    /// innermost.
    #[inline]
    pub fn enter(&mut self, function: FuncId, bits: &[u64], fill: impl FnOnce(&Frame, &mut Frame)) {
        match self.owned.get_mut(self.live) {
            Some(frame) => frame.renew(function, bits),
            None => self.owned.push(Frame::new(function, bits)),
        }
        let (callers, callees) = self.owned.split_at_mut(self.live);
        let frame = &mut callees[0];
        frame.serial = self.next_serial;
        self.next_serial += 1;
        match (callers.last(), &self.shared) {
            (Some(caller), _) => fill(caller, frame),
            (None, Some(shared)) => fill(&shared.frame, frame),
            (None, None) => unreachable!("{NEVER_EMPTY}"),
        }
        self.live += 1;
    }

    /// Leaves the innermost activation: `read` gets its frame and its caller's. `None` (and no
    /// change) if it is the only one.
    #[inline]
    pub fn leave<R>(&mut self, read: impl FnOnce(&Frame, &mut Frame) -> R) -> Option<R> {
        if self.live < 2 {
            self.own_two()?;
        }
        let (callers, callees) = self.owned.split_at_mut(self.live - 1);
        let result = read(&callees[0], &mut callers[self.live - 2]);
        self.live -= 1;
        if self.owned.len() > self.live + MAX_SPARE {
            self.owned.pop();
        }
        Some(result)
    }

    /// Makes the two innermost frames owned ones; `None` if there is only one.
    #[cold]
    fn own_two(&mut self) -> Option<()> {
        if self.len() < 2 {
            return None;
        }
        while self.live < 2 {
            self.take_next_shared();
        }
        Some(())
    }

    /// Leaves the innermost activation unless it is the only one; whether it was left.
    pub fn pop(&mut self) -> bool {
        self.leave(|_, _| ()).is_some()
    }

    /// Drops what only makes a running state faster; for states that wait.
    pub fn trim(&mut self) {
        self.owned.truncate(self.live);
        self.owned.shrink_to_fit();
    }

    /// Number of frames.
    #[inline]
    pub fn len(&self) -> usize {
        self.live + self.shared_length
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
        self.live = all.len();
        self.owned = all;
        self.shared = None;
        self.shared_length = 0;
    }

    /// The frames from the innermost one outwards.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        let shared =
            std::iter::successors(self.shared.as_deref(), |shared| shared.parent.as_deref());
        let owned = self.owned[..self.live].iter().rev();
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
        for fork in [false, true] {
            let mut a = Frames::new(frame(0));
            a.push(frame(1));
            if fork {
                a.share_outer();
            }
            let mut b = a.clone();
            a.top_mut().bits[0] = 7;
            assert_eq!(b.top().bits[0], 0);
            assert_eq!(b.leave(|frame, _| frame.function), Some(FuncId(1)));
            b.top_mut().bits[1] = 9;
            assert_eq!(a.iter().nth(1).map(|frame| frame.bits[1]), Some(0));
            assert!(!b.pop());
            assert_eq!((a.len(), b.len()), (2, 1));
            assert_eq!(
                a.leave(|frame, caller| (frame.bits[0], caller.bits[0])),
                Some((7, 0))
            );
        }
    }

    #[test]
    fn changing_all_frames_leaves_clones_alone() {
        let mut a = Frames::new(frame(0));
        a.push(frame(1));
        a.share_outer();
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
        frames.share_outer();
        assert_eq!(frames.len(), 300_001);
        assert_eq!(frames.iter().count(), 300_001);
        let shared = frames.clone();
        drop(frames);
        drop(shared);
    }

    #[test]
    fn reused_frames_start_fresh() {
        let terms = homi_solver::term::Terms::new();
        let mut frames = Frames::new(frame(0));
        frames.enter(FuncId(1), &[5, 6], |caller, callee| {
            assert_eq!(caller.function, FuncId(0));
            callee.set_term(1, terms.bool(true));
            callee.variadic.gp_offset = 9;
        });
        let first = frames.top().serial;
        assert!(frames.pop());
        frames.enter(FuncId(2), &[7, 8, 9], |_, _| {});
        let top = frames.top();
        assert_eq!((top.function, &top.bits[..]), (FuncId(2), &[7, 8, 9][..]));
        assert_eq!((top.term(1), top.variadic.gp_offset), (None, 0));
        assert_ne!(top.serial, first);
        assert_eq!(frames.len(), 2);
    }
}
