//! Iterative deepening by time: a state whose turn takes too long waits until all others have had
//! theirs.
//!
//! A state whose turn (from `select` to the next `update`) took longer than the budget leaves the
//! inner searcher. When the inner searcher has no state left, the budget doubles and all return.

use super::{Added, Clock, Metrics, Searcher, StateId, Update};
use std::collections::BTreeMap;
use std::time::Duration;

pub(super) struct Deepening {
    inner: Box<dyn Searcher>,
    budget: Duration,
    batch_start: Option<Duration>,
    paused: BTreeMap<StateId, Metrics>,
}

impl Deepening {
    pub(super) fn new(inner: Box<dyn Searcher>) -> Self {
        Self {
            inner,
            budget: Duration::from_secs(1),
            batch_start: None,
            paused: BTreeMap::new(),
        }
    }
}

impl Searcher for Deepening {
    fn select(&mut self, clock: Clock) -> Option<StateId> {
        self.batch_start = Some(clock.time);
        self.inner.select(clock)
    }

    fn update(&mut self, update: &Update<'_>) {
        let took = self.batch_start.take().map_or(Duration::ZERO, |start| {
            update.clock.time.saturating_sub(start)
        });
        let mut removed = Vec::with_capacity(update.removed.len());
        for id in update.removed {
            if self.paused.remove(id).is_none() {
                removed.push(*id);
            }
        }
        if let Some((id, metrics)) = update.current
            && took > self.budget
            && !removed.contains(&id)
        {
            self.paused.insert(id, metrics);
            removed.push(id);
        }
        self.inner.update(&Update {
            removed: &removed,
            ..*update
        });
        if self.inner.is_empty() && !self.paused.is_empty() {
            self.budget *= 2;
            let added: Vec<Added> = std::mem::take(&mut self.paused)
                .into_iter()
                .map(|(id, metrics)| Added {
                    id,
                    parent: None,
                    metrics,
                    fork: None,
                    pending: false,
                    ends: false,
                })
                .collect();
            self.inner.update(&Update {
                current: None,
                added: &added,
                removed: &[],
                left: None,
                covered: &[],
                taken: &[],
                clock: update.clock,
            });
        }
    }

    fn reweigh(&mut self, metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {
        self.inner.reweigh(metrics);
    }

    fn is_empty(&self) -> bool {
        self.inner.is_empty() && self.paused.is_empty()
    }

    fn describe(&self) -> String {
        format!("iterative deepening by time\n{}", self.inner.describe())
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::DepthFirst;
    use super::super::testing::{add, clock};
    use super::*;

    fn at(milliseconds: u64) -> Clock {
        Clock {
            time: Duration::from_millis(milliseconds),
            ..clock(0)
        }
    }

    fn ran(searcher: &mut Deepening, id: u32, now: u64) {
        searcher.update(&Update {
            current: Some((StateId(id), Metrics::default())),
            added: &[],
            removed: &[],
            left: None,
            covered: &[],
            taken: &[],
            clock: at(now),
        });
    }

    #[test]
    fn slow_states_wait_and_the_budget_doubles() {
        let mut searcher = Deepening::new(Box::new(DepthFirst::default()));
        add(&mut searcher, None, 0, Metrics::default());
        add(&mut searcher, None, 1, Metrics::default());
        assert_eq!(searcher.select(at(0)), Some(StateId(1)));
        ran(&mut searcher, 1, 1_500);
        assert_eq!(searcher.select(at(1_500)), Some(StateId(0)));
        // The second one is slow as well: both return, with a budget of 2 s.
        ran(&mut searcher, 0, 3_000);
        assert_eq!(searcher.select(at(3_000)), Some(StateId(1)));
        ran(&mut searcher, 1, 4_500);
        assert_eq!(searcher.select(at(4_500)), Some(StateId(1)));
        assert!(!searcher.is_empty());
    }
}
