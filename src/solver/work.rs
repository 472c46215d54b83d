//! What answers cost, counted instead of timed: equal questions cost the same on every machine, so searches may look at it.
//!
//! The unit is a nanosecond, as it was measured per unit of each layer's own effort (grep, pr, expr and tr, 15 s each, on a busy
//! AMD EPYC, 2026-11-23): right within a factor of two or three. The layers before the encoding are left out: they take about
//! as long as the instruction that asks.

use super::sat;

/// Encoding a question of so many words, looking it up, refuting it by intervals.
pub(super) fn of_question(words: usize) -> u64 {
    2_000 + 90 * words as u64
}

/// So many operations of trying values.
pub(super) fn of_operations(operations: u64) -> u64 {
    4 * operations
}

/// Making a circuit and deciding it.
pub(super) fn of_circuit(cost: sat::Cost) -> u64 {
    400 * cost.clauses + 150_000 * cost.looks
}

/// A question to the SMT solver. Its own time differs from run to run.
pub(super) const SMT_QUESTION: u64 = 150_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_circuit_costs_more_than_a_large_question() {
        let hard = sat::Cost {
            clauses: 50_000,
            looks: 100,
        };
        assert_eq!(of_circuit(hard), 35_000_000);
        assert!(of_question(10_000) < of_circuit(hard));
        assert!(of_circuit(hard) < SMT_QUESTION);
    }
}
