//! Grouping of an update's new states by decision.

use homi_explore::search::{Fork, StateId};

/// Decision that the last new state of an update belongs to.
#[derive(Default, Debug)]
pub(super) struct Decision {
    parent: Option<StateId>,
    kept: Option<Option<u32>>,
    taken: Vec<Option<u32>>,
}

impl Decision {
    /// True if a new state took a further side at the same decision as the state before it.
    /// Switches and choices of values have several such sides; a decision takes each side of a
    /// branch once.
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
