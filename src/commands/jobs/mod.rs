//! Jobs: idempotent parts of a run or study, which processes on any machine do. A job directory
//! creates the jobs and merges their results.
//!
//! Owns: the file of a job and its identity, the directory of a result, and the job directory's
//! directory. Also owns, per kind of work, the creation of jobs and the merge of results (open
//! states, runs of a campaign, runs of a study, trials of learning). Never: exploring (`session`
//! and `study` do, for `cli`), the choice of pruning or weights (`campaign` and `learn_search`),
//! processes or machines. Data come from files that `cli` names and from the results of sessions.
//!
//! Invariant: a job counts once, however often it is done and its result received. A lost job is
//! issued again unchanged.

mod error;
mod file;
mod job_directory;
mod merged;
mod merging;
mod open;
mod outcome;
mod plan;
mod result_dir;
mod runs;
mod state;
mod study_runs;
mod text;
mod trials;

pub use error::JobError;
pub use file::{Build, Job, SeedFile, StudyRun, Work};
pub use job_directory::{JobDirectory, Status};
pub use outcome::{Done, Outcome, StillOpen};
pub use plan::{Plan, PlanKind};
pub use result_dir::{Begun, ResultDir, begin};
