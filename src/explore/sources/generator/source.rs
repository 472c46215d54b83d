//! The source of states that asks: it lends the command's inputs to a run.
//!
//! A response runs from the program's start on its bytes, as a fuzzing run does, and becomes a test
//! if it covers something first. Runs of a campaign begin with earlier tests, so later ones explore
//! from there.
//!
//! Invariant: responses, and inputs that are run to see what they take, have a tenth of the run's
//! instructions at most.

use super::branch_context::BranchPositions;
use super::client::GeneratorClient;
use crate::sources::fuzz::Input;
use crate::sources::named_objects::{Objects, model_of};
use crate::sources::{Next, RunView, SourceStart, StateSource, run_concretely};
use homi_machine::exec::{Observer, Segments, Termination};
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// Instructions of responses for each one of the run.
const SHARE: f64 = 0.1;
/// Instructions for responses at the beginning of a run.
const AT_FIRST: f64 = 1e6;
/// Instructions of one response.
const LONGEST: u64 = 1_000_000;
/// Time that an idle run waits for the command, in total and for each response.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
const ONE_WAIT: Duration = Duration::from_millis(50);

/// The source of one run.
pub(super) struct Asked {
    client: Arc<Mutex<GeneratorClient>>,
    /// Start of responses. Their bytes are the model; nothing is assumed about it.
    start: State,
    /// Coverage of this run's responses.
    observer: Observer,
    /// Observer of inputs whose coverage does not count.
    looking: Observer,
    places: BranchPositions,
    segments: Segments,
    noted: Vec<Objects>,
    allowed: f64,
    reckoned: u64,
    usage: u64,
}

impl Asked {
    pub(super) fn new(client: Arc<Mutex<GeneratorClient>>, start: &SourceStart<'_>) -> Self {
        let mut state = start.entry_state.state.clone();
        state.input.is_given = true;
        Self {
            client,
            start: state,
            observer: start.entry_state.observer.clone(),
            looking: start.entry_state.observer.clone(),
            places: BranchPositions::of(start.program),
            segments: Segments::new(start.program),
            noted: Vec::new(),
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
    fn run(
        &mut self,
        objects: &Objects,
        looks: bool,
        run: &mut dyn RunView,
    ) -> Option<(State, Termination)> {
        let mut state = self.start.clone();
        state.model = model_of(objects, &state, run.terms());
        state.input.begins_objects = false;
        let observer = if looks {
            &mut self.looking
        } else {
            &mut self.observer
        };
        let before = observer.instructions;
        let termination = run_concretely(&mut state, observer, LONGEST, run)?;
        self.usage += observer.instructions - before;
        Some((state, termination))
    }

    /// The sides that a path took.
    fn sides(&self, state: &State) -> Vec<u32> {
        let all = 0..self.segments.side_count() as u32;
        all.filter(|side| state.sides.contains(*side)).collect()
    }

    /// Runs a response; false if the run wants something else first.
    fn response(
        &mut self,
        client: &mut GeneratorClient,
        objects: Objects,
        run: &mut dyn RunView,
    ) -> Result<bool, WriteError> {
        let Some((state, termination)) = self.run(&objects, false, run) else {
            return Ok(false);
        };
        client.statistics.inputs += 1;
        if termination == Termination::Silent {
            // Something else is assumed of the input.
            self.observer.forget_new();
            return Ok(true);
        }
        let sides = self.sides(&state);
        let news = run.finish_fuzzing_run(state, &termination, &mut self.observer, None)?;
        client.statistics.kept += u64::from(news.covered_new.is_some() || news.test.is_some());
        client.known.taken(objects, &sides);
        if let Some(input) = news.covered_new {
            run.report_seed(input);
        }
        Ok(true)
    }

    /// Looks at inputs, responses and asks, as far as it may.
    fn work(&mut self, run: &mut dyn RunView) -> Result<(), WriteError> {
        let shared = Arc::clone(&self.client);
        let Some(mut client) = try_lock(&shared) else {
            return Ok(());
        };
        for objects in self.noted.drain(..) {
            client.known.note(objects);
        }
        while self.may_run(run) {
            client.on_event(Duration::ZERO);
            if let Some((candidate, objects)) = client.candidate.take() {
                if !self.response(&mut client, objects.clone(), run)? {
                    client.candidate = Some((candidate, objects));
                    return Ok(());
                }
                continue;
            }
            let Some(objects) = client.known.next() else {
                break;
            };
            let Some((state, _)) = self.run(&objects, true, run) else {
                return Ok(());
            };
            self.looking.forget_new();
            let sides = self.sides(&state);
            client.known.taken(objects, &sides);
        }
        client.ask(run.program(), &self.places, &self.segments);
        Ok(())
    }
}

impl StateSource for Asked {
    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        self.work(run)?;
        Ok(Next::Search)
    }

    /// Waits for the command for a while if the run has nothing else to do.
    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        let shared = Arc::clone(&self.client);
        let Some(mut client) = try_lock(&shared) else {
            return false;
        };
        if client.waited >= LONGEST_WAIT || run.is_interrupted() {
            return client.candidate.is_some();
        }
        let was_over = client.process.is_over();
        let begin = Instant::now();
        self.allowed += AT_FIRST;
        // This includes a command that has ended: its end may not have been reported.
        client.on_event(ONE_WAIT);
        client.waited += begin.elapsed();
        client.candidate.is_some() || !was_over
    }

    fn note_input(&mut self, input: &Input, _is_seed: bool) {
        let objects = input.objects();
        self.noted.push(
            objects
                .map(|(name, bytes)| (name.to_string(), bytes.to_vec()))
                .collect(),
        );
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        visit(&self.start);
    }
}

/// Another thread's run may be at it.
fn try_lock(client: &Mutex<GeneratorClient>) -> Option<MutexGuard<'_, GeneratorClient>> {
    match client.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
