//! What an extension may ask of a run beside what a source of states may.

use crate::explore::search::StateId;
use crate::explore::sources::RunView;
use crate::machine::exec::Absent;
use crate::machine::state::State;

/// A run as its extensions see it.
pub trait ExtensionView: RunView {
    /// The run as its sources of states see it.
    fn as_source(&mut self) -> &mut dyn RunView;

    /// Takes an open state out of the run for a moment: the search still knows it.
    fn take_state(&mut self, id: StateId) -> Option<Box<State>>;

    /// Puts a state back that was taken.
    fn put_state(&mut self, id: StateId, state: Box<State>);

    /// Asks for the side that a state awaits, if it is pending, and credits it with what it covers
    /// first.
    fn settle(&mut self, state: &mut State) -> Result<(), Absent>;

    /// The search hears that an open state has run.
    fn note_ran(&mut self, id: StateId);

    /// A pending state has no path and leaves.
    fn leave_absent(&mut self, id: StateId, absent: Absent);
}
