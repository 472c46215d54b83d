//! The kinds of runs between which a campaign chooses.

/// Which kind of run comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// A fresh run with pruning.
    Pruned,
    /// The next slice of the run without pruning.
    Unpruned,
    /// The run that follows single paths by weights.
    SinglePaths,
    /// A fresh run without pruning, with this one of the further shapes of input.
    Shaped(usize),
}
