//! One instruction the general way: any mix of concrete and symbolic operands.
//!
//! Invariant: `step` executes exactly the instruction at the innermost frame's `pc` and moves it on; if
//! it fails, `pc` still names the instruction at fault.

use super::context::Context;
use super::outcome::Termination;

impl Context<'_, '_> {
    /// Executes the next instruction of the state.
    pub(super) fn step(&mut self) -> Result<(), Termination> {
        Err(self.gap("the executor's general instructions are not merged yet"))
    }
}
