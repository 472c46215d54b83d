//! The guided layer: keep the state's values and move one byte.
//!
//! Most conditions that a state's model does not satisfy are satisfied after one byte changes. For
//! each byte in turn, all constraints on it are evaluated for all values of its domain at once,
//! with the other bytes where they are. Finds models only; never says that there is none.

use super::query::Query;
use super::tuning::Tuning;
use crate::term::Terms;

/// Values for the query's bytes, if one byte's move is enough and `effort` operations suffice to
/// find it; leaves in `effort` what is left of it.
pub fn solve(terms: &Terms, query: &Query, effort: &mut u64, tuning: &Tuning) -> Option<Vec<u8>> {
    let values = &query.current;
    let broken: Vec<bool> = query
        .constraints
        .iter()
        .map(|constraint| {
            let number = constraint.free[0];
            let here = crate::term::ByteSet::single(values[number as usize]);
            constraint.allowed(terms, number, &here, values).is_empty()
        })
        .collect();
    let Some(first) = broken.iter().position(|&broken| broken) else {
        return Some(values.clone());
    };
    let tried = query.constraints[first].free.iter();
    for &number in tried.take(tuning.guided_bytes) {
        let others = query.constraints.iter().zip(&broken);
        let mut elsewhere = others.filter(|(constraint, _)| !constraint.free.contains(&number));
        if elsewhere.any(|(_, &broken)| broken) {
            continue;
        }
        // Violated constraints exclude most values, so they come first.
        let mut domain = query.domains[number as usize];
        for turn in [true, false] {
            for (constraint, &broken) in query.constraints.iter().zip(&broken) {
                if broken == turn && constraint.free.contains(&number) && !domain.is_empty() {
                    let (allowed, cost) =
                        constraint.allowed_at_cost(terms, number, &domain, values);
                    *effort = effort.checked_sub(cost)?;
                    domain = allowed;
                }
            }
        }
        if let Some(value) = domain.first() {
            let mut values = values.clone();
            values[number as usize] = value;
            return Some(values);
        }
    }
    None
}
