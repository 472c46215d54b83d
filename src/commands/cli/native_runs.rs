//! Comparison of a run's tests with the native program, where `homi run` got an executable with
//! embedded bitcode.

use super::traces::library_directories;
use crate::app::session::NativeComparison;
use crate::config::RunConfig;
use crate::llvm::embedded::records_of;
use crate::native::replay;
use crate::native::replay::{ReplayOptions, TestCalls, is_executable};
use crate::report::Summary;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time that the comparison may always take in a run with a budget in time.
const ALLOWANCE: Duration = Duration::from_secs(5);
/// Share of the run's time that it may take beyond.
const SHARE: f64 = 0.05;

/// Returns the comparison for a run of one executable; `None` for bitcode.
pub(super) fn comparison(
    config: &RunConfig,
    interrupt: &Arc<AtomicBool>,
) -> Option<NativeComparison> {
    let [program] = config.program.inputs.as_slice() else {
        return None;
    };
    if config.program.entry != "main" || !is_executable(program) {
        return None;
    }
    let (program, interrupt) = (program.clone(), Arc::clone(interrupt));
    let is_timed = config.budget.time.is_timed();
    Some(NativeComparison::new(move |directory, summary| {
        let limit = ALLOWANCE + Duration::from_secs_f64(summary.wall_s * SHARE);
        let options = ReplayOptions {
            libraries: library_directories(&records_of(&program).unwrap_or_default()),
            exe: program.clone(),
            tests: vec![directory.to_path_buf()],
            interrupt: Arc::clone(&interrupt),
            records_calls: true,
            deadline: is_timed.then(|| Instant::now() + limit),
            ..ReplayOptions::default()
        };
        if summary.tests == 0 || summary.outcomes.is_none() {
            return TestCalls::new();
        }
        // What ended the exploration does not end the comparison.
        interrupt.store(false, Ordering::Relaxed);
        compare(&options, summary)
    }))
}

/// Replays the tests and records what differs; returns the library calls of the tests that do. A
/// program that cannot be replayed is not compared.
fn compare(options: &ReplayOptions, summary: &mut Summary) -> TestCalls {
    let Ok(replay) = replay::run(options, &mut |_| Ok(())) else {
        return TestCalls::new();
    };
    if let Some(outcomes) = &mut summary.outcomes {
        let results = replay.results.iter();
        let compared = results.filter(|result| result.agreement.is_compared());
        outcomes.compared = compared.count() as u64;
        outcomes.divergences = replay.divergences().cloned().collect();
    }
    let diverging = replay.results.into_iter().filter_map(|result| {
        let test = result.agreement.divergence()?.test.clone();
        Some((test, result.calls))
    });
    diverging.collect()
}
