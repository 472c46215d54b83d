//! Order in which the threads of a campaign plan and commit their runs.
//!
//! If budgets are times, the order is first come, first served. If budgets are in instructions or
//! work, equal seeds must give equal campaigns. Each thread then has a clock that counts its runs.
//! The thread with the lowest clock at the end of its run in progress is next. Runs of equal
//! budgets take similar times, so waits are short.
//!
//! The first run has no other in parallel: a small program that it explores completely is explored
//! once. Invariant: only planned and committed runs determine the order.

/// Clocks of all threads.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Budget that each thread has used, in the budget's unit.
    usage: Vec<f64>,
    /// Budget of the run in progress; infinite for a thread without further runs.
    planned: Vec<f64>,
    is_kept: bool,
    /// True if the first run is over.
    all_run: bool,
}

impl Order {
    /// Creates the clocks of `workers` threads; the order is fixed if `is_kept`.
    pub(super) fn new(workers: usize, is_kept: bool) -> Self {
        Self {
            usage: vec![0.0; workers],
            planned: vec![0.0; workers],
            is_kept: is_kept && workers > 1,
            all_run: false,
        }
    }

    /// Returns the number of threads.
    pub(super) fn workers(&self) -> usize {
        self.usage.len()
    }

    /// True if a thread may plan or commit.
    pub(super) fn is_next(&self, worker: usize) -> bool {
        let clock = |worker: usize| self.usage[worker] + self.planned[worker];
        if !self.all_run {
            return worker == 0;
        }
        let others = (0..self.workers()).filter(|other| *other != worker);
        !self.is_kept
            || others
                .map(|other| (clock(other), other))
                .all(|other| (clock(worker), worker) < other)
    }

    /// Records that a thread starts a run with the budget `planned`.
    pub(super) fn begin(&mut self, worker: usize, planned: f64) {
        self.planned[worker] = planned;
    }

    /// Records that the thread's run ended after using `usage`.
    pub(super) fn finish(&mut self, worker: usize, usage: f64) {
        self.usage[worker] += usage;
        self.planned[worker] = 0.0;
        self.all_run = true;
    }

    /// Records that a thread has no further run.
    pub(super) fn leave(&mut self, worker: usize) {
        self.planned[worker] = f64::INFINITY;
        self.all_run = true;
    }

    /// True if the planned run is the first.
    pub(super) fn is_first_run(&self) -> bool {
        !self.all_run
    }

    /// Returns the budgets of the runs in progress; 0 if the budget is time, which passes for all
    /// threads simultaneously.
    pub(super) fn in_progress(&self) -> f64 {
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
        assert_eq!(order.in_progress(), 7.0);
        order.finish(1, 4.0);
        assert!(order.is_next(1), "it plans at 4, the other books at 5");
        order.begin(1, 2.0);
        assert!(order.is_next(0));
        order.leave(0);
        assert!(order.is_next(1));
        assert_eq!(order.in_progress(), 2.0);
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
