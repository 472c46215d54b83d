//! Runs of given inputs in the engine, from the program's entry to its end.
//!
//! Invariant: a run counts for its own observer only, until `take` makes a test of it.

use super::{EntryState, FuzzingNews, RunView, Tuning, run_concretely};
use crate::sources::fuzz::Input;
use homi_machine::exec::{Observer, Termination};
use homi_machine::state::{InputChooser, State};
use homi_native::testcase::WriteError;
use homi_report::FuzzingSummary;
use std::sync::Arc;

/// State that all runs of inputs share.
pub(super) struct FuzzingRuns {
    /// The program's first state, whose inputs are given.
    start: State,
    /// Counts what the runs execute and cover, and nothing else.
    observer: Observer,
    /// Instructions of one run.
    longest: u64,
    pub(super) done: FuzzingSummary,
}

impl FuzzingRuns {
    pub(super) fn new(tuning: &Tuning, entry_state: &EntryState) -> Self {
        let mut start = entry_state.state.clone();
        start.input.is_given = true;
        Self {
            start,
            observer: entry_state.observer.clone(),
            longest: tuning.fuzz_longest,
            done: FuzzingSummary::default(),
        }
    }

    /// Instructions of all runs.
    pub(super) fn instructions(&self) -> u64 {
        self.observer.instructions
    }

    /// The program's first state.
    pub(super) fn start(&self) -> &State {
        &self.start
    }

    /// Runs one input to its end; how it ended, or nothing if the run was interrupted meanwhile.
    pub(super) fn run_input(
        &mut self,
        input: &Input,
        run: &mut dyn RunView,
    ) -> Option<(State, Termination)> {
        let mut state = self.start.clone();
        state.model = input.model();
        state.input.chosen_by = InputChooser::Fuzzing;
        state.input.begins_objects = false;
        self.run_state(state, run)
    }

    /// Runs an input with these arguments, or with the run's; as `run_input`. The test says which
    /// part of homi chose the input.
    pub(super) fn run_with(
        &mut self,
        arguments: Option<&[Vec<u8>]>,
        (input, chosen_by): (&Input, InputChooser),
        run: &mut dyn RunView,
    ) -> Option<(State, Termination)> {
        let mut state = match arguments {
            None => self.start.clone(),
            Some(arguments) => run.first_state(arguments)?,
        };
        state.input.is_given = true;
        state.input.chosen_by = chosen_by;
        state.input.follows = Some(Arc::new(vec![Arc::new(input.given())]));
        self.run_state(state, run)
    }

    fn run_state(
        &mut self,
        mut state: State,
        run: &mut dyn RunView,
    ) -> Option<(State, Termination)> {
        let before = self.observer.instructions;
        let termination = run_concretely(&mut state, &mut self.observer, self.longest, run)?;
        self.done.runs += 1;
        self.done.instructions += self.observer.instructions - before;
        Some((state, termination))
    }

    /// Makes a test of a run if it covered something first or shows a new bug. `arguments` are
    /// the test's, if they are not the run's.
    pub(super) fn take(
        &mut self,
        (state, termination): (State, Termination),
        arguments: Option<Vec<Vec<u8>>>,
        run: &mut dyn RunView,
    ) -> Result<FuzzingNews, WriteError> {
        if termination == Termination::Silent {
            // The program or the modeled kernel assumes something else of its input: no test shows
            // what was covered.
            self.observer.forget_new();
            return Ok(FuzzingNews::default());
        }
        let observer = &mut self.observer;
        let news = run.finish_fuzzing_run(state, &termination, observer, arguments)?;
        self.done.tests += u64::from(news.test.is_some());
        Ok(news)
    }
}
