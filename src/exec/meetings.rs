//! Where the sides of a fork meet again (`--merge auto`): behind the branch, at the first
//! instruction that all ways from it go over.
//!
//! Invariant: whether a path is on the way to a meeting changes nothing of what it does. A look at
//! each jump tells that it has come there; the fast ways stop at jumps for that as long as a
//! meeting is open, which is for few instructions.

use super::context::Context;
use super::executor::Executor;
use crate::program::flow::{Backwards, BlockFlow, Dominance, Flow};
use crate::program::{BlockId, Function, Origin, Program};
use crate::state::{Meeting, Met, State, block_of};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Instructions of the shortest way from a branch to its meeting.
const NEAR: u64 = 64;
/// Instructions after which a path is not waited for.
const PATIENCE: u64 = 320;
/// Meetings that a path may be on the way to.
const MOST_OPEN: usize = 8;

/// Where the sides of each branch of a function meet, by block; nothing where they do not, or far
/// away.
pub(super) struct Meetings(Vec<Option<Place>>);

/// Where sides meet.
#[derive(Clone, Copy)]
enum Place {
    /// At the first instruction of a block.
    Block(BlockId),
    /// Where the function has returned.
    Caller,
}

impl Meetings {
    fn of(program: &Program, function: &Function) -> Self {
        let flow = BlockFlow::of(program, function);
        let behind = Dominance::new(&Backwards(&flow), flow.end());
        let blocks = (0..function.blocks.len() as u32).map(|block| {
            let mut sides = flow.after(block).to_vec();
            sides.sort_unstable();
            sides.dedup();
            let meeting = behind.nearest(block)?;
            // A side that gives the program up does not come.
            sides.retain(|side| behind.dominates(meeting, *side));
            let near = |side: &u32| is_near(&flow, function, *side, meeting);
            if sides.len() < 2 || !sides.iter().all(near) {
                return None;
            }
            Some(match meeting == flow.end() {
                true => Place::Caller,
                false => Place::Block(BlockId(meeting)),
            })
        });
        Self(blocks.collect())
    }
}

/// Whether some way from a block to another is short.
fn is_near(flow: &BlockFlow, function: &Function, from: u32, to: u32) -> bool {
    let mut best = BTreeMap::from([(from, 0)]);
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((distance, block))) = queue.pop() {
        if block == to {
            return true;
        }
        let length = function.block_range(BlockId(block)).len() as u64;
        let distance: u64 = distance + length;
        if distance > NEAR {
            continue;
        }
        for next in flow.after(block) {
            let known = best.entry(*next).or_insert(u64::MAX);
            if distance < *known {
                *known = distance;
                queue.push(Reverse((distance, *next)));
            }
        }
    }
    false
}

impl Executor<'_> {
    /// Instructions that the path may execute before it is seen whether it has come to a meeting.
    #[inline]
    pub(super) fn until_meeting(&self, state: &State) -> u64 {
        match self.looks_for_meetings(state) {
            true => 1,
            false => u64::MAX,
        }
    }

    /// Whether a path is on the way to a meeting.
    #[inline]
    pub(super) fn looks_for_meetings(&self, state: &State) -> bool {
        self.config.merges_meetings()
            && state
                .merges
                .as_ref()
                .is_some_and(|merges| merges.has_meetings())
    }

    /// Whether the engine is to look at a path, which has come to a meeting or will not.
    pub(super) fn meets(&self, state: &mut State) -> bool {
        let top = state.frames.top();
        let (place, depth) = ((top.serial, top.pc), state.frames.len());
        let executed = state.metrics.instructions;
        let merges = state.merges.as_mut();
        merges.is_some_and(|merges| merges.look(place, depth, executed) != Met::OnTheWay)
    }
}

impl Context<'_, '_> {
    /// The path is about to fork at the branch where it stands: its sides are to meet, if they do
    /// so soon.
    pub(super) fn open_meeting(&mut self) {
        if !self.executor.config.merges_meetings() {
            return;
        }
        let merges = self.state.merges.as_ref();
        // What the modelled kernel keeps is better known than chosen.
        if merges.is_some_and(|merges| merges.openings().len() >= MOST_OPEN)
            || self.function().origin == Origin::Runtime
        {
            return;
        }
        let Some(meeting) = self.meeting() else {
            return;
        };
        let state = &mut *self.state;
        let merges = state.merges.get_or_insert_default();
        merges.open_until(&state.path, state.metrics.instructions, meeting);
    }

    fn meeting(&self) -> Option<Meeting> {
        let frames = &self.state.frames;
        let top = frames.top();
        let function = self.function();
        let known = self.executor.meetings.get(top.function.index())?;
        let known = known.get_or_init(|| Meetings::of(self.program(), function));
        let place = known.0[block_of(function, top.pc).index()]?;
        let depth = frames.len();
        let (frame, pc, depth) = match place {
            Place::Block(block) => (top.serial, function.blocks[block.index()].start, depth),
            Place::Caller => {
                let caller = frames.iter().nth(1)?;
                (caller.serial, caller.pc, depth - 1)
            }
        };
        Some(Meeting {
            frame,
            pc,
            depth,
            last: self.state.metrics.instructions + PATIENCE,
        })
    }
}
