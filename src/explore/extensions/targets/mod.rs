//! Target lines of a run, and the blocking branches of unreached targets.
//!
//! Owns: the code on a line, the lines of a diff, the nearest branch before a line. Never: runs git
//! or a program, or selects a state. `coverage` counts only the code named here as worth covering,
//! so distance-based searchers approach it. Data come from `config` and a run's counts and go to
//! `report`.

mod blocking_branch;
mod difference;
mod lines;
mod reachable;

pub use blocking_branch::{BlockingBranch, blocking_branch};
pub use difference::changed_lines;
pub use lines::{TargetCode, target_code};
