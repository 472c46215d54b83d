//! Source of trials for workers: the algorithm, shared by all threads, with the journal and the
//! costs.
//!
//! Invariant: a waiting worker is woken when there is a trial, when learning is over and when it
//! must stop. Trials in the journal of an earlier session are not run again.

use super::in_progress::Cost;
use super::journal::{Journal, JournalError};
use super::learning::{Learned, Learning, Next};
use super::progress::{Progress, Usage};
use super::round::Round;
use super::trial::{Reached, Trial};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which a worker checks if it must stop.
const NAP: Duration = Duration::from_millis(50);

/// Callback for progress.
pub type Listener = Box<dyn Fn(&Progress) + Send + Sync>;

/// Trials of a session.
pub struct Board {
    state: Mutex<State>,
    wakeup: Condvar,
    listener: Listener,
    /// Set if the user requests the session to stop before learning is over.
    stop_requested: Arc<AtomicBool>,
    stopped: AtomicBool,
    start: Instant,
}

struct State {
    learning: Learning,
    journal: Journal,
    usage: Usage,
    failure: Option<JournalError>,
}

impl Board {
    pub fn new(
        learning: Learning,
        journal: Journal,
        listener: Listener,
        stop_requested: Arc<AtomicBool>,
    ) -> Self {
        let start = Instant::now();
        let state = State {
            learning,
            journal,
            usage: Usage::default(),
            failure: None,
        };
        Self {
            state: Mutex::new(state),
            wakeup: Condvar::new(),
            listener,
            stop_requested,
            stopped: AtomicBool::new(false),
            start,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of a thread stops the session; its results are still reported.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next trial; blocks until there is one. `None` if there will be none.
    pub(super) fn take(&self) -> Option<Trial> {
        let mut state = self.state();
        loop {
            if self.is_stopped() {
                return None;
            }
            match state.learning.take() {
                Next::Over => return None,
                Next::Trial(trial) => match state.journal.known(trial.id) {
                    None => return Some(trial),
                    Some(reached) => {
                        state.usage.trials_known += 1;
                        state.learning.end(trial.id, reached);
                        self.wakeup.notify_all();
                    }
                },
                Next::Wait => {
                    let woken = self.wakeup.wait_timeout(state, NAP);
                    state = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Returns a trial that was not completed, so that another worker runs it.
    pub(super) fn give_back(&self, trial: Trial) {
        self.state().learning.give_back(trial);
        self.wakeup.notify_all();
    }

    /// Records the end of a trial.
    pub(super) fn end(&self, trial: &Trial, reached: Reached, cost: Cost) {
        let mut state = self.state();
        state.usage.add(reached, cost);
        if let Err(error) = state.journal.note(trial.id, trial.seed, reached) {
            state.failure.get_or_insert(error);
            self.stopped.store(true, Ordering::Relaxed);
        }
        state.learning.end(trial.id, reached);
        let progress = self.progress(&state);
        drop(state);
        self.wakeup.notify_all();
        (self.listener)(&progress);
    }

    /// Returns the number of trials that have ended in this session.
    pub fn trials(&self) -> u64 {
        self.state().usage.trials
    }

    /// Stops all trials and prevents new ones.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.wakeup.notify_all();
    }

    /// True if trials must stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.stop_requested.load(Ordering::Relaxed)
    }

    /// True if there are trials left to run.
    pub fn goes_on(&self) -> bool {
        let mut state = self.state();
        if self.is_stopped() {
            return false;
        }
        match state.learning.take() {
            Next::Over => false,
            Next::Wait => true,
            Next::Trial(trial) => {
                state.learning.give_back(trial);
                true
            }
        }
    }

    fn progress(&self, state: &State) -> Progress {
        let (over, all) = state.learning.progress();
        let (round, phase) = state.learning.stands();
        // The mean covers all trials of the session: single trials differ much, and the first run
        // most.
        let trials = u32::try_from(state.usage.trials).unwrap_or(u32::MAX);
        let per_trial = (trials > 0).then(|| self.start.elapsed() / trials);
        let left = state.learning.left_of_round() as u32;
        Progress {
            round,
            phase,
            over,
            all,
            best: state.learning.best().map(|best| best.branches.mean),
            time: self.start.elapsed(),
            left_of_round: per_trial.map(|time| time.saturating_mul(left)),
        }
    }

    /// Returns the results of the session.
    pub fn finish(self) -> Finished {
        let time = self.start.elapsed();
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        Finished {
            is_complete: matches!(state.learning.take(), Next::Over),
            best: state.learning.best(),
            rounds: state.learning.rounds().to_vec(),
            totals: state.learning.totals(),
            usage: state.usage,
            time,
            failure: state.failure,
        }
    }
}

/// Result of learning in this session.
#[derive(Debug)]
pub struct Finished {
    /// True if the algorithm has completed.
    pub is_complete: bool,
    /// Final weights, or the best so far; `None` if no trial has ended.
    pub best: Option<Learned>,
    pub rounds: Vec<Round>,
    /// Numbers of ended trials and of their executions, including earlier sessions.
    pub totals: (u64, u64),
    pub usage: Usage,
    pub time: Duration,
    /// Failed write of the journal, which ended the session.
    pub failure: Option<JournalError>,
}
