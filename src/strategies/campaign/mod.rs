//! Campaigns: Algorithm 2 of Homi (FSE'20), the loop of short runs that learns how to prune.
//!
//! Owns: policy, budget and probabilities of the next run; D and its file; the data that runs share
//! (terms, caches of the solver, the start-up); the record of every run. Never: the loop within a
//! run (`engine`), formulas (`learn`), the choice of states (`prune`). Data come from `engine` (the
//! tests of a run) and return to it as the pruning of the next run.
//!
//! Invariant: with a named search, a run depends only on the seed, its number, D and the tests. A
//! resumed campaign therefore continues as if never stopped, if budgets are in instructions. With
//! the default search, fuzzing and the solver's cache also carry over from run to run; a resumed
//! session starts without them.

mod account;
mod arm;
mod assigned;
mod campaign_data;
mod commit;
mod concolic_run;
mod given_seeds;
mod input_layouts;
mod issue;
mod layout_runs;
mod looping;
mod native;
mod open_paths;
mod options;
mod order;
mod parts;
mod perform;
mod planning;
mod progress;
mod repeated_prefix;
mod scheduler;
mod seeds;
mod slices;
mod store;
mod task;
mod test_features;
mod worker;
mod writing;

pub use assigned::AssignedRun;
pub use input_layouts::LayoutChoice;
pub use issue::RunIssuer;
pub use looping::{Campaign, CampaignOutcome, CampaignSetup};
pub use native::NativeCoverage;
pub use open_paths::{LeftOpen, OpenPathFacts, OpenPaths};
pub use options::{Discontinuous, check_continued, papers_times};
pub use store::{Header, Store, StoreError, Stored, StoredRun, read, read_header};
pub use worker::{Worker, WorkerEnd};
