//! Where a state stands, and what of it is in no place and decides what it does all the same.
//!
//! Invariant: states that can go on alike are at equal points and in equal modes.

use super::frames::FrameView;
use super::reasons::Reason;
use crate::ir::ops::float::Rounding;
use crate::ir::program::FuncId;
use crate::machine::state::State;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A point: function, instruction and call of each frame, the outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point(Vec<(FuncId, u32, Option<u32>)>);

impl Point {
    /// Where a state stands; nothing if several threads run.
    pub(super) fn of(state: &State, frames: &FrameView<'_>) -> Option<Self> {
        let has_ticks = state.threads.tick.is_some();
        if has_ticks
            || state.memory.has_mappings()
            || state.threads.stacks.waiting().next().is_some()
        {
            return None;
        }
        let locs = frames
            .iter()
            .map(|frame| (frame.function, frame.pc, frame.call_site));
        let mut locs: Vec<_> = locs.collect();
        if !Reason::Callers.counts() {
            let innermost = locs.pop().map(|(function, pc, _)| (function, pc, None));
            locs = innermost.into_iter().collect();
        }
        Some(Self(locs))
    }

    pub(super) fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// What else decides what a state does.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Modes {
    rounding: Rounding,
    float_exceptions: u8,
    forking: bool,
    thread: u32,
    /// Bytes of a native stack that the calls take, and the variadic areas of each frame.
    stack_end: u64,
    variadic: Vec<crate::machine::state::VariadicArguments>,
    /// Number, depth of the frame and instruction of each place that `longjmp` may go to.
    jumps: Vec<(u64, usize, u32)>,
}

impl Modes {
    pub(super) fn of(state: &State, frames: &FrameView<'_>) -> Self {
        let depth = |serial| frames.iter().position(|frame| frame.serial == serial);
        let jumps = state.jumps.iter();
        Self {
            rounding: state.floats.rounding,
            float_exceptions: state.floats.exceptions,
            forking: state.forks.enabled,
            thread: state.threads.running(),
            stack_end: state.frames.top().stack_end,
            variadic: frames.iter().map(|frame| frame.variadic).collect(),
            jumps: jumps
                .filter_map(|(number, jump)| Some((number, depth(jump.frame)?, jump.pc)))
                .collect(),
        }
    }
}
