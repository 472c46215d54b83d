//! Memory of one thread about the other threads of its group of threads: their coverage, the number
//! of states that came from them, when it mixes its states with theirs.
//!
//! Invariant: in a run of one thread only the coverage of earlier sessions and of fuzzing runs
//! changes this memory.

use super::shared_exploration::SharedExploration;
use crate::coverage::Coverage;
use crate::engine::tuning::Tuning;
use homi_machine::exec::Observer;

/// Memory of one thread about its group of threads.
pub(in crate::engine) struct Sharing {
    /// Version of the group of threads's coverage that this thread has read.
    coverage_version: u64,
    batches: u64,
    /// Number of states at which this thread mixes its states next.
    mix_at: usize,
    /// Segments that this run did not enter first; their counters are one too high.
    learned: Vec<u32>,
    /// States that came from other threads.
    adopted: usize,
}

impl Sharing {
    pub(in crate::engine) fn new(tuning: &Tuning) -> Self {
        Self {
            coverage_version: 0,
            batches: 0,
            mix_at: tuning.first_mix,
            learned: Vec::new(),
            adopted: 0,
        }
    }

    /// Ends a batch. Returns true if it is time to count the states of all threads.
    pub(in crate::engine) fn batch(&mut self, tuning: &Tuning) -> bool {
        self.batches += 1;
        self.batches % tuning.batches_per_look == 0
    }

    /// Takes over the coverage of other threads. Returns the segments that they entered first.
    pub(in crate::engine) fn learn(
        &mut self,
        shared_exploration: &SharedExploration,
        coverage: &mut Coverage,
        observer: &mut Observer,
    ) -> &[u32] {
        let version = shared_exploration.coverage.version();
        if version == self.coverage_version {
            return &[];
        }
        self.coverage_version = version;
        let before = self.learned.len();
        self.learned
            .extend(coverage.learn(observer, &shared_exploration.coverage));
        &self.learned[before..]
    }

    /// Counts a segment as entered once that the run itself has not executed.
    pub(in crate::engine) fn enter(&mut self, segment: u32, observer: &mut Observer) {
        if let Some(entries) = observer.segment_entries.get_mut(segment as usize)
            && *entries == 0
        {
            *entries = 1;
            observer.new_segments.push(segment);
            self.learned.push(segment);
        }
    }

    /// Takes over the coverage of earlier sessions.
    pub(in crate::engine) fn take_up(
        &mut self,
        segments: &[u32],
        sides: &[u32],
        observer: &mut Observer,
    ) {
        for segment in segments {
            self.enter(*segment, observer);
        }
        for side in sides {
            observer.take_side(*side);
        }
    }

    /// Returns the segments whose counters are one too high, because the run did not enter them.
    pub(in crate::engine) fn learned(&self) -> &[u32] {
        &self.learned
    }

    /// Returns true if a thread with this number of states mixes them with another thread's states.
    pub(in crate::engine) fn mixes(&mut self, states: usize, tuning: &Tuning) -> bool {
        let mixes = self.mix_at <= tuning.last_mix && states >= self.mix_at;
        if mixes {
            self.mix_at *= tuning.mix_factor;
        }
        mixes
    }

    /// Counts states that came from another thread.
    pub(in crate::engine) fn adopt(&mut self, states: usize) {
        self.adopted += states;
    }

    /// Returns how many of these states were created in this thread.
    pub(in crate::engine) fn made_here(&self, states: usize) -> usize {
        states - self.adopted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_mixed_more_and_more_rarely() {
        let tuning = Tuning {
            first_mix: 4,
            mix_factor: 2,
            last_mix: 8,
            ..Tuning::default()
        };
        let mut sharing = Sharing::new(&tuning);
        let mixed: Vec<usize> = (1..40)
            .filter(|states| sharing.mixes(*states, &tuning))
            .collect();
        assert_eq!(mixed, [4, 8]);
    }
}
