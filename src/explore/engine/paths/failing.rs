//! The condition under which a check fails, and the inputs that it compares.
//!
//! Invariant: terms are evaluated with values near the path's model; nothing is asked of the
//! solver.

use homi_machine::state::{Decision, State};
use homi_solver::term::{Byte, Model, Term, Terms};

/// Largest distance of the values that are tried from the failing one.
const NEAR: u64 = 256;
/// Bytes of the longest number.
const LONGEST: usize = 8;
/// Inputs that are named at most.
const MOST_INPUTS: usize = 8;

/// Inputs of a path on which a check fails for some values only.
#[derive(Default)]
pub(super) struct FailingCondition {
    /// Names of the inputs that the condition compares; empty if each input of the path fails.
    pub(super) inputs: Vec<String>,
    /// True if the path goes on for values of one input below and above the failing one.
    pub(super) is_isolated: bool,
}

/// Returns the condition that forked a failure off, if a check did.
pub(super) fn failing_condition(state: &State, terms: &Terms) -> FailingCondition {
    let last = state.decisions.iter_reversed().next();
    let constraints: Vec<Term> = state.path.iter().collect();
    let (Some(Decision::Check { bug: true }), Some((fails, path))) =
        (last, constraints.split_last())
    else {
        return FailingCondition::default();
    };
    let bytes = terms.support(*fails);
    let objects = state.symbolics.objects.iter();
    let compared = objects.filter(|object| bytes.iter().any(|byte| byte.array == object.array));
    let inputs = compared.take(MOST_INPUTS);
    let inputs = inputs.map(|object| object.name.to_string()).collect();
    let is_isolated = numbers(&bytes).any(|number| {
        let concerns = |term: &&Term| {
            let support = terms.support(**term);
            number.iter().any(|byte| support.contains(byte))
        };
        let path: Vec<Term> = path.iter().filter(concerns).copied().collect();
        let goes_on = |model: &Model| {
            terms.eval(*fails, model) == 0 && path.iter().all(|term| terms.eval(*term, model) == 1)
        };
        let goes_on = |value: u64| goes_on(&with_value(&state.model, number, value));
        let value = value(&state.model, number);
        let sign = 1 << (8 * number.len() - 1);
        // Below and above in both orders, with a sign and without.
        let same_sign = |other: &u64| other & sign == value & sign;
        let below = (1..=NEAR).map_while(|by| value.checked_sub(by));
        let above = (1..=NEAR).map_while(|by| value.checked_add(by));
        below.take_while(same_sign).any(goes_on) && above.take_while(same_sign).any(goes_on)
    });
    FailingCondition {
        inputs,
        is_isolated,
    }
}

/// Returns the runs of neighboring bytes that may be numbers.
fn numbers(bytes: &[Byte]) -> impl Iterator<Item = &[Byte]> {
    let is_next = |a: &Byte, b: &Byte| a.array == b.array && a.index + 1 == b.index;
    bytes
        .chunk_by(is_next)
        .filter(|number| number.len() <= LONGEST)
}

/// Returns the number in some bytes, the lowest first.
fn value(model: &Model, number: &[Byte]) -> u64 {
    let bytes = number.iter().rev();
    bytes.fold(0, |value, byte| value << 8 | u64::from(model.get(*byte)))
}

fn with_value(model: &Model, number: &[Byte], value: u64) -> Model {
    let mut model = model.clone();
    for (byte, value) in number.iter().zip(value.to_le_bytes()) {
        model.set(*byte, value);
    }
    model
}
