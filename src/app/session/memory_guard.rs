//! Keeps the kernel from killing homi for want of memory: a limit that the machine or the container
//! has room for, and an end with a message where that does not help.
//!
//! `--max-memory` makes the engine give up states, but a single step or query of the solver is
//! not interrupted by it, and others take memory too. The kernel kills without a message, and not
//! always the right process. Tests are on the disk as soon as they are found, so what is lost at
//! such an end is what a kill would lose: `summary.json` and the tests of open states.

use homi_config::{LEAST_MEMORY, RunConfig};
use homi_ir::util::available_memory::{AvailableMemory, available_memory};
use homi_ir::util::resident::resident_of;
use homi_report::OutputDirectory;
use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;

/// Interval between two measurements of memory. At 2 GB/s, the fastest allocation of pages, 100 MB
/// are allocated between two.
const INTERVAL: Duration = Duration::from_millis(50);
/// Bounds of the room that is kept, and its share of all there is.
const LEAST_KEPT: u64 = 64 << 20;
const MOST_KEPT: u64 = 512 << 20;
const SHARE_KEPT: u64 = 50;

/// Lowers the run's memory limit to four fifths of the available memory, and reports it. A run
/// without limit keeps none.
pub(super) fn fit(config: &mut RunConfig) -> Option<String> {
    let (asked, available_memory) = (config.budget.memory, available_memory()?);
    let limit = limit_within(asked, available_memory)?;
    config.budget.memory = limit;
    Some(format!(
        "memory limit lowered to {} MiB from {}: four fifths of the free memory of this machine or \
         container",
        limit >> 20,
        asked >> 20
    ))
}

fn limit_within(asked: u64, available_memory: AvailableMemory) -> Option<u64> {
    let most = (available_memory.left / 5 * 4).max(LEAST_MEMORY);
    (asked > most).then_some(most)
}

/// Watches as long as it lives.
pub(super) struct MemoryGuard {
    /// Its end ends the thread.
    _stop: mpsc::Sender<()>,
}

impl MemoryGuard {
    /// `end` ends the process and says why, from whichever thread.
    pub(super) fn spread(directory: &OutputDirectory, end: fn(&str) -> !) -> Self {
        let (stop, stopped) = mpsc::channel();
        let directory = directory.clone();
        std::thread::spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(INTERVAL) {
                let own = resident_of("self");
                if let Some(available_memory) =
                    available_memory().filter(|available_memory| must_end(own, *available_memory))
                {
                    end(&farewell(own, available_memory, &directory));
                }
            }
        });
        Self { _stop: stop }
    }
}

/// True if hardly any room is left and most of what is taken is homi's, so that ending it helps.
fn must_end(own: u64, available_memory: AvailableMemory) -> bool {
    let kept = (available_memory.total / SHARE_KEPT).clamp(LEAST_KEPT, MOST_KEPT);
    available_memory.left < kept
        && own > available_memory.total.saturating_sub(available_memory.left) / 2
}

/// Returns why the process ends, and writes it to the run's `warnings.txt`. The executor's thread
/// is in the middle of a step and cannot be asked.
fn farewell(own: u64, available_memory: AvailableMemory, directory: &OutputDirectory) -> String {
    let mib = |bytes: u64| bytes >> 20;
    let text = format!(
        "out of memory: homi uses {} MiB, and of {} MiB in total {} are free; the tests so far are \
         in {}, but open states have no tests; lower --max-memory to swap states out \
         earlier",
        mib(own),
        mib(available_memory.total),
        mib(available_memory.left),
        directory.path().display()
    );
    let warnings = std::fs::File::options()
        .append(true)
        .open(directory.file("warnings.txt"));
    if let Ok(mut file) = warnings {
        let _ = writeln!(file, "homi: WARNING: {text}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_fits_the_room() {
        let available_memory = |left| AvailableMemory {
            left,
            total: 8 << 30,
        };
        assert_eq!(limit_within(2 << 30, available_memory(5 << 30)), None);
        assert_eq!(
            limit_within(2 << 30, available_memory(500 << 20)),
            Some(400 << 20)
        );
        assert_eq!(
            limit_within(2 << 30, available_memory(0)),
            Some(LEAST_MEMORY)
        );
        assert_eq!(limit_within(0, available_memory(0)), None);
    }

    #[test]
    fn ends_if_room_is_short_and_homi_has_most() {
        let gib = 1 << 30;
        let available_memory = |left| AvailableMemory {
            left,
            total: 20 * gib,
        };
        assert!(!must_end(19 * gib, available_memory(gib)));
        assert!(must_end(19 * gib, available_memory(gib / 4)));
        assert!(!must_end(2 * gib, available_memory(gib / 4)));
        let small = |left| AvailableMemory { left, total: gib };
        assert!(must_end(gib, small(60 << 20)));
        assert!(!must_end(gib, small(70 << 20)));
    }
}
