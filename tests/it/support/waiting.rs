//! Waiting for what other processes and threads do, however loaded the machine is.

use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Longer than anything that a test waits for takes on a loaded machine: it only ends a test that
/// hangs.
const HANGS_AFTER: Duration = Duration::from_secs(1800);

/// Waits until a condition holds.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < HANGS_AFTER, "it hangs: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The result of work that must come to an end, done on a thread of its own.
pub(crate) fn comes_to_an_end<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    // Nobody waits for the result any more if it hangs.
    std::thread::spawn(move || drop(sender.send(work())));
    match receiver.recv_timeout(HANGS_AFTER) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("it has panicked"),
    }
}
