//! Which of the new states of an update belong to one decision of a path.

use crate::explore::search::{Fork, StateId};

/// The decision that the new states of an update belong to.
#[derive(Default, Debug)]
pub(super) struct Decision {
    parent: Option<StateId>,
    kept: Option<Option<u32>>,
    taken: Vec<Option<u32>>,
}

impl Decision {
    /// True if a new state took a further side at the decision at which the one before it did: a
    /// switch and a choice of values have several. Each side of a branch is taken once by a
    /// decision.
    pub(super) fn joins(&mut self, parent: StateId, fork: Option<Fork>) -> bool {
        let kept = fork.map(|fork| fork.kept);
        let taken = fork.map(|fork| fork.taken);
        let same = self.parent == Some(parent)
            && self.kept == Some(kept)
            && (taken.is_none() || !self.taken.contains(&taken));
        if !same {
            self.taken.clear();
        }
        self.parent = Some(parent);
        self.kept = Some(kept);
        self.taken.push(taken);
        same
    }
}
