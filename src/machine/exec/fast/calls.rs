//! Plain calls and returns: of a defined function with matching parameters, by a plan made once.
//!
//! Invariant: they do what the general ones do (`step::call`), only faster.

use super::super::executor::Executor;
use super::decode::PlainCall;
use super::frames::RunEnvironment;
use crate::memory::function_at;
use crate::state::{Frame, Frames};
use homi_ir::program::Callee;

impl Executor<'_> {
    /// Makes the call at the top frame's `pc`, of this site and plan, and counts it; false (and no
    /// change) if there is no room for another frame.
    #[inline(always)]
    pub(in crate::exec) fn call_plain(
        &self,
        frames: &mut Frames,
        around: &mut RunEnvironment<'_>,
        (site, call): (u32, &PlainCall),
        executed: &mut u64,
    ) -> bool {
        let depth = frames.len();
        let caller = frames.top_mut();
        if !self.has_room_for_call(depth, caller) {
            return false;
        }
        let callee = call.callee;
        let stack_base = if call.has_objects {
            around.memory.push_frame(&self.layouts[callee.index()])
        } else {
            around.memory.push_empty_frame()
        };
        let call_paths = &mut around.observer.call_paths;
        let call_path = call_paths.enter(caller.call_path, caller.pc, callee);
        caller.pc += 1;
        let bits = &self.templates[callee.index()];
        frames.enter(callee, bits, |caller, frame| {
            for &(from, to) in &call.moves {
                let (from, to) = (from as usize, to as usize);
                match caller.term(from) {
                    Some(term) => frame.set_term(to, term),
                    None => frame.bits[to] = caller.bits[from],
                }
            }
            frame.call_path = call_path;
            frame.call_site = Some(site);
            frame.stack_base = stack_base;
            frame.stack_end = caller.stack_end + u64::from(call.stack_bytes);
        });
        *executed += 1;
        around.enter_segment(call.segment, *executed);
        true
    }

    /// Makes the call through a pointer at the top frame's `pc`, and counts it; false (and no
    /// change) if the general way must do so.
    pub(in crate::exec) fn call_through_pointer(
        &self,
        frames: &mut Frames,
        around: &mut RunEnvironment<'_>,
        site: u32,
        executed: &mut u64,
    ) -> bool {
        let caller = frames.top_mut();
        let (function, pc) = (caller.function, caller.pc);
        let Callee::Indirect(slot) = self.program.function(function).calls[site as usize].callee
        else {
            return false;
        };
        if caller.term(slot.index()).is_some() {
            return false;
        }
        let callee = function_at(caller.bits[slot.index()]);
        let Some(callee) = callee.filter(|callee| callee.index() < self.program.functions.len())
        else {
            return false;
        };
        let plans = &self.decoded(function).pointer_calls[site as usize];
        let make = || self.with_decoder(function, |decoder| decoder.plan(site, pc, callee));
        let Some(plan) = plans.plan(callee, &make) else {
            return false;
        };
        let is_made = self.call_plain(frames, around, (site, plan), executed);
        if is_made {
            let sites = &mut around.observer.sites;
            sites.call_through_pointer(function, pc, callee);
        }
        is_made
    }

    /// Returns from the top frame, whose `pc` is at the return, and counts that; false (and no
    /// change) if it is the outermost one.
    #[inline(always)]
    pub(in crate::exec) fn return_plain(
        &self,
        frames: &mut Frames,
        around: &mut RunEnvironment<'_>,
        index: u32,
        executed: &mut u64,
    ) -> bool {
        let left = frames.leave(|frame, caller| match self.plan_of(frame, caller) {
            Some((PlainCall { after, .. }, results)) => {
                let function = self.program.function(frame.function);
                for (&to, (from, _)) in results.iter().zip(&function.returns[index as usize]) {
                    let to = to as usize;
                    caller.clear_term(to);
                    caller.bits[to] = frame.bits[from.index()];
                }
                *after
            }
            None => {
                self.hand_over(frame, caller, index);
                self.segments.segment(caller.function, caller.pc)
            }
        });
        let Some(segment) = left else {
            return false;
        };
        around.memory.pop_frame();
        *executed += 1;
        around.enter_segment(segment, *executed);
        true
    }

    /// The plan by which a frame without terms was entered and the slots of its results, if they
    /// take nothing unusual.
    #[inline(always)]
    fn plan_of(&self, frame: &Frame, caller: &Frame) -> Option<(&PlainCall, &[u32])> {
        if frame.live_terms != 0 {
            return None;
        }
        let call = self.decoded(caller.function).calls[frame.call_site? as usize].as_ref()?;
        let results = call.results.as_deref()?;
        (call.callee == frame.function).then_some((call, results))
    }
}
