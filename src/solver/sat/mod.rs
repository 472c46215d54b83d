//! Queries as circuits of gates, decided by a SAT solver (CaDiCaL) in this process.
//!
//! Owns: the circuit of every bit-vector operator, its clauses, the limit in conflicts. Never:
//! floating point (refused), repeated queries (`cache`), wall-clock limits except the end of the
//! run. Data come as an encoded query and go back as values of its bytes.
//!
//! Real queries that pass all other layers have hundreds to tens of thousands of gates; a fresh
//! solver decides most in about a millisecond, while an SMT solver in a separate process needs a
//! hundred.

mod arithmetic;
mod circuit;
mod clauses;
mod gates;
#[cfg(test)]
mod tests;

use super::backend::Answer;
use super::oracle::UnknownReason;
use super::tuning::Tuning;
use circuit::{Circuit, Refused};
use homi_ir::util::clock::Moment;

/// Limits of one query.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Conflicts of the SAT solver times clauses, which is about what time goes by, and the same on
    /// every machine.
    pub effort: u64,
    /// The end of the run, where the SAT solver stops.
    pub deadline: Option<Moment>,
    /// Bytes that this process may grow by during the query: conflicts are limited, but not how
    /// long the clauses are that the SAT solver learns from them.
    pub memory: u64,
}

/// Cost of one query; the same on every machine, unless the run ends.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    pub clauses: u64,
    /// Number of times that the SAT solver checked if it should stop.
    pub looks: u64,
}

/// Values for the bytes of an encoded query, or that there are none; unknown if it has floating
/// point or is too hard.
pub fn solve(words: &[u32], bytes: usize, limits: Limits, tuning: &Tuning) -> (Answer, Cost) {
    let unknown = |reason| (Answer::Unknown(reason), Cost::default());
    match Circuit::read(words, bytes, tuning) {
        Ok(circuit) => clauses::solve(&circuit, limits, tuning),
        Err(Refused::Float | Refused::TooLarge) => unknown(UnknownReason::Incomplete),
        Err(Refused::Malformed) => {
            let why = "the query is malformed".to_string();
            unknown(UnknownReason::BackendFailure(why))
        }
    }
}
