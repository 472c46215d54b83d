//! Interpolant of a node as the storage locations on which its paths depend (the form `core`), with
//! the path constraints that relate their values.
//!
//! Idea: two states that agree on every storage location on which a decision below depends take the
//! same paths. So an interpolant lists these storage locations with their values: numbers, or terms
//! over inputs together with the constraints on those inputs. The weakest precondition determines
//! the storage locations; only they are kept of it.
//!
//! Invariant: for each state that satisfies the interpolant there is an input of the node's path
//! for which all these storage locations have the same values.

use super::frames::FrameView;
use super::interpolant::Interpolant;
use super::reasons::Reason;
use super::subpath::{Equipment, Failure};
use super::weakest::{Way, conditions_of_forks, unsimplified};
use homi_machine::state::State;
use homi_solver::term::{Byte, Term};
use std::collections::BTreeSet;

/// Maximum size of the storage locations of an interpolant, in bytes.
const MOST_BYTES: usize = 1 << 16;

/// Returns the interpolant of a node with these continuations.
pub(super) fn interpolant(
    with: &mut Equipment<'_, '_>,
    start: &State,
    mut ways: Vec<Way>,
) -> Result<Interpolant, Failure> {
    let forks = conditions_of_forks(&ways);
    let mut whole = unsimplified(with.terms, &mut ways, &[])?;
    let mut depends = std::mem::take(&mut whole.depends);
    if !depends.is_empty() {
        // A successor's constraints hold only on its side.
        depends.extend(forks);
    }
    let terms = with.terms;
    let about: Vec<Term> = whole.clauses.drain(..).chain(depends).collect();
    let mut bytes: BTreeSet<Byte> = BTreeSet::new();
    for term in &about {
        let support = terms.support(*term);
        let locs = support
            .iter()
            .filter(|byte| with.locs.loc(byte.array).is_some());
        bytes.extend(locs.copied());
    }
    if bytes.len() > MOST_BYTES {
        return Err(Failure::Size);
    }
    let frames = FrameView::new(start);
    let mut inputs: BTreeSet<Byte> = BTreeSet::new();
    for byte in bytes {
        let value = with.locs.value(terms, (start, &frames), byte);
        let value = value.ok_or(Failure::Object)?;
        match terms.as_const(value) {
            Some(number) => whole
                .clauses
                .push(terms.eq_const(terms.symbol(byte), number)),
            None => {
                inputs.extend(terms.support(value).iter().copied());
                if Reason::Bound.counts() {
                    whole.bound.push((byte, value));
                }
            }
        }
    }
    if Reason::Kept.counts() {
        whole.kept = related(with, start, inputs);
    }
    whole.tidy();
    Ok(whole)
}

/// Returns the path constraints of a state that depend on some inputs, directly or through others.
fn related(with: &Equipment<'_, '_>, start: &State, inputs: BTreeSet<Byte>) -> Vec<Term> {
    let terms = with.terms;
    let all: Vec<Term> = start.path.iter().collect();
    let mut chosen = vec![false; all.len()];
    let mut bytes = inputs;
    loop {
        let mut grew = false;
        for (constraint, chosen) in all.iter().zip(&mut chosen) {
            let support = terms.support(*constraint);
            if !*chosen && support.iter().any(|byte| bytes.contains(byte)) {
                *chosen = true;
                grew = true;
                bytes.extend(support.iter().copied());
            }
        }
        if !grew {
            break;
        }
    }
    let pairs = all.into_iter().zip(chosen);
    pairs.filter(|pair| pair.1).map(|pair| pair.0).collect()
}
