//! The run as its extensions see it: what one may ask beside what a source of states may.

use crate::explore::search::{Left, StateId};
use crate::explore::sources::RunView;
use crate::machine::exec::{Absent, Executor, Host, Observer, Termination};
use crate::machine::state::{CallPathId, State};
use crate::native::testcase::WriteError;
use crate::solver::term::{Model, Terms};
use crate::solver::{Effort, Oracle};

/// Parts of a run that an extension borrows to look at states, to ask about them, and to execute
/// its own.
pub struct Lent<'l, 'p> {
    pub executor: &'l Executor<'p>,
    pub terms: &'l Terms,
    pub host: &'l dyn Host,
    pub oracle: &'l mut dyn Oracle,
}

/// A run as its extensions see it.
pub trait ExtensionView: RunView {
    /// The run as its sources of states see it.
    fn as_source(&mut self) -> &mut dyn RunView;

    /// Lends what the run works with, for a moment.
    fn lend(&mut self) -> Lent<'_, '_>;

    /// Counts of what the run has executed and covered.
    fn observer(&self) -> &Observer;

    /// Effort of the solver so far.
    fn effort(&self) -> Effort;

    /// The first open state, in the order of creation, of which this is so.
    fn find_state(&self, is_so: &dyn Fn(&State) -> bool) -> Option<StateId>;

    /// Whether a source of states goes on with a state.
    fn is_held(&self, id: StateId) -> bool;

    /// Takes an open state out of the run for a moment: the search still knows it.
    fn take_state(&mut self, id: StateId) -> Option<Box<State>>;

    /// Puts a state back that was taken.
    fn put_state(&mut self, id: StateId, state: Box<State>);

    /// The search forgets a state that was taken; `left` says why, if it is to know.
    fn leave_search(&mut self, id: StateId, left: Option<Left>);

    /// Puts states back that the search has forgotten: it knows them again.
    fn enter_search(&mut self, states: Vec<(StateId, Box<State>)>);

    /// Asks for the side that a state awaits, if it is pending, and credits it with what it covers
    /// first.
    fn check_pending(&mut self, state: &mut State) -> Result<(), Absent>;

    /// The model of a state's path that has the least value per byte, in the order of objects, as
    /// far as the effort for it goes.
    fn least_model(&mut self, state: &State) -> Model;

    /// The search hears that an open state has run.
    fn note_ran(&mut self, id: StateId);

    /// The path of a state is over that was taken and that the search has forgotten: it is counted,
    /// and has its test if it deserves one.
    fn end_path(&mut self, state: &State, termination: &Termination) -> Result<(), WriteError>;

    /// Writes the test that a state deserves which goes on, as if its path ended so.
    fn show(&mut self, state: &State, termination: &Termination) -> Result<(), WriteError>;

    /// From now on the solver gives up once it has done so much more work, in nanoseconds, counted;
    /// or, with none, once the budget is used up.
    fn limit_solver(&mut self, most: Option<u64>);

    /// The solver has worked so long, in nanoseconds, counted, for a state of this call path.
    fn book_solver(&mut self, call_path: CallPathId, work: u64);

    /// The extension has executed so many instructions of its own, and worked beside that for so
    /// many nanoseconds, counted.
    fn note_work(&mut self, instructions: u64, nanoseconds: u64);

    /// Warns the user, once for all warnings of this name.
    fn warn_once(&mut self, name: &str, text: &str);
}
