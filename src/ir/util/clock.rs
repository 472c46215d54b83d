//! The clock of a run: the wall's, or the time that homi's processes had on a processor.
//!
//! Everything that limits or reports a run's time (`--max-time`, the times of a campaign, the
//! solver's share) reads [`Moment`]; what waits for another process or for a terminal keeps
//! `std::time::Instant`. On the processor's clock a run on a busy machine gets as much work done as
//! on a quiet one, only later.
//!
//! The clock is chosen once, for the whole process. A thread reads the CPU time every 10 ms
//! and everybody else reads what it noted, because a query of the solver may take less time than
//! the system call.

use std::ops::{Add, Sub};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Interval between readings of the CPU time.
const TICK: Duration = Duration::from_millis(10);

/// Stands in [`NOTED`] while the wall's clock counts.
const WALL: u64 = u64::MAX;

/// Processor time in nanoseconds as read last, or [`WALL`].
static NOTED: AtomicU64 = AtomicU64::new(WALL);

/// The moment from which the wall's clock counts.
static BASE: OnceLock<Instant> = OnceLock::new();

/// A point in time on the clock of the run, in nanoseconds since some moment before the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(u64);

impl Moment {
    /// The time now.
    pub fn now() -> Self {
        match NOTED.load(Ordering::Relaxed) {
            WALL => Self(nanoseconds(BASE.get_or_init(Instant::now).elapsed())),
            noted => Self(noted),
        }
    }

    /// Time since this moment.
    pub fn elapsed(self) -> Duration {
        Self::now() - self
    }

    /// Time from `earlier` to this moment; zero if that is later.
    pub fn saturating_duration_since(self, earlier: Self) -> Duration {
        self - earlier
    }

    /// The moment so long before.
    pub fn before(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(nanoseconds(span)))
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(nanoseconds(span)))
    }
}

/// Time between two moments; zero if the second is the later one.
impl Sub for Moment {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// A span in nanoseconds; 584 years fit.
fn nanoseconds(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(WALL - 1)
}

/// From now on moments are CPU time, as `read` tells it. Call it before the first moment is
/// taken.
pub fn follow_cpu_time(read: fn() -> Duration) {
    NOTED.store(nanoseconds(read()), Ordering::Relaxed);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(TICK);
            // A solver that ended counts nowhere until it is waited for: time does not go back
            // then.
            NOTED.fetch_max(nanoseconds(read()), Ordering::Relaxed);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_saturate() {
        let now = Moment::now();
        let later = now + Duration::from_secs(3);
        assert_eq!(later - now, Duration::from_secs(3));
        assert_eq!(now - later, Duration::ZERO);
        assert_eq!(later.before(Duration::from_secs(3)), now);
        assert_eq!(now.before(Duration::MAX), Moment(0));
        assert!(now + Duration::MAX > later);
    }
}
