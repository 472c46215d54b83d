//! The tuning constants of the sources of states.
//!
//! Invariant: values change how much a source does and when, never what is true of a path.

use homi_ir::util::tuning_table;

tuning_table! {
    /// Constants that limit the work of each state source.
    Tuning {
        /// Instructions of the search before the first fuzzing run.
        fuzz_first_after: u64 = 2_000_000, 0 to 1 << 50, "instructions";
        /// Instructions of one fuzzing run; one that has covered nothing by then is dropped.
        fuzz_longest: u64 = 1_000_000, 1 to 1 << 50, "instructions";
        /// Instructions of fuzzing runs without new coverage after which their ratio is halved.
        fuzz_half_life: f64 = 50e6, 1.0 to 1e15, "instructions";
        /// The share of fuzzing runs never falls below this part of what was asked for.
        fuzz_least_part: f64 = 0.0625, 0.0 to 1.0, "part";
        /// Fuzzing runs of ten that start from the state that ran last, the others from the corpus.
        fuzz_from_search: u32 = 5, 0 to 10, "of ten";
        /// Fuzzing runs of ten that try the tokens of the program, until all forms were tried.
        fuzz_tokens_first: u32 = 3, 0 to 10, "of ten";
        /// Fuzzing runs of ten that try the program's tokens after that.
        fuzz_tokens_later: u32 = 1, 0 to 10, "of ten";
        /// Time of the search before the build of the native image begins; 0: the run waits for it.
        native_after: f64 = 5.0, 0.0 to 1e9, "seconds";
        /// Calls and rounds of loops of one native execution.
        native_longest: u64 = 2_000_000, 1 to 1 << 50, "calls and rounds";
        /// Native executions of ten that change the input of the state that ran last.
        native_from_search: u32 = 3, 0 to 10, "of ten";
        /// Native executions of ten that replace operands of comparisons by the other ones.
        native_compared: u32 = 5, 0 to 10, "of ten";
        /// Least share of the time that native executions have.
        native_least: f64 = 0.05, 0.0 to 1.0, "share of the time";
        /// Greatest share of the time that native executions have.
        native_most: f64 = 0.8, 0.0 to 0.99, "share of the time";
        /// Time after which what native executions and the search found counts half.
        native_half_life: f64 = 10.0, 1e-3 to 1e9, "seconds";
        /// Longest time of native executions between two batches of the search.
        native_turn: f64 = 1.0, 1e-6 to 1e3, "seconds";
        /// Work that the first level of seeds has; each further level has twice as much.
        seed_first_level: u64 = 1 << 14, 1 to 1 << 50, "instructions";
        /// Share of the limit without a seed at its end after which all seeds are left.
        seed_first_part: f64 = 0.5, 0.0 to 1.0, "share of the limit";
        /// Share of the limit after the last seed's end after which the rest is left.
        seed_patience: f64 = 0.125, 0.0 to 1.0, "share of the limit";
        /// States of an earlier session that are found again before the search chooses.
        resume_first: usize = 32, 1 to 1 << 30, "states";
        /// After that, instructions for finding states again for each one of the search.
        resume_share: f64 = 1.0, 0.0 to 1e6, "instructions";
        /// Memory that what remains of swapped-out states may take.
        swap_memory: f64 = 0.01, 0.0 to 1.0, "share of the memory limit";
        /// States that are brought back together, so that the search has a choice.
        swap_together: usize = 8, 1 to 1 << 20, "states";
        /// Turns after which a state that is not there again is given up.
        swap_batches: u32 = 100_000, 1 to 1 << 30, "batches";
    }
}
