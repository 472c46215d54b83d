//! Keeps the chosen state for a batch, so that solver caches and processor caches stay warm.
//!
//! The state continues while it is alive and within both budgets (KLEE). A limit of zero does not
//! count. KLEE raises its time budget to any longer single step; here a batch simply ends after
//! such a step.

use super::{Clock, Metrics, Searcher, StateId, Update};
use homi_config::Budget;

pub(super) struct Batching {
    inner: Box<dyn Searcher>,
    instructions: u64,
    time: Budget,
    current: Option<(StateId, Clock)>,
}

impl Batching {
    pub(super) fn new(inner: Box<dyn Searcher>, instructions: u64, time: Budget) -> Self {
        Self {
            inner,
            instructions,
            time,
            current: None,
        }
    }

    fn within_budget(&self, start: Clock, now: Clock) -> bool {
        let few = self.instructions == 0 || now.work.saturating_sub(start.work) < self.instructions;
        let passed = |clock: Clock| self.time.reading(clock.usage()).count();
        let short =
            self.time.is_zero() || passed(now).saturating_sub(passed(start)) < self.time.count();
        few && short
    }
}

impl Searcher for Batching {
    fn select(&mut self, clock: Clock) -> Option<StateId> {
        if let Some((state, start)) = self.current
            && self.within_budget(start, clock)
        {
            return Some(state);
        }
        let state = self.inner.select(clock)?;
        self.current = Some((state, clock));
        Some(state)
    }

    fn update(&mut self, update: &Update<'_>) {
        if let Some((state, _)) = self.current
            && update.removed.contains(&state)
        {
            self.current = None;
        }
        self.inner.update(update);
    }

    fn reweigh(&mut self, metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {
        self.inner.reweigh(metrics);
    }

    fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    fn describe(&self) -> String {
        format!(
            "batching: {} instructions, {}\n{}",
            self.instructions,
            self.time,
            self.inner.describe()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::BreadthFirst;
    use super::super::testing::{add, clock, remove};
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_state_keeps_its_batch_until_the_budget_is_used_or_it_is_removed() {
        let inner = Box::new(super::super::lists::DepthFirst::default());
        let mut searcher = Batching::new(inner, 100, Budget::Time(Duration::ZERO));
        add(&mut searcher, None, 0, Metrics::default());
        assert_eq!(searcher.select(clock(0)), Some(StateId(0)));
        add(&mut searcher, Some(0), 1, Metrics::default());
        assert_eq!(searcher.select(clock(99)), Some(StateId(0)));
        assert_eq!(searcher.select(clock(100)), Some(StateId(1)));
        remove(&mut searcher, 1);
        assert_eq!(searcher.select(clock(101)), Some(StateId(0)));
    }

    #[test]
    fn what_the_solver_does_is_part_of_a_batch() {
        let mut searcher = Batching::new(
            Box::new(BreadthFirst::default()),
            100,
            Budget::Time(Duration::ZERO),
        );
        add(&mut searcher, None, 0, Metrics::default());
        let after = |work| Clock { work, ..clock(10) };
        assert_eq!(searcher.select(clock(0)), Some(StateId(0)));
        add(&mut searcher, Some(0), 1, Metrics::default());
        add(&mut searcher, Some(0), 2, Metrics::default());
        assert_eq!(searcher.select(after(99)), Some(StateId(0)));
        assert_eq!(searcher.select(after(100)), Some(StateId(1)));
    }

    #[test]
    fn time_ends_a_batch_too() {
        let inner = Box::new(BreadthFirst::default());
        let mut searcher = Batching::new(inner, 0, Budget::Time(Duration::from_secs(5)));
        add(&mut searcher, None, 0, Metrics::default());
        let at = |seconds| Clock {
            time: Duration::from_secs(seconds),
            ..clock(0)
        };
        assert_eq!(searcher.select(at(0)), Some(StateId(0)));
        add(&mut searcher, Some(0), 1, Metrics::default());
        add(&mut searcher, Some(0), 2, Metrics::default());
        assert_eq!(searcher.select(at(4)), Some(StateId(0)));
        assert_eq!(searcher.select(at(5)), Some(StateId(1)));
    }

    #[test]
    fn work_ends_a_batch_whatever_searches_see_of_it() {
        let inner = Box::new(BreadthFirst::default());
        let mut searcher = Batching::new(inner, 0, Budget::Work(500));
        add(&mut searcher, None, 0, Metrics::default());
        let after = |counted| Clock {
            counted,
            ..clock(10)
        };
        assert_eq!(searcher.select(after(10)), Some(StateId(0)));
        add(&mut searcher, Some(0), 1, Metrics::default());
        add(&mut searcher, Some(0), 2, Metrics::default());
        assert_eq!(searcher.select(after(509)), Some(StateId(0)));
        assert_eq!(searcher.select(after(510)), Some(StateId(1)));
    }
}
