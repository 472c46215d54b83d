//! Checks beside the exploration: a thread predicts the tests that have been written, and compares
//! them with the native program.
//!
//! Invariant: the exploration does not see the checks. A run with a budget in work or instructions
//! has none beside it.

use super::SessionError;
use super::causes::ImposedResults;
use super::checking::Checked;
use super::exploration::{Exploration, FirstThread};
use super::explore::Explored;
use super::native_comparison::{NativeComparison, TestBatch};
use super::prediction::{Allowance, test_name};
use super::threads::STACK;
use homi_config::Budget;
use homi_machine::state::State;
use homi_native::testcase::tests_in;
use homi_solver::term::Terms;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{Builder, available_parallelism, scope};
use std::time::{Duration, Instant};

/// Time before the first check: a short run is checked at its end, and starts no thread's work.
const START: Duration = Duration::from_secs(1);
/// Shortest time between two checks.
const SHORTEST_REST: Duration = Duration::from_millis(200);
/// Tests that one check takes.
const MOST_TESTS: usize = 32;
/// Divergences that messages tell; the end of the run counts all.
const MOST_TOLD: usize = 3;
/// Instructions of one prediction; the end of the run takes longer ones.
const LONGEST: u64 = 10_000_000;
/// Time of rest for each unit of time of checks, with a free CPU and without one.
const REST_WITH_A_FREE_CPU: u32 = 1;
const REST: u32 = 19;

impl Exploration<'_> {
    /// Explores, and checks tests meanwhile.
    pub(super) fn explore_and_check(
        &self,
        first: &mut FirstThread<'_>,
        start: State,
    ) -> Result<(Explored, Checked), SessionError> {
        if !self.checks_beside() {
            return Ok((self.explore(first, start)?, Checked::default()));
        }
        let stop = Arc::new(AtomicBool::new(false));
        scope(|scope| {
            let (running, over) = channel::<()>();
            let flag = Arc::clone(&stop);
            let checking = Builder::new()
                .name("native comparison".to_string())
                .stack_size(STACK)
                .spawn_scoped(scope, move || self.check_beside(&flag, &over));
            let explored = self.explore(first, start);
            stop.store(true, Ordering::Relaxed);
            drop(running);
            // Without the thread, all tests are checked at the end.
            let checked = checking.ok().map(|thread| thread.join());
            let checked = checked
                .transpose()
                .unwrap_or_else(|panic| resume_unwind(panic));
            Ok((explored?, checked.unwrap_or_default()))
        })
    }

    fn checks_beside(&self) -> bool {
        let budget = &self.config.budget;
        self.checks_tests()
            && matches!(budget.time, Budget::Time(_))
            && budget.instructions == 0
            && self.loaded.resumption.is_none()
            && matches!(self.plan.caller.compare, NativeComparison::InBatches(_))
    }

    /// Checks tests until the exploration is over.
    fn check_beside(&self, stop: &Arc<AtomicBool>, over: &Receiver<()>) -> Checked {
        let mut checked = Checked::default();
        let mut rest = START;
        let goes_on = |rest| matches!(over.recv_timeout(rest), Err(RecvTimeoutError::Timeout));
        if !goes_on(rest) {
            return checked;
        }
        let terms = Terms::sharing(&self.world.arrays);
        let Ok(mut thread) = FirstThread::of(self.world, &terms, stop) else {
            return checked;
        };
        let cpus = available_parallelism().map_or(1, usize::from);
        let factor = if cpus > self.config.threads {
            REST_WITH_A_FREE_CPU
        } else {
            REST
        };
        let mut seen = BTreeSet::new();
        loop {
            let began = Instant::now();
            self.check_new(&mut thread, stop, (&mut checked, &mut seen));
            rest = (began.elapsed() * factor).max(SHORTEST_REST);
            if !goes_on(rest) {
                break;
            }
        }
        if self.plan.caller.process_ends {
            thread.forget();
        }
        checked
    }

    /// Checks the first tests that were not seen.
    fn check_new(
        &self,
        thread: &mut FirstThread<'_>,
        stop: &Arc<AtomicBool>,
        (checked, seen): (&mut Checked, &mut BTreeSet<String>),
    ) {
        let NativeComparison::InBatches(compare) = &self.plan.caller.compare else {
            return;
        };
        let tests = tests_in(self.output.directory.path()).unwrap_or_default();
        let new = tests
            .into_iter()
            .filter(|test| !seen.contains(&test_name(test)));
        let tests: Vec<PathBuf> = new.take(MOST_TESTS).collect();
        seen.extend(tests.iter().map(|test| test_name(test)));
        let mut allowance = Allowance {
            deadline: None,
            instructions: LONGEST,
            longest: u64::MAX,
            interrupt: Arc::clone(stop),
        };
        let imposed = ImposedResults::new();
        let outcomes = &mut checked.outcomes;
        let mut predicted = Vec::new();
        for test in &tests {
            allowance.instructions = LONGEST;
            let one = std::slice::from_ref(test);
            predicted.extend(self.predict(thread, (one, &imposed), &mut allowance, outcomes));
        }
        if predicted.is_empty() || stop.load(Ordering::Relaxed) {
            return;
        }
        let batch = |second| {
            compare(TestBatch {
                tests: predicted,
                second,
                deadline: None,
                interrupt: Arc::clone(stop),
                jobs: Some(1),
            })
        };
        allowance.instructions = u64::MAX;
        let (batch, unstable) = self.serve(thread, (&imposed, &mut allowance), batch);
        let known = checked.outcomes.divergences.len();
        for divergence in batch
            .divergences
            .iter()
            .take(MOST_TOLD.saturating_sub(known))
        {
            let text = format!("{} diverges natively: {divergence}", divergence.test);
            self.output.log.lock().message(&text);
        }
        checked.outcomes.unstable += unstable;
        checked.add(batch);
    }
}
