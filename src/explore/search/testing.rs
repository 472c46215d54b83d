//! Helpers for this module's tests.

use super::{Added, Clock, Metrics, Searcher, StateId, Update};
use std::time::Duration;

pub(super) fn clock(instructions: u64) -> Clock {
    Clock {
        instructions,
        work: instructions,
        counted: instructions,
        time: Duration::ZERO,
    }
}

pub(super) fn add(searcher: &mut dyn Searcher, parent: Option<u32>, id: u32, metrics: Metrics) {
    searcher.update(&Update {
        current: parent.map(|id| (StateId(id), metrics)),
        added: &[Added {
            id: StateId(id),
            parent: parent.map(StateId),
            metrics,
            fork: None,
            pending: false,
            ends: false,
        }],
        removed: &[],
        left: None,
        covered: &[],
        taken: &[],
        clock: clock(0),
    });
}

pub(super) fn remove(searcher: &mut dyn Searcher, id: u32) {
    searcher.update(&Update {
        current: None,
        added: &[],
        removed: &[StateId(id)],
        left: None,
        covered: &[],
        taken: &[],
        clock: clock(0),
    });
}

/// Returns how often each of `states` ids is chosen in `draws` selections.
pub(super) fn histogram(searcher: &mut dyn Searcher, states: usize, draws: usize) -> Vec<usize> {
    let mut counts = vec![0; states];
    for _ in 0..draws {
        counts[searcher.select(clock(0)).unwrap().index()] += 1;
    }
    counts
}
