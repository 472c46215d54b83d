//! The call stacks of threads that do not run.
//!
//! Invariant: the stack of the running thread is `State::frames`, every other living thread's is
//! here, shared by forks. Numbers are the modeled kernel's (runtime/kernel/threads.c), which
//! decides who runs.

use super::frame::{Frame, FrameSerial};
use super::frames::Frames;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Serial numbers of frames of different threads never meet: each thread counts from a multiple of
/// this.
const SERIALS: FrameSerial = 1 << 56;

/// The threads that wait, and which one runs.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    running: u32,
    waiting: Arc<BTreeMap<u32, Frames>>,
}

impl Threads {
    /// Number of the thread that runs; 0 is the one in which the program started.
    pub fn running(&self) -> u32 {
        self.running
    }

    /// Stacks of the threads that wait.
    pub fn waiting(&self) -> impl Iterator<Item = &Frames> {
        self.waiting.values()
    }

    /// Changes every frame of the threads that wait.
    pub fn for_each_mut(&mut self, change: &mut dyn FnMut(&mut Frame)) {
        if self.waiting.is_empty() {
            return;
        }
        for frames in Arc::make_mut(&mut self.waiting).values_mut() {
            frames.for_each_mut(&mut *change);
            frames.share_outer();
        }
    }

    /// Adds a thread, which starts when it is switched to. No live thread may have this number.
    pub fn add(&mut self, number: u32, mut frames: Frames) {
        frames.number_from(FrameSerial::from(number) * SERIALS);
        frames.share_outer();
        Arc::make_mut(&mut self.waiting).insert(number, frames);
    }

    /// Puts the running stack away, unless it has ended, and another in place. False if there is
    /// none of that number; then nothing has changed.
    pub fn switch(&mut self, frames: &mut Frames, number: u32, ended: bool) -> bool {
        let waiting = Arc::make_mut(&mut self.waiting);
        let Some(next) = waiting.remove(&number) else {
            return false;
        };
        let mut last = std::mem::replace(frames, next);
        if !ended {
            last.share_outer();
            waiting.insert(self.running, last);
        }
        self.running = number;
        true
    }
}
