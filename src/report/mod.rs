//! The output of a run for users and scripts: its output directory, messages, the status line,
//! `summary.json`, and the events that report everything that happens.
//!
//! Owns: names and formats of the files that are not tests. Never: deciding anything about the run;
//! it receives numbers. Data come from `engine`; formats have structs of their own, so that an
//! internal change does not change a file that scripts read.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `events` | everything that happens, as values | `.`, `gcov` |
//! | `gcov` | what native runs cover: gcov's files, counters of instrumented programs | - |
//! | `.` | output directory, messages, status line, statistics, `run.stats` | `events` |

mod callgrind;
mod concolic;
mod directory;
mod events;
mod fingerprint;
pub mod gcov;
mod learning;
mod line_file;
mod live_line;
mod log;
mod outcomes;
mod pending;
mod progress;
mod reported_bug;
mod schema;
mod statistics;
mod statistics_page;
mod stats_file;
mod stats_row;
mod stats_text;
mod status;
mod subsumption;
mod summary;
mod summary_schema;
mod table;
mod targets;
mod totals;
mod underapproximations;
mod utc_date;
mod verdict;

pub use callgrind::{
    Cost, ProfiledCall, ProfiledFunction, ProfiledPlace, ProgramProfile, callgrind, flamegraph,
};
pub use concolic::{ConcolicCounts, ConcolicSummary, NegationSummary, WeightsSummary};
pub use directory::{DirectoryError, OutputDirectory};
pub use events::{
    BugFound, CampaignStatus, CoverageGrew, EVENTS_SCHEMA, Event, EventStream, Finished,
    IncompleteOutput, Level, Listener, Message, OutputFailure, Prediction, ReplayFinished,
    ReplayStarted, RunStatus, Sampled, SearchChosen, SourceLocation, StackFrame, Started,
    TestEnding, TestReplayed, TestWritten, Verdict, events_schema,
};
pub use fingerprint::{digest, native_fingerprint};
pub use learning::{CampaignCosts, LEARNING_LOG, PruneLine, RepeatedLine, RunLine, read_learning};
pub use line_file::{LineFile, read_lines};
pub use live_line::LiveLine;
pub use log::{Log, SharedLog};
pub use outcomes::{
    ConfirmationSummary, Divergence, DivergentLine, ErrorConfirmation, OutcomeSummary,
    ReplayResult, comparison_lines,
};
pub use pending::{Answer, PendingSummary};
pub use progress::Progress;
pub use reported_bug::ReportedBug;
pub use schema::{Described, Record, document, variants};
pub use statistics::{AddUp, Aggregation, Statistic, StatisticGroup, Unit};
pub use statistics_page::statistics_page;
pub use stats_file::{STATS_FILE, StatsError, StatsFile, StatsHistory, StatsRow, read_stats};
pub use stats_row::{HomiRow, KleeRow, LayerStatistics};
pub use stats_text::{RunStats, stats_csv, stats_details, stats_json, stats_legend, stats_table};
pub use status::StatusLine;
pub use subsumption::{SubsumptionSummary, WorstLocations};
pub use summary::{
    CampaignSummary, CoverageSummary, ErrorSummary, ErrorTriage, FuzzingSummary, HotLine,
    LayerDetail, LayerSummary, MemorySummary, PathSummary, ResumedSummary, SUMMARY_SCHEMA,
    SeedSummary, SolverSummary, Summary, SwappedSummary, UnderapproximationSummary,
    UnsupportedSummary,
};
pub use summary_schema::summary_schema;
pub use table::{Column, Side, table, table_line};
pub use targets::{TargetSummary, target_lines};
pub use totals::totals_text;
pub use underapproximations::{ending_text, underapproximation_lines};
pub use utc_date::utc_date;
pub use verdict::{Judgement, VerdictSummary};
