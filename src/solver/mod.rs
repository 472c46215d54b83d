//! Answers questions about terms: is a condition possible on a path, what values can a term take.
//!
//! Owns: path conditions, the ladder of layers that answer (bounds, one-byte domains, guided and
//! exhaustive search, cache, SMT in a child process), statistics. Never: states, instructions, what
//! an answer is used for. Data come from `exec` and `engine` as terms and go back as models.
//!
//! Outside this room only `Check`, `Oracle` and `PathCondition` are for `exec` and `state`; the back
//! ends are for `engine`.

mod oracle;
mod path;

pub use oracle::{Check, Oracle, UnknownReason};
pub use path::{Group, PathCondition};
