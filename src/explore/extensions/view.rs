//! Interface of a run to its extensions: it extends the interface to state sources.

use crate::search::{Left, StateId};
use crate::sources::RunView;
use homi_machine::exec::{Absent, Executor, Host, Observer, Termination};
use homi_machine::state::{CallPathId, State};
use homi_native::testcase::WriteError;
use homi_solver::term::{Model, Terms};
use homi_solver::{Effort, Oracle};

/// Parts of a run that an extension borrows to inspect states, to query the solver and to execute
/// states of the extension.
pub struct Lent<'l, 'p> {
    pub executor: &'l Executor<'p>,
    pub terms: &'l Terms,
    pub host: &'l dyn Host,
    pub oracle: &'l mut dyn Oracle,
}

/// Run as its extensions see it.
pub trait ExtensionView: RunView {
    /// Returns the run as its state sources see it.
    fn as_source(&mut self) -> &mut dyn RunView;

    /// Lends the executor, the terms, the host and the oracle of the run.
    fn lend(&mut self) -> Lent<'_, '_>;

    /// Returns the counts of the code that the run has executed and covered.
    fn observer(&self) -> &Observer;

    /// Returns the effort of the solver so far.
    fn effort(&self) -> Effort;

    /// Returns the first open state, in the order of creation, that satisfies a predicate.
    fn find_state(&self, is_so: &dyn Fn(&State) -> bool) -> Option<StateId>;

    /// True if a state source continues a state.
    fn is_held(&self, id: StateId) -> bool;

    /// Takes an open state out of the run; the searcher still knows it.
    fn take_state(&mut self, id: StateId) -> Option<Box<State>>;

    /// Puts back a state that was taken.
    fn put_state(&mut self, id: StateId, state: Box<State>);

    /// Makes the searcher forget a state that was taken; `left` is the reason for searchers that
    /// record it.
    fn leave_search(&mut self, id: StateId, left: Option<Left>);

    /// Puts back states that the searcher has forgotten, and adds them to the searcher.
    fn enter_search(&mut self, states: Vec<(StateId, Box<State>)>);

    /// Checks the pending side of a state, if there is one, and credits the state with the code
    /// that it covers first.
    fn check_pending(&mut self, state: &mut State) -> Result<(), Absent>;

    /// Returns the model of a state's path with the least value per byte, in the order of objects.
    /// Some bytes are above their least values if the effort limit is reached.
    fn least_model(&mut self, state: &State) -> Model;

    /// Reports to the searcher that an open state has run.
    fn note_ran(&mut self, id: StateId);

    /// Ends the path of a state that was taken and that the searcher has forgotten: counts it, and
    /// writes its test if it deserves one.
    fn end_path(&mut self, state: &State, termination: &Termination) -> Result<(), WriteError>;

    /// Writes the test of a state that continues, if it deserves one, as if its path ended with
    /// `termination`.
    fn show(&mut self, state: &State, termination: &Termination) -> Result<(), WriteError>;

    /// Limits the solver to this much additional work, in nanoseconds of counted work; `None`
    /// restores the limit of the run's budget.
    fn limit_solver(&mut self, most: Option<u64>);

    /// Adds work of the solver, in nanoseconds of counted work, to the states of a call path.
    fn record_solver_work(&mut self, call_path: CallPathId, work: u64);

    /// Adds instructions that the extension executed, and its other work in nanoseconds of counted
    /// work.
    fn note_work(&mut self, instructions: u64, nanoseconds: u64);

    /// Warns the user, once per name.
    fn warn_once(&mut self, name: &str, text: &str);
}
