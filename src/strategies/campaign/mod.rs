//! Algorithm 2 of Homi (FSE'20): the loop of short runs that learns how to prune.
//!
//! Owns: which run comes next with which policy, budget and probabilities; D and its file; what of
//! a run is shared with the next (terms, the solver's caches, the start-up); the record of every
//! run. Never: the loop within a run (`engine`), formulas (`learn`), the choice of states
//! (`prune`). Data come from `engine` (the tests of a run) and go back to it as the next run's
//! pruning.
//!
//! Invariant: with a named search a run depends on the seed, its number, D and the tests alone; so
//! a campaign that was resumed goes on as if it had not stopped, if budgets are in instructions.
//! With the default search probes and the solver's cache carry over from run to run too, and a
//! resumed session begins without them.

mod account;
mod arm;
mod assigned;
mod booking;
mod dealing;
mod given_seeds;
mod lane;
mod ledger;
mod looping;
mod native;
mod open_paths;
mod options;
mod order;
mod parts;
mod perform;
mod planning;
mod progress;
mod rewalked_prefix;
mod seeds;
mod shaped_runs;
mod shapes;
mod single_paths;
mod store;
mod task;
mod test_features;
mod turn_records;
mod turns;
mod writing;

pub use assigned::AssignedRun;
pub use dealing::Dealer;
pub use lane::{Lane, LaneEnd};
pub use looping::{Campaign, CampaignOutcome, CampaignSetup};
pub use native::NativeCoverage;
pub use open_paths::{LeftOpen, OpenPaths, SaidOfOpen};
pub use options::{Discontinuous, check_continued, papers_times};
pub use shapes::Shapes;
pub use store::{Header, Store, StoreError, Stored, StoredRun, read, read_header};
