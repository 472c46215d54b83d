//! Reads at symbolic offsets of objects that are too large to visit each byte, and filled except
//! for a few places.
//!
//! Idea: such an object is a few runs of equal bytes with written places between them. An access
//! lies within one run, or begins in the last bytes before the next; so the value is a choice
//! between that many pieces. Invariant: the pieces cover all relevant offsets, in order.

use super::Memory;
use super::contents::Contents;
use super::nodes::Run;
use super::object::ObjectRef;
use super::symbolic::read_shown;
use homi_ir::ops::CmpOp;
use homi_solver::term::{Term, Terms};

/// Runs that one read chooses between.
const MOST_RUNS: usize = 64;
/// Bytes of all runs that are not a fill.
const MOST_WRITTEN: u64 = 1 << 16;

/// The runs of a range if they are few.
fn few_runs(contents: &Contents, from: u64, to: u64) -> Option<Vec<Run>> {
    let runs = contents.runs(from, to, MOST_RUNS)?;
    let written = runs.iter().filter(|run| run.fill.is_none());
    let bytes: u64 = written.map(|run| run.end - run.start).sum();
    (bytes <= MOST_WRITTEN).then_some(runs)
}

/// The value of `bytes` bytes at one of the offsets `first`, `first + step`, ... up to `last`,
/// without layers; nothing if the contents have too many runs.
pub(super) fn read_sparse(
    terms: &Terms,
    contents: &Contents,
    offset: Term,
    (first, last, step): (u64, u64, u64),
    bytes: u32,
) -> Option<Term> {
    let size = u64::from(bytes);
    let runs = few_runs(contents, first, last + size)?;
    // The last offset of each piece, and the piece's value.
    let mut pieces: Vec<(u64, Term)> = Vec::new();
    let mut from = first;
    // Nothing if none of the offsets is among these.
    let dense = |from: u64, to: u64| {
        let from = first + (from - first).next_multiple_of(step);
        (from <= to).then(|| read_shown(terms, contents, offset, (from, to, step), bytes))
    };
    for run in &runs {
        // Accesses within the run first, then accesses that cross its end.
        if let Some(inside) = run.end.checked_sub(size).map(|to| to.min(last))
            && from <= inside
        {
            let value = match run.fill {
                Some(fill) => {
                    let byte = u128::from(fill);
                    let all = (0..bytes).fold(0, |value, _| value << 8 | byte);
                    Some(terms.constant(8 * bytes, all))
                }
                None => dense(from, inside),
            };
            pieces.extend(value.map(|value| (inside, value)));
            from = inside + 1;
        }
        let leaving = (run.end - 1).min(last);
        if from <= leaving {
            pieces.extend(dense(from, leaving).map(|value| (leaving, value)));
            from = leaving + 1;
        }
    }
    let (_, value) = pieces.pop()?;
    Some(pieces.into_iter().rev().fold(value, |rest, (to, value)| {
        let here = terms.cmp(CmpOp::Ule, offset, terms.constant(64, to.into()));
        terms.ite(here, value, rest)
    }))
}

impl Memory {
    /// Returns true if the bytes `from..to` (offsets in the object) are a few runs of equal bytes
    /// with few writes between them, so that a read at any offset is cheap.
    pub fn is_sparse(&self, object: &ObjectRef, (from, to): (u64, u64)) -> bool {
        let contents = self.contents_of(object);
        contents.is_ok_and(|contents| few_runs(contents, from, to.min(object.capacity)).is_some())
    }
}
