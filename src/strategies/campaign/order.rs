//! In which order the threads of a campaign come to plan and to book their runs.
//!
//! Where budgets are times, whoever is first is first. Where they are counted in instructions or
//! work, equal seeds are to give equal campaigns: each thread has a clock that counts its own runs,
//! and the one whose clock says least, at the end of the run under way if there is one, is next.
//! Runs of equal budgets take about equally long, so nobody waits for long.
//!
//! The first run has no other beside it: a small program that it follows to its end is followed
//! once. Invariant: who is next depends on what was planned and booked alone.

/// The clocks of all threads.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// What each thread has spent, in the unit of the budget.
    spent: Vec<f64>,
    /// What the run under way is to take; infinite for a thread that has no further run.
    planned: Vec<f64>,
    is_kept: bool,
    /// The first run is over.
    all_run: bool,
}

impl Order {
    /// For so many threads. The order is kept if `is_kept`.
    pub(super) fn new(lanes: usize, is_kept: bool) -> Self {
        Self {
            spent: vec![0.0; lanes],
            planned: vec![0.0; lanes],
            is_kept: is_kept && lanes > 1,
            all_run: false,
        }
    }

    /// Number of threads.
    pub(super) fn lanes(&self) -> usize {
        self.spent.len()
    }

    /// True if a thread may plan or book.
    pub(super) fn is_next(&self, lane: usize) -> bool {
        let clock = |lane: usize| self.spent[lane] + self.planned[lane];
        if !self.all_run {
            return lane == 0;
        }
        let others = (0..self.lanes()).filter(|other| *other != lane);
        !self.is_kept
            || others
                .map(|other| (clock(other), other))
                .all(|other| (clock(lane), lane) < other)
    }

    /// A thread begins a run that is to take so much.
    pub(super) fn begin(&mut self, lane: usize, planned: f64) {
        self.planned[lane] = planned;
    }

    /// Its run is over and took so much.
    pub(super) fn finish(&mut self, lane: usize, spent: f64) {
        self.spent[lane] += spent;
        self.planned[lane] = 0.0;
        self.all_run = true;
    }

    /// A thread has no further run.
    pub(super) fn leave(&mut self, lane: usize) {
        self.planned[lane] = f64::INFINITY;
        self.all_run = true;
    }

    /// True if the run that is planned is the first.
    pub(super) fn is_first_run(&self) -> bool {
        !self.all_run
    }

    /// What the runs under way are to take; nothing where the budget is time, which passes for all
    /// at once.
    pub(super) fn under_way(&self) -> f64 {
        let planned = self.planned.iter().filter(|planned| planned.is_finite());
        if self.is_kept { planned.sum() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_whose_clock_says_least_is_next() {
        let mut order = Order::new(2, true);
        assert!(order.is_next(0) && !order.is_next(1), "the first begins");
        order.begin(0, 1.0);
        assert!(order.is_next(0) && !order.is_next(1), "and is alone");
        order.finish(0, 1.0);
        assert!(order.is_next(1) && !order.is_next(0));
        order.begin(1, 3.0);
        assert!(order.is_next(0));
        order.begin(0, 4.0);
        assert!(order.is_next(1), "its run is to end first");
        assert_eq!(order.under_way(), 7.0);
        order.finish(1, 4.0);
        assert!(order.is_next(1), "it plans at 4, the other books at 5");
        order.begin(1, 2.0);
        assert!(order.is_next(0));
        order.leave(0);
        assert!(order.is_next(1));
        assert_eq!(order.under_way(), 2.0);
    }

    #[test]
    fn in_times_and_alone_everybody_is_next() {
        let mut timed = Order::new(2, false);
        assert!(
            timed.is_next(0) && !timed.is_next(1),
            "but for the first run"
        );
        timed.finish(0, 1.0);
        assert!(timed.is_next(0) && timed.is_next(1));
        let mut given_up = Order::new(2, false);
        given_up.leave(0);
        assert!(given_up.is_next(1), "to see that all is over");
        assert!(Order::new(1, true).is_next(0));
    }
}
