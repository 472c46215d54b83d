//! Cost of answers, counted instead of timed: equal queries cost the same on every machine, so
//! searchers may use it.
//!
//! The unit is a nanosecond per unit of each layer's effort, as on common processors: right within
//! a factor of two or three. The layers before the encoding are left out: they take about as long
//! as the instruction that asks.

use super::sat;
use std::time::Duration;

/// Cost of an instruction in these units: the average if half of the operands are symbolic.
pub const WORK_OF_INSTRUCTION: u64 = 200;

/// Cost of an instruction of a fuzzing run. A run on given bytes builds no terms and makes no
/// queries: on five programs its instructions took a quarter to a tenth of the time of a unit of
/// the search (benchmarks/studies/2026-11-28-fuzzing-ratio).
pub const WORK_OF_CONCRETE_INSTRUCTION: u64 = 50;

/// Returns the cost of encoding a query of this many words, looking it up, and refuting it by
/// intervals.
pub(super) fn of_query(words: usize) -> u64 {
    2_000 + 90 * words as u64
}

/// Returns the cost of reading a query of this many constraints as one about the order of numbers.
pub(super) fn of_order(constraints: usize) -> u64 {
    1_000 + 300 * constraints as u64
}

/// Returns the cost of trying values with this many operations.
pub(super) fn of_operations(operations: u64) -> u64 {
    4 * operations
}

/// The cost of making a circuit and deciding it.
pub(super) fn of_circuit(cost: sat::Cost) -> u64 {
    400 * cost.clauses + 150_000 * cost.looks
}

/// Returns the cost of an SMT query that took this many of the solver's units: 50 ms to start, then
/// a millisecond for 4,000 units.
pub(super) fn of_smt_query(units: u32) -> u64 {
    50_000_000 + 250 * u64::from(units)
}

/// The SMT solver's units that take about this long; at least one, as none is no limit.
pub(super) fn units_in(time: Duration) -> u32 {
    u32::try_from(time.as_nanos() / 250)
        .unwrap_or(u32::MAX)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_circuit_costs_more_than_a_large_query() {
        let hard = sat::Cost {
            clauses: 50_000,
            looks: 100,
        };
        assert_eq!(of_circuit(hard), 35_000_000);
        assert!(of_query(10_000) < of_circuit(hard));
        assert!(of_circuit(hard) < of_smt_query(0));
        let second = Duration::from_secs(1);
        assert_eq!(of_smt_query(units_in(second)), 1_050_000_000);
        assert_eq!(units_in(second * 10_000), u32::MAX);
        assert_eq!(units_in(Duration::from_micros(500)), 2_000);
        assert_eq!(units_in(Duration::from_nanos(1)), 1);
    }
}
