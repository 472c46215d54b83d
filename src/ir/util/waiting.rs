//! Waiting for what other threads and processes do, however loaded the machine is; for tests.

use std::time::{Duration, Instant};

/// Longer than anything that a test waits for takes on a loaded machine: it only ends a test that
/// hangs.
pub const HANGS_AFTER: Duration = Duration::from_secs(1800);

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < HANGS_AFTER, "it hangs: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the number of processes with this text in their command lines.
pub fn processes_with(words: &str) -> usize {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(words))
        .count()
}
