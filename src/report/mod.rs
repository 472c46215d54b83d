//! What a run tells people and scripts: its output directory, messages, the status line,
//! `summary.json`, and the events that all that happens is told by.
//!
//! Owns: names and formats of the files that are not tests. Never: deciding anything about the run;
//! it is handed numbers. Data come from `engine`; formats have structs of their own, so that an
//! internal change does not change a file that scripts read.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `events` | everything that happens, as values | `.`, `gcov` |
//! | `gcov` | what native runs cover: gcov's files, counters of instrumented programs | - |
//! | `.` | output directory, messages, status line, figures, `run.stats` | `events` |

mod callgrind;
mod concolic;
mod directory;
mod events;
mod figures;
mod figures_page;
pub mod gcov;
mod learning;
mod line_file;
mod live_line;
mod log;
mod narrowed;
mod pending;
mod progress;
mod schema;
mod stats_file;
mod stats_row;
mod stats_text;
mod status;
mod subsumption;
mod summary;
mod summary_schema;
mod table;
mod targets;
mod told_bug;
mod totals;
mod utc_date;
mod verdict;

pub use callgrind::{
    Cost, Place, ProfiledCall, ProfiledFunction, ProgramProfile, callgrind, flamegraph,
};
pub use concolic::{ConcolicCounts, ConcolicSummary, NegationSummary, WeightsSummary};
pub use directory::{DirectoryError, OutputDirectory};
pub use events::{
    BugFound, CampaignStatus, CoverageGrew, EVENTS_SCHEMA, Event, EventStream, Finished, Level,
    Listener, Loss, LostOutput, Message, ReplayFinished, ReplayStarted, RunStatus, Said, Sampled,
    SearchChosen, SourcePlace, StackFrame, Started, TestEnding, TestReplayed, TestWritten, Verdict,
};
pub use figures::{AddUp, Figure, FigureGroup, Together, Unit};
pub use figures_page::figures_page;
pub use learning::{CampaignCosts, LEARNING_LOG, PruneLine, RewalkLine, RunLine, read_learning};
pub use line_file::{LineFile, read_lines};
pub use live_line::LiveLine;
pub use log::{Log, SharedLog};
pub use narrowed::{ending_text, narrowed_lines};
pub use pending::{Answer, PendingSummary};
pub use progress::Progress;
pub use stats_file::{STATS_FILE, StatsError, StatsFile, StatsHistory, StatsRow, read_stats};
pub use stats_row::{HomiRow, KleeRow, LayerFigures};
pub use stats_text::{RunStats, stats_csv, stats_details, stats_json, stats_legend, stats_table};
pub use status::StatusLine;
pub use subsumption::{SubsumptionSummary, WorstPlaces};
pub use summary::{
    AsideSummary, CampaignSummary, CoverageSummary, ErrorSummary, GapSummary, HotLine, LayerDetail,
    LayerSummary, MemorySummary, NarrowedSummary, PathSummary, ProbeSummary, ResumedSummary,
    SUMMARY_SCHEMA, SeedSummary, SolverSummary, Summary,
};
pub use summary_schema::summary_schema;
pub use table::{Column, Side, table, table_line};
pub use targets::{TargetSummary, target_lines};
pub use told_bug::ToldBug;
pub use totals::totals_text;
pub use utc_date::utc_date;
pub use verdict::{Judgement, VerdictSummary};
