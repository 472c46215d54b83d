//! Events of a run or a replay: the input of all outputs.
//!
//! Owns: the events, which are the schema of `--events` and of a library user's observations, and
//! the stream that passes them to listeners. Never: what a listener does with them (`export`). Data
//! come from the engine, campaigns, sessions and replays, which emit them.
//!
//! Invariant: within a version of the schema, fields and events are added, never renamed, changed
//! in meaning or removed.

mod replayed;
mod run;
mod schema;
mod stream;

pub use replayed::{Prediction, ReplayFinished, ReplayStarted, TestReplayed, Verdict};
pub use run::{
    BugFound, CampaignStatus, CoverageGrew, Finished, Level, Message, RunStatus, Sampled,
    SearchChosen, SourceLocation, StackFrame, Started, TestEnding, TestWritten,
};
pub use schema::events_schema;
pub use stream::{EventStream, IncompleteOutput, Listener, OutputFailure};

use super::{PruneLine, RunLine};
use serde::{Deserialize, Serialize};

/// The version of the events' layout.
pub const EVENTS_SCHEMA: u32 = 1;

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A run begins; of a run or campaign the first event.
    Started(Started),
    /// A test and its files are in the output directory.
    TestWritten(TestWritten),
    /// A bug that was not known; its test, if it has one, was written just before.
    BugFound(BugFound),
    /// More branch sides are covered than before.
    CoverageGrew(CoverageGrew),
    /// Progress of the run, about once a second.
    Status(RunStatus),
    /// Search heuristics of a run that is not a campaign, just before it begins.
    SearchChosen(SearchChosen),
    /// A row of `run.stats`.
    Sampled(Box<Sampled>),
    /// States left by choice.
    Pruned(PruneLine),
    /// One run of a campaign is over, or the one run there is; a line of `learning.jsonl`.
    RunEnded(Box<RunLine>),
    /// A message to the user.
    Message(Message),
    /// The run or campaign is over; of it the last event.
    Finished(Box<Finished>),
    /// A replay begins; of it the first event.
    ReplayStarted(ReplayStarted),
    /// A test was replayed.
    TestReplayed(Box<TestReplayed>),
    /// All tests were replayed, or the user stopped it; of it the last event.
    ReplayFinished(ReplayFinished),
}
