//! The tuning constants of the loop, of memory and of threads.
//!
//! Invariant: values change how long a run takes and what is kept in memory, never what an
//! instruction means. Intervals of the terminal and of files are not here.

use homi_ir::util::tuning::{TuningError, TuningRow};
use homi_ir::util::tuning_table;

tuning_table! {
    /// Constants by which the engine divides its time and memory.
    Tuning {
        /// Instructions of a batch if batches have no limit in instructions.
        longest_batch: u64 = 1 << 20, 1 to 1 << 40, "instructions";
        /// Turns between two looks at the clock at most.
        batches_without_clock: u32 = 8, 0 to 1 << 20, "batches";
        /// Instructions between two readings of the clock at most, except in the current batch.
        instructions_without_clock: u64 = 1000, 0 to 1 << 40, "instructions";
        /// Waiting states that keep their access caches, of 1.5 KiB each.
        cached_states: usize = 128, 0 to 1 << 20, "states";
        /// Terms made since the last sweep that make a sweep worth while even if memory is plenty.
        terms_before_sweep: u64 = 8 << 20, 1 to 1 << 40, "terms";
        /// Share of the memory limit that terms must hold for a sweep between two runs.
        terms_share_between_runs: f64 = 0.08, 0.0 to 1.0, "share of the memory limit";
        /// Terms that may stay between two runs if there is no memory limit.
        terms_bytes_between_runs: f64 = 256e6, 0.0 to 1e15, "bytes";
        /// Share of the memory limit that terms must hold for a sweep when memory is short.
        terms_share_when_short: f64 = 0.08, 0.0 to 1.0, "share of the memory limit";
        /// Memory from which on it is short.
        relief_starts: f64 = 0.93, 0.0 to 1.0, "share of the memory limit";
        /// Memory from which on all threads wait while one makes room.
        relief_presses: f64 = 0.96, 0.0 to 1.0, "share of the memory limit";
        /// Memory that dropping caches and terms must reach; otherwise states are pruned.
        caches_suffice: f64 = 0.78, 0.0 to 1.0, "share of the memory limit";
        /// Memory at which pruning of states stops.
        states_down_to: f64 = 0.72, 0.0 to 1.0, "share of the memory limit";
        /// Memory that all of homi may use while a run is suspended.
        suspended_share: f64 = 0.5, 0.0 to 1.0, "share of the memory limit";
        /// States that stay when a run is suspended; a run with no more continues beyond its slice.
        suspended_states: usize = 64, 0 to 1 << 30, "states";
        /// Time between two checkpoints; where one takes long, ten times as long as it takes.
        checkpoint_every: f64 = 30.0, 0.0 to 1e9, "seconds";
        /// Time that threads wait for one another at a checkpoint, before they continue without it.
        checkpoint_wait: f64 = 2.0, 0.0 to 1e9, "seconds";
        /// Turns between two looks at the number of states of all threads.
        batches_per_look: u64 = 64, 1 to 1 << 30, "batches";
        /// States that one thread hands to another at once at most.
        transferred_states: usize = 16, 1 to 1 << 20, "states";
        /// States of a thread at which it sends every second one to the next thread first.
        first_mix: usize = 64, 2 to 1 << 30, "states";
        /// Factor from one number of states at which threads mix theirs to the next.
        mix_factor: usize = 4, 2 to 1 << 20, "factor";
        /// Greatest number of states at which threads mix theirs.
        last_mix: usize = 1024, 0 to 1 << 30, "states";
    }
}

impl Tuning {
    /// Returns the number of resident bytes at which memory is short, for this limit.
    pub(super) fn short_memory(&self, limit: u64) -> u64 {
        (limit as f64 * self.relief_starts) as u64
    }
}

/// The tuning constants of a run, including its sources of states.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunTuning {
    pub engine: Tuning,
    pub sources: crate::sources::Tuning,
}

impl RunTuning {
    /// All rows, the engine's first.
    pub fn rows() -> Vec<TuningRow> {
        let mut rows = Tuning::rows();
        rows.extend(crate::sources::Tuning::rows());
        rows
    }

    /// Sets the constant of this name to the number that a text says.
    ///
    /// # Errors
    /// There is no such constant, or the number is out of its range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TuningError> {
        match self.engine.set(name, value) {
            Err(TuningError::Unknown { .. }) => self.sources.set(name, value),
            set => set,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relief_comes_in_steps() {
        let tuning = Tuning::default();
        assert!(tuning.states_down_to < tuning.caches_suffice);
        assert!(tuning.caches_suffice < tuning.relief_starts);
        assert!(tuning.relief_starts < tuning.relief_presses);
    }

    #[test]
    fn constants_of_engine_and_sources_are_set_by_name() {
        let mut tuning = RunTuning::default();
        assert_eq!(tuning.set("cached_states", "7"), Ok(()));
        assert_eq!(tuning.set("swap_together", "9"), Ok(()));
        assert_eq!(
            (tuning.engine.cached_states, tuning.sources.swap_together),
            (7, 9)
        );
        assert!(tuning.set("warm_state", "7").is_err());
        assert!(
            RunTuning::rows()
                .iter()
                .any(|row| row.name == "fuzz_longest")
        );
    }
}
