//! The source of states that runs the fuzzers' inputs.
//!
//! An input runs from the program's start on its bytes, as a fuzzing run does, and becomes a test
//! if it covers something first.
//!
//! Invariant: the inputs have a quarter of the run's instructions at most.

use super::client::Exchange;
use crate::sources::named_objects::{Objects, model_of};
use crate::sources::{Next, RunView, SourceStart, StateSource, run_concretely};
use homi_machine::exec::{Observer, Termination};
use homi_machine::state::{InputChooser, State};
use homi_native::testcase::WriteError;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Instructions of inputs for each one of the run.
const SHARE: f64 = 0.25;
/// Instructions for inputs at the beginning of a run.
const AT_FIRST: f64 = 1e7;
/// Instructions of one input.
const LONGEST: u64 = 1_000_000;

/// The source of one run.
pub struct Exchanged {
    exchange: Arc<Mutex<Exchange>>,
    /// Start of the inputs. Their bytes are the model; nothing is assumed about it.
    start: State,
    /// Coverage of this run's inputs.
    observer: Observer,
    allowed: f64,
    reckoned: u64,
    usage: u64,
}

impl Exchanged {
    pub fn new(exchange: Arc<Mutex<Exchange>>, start: &SourceStart<'_>) -> Self {
        let mut state = start.entry_state.state.clone();
        state.input.is_given = true;
        state.input.chosen_by = InputChooser::Sync;
        Self {
            exchange,
            start: state,
            observer: start.entry_state.observer.clone(),
            allowed: AT_FIRST,
            reckoned: start.entry_state.instructions(),
            usage: 0,
        }
    }

    fn may_run(&mut self, run: &dyn RunView) -> bool {
        let now = run.clock().instructions;
        self.allowed += now.saturating_sub(self.reckoned) as f64 * SHARE;
        self.reckoned = now;
        (self.usage as f64) < self.allowed && run.work_left() > 0
    }

    /// Runs an input to its end; nothing if the run was interrupted meanwhile.
    fn run(&mut self, objects: &Objects, run: &mut dyn RunView) -> Option<(State, Termination)> {
        let mut state = self.start.clone();
        state.model = model_of(objects, &state, run.terms());
        state.input.begins_objects = false;
        let before = self.observer.instructions;
        let termination = run_concretely(&mut state, &mut self.observer, LONGEST, run)?;
        self.usage += self.observer.instructions - before;
        Some((state, termination))
    }

    /// Looks at the queues and runs inputs, as far as it may.
    fn work(&mut self, run: &mut dyn RunView) -> Result<(), WriteError> {
        let shared = Arc::clone(&self.exchange);
        let Some(mut exchange) = try_lock(&shared) else {
            return Ok(());
        };
        exchange.look();
        for input in exchange.take_longer() {
            run.report_longer_input(input);
        }
        while self.may_run(run) {
            let Some(objects) = exchange.next() else {
                break;
            };
            let Some((state, termination)) = self.run(&objects, run) else {
                exchange.put_back(objects);
                break;
            };
            exchange.statistics.run += 1;
            if termination == Termination::Silent {
                // Something else is assumed of the input.
                self.observer.forget_new();
                continue;
            }
            // Writing a test may take long.
            drop(exchange);
            let news = run.finish_fuzzing_run(state, &termination, &mut self.observer, None)?;
            let kept = news.covered_new.is_some() || news.test.is_some();
            if let Some(input) = news.covered_new {
                run.report_seed(input);
            }
            let Some(again) = try_lock(&shared) else {
                return Ok(());
            };
            exchange = again;
            exchange.statistics.kept += u64::from(kept);
        }
        Ok(())
    }
}

impl StateSource for Exchanged {
    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        self.work(run)?;
        Ok(Next::Search)
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        visit(&self.start);
    }
}

/// Another thread's run may be at it.
fn try_lock(exchange: &Mutex<Exchange>) -> Option<MutexGuard<'_, Exchange>> {
    match exchange.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
