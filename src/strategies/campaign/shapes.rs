//! Other shapes of a program's input: further words for it, from which some runs start.
//!
//! Not in the papers, whose inputs have one shape that a person chose: so many arguments of so many
//! bytes. What a program can be made to do depends on it more than on the search. So a shape is an
//! arm like others (`turns`): a fresh run without pruning that begins with the earlier tests, and
//! has more and longer turns while it finds new branches. Objects keep their names from shape to
//! shape, so the bytes of a test go into an object of another size as far as they fit.
//!
//! Invariant: a run of a shape differs from another one in the words only, which its tests say.

use crate::explore::sources::Launch;
use crate::machine::exec::Executor;
use crate::machine::state::State;

/// What a run of one is called.
pub(super) const NAME: &str = "shape";

/// The further shapes of a program's input, in the order in which they are tried.
pub trait Shapes: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The program's words, without its name.
    fn words(&self, shape: usize) -> &[String];

    /// `args` of the tests: the bitcode's name and the words.
    fn test_words(&self, shape: usize) -> Vec<Vec<u8>>;

    /// The state before the first instruction; nothing if these words do not fit into memory.
    fn first_state(&self, executor: &Executor<'_>, shape: usize) -> Option<State>;
}

/// One lane's launches of shapes.
#[derive(Default)]
pub(super) struct ShapedLaunches(Vec<Option<Launch>>);

impl ShapedLaunches {
    pub(super) fn get(&self, shape: usize) -> Option<&Launch> {
        self.0.get(shape)?.as_ref()
    }

    /// Their states, whose terms are kept.
    pub(super) fn states(&self) -> impl Iterator<Item = &State> {
        self.0.iter().flatten().map(|launch| &launch.state)
    }

    pub(super) fn keep(&mut self, shape: usize, launch: Launch) {
        if self.0.len() <= shape {
            self.0.resize_with(shape + 1, || None);
        }
        self.0[shape] = Some(launch);
    }
}
