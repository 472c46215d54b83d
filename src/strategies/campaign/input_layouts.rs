//! Further input layouts: other symbolic arguments of the program, from which some runs start.
//!
//! The papers use one layout, chosen by hand: a number of arguments of a given size. The reachable
//! behavior depends on the layout more than on the search. A layout is therefore an arm like others
//! (`scheduler`): a fresh run without pruning that starts with the earlier tests, and gets more and
//! longer slices while it finds new branches. Objects have the same names in all layouts, so a
//! test's bytes are resized to fit an object of another size.
//!
//! Invariant: runs of different layouts differ only in their arguments, which their tests record.

use homi_explore::sources::EntryState;
use homi_machine::exec::Executor;
use homi_machine::state::State;

/// Name of a run with a further layout.
pub(super) const NAME: &str = "layout";

/// Further input layouts, in the order in which they are tried.
pub trait LayoutChoice: Sync {
    /// Returns the number of layouts.
    fn count(&self) -> usize;

    /// Returns the program's arguments, without its name.
    fn arguments(&self, layout: usize) -> &[String];

    /// Returns the `args` of the tests: name of the bitcode file and the arguments.
    fn test_arguments(&self, layout: usize) -> Vec<Vec<u8>>;

    /// Returns the state before the first instruction; `None` if the arguments do not fit into
    /// memory.
    fn first_state(&self, executor: &Executor<'_>, layout: usize) -> Option<State>;
}

/// Entry states of the further layouts of one worker.
#[derive(Default)]
pub(super) struct LayoutEntryStates(Vec<Option<EntryState>>);

impl LayoutEntryStates {
    pub(super) fn get(&self, layout: usize) -> Option<&EntryState> {
        self.0.get(layout)?.as_ref()
    }

    /// Returns the entry states, whose terms must be kept.
    pub(super) fn states(&self) -> impl Iterator<Item = &State> {
        self.0
            .iter()
            .flatten()
            .map(|entry_state| &entry_state.state)
    }

    pub(super) fn keep(&mut self, layout: usize, entry_state: EntryState) {
        if self.0.len() <= layout {
            self.0.resize_with(layout + 1, || None);
        }
        self.0[layout] = Some(entry_state);
    }
}
