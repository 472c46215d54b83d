//! Samples of a run, one per second.
//!
//! Invariant: there is one sample for every second that has passed, even if a batch took longer.

use std::time::Duration;

/// Time between two samples.
pub(super) const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);

/// The run at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Since the start of the run.
    pub time: Duration,
    /// Number of open states (|S|).
    pub states: usize,
    /// The program's own branch sides covered by then, by earlier runs of the session too.
    pub branches: u64,
    pub tests: u64,
}

/// The samples of a run.
#[derive(Default)]
pub(super) struct Samples {
    all: Vec<Sample>,
    /// Index of the first sample of this slice of the run.
    first: usize,
}

impl Samples {
    /// Begins a slice of the run.
    pub(super) fn begin_slice(&mut self) {
        self.first = self.all.len();
    }

    /// Adds a sample for every second that has passed; `look` makes the sample of a time.
    pub(super) fn take(&mut self, now: Duration, look: impl Fn(Duration) -> Sample) {
        loop {
            let time = SAMPLE_INTERVAL * (self.all.len() as u32 + 1);
            if now < time {
                return;
            }
            self.all.push(look(time));
        }
    }

    /// Returns the samples of this slice of the run.
    pub(super) fn of_slice(&self) -> Vec<Sample> {
        self.all[self.first..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_its_sample() {
        let look = |time| Sample {
            time,
            states: 1,
            branches: 0,
            tests: 0,
        };
        let mut samples = Samples::default();
        samples.take(Duration::from_millis(2500), look);
        samples.begin_slice();
        samples.take(Duration::from_millis(2900), look);
        assert!(samples.of_slice().is_empty());
        samples.take(Duration::from_secs(3), look);
        assert_eq!(samples.of_slice(), [look(Duration::from_secs(3))]);
    }
}
