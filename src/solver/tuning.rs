//! The tuning constants of the solver chain's layers.
//!
//! Invariant: values change how long an answer takes and whether there is one, never what is true.
//! Constants that are part of a format or of an argument (widths of words, sizes of arrays) stay
//! where they are used, and so do constants of path conditions, which need no solver.

use homi_ir::util::tuning_table;

tuning_table! {
    /// Limits of the solver layers.
    Tuning {
        /// Constraints' terms beyond which intervals leave a query to other layers.
        interval_terms: usize = 3000, 0 to 1 << 20, "terms";
        /// Passes up and down of interval arithmetic.
        interval_rounds: usize = 5, 0 to 1000, "passes";
        /// Operands below an assumption that intervals narrow at once; the next pass goes on.
        interval_depth: u32 = 40, 0 to 200, "operands";
        /// Elements of a table that intervals look at.
        interval_elements: u32 = 1024, 0 to 1 << 20, "elements";
        /// Numbers of a query beyond which comparisons of numbers leave it to other layers.
        order_numbers: usize = 256, 0 to 1 << 16, "numbers";
        /// Bytes of which guided search moves one.
        guided_bytes: usize = 16, 0 to 1 << 16, "bytes";
        /// Terms that linear equations look at for one query.
        linear_terms: usize = 4096, 0 to 1 << 20, "terms";
        /// Widest index of a table that linear equations look at.
        linear_index_bits: usize = 12, 0 to 20, "bits";
        /// Bytes of a query whose values are tried with the full effort before the circuit.
        search_few_bytes: usize = 4, 0 to 1 << 16, "bytes";
        /// Divides the effort of the search before the circuit for queries of more bytes.
        search_short: u64 = 4, 1 to 1 << 30, "divisor";
        /// Divides the effort of the staged search at first: where it is good it is good at once.
        search_staged_first: u64 = 8, 1 to 1 << 30, "divisor";
        /// Bytes above which the staged search is not tried: it is as deep as they are many.
        search_staged_bytes: usize = 128, 0 to 1024, "bytes";
        /// Relations that one search uses at most; further constraints are evaluated instead.
        search_relations: usize = 512, 0 to 1 << 20, "relations";
        /// Pairs of values from which on a costly constraint's relation is made of all 65,536.
        search_pairs: u32 = 4096, 0 to 65_537, "pairs";
        /// Gates of a circuit beyond which the query is left to another layer.
        sat_gates: usize = 1 << 20, 0 to 1 << 28, "gates";
        /// Bits of all nodes of a circuit beyond which it is left to another layer.
        sat_bits: usize = 64 << 20, 0 to 1 << 32, "bits";
        /// Bits of a table beyond which it is not made a circuit.
        sat_table_bits: usize = 8 << 20, 0 to 1 << 32, "bits";
        /// Conflicts that the SAT solver has for a query at least, however many the clauses.
        sat_least_conflicts: u32 = 100, 0 to i32::MAX as u32, "conflicts";
        /// Conflicts that the SAT solver has for a query at most, however few the clauses.
        sat_most_conflicts: u32 = 20_000, 0 to i32::MAX as u32, "conflicts";
        /// Stop checks of the SAT solver between two checks of the memory in use.
        sat_memory_looks: u64 = 32, 1 to 1 << 30, "stop checks";
        /// Memory that the SAT solver may take for a query.
        sat_memory: u64 = 512 << 20, 0 to 1 << 40, "bytes";
        /// Share of the run that SMT queries may take at the full time limit.
        smt_share: f64 = 0.05, 0.0 to 1.0, "share of the run";
        /// Divides the limit of SMT queries after that, and again after twice as much.
        smt_shortened: u32 = 8, 1 to 1000, "divisor";
        /// Times a counted limit that an SMT query may take on the clock, should the count fail.
        smt_patience: u32 = 30, 1 to 1000, "times the limit";
        /// Failed starts of the SMT process in a row after which no more are tried.
        smt_starts: u32 = 3, 0 to 1000, "starts";
        /// Time between two looks whether an SMT query is to be given up.
        smt_look_interval: u64 = 100, 1 to 60_000, "milliseconds";
        /// Feasibility queries for one bound of a term.
        bound_queries: u32 = 24, 0 to 1 << 20, "queries";
        /// Exact queries for one canonical model, after the search has given up.
        canonical_queries: u32 = 12, 0 to 1 << 20, "queries";
        /// Rounds over all bytes at the end of making a model canonical.
        canonical_rounds: u32 = 8, 0 to 1 << 20, "rounds";
        /// Queries that the first layers answer, of which one is timed and counts for all.
        timed_queries: u32 = 16, 1 to 1 << 20, "queries";
        /// Queries of a layer that are recorded before only every second is, and so on.
        recorded_queries: u64 = 64, 1 to 1 << 40, "queries";
        /// Length of a recorded query above which it is left out.
        recorded_length: usize = 1 << 20, 0 to 1 << 32, "bytes";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_ranges() {
        let mut tuning = Tuning::default();
        for row in Tuning::rows() {
            assert_eq!(tuning.set(row.name, &row.default), Ok(()), "{}", row.name);
        }
        assert_eq!(tuning, Tuning::default());
    }
}
