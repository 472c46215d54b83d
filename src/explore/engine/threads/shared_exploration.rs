//! Threads that explore one program together: shared data, and transfer of work.
//!
//! Idea: each thread has a whole engine (terms, states, searcher, solver) and looks at the others
//! only between batches. A thread without states waits here; one that has several and sees a
//! waiting one hands some of its shallowest states over (`transfer`). Invariant: every state is in
//! exactly one engine or transfer, and the run is over only when all threads wait and no transfer
//! is left, or on a stop; after that no transfer is taken, and each thread that concludes picks up
//! the remaining ones.

use super::barrier::CheckpointBarrier;
use super::transfer::TransferredStates;
use crate::coverage::{Coverage, SharedCoverage};
use crate::engine::memory::watch::{Watch, WatchLimits};
use crate::engine::outcome::Outcome;
use crate::engine::stop::{RunBudget, StopReason};
use crate::engine::tuning::Tuning;
use homi_config::RunConfig;
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Executor, Underapproximations};
use homi_machine::state::State;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// Time that a thread without work sleeps before it checks budgets, memory and the status line.
const NAP: Duration = Duration::from_millis(20);

/// The threads of one run.
pub struct SharedExploration {
    interrupts: Vec<Arc<AtomicBool>>,
    pub(in crate::engine) watch: Arc<Watch>,
    pub(in crate::engine) coverage: SharedCoverage,
    slots: Box<[Slot]>,
    states_peak: AtomicU64,
    /// Threads that wait for work and will not get a transfer that is there already.
    hungry: AtomicUsize,
    stopped: AtomicBool,
    /// Losses of each thread at its last report.
    underapproximations: Mutex<Vec<Underapproximations>>,
    exchange: Mutex<Exchange>,
    wakeup: Condvar,
    /// Barrier of the threads for checkpoints.
    pub(in crate::engine) barrier: CheckpointBarrier,
    /// Held by the thread that brings memory below the limit.
    relief: Mutex<()>,
}

/// A thread's own numbers, for the others to add up. Aligned, so that threads do not share cache
/// lines.
#[derive(Default)]
#[repr(align(128))]
struct Slot {
    instructions: AtomicU64,
    work: AtomicU64,
    states: AtomicU64,
    forks: AtomicU64,
    paths: AtomicU64,
    ended: AtomicU64,
    solver_nanoseconds: AtomicU64,
    has_mail: AtomicBool,
}

/// A thread's numbers, or the sums over all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Numbers {
    pub(in crate::engine) instructions: u64,
    /// Units of work since the run began.
    pub(in crate::engine) work: u64,
    pub(in crate::engine) states: u64,
    pub(in crate::engine) forks: u64,
    pub(in crate::engine) paths: u64,
    /// Paths that ended by themselves.
    pub(in crate::engine) ended: u64,
    pub(in crate::engine) solver_time: Duration,
}

struct Exchange {
    /// Transfers for any thread that waits.
    transfers: VecDeque<TransferredStates>,
    /// Transfer for each thread.
    mail: Vec<VecDeque<TransferredStates>>,
    /// True for each thread that has no state and waits.
    waiting: Vec<bool>,
    /// Stop reason.
    reason: Option<StopReason>,
    /// Further threads that are over.
    gone: usize,
}

/// Result of waiting.
pub(in crate::engine) enum Work {
    States(Box<TransferredStates>),
    /// No work yet; the thread may do other things.
    Nothing,
    /// No thread has a state, and there will be none.
    Over,
}

/// One thread of a group of threads.
#[derive(Clone, Copy)]
pub struct Member<'t> {
    pub(in crate::engine) shared_exploration: &'t SharedExploration,
    /// From 0, which is the thread that shows the status.
    pub(in crate::engine) number: usize,
}

/// Held by a thread as long as it takes part. If it panics, the group of threads stops, so that the
/// others do not wait for ever.
pub struct WorkerGuard<'t> {
    shared_exploration: &'t SharedExploration,
    number: usize,
}

impl Drop for WorkerGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shared_exploration.stop(StopReason::Interrupted);
        }
        if self.number != 0 {
            self.shared_exploration.exchange().gone += 1;
            self.shared_exploration.wakeup.notify_all();
        }
    }
}

impl SharedExploration {
    /// Returns a group of threads with one thread per entry of `interrupts`, which make a thread's
    /// executor leave its loop. Time counts from `start`.
    pub fn new(
        config: &RunConfig,
        tuning: &Tuning,
        executor: &Executor<'_>,
        interrupts: Vec<Arc<AtomicBool>>,
        start: Moment,
    ) -> Self {
        let budget = RunBudget::new(&config.budget, 0);
        let limits = WatchLimits {
            deadline: budget.time().map(|time| start + time),
            memory: tuning.short_memory(config.budget.memory),
        };
        let segments = executor.segments();
        Self {
            watch: Arc::new(Watch::start(limits, interrupts.clone())),
            coverage: SharedCoverage::new(segments.segment_count(), segments.side_count()),
            slots: interrupts.iter().map(|_| Slot::default()).collect(),
            states_peak: AtomicU64::new(0),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            underapproximations: Mutex::new(vec![Underapproximations::default(); interrupts.len()]),
            exchange: Mutex::new(Exchange {
                transfers: VecDeque::new(),
                mail: interrupts.iter().map(|_| VecDeque::new()).collect(),
                waiting: vec![false; interrupts.len()],
                reason: None,
                gone: 0,
            }),
            wakeup: Condvar::new(),
            barrier: CheckpointBarrier::default(),
            relief: Mutex::new(()),
            interrupts,
        }
    }

    /// Number of threads.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// The thread with a number below `size`.
    pub fn member(&self, number: usize) -> Member<'_> {
        Member {
            shared_exploration: self,
            number,
        }
    }

    /// Creates a guard that the thread with this number holds until it ends.
    pub fn worker_guard(&self, number: usize) -> WorkerGuard<'_> {
        WorkerGuard {
            shared_exploration: self,
            number,
        }
    }

    /// For the first thread: waits until all others are over.
    pub(in crate::engine) fn wait_for_others(&self) {
        let mut exchange = self.exchange();
        while exchange.gone + 1 < self.size() {
            let waited = self.wakeup.wait(exchange);
            exchange = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Puts what only the group of threads knows into the outcome of all threads together, once all
    /// are over.
    pub fn finish(&self, outcome: &mut Outcome, coverage: &Coverage) {
        let (sides, segments) = (self.coverage.sides(), self.coverage.segments());
        outcome.totals = coverage.totals_of(&sides, &segments);
        outcome.observer.adopt(&segments, &sides);
        let peak = self.states_peak.load(Ordering::Relaxed);
        outcome.states_peak = outcome.states_peak.max(peak);
        let reason = self.exchange().reason.take();
        outcome.reason = reason.unwrap_or(StopReason::Interrupted);
    }

    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        // Every change is whole before anything can panic.
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run for all threads. The first reason counts, but a file that could not be written
    /// is always told.
    pub fn stop(&self, reason: StopReason) {
        let mut exchange = self.exchange();
        let failed = |reason: &StopReason| matches!(reason, StopReason::WriteFailed(_));
        if exchange
            .reason
            .as_ref()
            .is_none_or(|known| failed(&reason) && !failed(known))
        {
            exchange.reason = Some(reason);
        }
        self.stopped.store(true, Ordering::Relaxed);
        self.hungry.store(0, Ordering::Relaxed);
        for interrupt in &self.interrupts {
            interrupt.store(true, Ordering::Relaxed);
        }
        self.wakeup.notify_all();
    }

    pub(in crate::engine) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Some thread waits for work.
    #[inline]
    pub(in crate::engine) fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) != 0
    }

    /// Offers work to other threads; returns it if the run has been stopped meanwhile.
    pub(in crate::engine) fn offer(
        &self,
        transfer: TransferredStates,
    ) -> Result<(), Box<TransferredStates>> {
        let mut exchange = self.exchange();
        if exchange.reason.is_some() {
            return Err(Box::new(transfer));
        }
        exchange.transfers.push_back(transfer);
        self.count_hungry(&exchange);
        self.wakeup.notify_one();
        Ok(())
    }

    /// Sends states to a certain thread; returns them if the run has been stopped meanwhile.
    pub(in crate::engine) fn send(
        &self,
        to: usize,
        transfer: TransferredStates,
    ) -> Result<(), Box<TransferredStates>> {
        let mut exchange = self.exchange();
        if exchange.reason.is_some() {
            return Err(Box::new(transfer));
        }
        exchange.mail[to].push_back(transfer);
        self.slots[to].has_mail.store(true, Ordering::Relaxed);
        self.wakeup.notify_all();
        Ok(())
    }

    /// Calls all threads to a checkpoint.
    pub(in crate::engine) fn call_together(&self) {
        self.barrier.call();
        for interrupt in &self.interrupts {
            interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// Shows every state that is on its way between threads.
    pub(in crate::engine) fn visit_transfers(&self, visit: &mut dyn FnMut(&State)) {
        let exchange = self.exchange();
        let mail = exchange.mail.iter().flatten();
        for transfer in exchange.transfers.iter().chain(mail) {
            transfer.states().for_each(&mut *visit);
        }
    }

    fn count_hungry(&self, exchange: &Exchange) {
        let waiting = exchange.waiting.iter().filter(|waits| **waits).count();
        let hungry = waiting.saturating_sub(exchange.transfers.len());
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// Takes a transfer that no thread took before the run was stopped.
    pub(in crate::engine) fn leftover(&self) -> Option<TransferredStates> {
        let mut exchange = self.exchange();
        let transfer = exchange.transfers.pop_front();
        transfer.or_else(|| exchange.mail.iter_mut().find_map(VecDeque::pop_front))
    }

    /// Returns the losses of all threads at their last reports.
    pub(in crate::engine) fn underapproximations(&self) -> Underapproximations {
        let mut all = Underapproximations::default();
        self.reported_underapproximations()
            .iter()
            .for_each(|one| all.add(one));
        all
    }

    fn reported_underapproximations(&self) -> MutexGuard<'_, Vec<Underapproximations>> {
        // Each change is one assignment: nothing is half done if its thread panics.
        self.underapproximations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of all threads together.
    pub(in crate::engine) fn sums(&self) -> Numbers {
        let mut sums = Numbers::default();
        for slot in &self.slots {
            sums.instructions += slot.instructions.load(Ordering::Relaxed);
            sums.work += slot.work.load(Ordering::Relaxed);
            sums.states += slot.states.load(Ordering::Relaxed);
            sums.forks += slot.forks.load(Ordering::Relaxed);
            sums.paths += slot.paths.load(Ordering::Relaxed);
            sums.ended += slot.ended.load(Ordering::Relaxed);
            let nanoseconds = slot.solver_nanoseconds.load(Ordering::Relaxed);
            sums.solver_time += Duration::from_nanos(nanoseconds);
        }
        sums
    }

    /// Returns true if some thread has more than one state.
    pub(in crate::engine) fn has_states_to_share(&self) -> bool {
        let mut slots = self.slots.iter();
        slots.any(|slot| slot.states.load(Ordering::Relaxed) > 1)
    }

    /// The right to relieve memory; nothing if another thread has it.
    pub(in crate::engine) fn turn_to_relieve(&self) -> Option<MutexGuard<'_, ()>> {
        match self.relief.try_lock() {
            Ok(batch) => Some(batch),
            Err(TryLockError::Poisoned(batch)) => Some(batch.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Waits until no other thread is relieving memory.
    pub(in crate::engine) fn wait_to_relieve(&self) -> MutexGuard<'_, ()> {
        self.relief.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the number of states for the peak.
    pub(in crate::engine) fn note_states(&self) {
        let states = self.sums().states;
        self.states_peak.fetch_max(states, Ordering::Relaxed);
    }
}

impl Member<'_> {
    /// Tells the others how far this thread is.
    pub(in crate::engine) fn publish(&self, numbers: &Numbers) {
        let slot = &self.shared_exploration.slots[self.number];
        slot.instructions
            .store(numbers.instructions, Ordering::Relaxed);
        slot.work.store(numbers.work, Ordering::Relaxed);
        slot.states.store(numbers.states, Ordering::Relaxed);
        slot.forks.store(numbers.forks, Ordering::Relaxed);
        slot.paths.store(numbers.paths, Ordering::Relaxed);
        slot.ended.store(numbers.ended, Ordering::Relaxed);
        let nanoseconds = numbers.solver_time.as_nanos() as u64;
        slot.solver_nanoseconds
            .store(nanoseconds, Ordering::Relaxed);
    }

    /// Reports this thread's under-approximations so far to the others.
    pub(in crate::engine) fn report_underapproximations(
        &self,
        underapproximations: &Underapproximations,
    ) {
        self.shared_exploration.reported_underapproximations()[self.number] =
            underapproximations.clone();
    }

    /// Returns true if other threads should give up states: this one, which has these numbers, has
    /// none to spare, or few compared with them.
    pub(in crate::engine) fn others_have_most_states(&self, own: &Numbers) -> bool {
        self.publish(own);
        let fair = self.shared_exploration.sums().states / self.shared_exploration.size() as u64;
        self.shared_exploration.has_states_to_share() && (own.states <= 1 || own.states < fair / 2)
    }

    /// States that were sent to this thread.
    pub(in crate::engine) fn mail(&self) -> Option<TransferredStates> {
        let slot = &self.shared_exploration.slots[self.number];
        if !slot.has_mail.load(Ordering::Relaxed) {
            return None;
        }
        let mail = &mut self.shared_exploration.exchange().mail[self.number];
        let transfer = mail.pop_front();
        slot.has_mail.store(!mail.is_empty(), Ordering::Relaxed);
        transfer
    }

    /// The thread after this one.
    pub(in crate::engine) fn next(&self) -> usize {
        (self.number + 1) % self.shared_exploration.size()
    }

    /// Waits a little for work. The caller has no state.
    pub(in crate::engine) fn wait(&self) -> Work {
        let shared_exploration = self.shared_exploration;
        let mut exchange = shared_exploration.exchange();
        exchange.waiting[self.number] = true;
        for last_look in [false, true] {
            if exchange.reason.is_some() {
                return Work::Nothing;
            }
            let mail = exchange.mail[self.number].pop_front();
            if let Some(transfer) = mail.or_else(|| exchange.transfers.pop_front()) {
                exchange.waiting[self.number] = false;
                shared_exploration.count_hungry(&exchange);
                return Work::States(Box::new(transfer));
            }
            let nothing_sent = exchange.mail.iter().all(VecDeque::is_empty);
            if nothing_sent && exchange.waiting.iter().all(|waits| *waits) {
                shared_exploration.wakeup.notify_all();
                return Work::Over;
            }
            shared_exploration.count_hungry(&exchange);
            if !last_look {
                let waited = shared_exploration.wakeup.wait_timeout(exchange, NAP);
                exchange = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        Work::Nothing
    }
}
