//! What a session hands back to its caller.

use super::SessionError;
use crate::report::{PendingSummary, Summary, narrowed_lines, target_lines};
use std::path::PathBuf;

/// How a session went.
#[derive(Debug)]
pub struct Report {
    /// What `summary.json` says.
    pub summary: Summary,
    /// Why the run ended, as a sentence.
    pub stopped: String,
    /// The output directory: tests, statistics, warnings.
    pub directory: PathBuf,
    /// Why the run ended early or left less than it should: a file could not be written, or the
    /// program's symbolic arguments are wrong.
    pub failure: Option<SessionError>,
}

impl Report {
    /// The figures of the run in KLEE's form, a line each.
    pub fn totals(&self) -> String {
        totals_text(&self.summary)
    }
}

/// The last lines on the terminal and in `info`, in KLEE's form.
pub(super) fn totals_text(summary: &Summary) -> String {
    let paths = summary.paths;
    let partial = paths.early + paths.pruned + paths.gap;
    let share =
        100.0 * summary.coverage.branches as f64 / summary.coverage.branches_total.max(1) as f64;
    let mut text = format!(
        "homi: done: total instructions = {}\n\
         homi: done: total work = {}\n\
         homi: done: completed paths = {}\n\
         homi: done: paths with bugs = {}\n\
         homi: done: partially completed paths = {partial}\n\
         homi: done: generated tests = {}\n\
         homi: done: branches covered = {} of {} ({share:.1} %)\n\
         homi: done: different bugs = {}\n",
        summary.instructions,
        summary.work,
        paths.completed,
        paths.error,
        summary.tests,
        summary.coverage.branches,
        summary.coverage.branches_total,
        summary.errors.len(),
    );
    if let Some(seeds) = summary.seeds {
        let (followed, given) = (seeds.followed, seeds.given);
        text.push_str(&format!(
            "homi: done: seeds followed = {followed} of {given}\n"
        ));
    }
    if let Some(aside) = summary.aside {
        let (put, back) = (aside.put_aside, aside.brought_back);
        text.push_str(&format!(
            "homi: done: states put aside for memory = {put}, brought back = {back}\n"
        ));
    }
    if let Some(concolic) = &summary.concolic {
        text.push_str(&concolic.lines());
    }
    if let Some(subsumption) = &summary.subsumption {
        text.push_str(&subsumption.lines());
    }
    if let Some(merged) = summary.merged {
        text.push_str(&format!(
            "homi: done: paths that went on as one with another = {merged}\n"
        ));
    }
    if let Some(pending) = summary.pending {
        let PendingSummary {
            made,
            possible,
            refuted,
            unknown,
            unasked,
        } = pending;
        text.push_str(&format!(
            "homi: done: sides left pending = {made}: {possible} possible, {refuted} not, \
             {unknown} unknown, {unasked} never asked for\n"
        ));
    }
    text + &narrowed_lines(summary) + &target_lines(&summary.targets)
}
