//! Lines that a run is to reach, and what stood in the way of those that it did not.
//!
//! Owns: which code lies on a line, lines of a difference, the nearest branch before a line. Never:
//! running git or a program, or which state runs next: `coverage` counts nothing as worth covering
//! but the code that is named here, so searches by distance go there. Data come from `config` and a
//! run's counts and go to `report`.

mod blocking_branch;
mod difference;
mod lines;
mod reachable;

pub use blocking_branch::{BlockingBranch, blocking_branch};
pub use difference::changed_lines;
pub use lines::{TargetCode, target_code};
