//! Pending check of a side that a path may take and that has not run: usually the solver was not
//! asked yet.
//!
//! Invariant: a state with a pending check is at the instruction that asks for the condition; it
//! still has the path and the model of the state that it forked from. So its model satisfies its
//! path, as every state's does, and need not satisfy the condition.

use homi_ir::program::BlockId;
use homi_solver::OtherSides;
use homi_solver::term::{Model, Term};

/// Action of a state once its side is known to be feasible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Continuation {
    /// Execute the instruction again, which then finds the condition decided.
    Again,
    /// Leave a branch on its true or false side.
    Branch { holds: bool },
    /// Leave a switch for a target; `side` is the number of the side within its branch site.
    Switch { target: BlockId, side: u32 },
}

/// The side that a state awaits.
#[derive(Clone, Debug)]
pub struct PendingCheck {
    /// A 1-bit term: what the side adds to the path.
    pub condition: Term,
    /// A model of the side, if it is known to be possible.
    pub model: Option<Model>,
    /// Sides that are shared with the sibling states.
    pub others: OtherSides,
    pub continuation: Continuation,
}
