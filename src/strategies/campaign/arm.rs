//! Kinds of runs between which a campaign chooses.

/// Kind of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// Fresh run with pruning.
    Pruned,
    /// Time slice of the unpruned run.
    Unpruned,
    /// Time slice of the concolic run, which follows single paths by weights.
    ConcolicRun,
    /// Fresh run without pruning, with the further input layout of this number.
    WithLayout(usize),
}
