//! Several searchers that take turns; all of them hear every update.
//!
//! KLEE's order: the first pick is the first searcher's, then the last, the last but one, and so on
//! around.

use super::{Clock, Metrics, Searcher, StateId, Update};

pub(super) struct Interleaved {
    searchers: Vec<Box<dyn Searcher>>,
    /// One more than the index of the searcher that picks next.
    batch: usize,
}

impl Interleaved {
    pub(super) fn new(searchers: Vec<Box<dyn Searcher>>) -> Self {
        Self {
            searchers,
            batch: 1,
        }
    }
}

impl Searcher for Interleaved {
    fn select(&mut self, clock: Clock) -> Option<StateId> {
        let index = self.batch - 1;
        self.batch = if index == 0 {
            self.searchers.len()
        } else {
            index
        };
        self.searchers.get_mut(index)?.select(clock)
    }

    fn update(&mut self, update: &Update<'_>) {
        for searcher in &mut self.searchers {
            searcher.update(update);
        }
    }

    fn reweigh(&mut self, metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {
        for searcher in &mut self.searchers {
            searcher.reweigh(metrics);
        }
    }

    fn is_empty(&self) -> bool {
        self.searchers[0].is_empty()
    }

    fn describe(&self) -> String {
        let inner: String = self.searchers.iter().map(|one| one.describe()).collect();
        format!("interleaved:\n{inner}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::clock;
    use super::*;

    struct Always(u32);

    impl Searcher for Always {
        fn select(&mut self, _clock: Clock) -> Option<StateId> {
            Some(StateId(self.0))
        }
        fn update(&mut self, _update: &Update<'_>) {}
        fn is_empty(&self) -> bool {
            false
        }
        fn describe(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn batches_go_first_then_backwards_from_the_last() {
        let all = (0..3).map(|id| Box::new(Always(id)) as Box<dyn Searcher>);
        let mut searcher = Interleaved::new(all.collect());
        let picks: Vec<_> = (0..7)
            .filter_map(|_| searcher.select(clock(0)))
            .map(|id| id.0)
            .collect();
        assert_eq!(picks, [0, 2, 1, 0, 2, 1, 0]);
    }
}
