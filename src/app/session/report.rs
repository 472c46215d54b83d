//! The last stage of a run: its output other than tests, and the report for the caller.
//!
//! Invariant: the exploration is over. A file that cannot be written now is warned of, or is the
//! report's failure, and takes nothing else with it.

use super::SessionError;
use super::checking::Checked;
use super::event_stream::incomplete_output;
use super::exploration::{Exploration, FirstThread};
use super::explore::Explored;
use homi_explore::engine::{Checkpoints, Left, StopReason};
use homi_report::{Event, Finished, Summary, ending_text, totals_text};
use std::path::PathBuf;

/// Result of a session.
#[derive(Debug)]
pub struct Report {
    /// Content of `summary.json`.
    pub summary: Summary,
    /// Stop reason, as a sentence.
    pub stopped: String,
    /// The output directory: tests, statistics, warnings.
    pub directory: PathBuf,
    /// Number of open paths that `--resume` would continue; 0 if the run cannot be resumed, or is a
    /// campaign, which can.
    pub left_open: u64,
    /// True if `--resume` can resume the run.
    pub goes_on: bool,
    /// Remaining open states of a job.
    pub left: Option<Left>,
    /// Reason why the run ended early or is incomplete: a file could not be written, or the
    /// program's symbolic arguments are invalid.
    pub failure: Option<SessionError>,
}

impl Report {
    /// The statistics of the run in KLEE's form, a line each.
    pub fn totals(&self) -> String {
        totals_text(&self.summary)
    }

    /// Writes what the exploration leaves, and says how it went.
    pub(super) fn of(
        exploration: &Exploration<'_>,
        (mut explored, checked): (Explored, Checked),
        first: &mut FirstThread<'_>,
    ) -> Self {
        exploration.world.generator.report(&exploration.output.log);
        exploration.world.exchange.report(&exploration.output.log);
        let mut summary = exploration.summary(&explored, first);
        let left = exploration
            .checkpoints
            .as_ref()
            .and_then(Checkpoints::take_left);
        if let Some(left) = &left {
            // The open paths that it returns have not ended.
            summary.paths = left.totals.tally.paths;
        }
        exploration.tidy(&explored.outcome.reason, &mut summary);
        exploration.finish_recordings(first);
        exploration.write_side_answers(first);
        exploration.judge(first, (&mut explored, checked), &mut summary);
        exploration.triage(&mut summary);
        let reason = explored.outcome.reason;
        let stopped = ending_text(&reason.sentence(), &summary);
        exploration.output.events.emit(|| {
            Event::Finished(Box::new(Finished {
                stopped: stopped.clone(),
                summary: summary.clone(),
            }))
        });
        let left_open = (exploration.checkpoints.as_ref()).map_or(0, Checkpoints::left);
        let is_campaign =
            exploration.config.campaign.is_some() && exploration.config.command.is_some();
        let goes_on = left_open > 0 || (is_campaign && !reason.is_exhausted());
        let incomplete = incomplete_output(
            &exploration.output.events,
            &exploration.world.caller,
            &exploration.output.log,
        );
        let failure = match reason {
            StopReason::WriteFailed(error) => Some(SessionError::Stopped(error)),
            StopReason::InputSizeMismatch(why) => Some(SessionError::Request(why)),
            _ if exploration.config.dialect.fails_on_misused_arguments() => {
                argument_misuse(&summary).or(incomplete.map(SessionError::Output))
            }
            _ => incomplete.map(SessionError::Output),
        };
        Self {
            summary,
            stopped,
            directory: exploration.output.directory.path().to_path_buf(),
            left_open,
            goes_on,
            left,
            failure,
        }
    }
}

/// Location at which the runtime reports invalid arguments of the program, before the program
/// begins.
const ARGUMENT_ERRORS: &str = "runtime/kernel/start.c:";

/// The program's symbolic arguments are wrong, so it never began: a wrong command line, not a bug
/// of the program.
fn argument_misuse(summary: &Summary) -> Option<SessionError> {
    match summary.errors.as_slice() {
        [error] if error.location.starts_with(ARGUMENT_ERRORS) => {
            Some(SessionError::Request(format!(
                "{}; the program was not run; put its arguments after `--`",
                error.message
            )))
        }
        _ => None,
    }
}
