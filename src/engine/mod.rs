//! The run: select a state, run it, update the search, until something says stop.
//!
//! Owns: the set of states, budgets, the typed `StopReason`, what happens under memory pressure, which
//! ended paths become tests. Never: the meaning of an instruction, the order of states (`search`), file
//! formats (`testcase`, `report`). Data come from `exec` (steps) and go to `testcase` and `report`.

mod ladder;
mod measure;
mod memory;
mod prover;
mod run;
mod sink;
mod stop;
mod watch;

pub use prover::Prover;
pub use run::{Engine, Outcome, Parts};
pub use sink::{PathCounts, TestSink};
pub use stop::StopReason;
