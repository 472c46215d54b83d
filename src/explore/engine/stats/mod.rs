//! Numbers: what searches see of a state (`measure`), rows of `run.stats` (`record`, `rows`, with
//! each thread's `share`, all made of its `readings`), and the program's profile (`profile`,
//! `profiling`). All of it only reads the run.

mod hot_lines;
pub(super) mod measure;
pub(super) mod profile;
pub(super) mod profiling;
pub(super) mod readings;
pub(super) mod record;
mod rows;
mod share;
