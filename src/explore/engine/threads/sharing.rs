//! What one thread of a team remembers of the others between turns: what it has learned of their
//! coverage, how many of its states came from them, when it mixes its states with theirs.
//!
//! Invariant: nothing in here changes in a run of one thread but for what earlier sessions and
//! probes have covered.

use super::team::Team;
use crate::explore::coverage::Coverage;
use crate::explore::engine::tuning::Tuning;
use crate::machine::exec::Observer;

/// One thread's memory of its team.
pub(in crate::explore::engine) struct Sharing {
    /// Version of the team's coverage when this thread looked last.
    coverage_version: u64,
    turns: u64,
    /// So many states are mixed with those of another thread next.
    mix_at: usize,
    /// Code that was entered by other threads first; its counters are one too high.
    learned: Vec<u32>,
    /// States that came from other threads.
    adopted: usize,
}

impl Sharing {
    pub(in crate::explore::engine) fn new(tuning: &Tuning) -> Self {
        Self {
            coverage_version: 0,
            turns: 0,
            mix_at: tuning.first_mix,
            learned: Vec::new(),
            adopted: 0,
        }
    }

    /// A turn is over. Whether it is time to look at the number of states of all threads.
    pub(in crate::explore::engine) fn turn(&mut self, tuning: &Tuning) -> bool {
        self.turns += 1;
        self.turns % tuning.turns_per_look == 0
    }

    /// Takes over what other threads have covered. Returns the code that they entered first.
    pub(in crate::explore::engine) fn learn(
        &mut self,
        team: &Team,
        coverage: &mut Coverage,
        observer: &mut Observer,
    ) -> &[u32] {
        let version = team.coverage.version();
        if version == self.coverage_version {
            return &[];
        }
        self.coverage_version = version;
        let before = self.learned.len();
        self.learned
            .extend(coverage.learn(observer, &team.coverage));
        &self.learned[before..]
    }

    /// Code that the run itself has not executed counts as entered once.
    pub(in crate::explore::engine) fn enter(&mut self, segment: u32, observer: &mut Observer) {
        if let Some(entries) = observer.segment_entries.get_mut(segment as usize)
            && *entries == 0
        {
            *entries = 1;
            observer.new_segments.push(segment);
            self.learned.push(segment);
        }
    }

    /// What earlier sessions covered counts as covered.
    pub(in crate::explore::engine) fn take_up(
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

    /// Code whose counters are one too high, because others entered it first.
    pub(in crate::explore::engine) fn learned(&self) -> &[u32] {
        &self.learned
    }

    /// Whether a thread of so many states mixes them with those of another one.
    pub(in crate::explore::engine) fn mixes(&mut self, states: usize, tuning: &Tuning) -> bool {
        let mixes = self.mix_at <= tuning.last_mix && states >= self.mix_at;
        if mixes {
            self.mix_at *= tuning.mix_factor;
        }
        mixes
    }

    /// So many states have come from another thread.
    pub(in crate::explore::engine) fn adopt(&mut self, states: usize) {
        self.adopted += states;
    }

    /// Those of so many states that came to be in this thread: those of other threads do not count
    /// again.
    pub(in crate::explore::engine) fn made_here(&self, states: usize) -> usize {
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
