//! Sources of states: the entry state, an earlier session, seeds, fuzzing runs, swapped-out states.
//!
//! Owns: the trait of state sources, their view of a run, the table of sources and one file for
//! each. Never: the order of states (`search`), the loop (`engine`). Data come from `engine`
//! (events of states) and go back to it as states, as the choice of the next state, or as ended
//! paths.

pub mod checkpoint;
mod concretely;
mod entry_state;
pub mod exchange;
mod follow;
pub mod fuzz;
mod fuzzing;
mod fuzzing_runs;
pub mod generator;
mod named_objects;
mod native_executions;
mod native_failures;
mod native_fuzzing;
mod registry;
mod replays;
mod resumed;
mod seed;
mod seeds;
mod swapped_out;
mod tuning;
mod view;

pub use concretely::run_concretely;
pub use entry_state::{EntryState, FromEntryState};
pub use follow::{Followed, Goal, follow};
pub use fuzzing::Fuzzing;
pub use registry::{SOURCES, SourceRow, SourceStart, sources_of};
pub use replays::{ReplayedTest, Replays};
pub use resumed::Resumed;
pub use seed::SeedTest;
pub use seeds::Seeds;
pub use swapped_out::SwappedOut;
pub use tuning::Tuning;
pub use view::{FuzzingNews, RunView};

use crate::search::StateId;
use crate::sources::checkpoint::Collector;
use crate::sources::fuzz::Input;
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use homi_report::{FuzzingSummary, ResumedSummary, SeedSummary, SwappedSummary};

/// Request of a source before the searcher's next choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// No request: the next source is asked, and after the last one the searcher selects.
    Search,
    /// Run this state next. `reexecuted` is true if an earlier test has the same path and
    /// everything was learned from it.
    Batch { state: StateId, reexecuted: bool },
    /// The loop checks its budgets and asks again.
    Again,
    /// Stop: no path is to be followed.
    Stop,
}

/// The batch that a source asked for is over.
#[derive(Clone, Copy, Debug)]
pub struct BatchOver<'a> {
    /// The state that ran. It may have left.
    pub state: StateId,
    /// States that were forked off, in the order of creation; some may have been removed.
    pub new: &'a [StateId],
    /// Instructions of the batch, with what the solver did in instructions' worth if that is
    /// counted.
    pub work: u64,
}

/// Statistics of a run's sources.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SourceStatistics {
    /// Seeds, if there were any.
    pub seeds: Option<SeedSummary>,
    /// Numbers of the seeds that may only have lacked time, ascending.
    pub seeds_left: Vec<usize>,
    /// Fuzzing runs of this and earlier runs of the session.
    pub fuzzing: Option<FuzzingSummary>,
    /// Swapped-out states, if swapping was possible.
    pub swapped_out: Option<SwappedSummary>,
    /// Resumed states, if the run resumes an earlier session.
    pub resumed: Option<ResumedSummary>,
}

/// Provides states, or selects the state that runs next. Each thread of a run has separate sources.
pub trait StateSource {
    /// Called when the run begins or resumes after a suspension. Returns the states to begin with.
    fn begin(&mut self, _run: &mut dyn RunView) -> Vec<Box<State>> {
        Vec::new()
    }

    /// Before the search's next choice; asked once per batch.
    fn before_choice(&mut self, _run: &mut dyn RunView) -> Result<Next, WriteError> {
        Ok(Next::Search)
    }

    /// The batch that this source asked for is over.
    fn batch_over(&mut self, _batch: &BatchOver<'_>, _run: &mut dyn RunView) {}

    /// No state is left. True if this source gave some, or wants to be asked again.
    fn refill(&mut self, _run: &mut dyn RunView) -> bool {
        false
    }

    /// True if this source continues a state. Such a state is not pruned.
    fn holds(&self, _state: StateId) -> bool {
        false
    }

    /// True if this source continues any state. Then no state moves to another thread, where the
    /// source would not find it.
    fn holds_some(&self) -> bool {
        false
    }

    /// True if this source can bring back states that are removed at the memory limit.
    fn brings_back(&self) -> bool {
        false
    }

    /// Swaps out these states, which have nothing to show in a test. Returns the states that this
    /// source will swap in.
    fn swap_out(&mut self, _states: &[StateId], _run: &dyn RunView) -> Vec<StateId> {
        Vec::new()
    }

    /// States that wait to be brought back.
    fn waiting(&self) -> u64 {
        0
    }

    /// Takes down the states that this source has still to give.
    fn take_down(&self, _open: &mut Collector) {}

    /// Reports an input that is worth mutating: the input of a test, or of a seed.
    fn note_input(&mut self, _input: &Input, _is_seed: bool) {}

    /// Reports an input of another fuzzer that is longer than the run's objects.
    fn note_longer_input(&mut self, _input: &Input) {}

    /// Shows every state of this source that is not one of the run's; their terms are kept.
    fn visit_states(&self, _visit: &mut dyn FnMut(&State)) {}

    /// The run is over: adds what this source did.
    fn finish(&mut self, _statistics: &mut SourceStatistics) {}
}

/// A source that is lent for one run and outlives it.
impl<T: StateSource + ?Sized> StateSource for &mut T {
    fn begin(&mut self, run: &mut dyn RunView) -> Vec<Box<State>> {
        (**self).begin(run)
    }

    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        (**self).before_choice(run)
    }

    fn batch_over(&mut self, batch: &BatchOver<'_>, run: &mut dyn RunView) {
        (**self).batch_over(batch, run);
    }

    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        (**self).refill(run)
    }

    fn holds(&self, state: StateId) -> bool {
        (**self).holds(state)
    }

    fn holds_some(&self) -> bool {
        (**self).holds_some()
    }

    fn brings_back(&self) -> bool {
        (**self).brings_back()
    }

    fn swap_out(&mut self, states: &[StateId], run: &dyn RunView) -> Vec<StateId> {
        (**self).swap_out(states, run)
    }

    fn waiting(&self) -> u64 {
        (**self).waiting()
    }

    fn take_down(&self, open: &mut Collector) {
        (**self).take_down(open);
    }

    fn note_input(&mut self, input: &Input, is_seed: bool) {
        (**self).note_input(input, is_seed);
    }

    fn note_longer_input(&mut self, input: &Input) {
        (**self).note_longer_input(input);
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        (**self).visit_states(visit);
    }

    fn finish(&mut self, statistics: &mut SourceStatistics) {
        (**self).finish(statistics);
    }
}
