//! Entry state of runs: the program's first state, or that state advanced to just before its first
//! fork.
//!
//! Invariant: a run from an advanced entry state takes the same way as one from the start; it only
//! skips instructions that every path executes. Their coverage is in the observer, still to be
//! absorbed, so that each run is credited with it.

use super::{RunView, StateSource};
use homi_machine::exec::{Executor, KeptConsole, Observer, Step, World};
use homi_machine::state::State;
use homi_solver::Oracle;

/// Instructions between the last two snapshots.
const SLICE: u64 = 1_000;
/// A program that makes no choice for so long is not waited for.
const LONGEST: u64 = 50_000_000;

/// A state with what its execution so far has covered.
#[derive(Clone)]
pub struct EntryState {
    pub state: State,
    pub observer: Observer,
}

impl EntryState {
    /// The very beginning.
    pub fn new(executor: &Executor<'_>, state: State) -> Self {
        let entry = state.frames.top().function;
        Self {
            observer: Observer::new(executor.segments(), entry),
            state,
        }
    }

    /// Instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.observer.instructions
    }

    /// Runs on to a snapshot shortly before the first choice: libc start-up, set-up of arguments.
    /// Output of the program during this is shown once, not in every run.
    ///
    /// Distances between snapshots double until one passes the choice, then they halve: a snapshot
    /// copies the counters of the whole program.
    pub fn advance(
        mut self,
        executor: &Executor<'_>,
        oracle: &mut dyn Oracle,
        world: World<'_>,
    ) -> Self {
        let (mut slice, mut grows) = (SLICE, true);
        while slice >= SLICE && self.instructions() < LONGEST {
            let mut kept = KeptConsole::default();
            let heard = World {
                host: world.host,
                console: &mut kept,
            };
            if let Some(next) = self.after(executor, oracle, heard, slice) {
                kept.say(&mut *world.console);
                self = next;
            } else {
                grows = false;
            }
            slice = if grows { 2 * slice } else { slice / 2 };
        }
        self.state.trim();
        self
    }

    /// Returns the state after a number of instructions; `None` if there is a choice or the end
    /// before.
    fn after(
        &mut self,
        executor: &Executor<'_>,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        instructions: u64,
    ) -> Option<Self> {
        let mut next = EntryState {
            state: *self.state.fork(),
            observer: self.observer.clone(),
        };
        let observer = &mut next.observer;
        let step = executor.run(&mut next.state, oracle, world, observer, instructions);
        let chose = !next.state.decisions.is_empty() || !next.state.path.is_empty();
        let stood = next.instructions() == self.instructions();
        (!chose && !stood && matches!(step, Step::Continue)).then_some(next)
    }
}

/// Gives a run the state of an entry state to begin with.
#[derive(Clone)]
pub struct FromEntryState(Option<Box<State>>);

impl FromEntryState {
    pub fn new(entry_state: &EntryState) -> Self {
        Self(Some(Box::new(entry_state.state.clone())))
    }
}

impl StateSource for FromEntryState {
    fn begin(&mut self, _run: &mut dyn RunView) -> Vec<Box<State>> {
        self.0.take().into_iter().collect()
    }
}
