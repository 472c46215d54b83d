//! Calls through pointers: plans for the functions that a call site has called.
//!
//! Invariant: a plan is made once and never changes, so threads share it.

use super::super::executor::Executor;
use super::decode::PlainCall;
use super::frames::RunEnvironment;
use crate::memory::function_at;
use crate::state::Frames;
use homi_ir::program::{Callee, FuncId};
use std::sync::OnceLock;

/// Maximum number of functions of a call site that have a plan; the general way calls the others.
const MOST: usize = 16;

type Plans = [OnceLock<(FuncId, Option<PlainCall>)>; MOST];

/// The plans of a call site, in the order of the first calls.
#[derive(Debug, Default)]
pub(in crate::exec) struct PointerCalls(OnceLock<Box<Plans>>);

impl PointerCalls {
    /// Returns the plan for a function; `None` if it has none.
    fn plan(&self, callee: FuncId, make: &dyn Fn() -> Option<PlainCall>) -> Option<&PlainCall> {
        let plans = self
            .0
            .get_or_init(|| Box::new([const { OnceLock::new() }; MOST]));
        // Another thread may take a free place for another function.
        let mut made = plans
            .iter()
            .map(|plan| plan.get_or_init(|| (callee, make())));
        let (_, plan) = made.find(|(known, _)| *known == callee)?;
        plan.as_ref()
    }
}

impl Executor<'_> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn plan_of(callee: FuncId) -> PlainCall {
        PlainCall {
            callee,
            has_objects: false,
            stack_bytes: 0,
            segment: 0,
            after: 0,
            moves: Box::default(),
            results: None,
        }
    }

    #[test]
    fn each_function_has_one_plan_as_long_as_there_is_room() {
        let calls = PointerCalls::default();
        let made = Cell::new(0);
        for _ in 0..2 {
            for callee in (0..MOST as u32 + 1).map(FuncId) {
                let make = || {
                    made.set(made.get() + 1);
                    // An odd function does not fit.
                    (callee.0 % 2 == 0).then(|| plan_of(callee))
                };
                let plan = calls.plan(callee, &make).map(|plan| plan.callee);
                let has_plan = callee.0 % 2 == 0 && callee.0 < MOST as u32;
                assert_eq!(plan, has_plan.then_some(callee));
            }
        }
        assert_eq!(made.get(), MOST);
    }
}
