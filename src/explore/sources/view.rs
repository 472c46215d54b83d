//! View of a run for sources of states.

use crate::search::{Clock, StateId};
use crate::sources::fuzz::Input;
use homi_config::Usage;
use homi_ir::program::Program;
use homi_machine::exec::SizeMismatch;
use homi_machine::exec::{Host, Observer, Step, Termination};
use homi_machine::state::{GivenObjects, ProgramPoint, State};
use homi_native::testcase::WriteError;
use homi_solver::term::{Model, Terms};
use std::sync::Arc;

/// A run as its sources of states see it.
pub trait RunView {
    /// Instructions, work and time on the run's clock.
    fn clock(&self) -> Clock;

    /// Returns the spent budget: time on the run's clock, and instructions and work without those
    /// of the entry state and of earlier slices.
    fn usage(&self) -> Usage;

    fn terms(&self) -> &Terms;

    fn program(&self) -> &Program;

    /// An open state.
    fn state(&self, id: StateId) -> Option<&State>;

    /// The open state that was created first.
    fn oldest(&self) -> Option<StateId>;

    /// The state that ran last, if it is still open.
    fn last_run(&self) -> Option<&State>;

    /// Returns the host that programs read.
    fn host(&self) -> &dyn Host;

    /// True if a side is the program's own, and no path of the session has taken it.
    fn is_side_new(&self, side: u32) -> bool;

    /// Returns the number of sides that paths of the session have taken.
    fn branches_covered(&self) -> usize;

    /// Returns the instructions left in the budget, at most its units of work left.
    fn instructions_left(&self) -> u64;

    /// Units of work that the budget has left; as many as there are if it does not count them.
    fn work_left(&self) -> u64;

    /// True if a limit or the user wants attention first.
    fn is_interrupted(&self) -> bool;

    /// Adds a state to the run. It has left nothing to show in a test.
    fn add_state(&mut self, state: Box<State>);

    /// Gives a state other bytes that satisfy its path.
    fn set_model(&mut self, id: StateId, model: Model);

    /// A state follows the path of these tests from here on, or of none.
    fn follow(&mut self, id: StateId, tests: Option<Arc<Vec<Arc<GivenObjects>>>>);

    /// Takes the tests that do not fit, found since the last call.
    fn take_size_mismatches(&mut self) -> Vec<SizeMismatch>;

    /// Records that tests show all code that a state covered first.
    fn forget_new(&mut self, id: StateId);

    /// Executes a state outside the run with the run's solver, for at most this many instructions,
    /// which count for the run. Its output is dropped.
    fn execute(&mut self, state: &mut State, most: u64) -> Step;

    /// Executes a state outside the run along a path of an earlier session, for at most this many
    /// instructions. Its new coverage counts as if it were a state of the run. `None` if the end of
    /// the run interrupted it; the state is then useless.
    fn execute_again(&mut self, state: &mut State, most: u64) -> Option<Step>;

    /// Puts a state that is not one of the run's on the side that it awaits; false if that is not
    /// possible, nothing if the end of the run has cut that off.
    fn check_again(&mut self, state: &mut State) -> Option<bool>;

    /// Forgets the coverage of `execute`.
    fn forget_covered(&mut self);

    /// Executes a state that is not one of the run's with the bytes of its model, for at most so
    /// many instructions. It counts for `observer` only, and what it prints is dropped.
    fn execute_concretely(&mut self, state: &mut State, observer: &mut Observer, most: u64)
    -> Step;

    /// Returns the state before the program's first instruction, with these arguments; `None` if
    /// they do not fit into memory.
    fn first_state(&self, arguments: &[Vec<u8>]) -> Option<State>;

    /// A fuzzing run has ended. What `seen` says it covered counts for the run, if it is the first
    /// to cover it; then, or if it shows a new bug, it becomes a test. `arguments` are the
    /// test's, if they are not the run's.
    fn finish_fuzzing_run(
        &mut self,
        state: State,
        termination: &Termination,
        seen: &mut Observer,
        arguments: Option<Vec<Vec<u8>>>,
    ) -> Result<FuzzingNews, WriteError>;

    /// Drops states silently, because their paths are not wanted. Their loss is recorded.
    fn discard(&mut self, states: &[StateId], why: &str);

    /// Records that other paths from this state are not wanted.
    fn note_others_left(&mut self, state: &State, why: &str);

    /// Records that a path at this point was dropped before its end.
    fn note_dropped_path(&mut self, at: ProgramPoint);

    /// Reports a message to the user.
    fn message(&mut self, text: &str);

    /// Reports a seed's input to all other sources.
    fn report_seed(&mut self, input: Input);

    /// Reports an input of another fuzzer that is longer than the run's objects.
    fn report_longer_input(&mut self, input: Input);
}

/// Result of a fuzzing run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FuzzingNews {
    /// The input, if it covered something of the program's own code as the first.
    pub covered_new: Option<Input>,
    /// Sides of branches that it took as the first.
    pub branches: usize,
    /// Name of the test, if one was written.
    pub test: Option<String>,
}
