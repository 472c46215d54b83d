//! Failures in the native image, and failures that the engine does not repeat.
//!
//! The engine runs each input with a new failure, and finds the bug with its checks. If its path
//! ends by an exit, image and engine disagree, which is a divergence of homi's own. The input
//! becomes a test, so that it is compared with the native program as all tests are.

use super::{FuzzingNews, RunView};
use homi_machine::exec::Termination;
use homi_report::FuzzingSummary;
use nix::sys::signal::Signal;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Most failures that the engine repeats, of one image.
const MOST: usize = 256;
/// Divergences of a thread that are reported one by one, and become tests.
const REPORTED: u64 = 3;

/// The failures so far, by the sides of branches that were taken.
#[derive(Default)]
pub(super) struct Failures {
    seen: HashSet<u64>,
}

impl Failures {
    /// True if no failure took the same sides, and there were not too many.
    pub(super) fn is_new(&mut self, sides: &[u8]) -> bool {
        let mut hasher = DefaultHasher::new();
        for (side, _) in sides.iter().enumerate().filter(|(_, count)| **count > 0) {
            side.hash(&mut hasher);
        }
        self.seen.len() < MOST && self.seen.insert(hasher.finish())
    }
}

/// The name of a signal, or its number.
pub(super) fn signal_name(number: i32) -> String {
    Signal::try_from(number).map_or_else(|_| format!("signal {number}"), |one| one.to_string())
}

/// The exit status of a path, if it ended so.
pub(super) fn exit_status(termination: &Termination) -> Option<i32> {
    match termination {
        Termination::Exit(status) => Some(*status),
        _ => None,
    }
}

/// True if a further divergence is one of the first.
pub(super) fn is_early(done: &FuzzingSummary) -> bool {
    done.native_divergences < REPORTED
}

/// Counts a divergence, and reports the first ones.
pub(super) fn report_dispute(
    failure: &str,
    status: i32,
    news: &FuzzingNews,
    done: &mut FuzzingSummary,
    run: &mut dyn RunView,
) {
    let is_reported = is_early(done);
    done.native_divergences += 1;
    if !is_reported {
        return;
    }
    let test = news.test.as_deref().unwrap_or("no test");
    run.message(&format!(
        "{test}: native fuzzing ends with {failure}, the engine with exit {status}; homi is wrong \
         in one of them: compare with the native program, and report it"
    ));
}
