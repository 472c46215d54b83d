//! Numbers: what searches see of a state (`measure`), rows of `run.stats` (`record`, `rows`, with
//! each thread's `share`), and the program's profile (`profile`, `profiling`). All of it only reads
//! the run.

pub(super) mod measure;
pub(super) mod profile;
pub(super) mod profiling;
pub(super) mod record;
pub(super) mod rows;
pub(super) mod share;
