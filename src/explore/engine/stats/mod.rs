//! Numbers: what searches see of a state (`measure`), rows of `run.stats` (`record`, `rows`, with
//! each thread's `share`, all made of its `readings`), the program's profile (`profile`, `profiling`), and how much of a run
//! repeats earlier ones (`rewalked_prefix`). All of it only reads the run.

mod hot_lines;
pub(super) mod measure;
pub(super) mod profile;
pub(super) mod profiling;
pub(super) mod readings;
pub(super) mod record;
pub(super) mod rewalked_prefix;
mod rows;
mod share;
