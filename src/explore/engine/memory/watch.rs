//! A thread that watches the clock and the memory while the executor runs.
//!
//! The thread only sets flags: the executor leaves its loop when `interrupt` is set, and the engine
//! then determines the limit that was reached. So a long batch cannot outlast `--max-time` or grow
//! far beyond `--max-memory`.

use super::process_memory;
use homi_ir::util::clock::Moment;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Limits that the watching thread checks.
#[derive(Clone, Copy, Debug)]
pub struct WatchLimits {
    /// Time at which to interrupt.
    pub deadline: Option<Moment>,
    /// Resident bytes at which to interrupt; 0 is no limit.
    pub memory: u64,
}

/// Interval between two measurements of memory.
const INTERVAL: Duration = Duration::from_millis(20);

#[derive(Debug, Default)]
struct Shared {
    resident: AtomicU64,
    peak: AtomicU64,
    /// One for each thread that is watched for.
    memory_reached: Vec<AtomicBool>,
}

/// The running thread; dropping it ends it.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<Shared>,
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts watching; all `interrupts`, one per exploring thread, are set whenever a limit is
    /// reached.
    pub fn start(limits: WatchLimits, interrupts: Vec<Arc<AtomicBool>>) -> Self {
        let shared = Arc::new(Shared {
            memory_reached: interrupts.iter().map(|_| AtomicBool::new(false)).collect(),
            ..Shared::default()
        });
        shared.note(process_memory::resident_bytes());
        let (stop, stopped) = mpsc::channel();
        let in_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(INTERVAL) {
                let resident = process_memory::resident_bytes();
                in_thread.note(resident);
                let mut reached = false;
                if limits.memory != 0 && resident > limits.memory {
                    reached = true;
                    for thread in &in_thread.memory_reached {
                        thread.store(true, Ordering::Relaxed);
                    }
                }
                let deadline = limits.deadline;
                if reached || deadline.is_some_and(|deadline| Moment::now() >= deadline) {
                    for interrupt in &interrupts {
                        interrupt.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        Self {
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Returns the resident bytes of all homi processes at the last check.
    pub fn resident(&self) -> u64 {
        self.shared.resident.load(Ordering::Relaxed)
    }

    /// The most that was ever seen.
    pub fn peak(&self) -> u64 {
        self.shared.peak.load(Ordering::Relaxed)
    }

    /// True once for each of the threads (numbered as the interrupts) after the memory limit was
    /// reached.
    pub fn take_memory_reached(&self, thread: usize) -> bool {
        let reached = self.shared.memory_reached.get(thread);
        reached.is_some_and(|reached| reached.swap(false, Ordering::Relaxed))
    }

    /// Looks at the memory now.
    pub fn look(&self) -> u64 {
        let resident = process_memory::resident_bytes();
        self.shared.note(resident);
        resident
    }
}

impl Shared {
    fn note(&self, resident: u64) {
        self.resident.store(resident, Ordering::Relaxed);
        self.peak.fetch_max(resident, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic; if it did, the run is over anyway.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::util::waiting::wait_until;

    fn wait_for(flag: &AtomicBool) {
        wait_until("the interrupt", || flag.load(Ordering::Relaxed));
    }

    #[test]
    fn a_deadline_interrupts() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let limits = WatchLimits {
            deadline: Some(Moment::now() + Duration::from_millis(5)),
            memory: 0,
        };
        let watch = Watch::start(limits, vec![Arc::clone(&interrupt)]);
        wait_for(&interrupt);
        assert!(!watch.take_memory_reached(0));
        assert!(watch.peak() > 0);
    }

    #[test]
    fn memory_interrupts_once() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let limits = WatchLimits {
            deadline: None,
            memory: 1,
        };
        let watch = Watch::start(limits, vec![Arc::clone(&interrupt)]);
        wait_for(&interrupt);
        assert!(watch.take_memory_reached(0));
    }
}
