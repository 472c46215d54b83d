//! Program point of a state, and the modes outside of storage locations that affect its behavior.
//!
//! Invariant: states that may behave alike are at equal points and in equal modes.

use super::frames::FrameView;
use super::reasons::Reason;
use homi_ir::ops::float::Rounding;
use homi_ir::program::FuncId;
use homi_machine::state::State;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Program point: function, instruction and call of each frame, the outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point(Vec<(FuncId, u32, Option<u32>)>);

impl Point {
    /// Returns the point of a state; `None` if several threads run, or if the state has ticks or
    /// mappings.
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

/// Parts of a state outside of storage locations that affect its behavior.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Modes {
    rounding: Rounding,
    float_exceptions: u8,
    forking: bool,
    thread: u32,
    /// Bytes of a native stack that the calls use, and the variadic area of each frame.
    stack_end: u64,
    variadic: Vec<homi_machine::state::VariadicArguments>,
    /// Number, frame depth and instruction of each `longjmp` target.
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
