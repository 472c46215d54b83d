//! Paths that are removed from the run: they are counted, judged, and made into tests.
//!
//! Owns: counts of paths by their ending, the list of bugs, the claims of tests, how a test is made
//! and written. Never: which paths are worth a test (`select`).

mod boundaries;
mod bugs;
mod credit;
mod event_data;
mod failing;
mod finishing;
mod growth;
mod making;
mod results;
mod tally;
mod test_output;
mod warning;

pub use event_data::{source_place, underapproximation_summary};
pub(super) use finishing::{Departure, Finishing};
pub(super) use growth::Growth;
pub(super) use making::user_sides;
pub use results::PathResults;
pub use tally::PathTally;
pub use test_output::{EarlierTests, branch_table};
pub(super) use warning::{report_bug, warn_of_deep_stack, warn_unsupported};
