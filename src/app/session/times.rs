//! When a run began.

use homi_config::{Clock, RunConfig};
use homi_explore::engine::cpu_time;
use homi_ir::util::clock::{Moment, follow_cpu_time};
use std::time::{Instant, SystemTime};

/// When a run began, by each clock that something asks.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// For the wall time in `summary.json`.
    pub(super) began: Instant,
    /// For the date in `info`.
    pub(super) started: SystemTime,
    /// The clock that the budget counts by.
    pub(super) clock: Moment,
}

impl Times {
    pub(super) fn begin(config: &RunConfig) -> Self {
        let (began, started) = (Instant::now(), SystemTime::now());
        if config.budget.clock == Clock::Cpu {
            follow_cpu_time(cpu_time);
        }
        Self {
            began,
            started,
            clock: Moment::now(),
        }
    }
}

pub(super) fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs())
}
