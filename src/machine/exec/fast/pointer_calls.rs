//! Calls through pointers: plans for the functions that a call site has called.
//!
//! Invariant: a plan is made once and never changes, so threads share it.

use homi_ir::program::FuncId;
use std::sync::OnceLock;

/// Maximum number of functions of a call site that have a plan; the general way calls the others.
const MOST: usize = 16;

type Plans<P> = [OnceLock<(FuncId, Option<P>)>; MOST];

/// The plans of a call site, in the order of the first calls.
#[derive(Debug)]
pub(in crate::exec) struct PointerCalls<P>(OnceLock<Box<Plans<P>>>);

impl<P> Default for PointerCalls<P> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<P> PointerCalls<P> {
    /// Returns the plan for a function; `None` if it has none.
    pub fn plan(&self, callee: FuncId, make: &dyn Fn() -> Option<P>) -> Option<&P> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn each_function_has_one_plan_as_long_as_there_is_room() {
        let calls = PointerCalls::<FuncId>::default();
        let made = Cell::new(0);
        for _ in 0..2 {
            for callee in (0..MOST as u32 + 1).map(FuncId) {
                let make = || {
                    made.set(made.get() + 1);
                    // An odd function does not fit.
                    (callee.0 % 2 == 0).then_some(callee)
                };
                let plan = calls.plan(callee, &make).copied();
                let has_plan = callee.0 % 2 == 0 && callee.0 < MOST as u32;
                assert_eq!(plan, has_plan.then_some(callee));
            }
        }
        assert_eq!(made.get(), MOST);
    }
}
