//! What a run tells people and scripts: its output directory, messages, the status line,
//! `summary.json`, and the events that all that happens is told by.
//!
//! Owns: names and formats of the files that are not tests. Never: deciding anything about the run;
//! it is handed numbers. Data come from `engine`; formats have structs of their own, so that an
//! internal change does not change a file that scripts read.

mod callgrind;
mod concolic;
mod directory;
mod events;
mod figures;
mod learning;
mod line_file;
mod log;
mod narrowed;
mod page;
mod pending;
mod progress;
mod stats_file;
mod stats_row;
mod stats_text;
mod status;
mod subsumption;
mod summary;
mod table;
mod targets;

pub use callgrind::{
    Cost, Place, ProfiledCall, ProfiledFunction, ProgramProfile, callgrind, flamegraph,
};
pub use concolic::{ConcolicCounts, ConcolicSummary, NegationSummary, WeightsSummary};
pub use directory::{DirectoryError, OutputDirectory};
pub use events::{
    BugFound, CoverageGrew, EVENTS_SCHEMA, Event, EventStream, Finished, Level, Listener,
    LostOutput, Message, ReplayFinished, ReplayStarted, RunStatus, Said, SourcePlace, StackFrame,
    Started, TestEnding, TestReplayed, TestWritten, Verdict,
};
pub use figures::{AddUp, Figure, FigureGroup, Together, Unit};
pub use learning::{CampaignCosts, LEARNING_LOG, PruneLine, RewalkLine, RunLine, read_learning};
pub use line_file::{LineFile, read_lines};
pub use log::{Log, SharedLog};
pub use narrowed::{ending_text, narrowed_lines};
pub use page::page;
pub use pending::{Answer, PendingSummary};
pub use progress::Progress;
pub use stats_file::{STATS_FILE, StatsError, StatsFile, StatsHistory, StatsRow, read_stats};
pub use stats_row::{HomiRow, KleeRow, LayerFigures};
pub use stats_text::{RunStats, stats_csv, stats_details, stats_json, stats_legend, stats_table};
pub use status::{RunSnapshot, Shown, Snapshot, StatusLine};
pub use subsumption::{MeasuredSummary, SubsumptionSummary, WorstPlaces};
pub use summary::{
    AsideSummary, CampaignSummary, CoverageSummary, ErrorSummary, GapSummary, HotLine, LayerDetail,
    LayerSummary, MemorySummary, NarrowedSummary, PathSummary, ProbeSummary, SeedSummary,
    SolverSummary, Summary,
};
pub use table::{Side, table};
pub use targets::{TargetSummary, target_lines};
