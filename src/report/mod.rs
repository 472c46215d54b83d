//! What a run tells people and scripts: its output directory, messages, the status line, `summary.json`.
//!
//! Owns: names and formats of the files that are not tests. Never: deciding anything about the run; it is
//! handed numbers. Data come from `engine`; formats have structs of their own, so that an internal
//! change does not change a file that scripts read.

mod directory;
mod learning;
mod log;
mod page;
mod status;
mod summary;

pub use directory::{DirectoryError, OutputDirectory};
pub use learning::{LEARNING_LOG, LearningLog, PruneLine, RewalkLine, RunLine, read_learning};
pub use log::Log;
pub use page::page;
pub use status::{CampaignSnapshot, Snapshot, StatusLine};
pub use summary::{
    CampaignSummary, CoverageSummary, ErrorSummary, GapSummary, LayerDetail, LayerSummary,
    PathSummary, SolverSummary, Summary,
};
