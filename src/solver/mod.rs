//! Answers queries about terms: is a condition possible on a path, what values can a term take.
//!
//! Owns: path conditions, the chain of layers that answer (bounds, one-byte domains, orders,
//! linear equations, guided and exhaustive search, cache, SMT in a child process), statistics.
//! Never: states, instructions, what an answer is used for. Data come from `exec` and `engine` as
//! terms and go back as models.
//!
//! Outside this group only `Check`, `Oracle`, `OtherSides`, `PathCondition`, `possible_values` and
//! `has_another_value` are for `exec` and `state`; the back ends are for `engine`.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `term` | hash-consed terms, rewriting, evaluation, models, printers | - |
//! | `sat` | circuits for the SAT solver | `.` |
//! | `smt` | the SMT process | `.` |
//! | `search` | small products by enumeration | `.`, `term` |
//! | `.` | path conditions, queries, the chain and its layers | `sat`, `search`, `smt`, `term` |

mod backend;
mod cache;
mod chain;
mod decided;
mod decode;
mod encode;
mod extremes;
mod guided;
mod intervals;
mod linear;
mod oracle;
mod order;
mod other_side;
mod path;
mod proven;
mod query;
mod query_log;
#[cfg(test)]
mod random_tests;
mod recording;
mod replay;
mod sat;
mod search;
mod smt;
mod statistics;
mod subsume;
pub mod term;
mod tuning;
mod values;
mod work;

pub use backend::{Answer, Backend};
pub use cache::SharedCache;
pub use chain::{Solver, SolverConfig};
pub use oracle::{Check, Effort, NoOracle, Oracle, UnknownReason, Wanted};
pub use other_side::OtherSides;
pub use path::{Folds, Group, PathCondition};
pub use query_log::QueryLogForm;
pub use recording::{RecordedQuery, read_queries};
pub use replay::{REPLAYED, Replayed, replay_alone};
pub use smt::{ChildBackend, Z3Backend, child_main};
pub use statistics::{Layer, LayerStatistics, SolverStatistics};
pub use tuning::Tuning;
pub use values::{has_another_value, possible_values};
pub use work::{WORK_OF_CONCRETE_INSTRUCTION, WORK_OF_INSTRUCTION};
