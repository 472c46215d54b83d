//! Repeated prefixes: the work of a run that earlier runs of the session have already done.
//!
//! A subpath is the instructions that one state executes between two forks, identified by the
//! decisions before it. A subpath is known if an earlier run has executed from the same decisions.

use homi_explore::extensions::{Batch, Extension, ExtensionMaker, ExtensionView, Ran};
use homi_explore::search::StateId;
use homi_ir::util::clock::Moment;
use homi_native::testcase::WriteError;
use homi_report::RepeatedLine;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of subpaths remembered (about 16 bytes each, with the table's slack), and of
/// those recorded in one run.
const MOST: usize = 2 << 20;

/// Repeated work of a run.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RepeatedPrefix {
    pub instructions: u64,
    pub time: Duration,
    /// Solver's part of `time`.
    pub solver_time: Duration,
}

impl RepeatedPrefix {
    /// Returns the statistics for the run's line of `learning.jsonl`.
    pub fn line(&self) -> RepeatedLine {
        RepeatedLine {
            instructions: self.instructions,
            time_s: self.time.as_secs_f64(),
            solver_s: self.solver_time.as_secs_f64(),
        }
    }
}

/// Subpaths of all runs so far.
#[derive(Debug, Default)]
struct Subpaths {
    earlier: FxHashSet<u64>,
    current: Vec<u64>,
    repeated: RepeatedPrefix,
}

impl Subpaths {
    /// Records work done from a point; `fingerprint` identifies the decisions before the point.
    fn record(&mut self, fingerprint: u64, instructions: u64, time: [Duration; 2]) {
        if self.earlier.contains(&fingerprint) {
            self.repeated.instructions += instructions;
            self.repeated.time += time[0];
            self.repeated.solver_time += time[1];
        } else if self.current.len() < MOST && self.current.last() != Some(&fingerprint) {
            self.current.push(fingerprint);
        }
    }

    fn finish_run(&mut self) -> RepeatedPrefix {
        for fingerprint in std::mem::take(&mut self.current) {
            if self.earlier.len() >= MOST {
                break;
            }
            self.earlier.insert(fingerprint);
        }
        std::mem::take(&mut self.repeated)
    }

    fn is_full(&self) -> bool {
        self.earlier.len() >= MOST
    }
}

/// Subpaths that the runs of one campaign worker have executed. Each run has an extension that
/// observes its batches.
#[derive(Clone, Default)]
pub struct RepeatedPrefixes(Arc<Mutex<Subpaths>>);

impl RepeatedPrefixes {
    fn subpaths(&self) -> MutexGuard<'_, Subpaths> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the repeated work of the run that ended; its subpaths are known from now on.
    pub fn finish_run(&self) -> RepeatedPrefix {
        self.subpaths().finish_run()
    }

    /// True if the memory is full, so that shares are lower bounds.
    pub fn is_full(&self) -> bool {
        self.subpaths().is_full()
    }

    /// Returns the extension that observes the batches of a run.
    pub fn watch(&self) -> ExtensionMaker {
        let prefixes = self.clone();
        Arc::new(move |_| {
            Some(Box::new(BatchWatch {
                prefixes: prefixes.clone(),
                began: None,
            }))
        })
    }
}

/// Observes the batches of a run.
struct BatchWatch {
    prefixes: RepeatedPrefixes,
    /// Start of the batch, and the solver's time by then.
    began: Option<(Moment, Duration)>,
}

impl Extension for BatchWatch {
    fn before_batch(
        &mut self,
        _id: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        self.began = Some((Moment::now(), run.effort().time));
        Ok(Batch::Runs)
    }

    fn ran(&mut self, ran: &mut Ran<'_>, run: &mut dyn ExtensionView) {
        let Some((start, before)) = self.began.take() else {
            return;
        };
        let solver_time = run.effort().time.saturating_sub(before);
        let time = [start.elapsed(), solver_time];
        let mut subpaths = self.prefixes.subpaths();
        subpaths.record(ran.decisions_before, ran.instructions, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_known_from_the_next_run_on() {
        let second = Duration::from_secs(1);
        let mut prefixes = Subpaths::default();
        prefixes.record(1, 10, [second; 2]);
        prefixes.record(1, 10, [second; 2]);
        assert_eq!(prefixes.finish_run(), RepeatedPrefix::default());
        prefixes.record(1, 5, [second, Duration::ZERO]);
        prefixes.record(2, 7, [second; 2]);
        let repeated = prefixes.finish_run();
        assert_eq!((repeated.instructions, repeated.time), (5, second));
        assert_eq!(repeated.solver_time, Duration::ZERO);
    }
}
