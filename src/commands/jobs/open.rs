//! Open states of a program that is explored in jobs: their assignment to jobs, and the states that
//! results return.
//!
//! Invariant: an open state belongs to at most one job in progress. A state that a result returns
//! has not ended in its job, so no path ends twice.

use super::error::{JobError, Result};
use super::file::Work;
use super::outcome::StillOpen;
use super::state::State;
use super::text::{Bytes, Numbers};
use homi_explore::sources::checkpoint::Frontier;
use homi_report::Summary;

/// A job has too many states if it executes less than 1/4 of the instructions that it needed to
/// reach them.
const LEAST_BEYOND: u64 = 4;
/// Share of the budget of a job while there are fewer states than requested jobs.
const AT_FIRST: f64 = 0.1;

impl Bytes {
    /// Decodes the open states.
    ///
    /// # Errors
    /// Fails if the bytes do not encode open states.
    pub fn frontier(&self) -> Result<Frontier> {
        if self.0.is_empty() {
            return Ok(Frontier::default());
        }
        Frontier::from_bytes(&self.0).ok_or_else(|| {
            JobError::Request(
                "the open states of the job are corrupt; copy the job \
                 file again"
                    .to_string(),
            )
        })
    }
}

impl StillOpen {
    /// Encodes the open states and the coverage that a run returns.
    pub fn new(frontier: &Frontier, sides: Vec<u32>, segments: Vec<u32>) -> Self {
        let mut open = Self {
            sides: Numbers(sides),
            segments: Numbers(segments),
            ..Self::default()
        };
        open.set(frontier);
        open
    }

    /// Replaces the frontier; the coverage stays.
    pub(super) fn set(&mut self, frontier: &Frontier) {
        self.open = Bytes(frontier.to_bytes());
        self.states = frontier.states.len() as u64;
    }
}

/// Takes open states for `jobs` jobs.
pub(super) fn issue(state: &mut State, jobs: usize) -> Result<Vec<Work>> {
    let frontier = state.open.open.frontier()?;
    let all = frontier.states.len();
    if all == 0 || jobs == 0 {
        return Ok(Vec::new());
    }
    let each = all.div_ceil(jobs).min(state.most_states.max(1));
    let mut works = Vec::new();
    let mut place = 0;
    while place < all && works.len() < jobs {
        let part = frontier.part(place..(place + each).min(all));
        works.push(Work::Frontier {
            states: part.states.len() as u64,
            open: Bytes(part.to_bytes()),
            sides: state.open.sides.clone(),
            segments: state.open.segments.clone(),
        });
        place += each;
    }
    state.open.set(&frontier.part(place.min(all)..all));
    Ok(works)
}

/// Returns the share of a job's budget that the next jobs get if `asked` jobs are requested.
pub(super) fn share(state: &State, asked: usize) -> f64 {
    let few = (state.open.states as usize) < asked;
    2f64.powi(state.doubled.min(20) as i32) * if few { AT_FIRST } else { 1.0 }
}

/// Takes the states that a job returns; `given` is the number of states that it had.
pub(super) fn take(
    state: &mut State,
    given: u64,
    left: &StillOpen,
    summary: &Summary,
) -> Result<()> {
    let together = state.open.open.frontier()?.with(&left.open.frontier()?);
    state.open.set(&together);
    let add_bits = |all: &mut Vec<u32>, more: &[u32]| {
        all.extend(more);
        all.sort_unstable();
        all.dedup();
    };
    add_bits(&mut state.open.sides.0, &left.sides.0);
    add_bits(&mut state.open.segments.0, &left.segments.0);
    let Some(resumed) = summary.resumed else {
        return Ok(());
    };
    state.lost += resumed.dropped;
    state.walked += resumed.instructions;
    let beyond = summary.instructions.saturating_sub(resumed.instructions);
    let is_stuck = beyond * LEAST_BEYOND < resumed.instructions;
    // The job ended before it reached its states: later jobs get fewer states, or more time.
    if is_stuck && summary.paths.total() == 0 && left.states <= given {
        match state.most_states {
            1 => state.doubled += 1,
            most => state.most_states = (most.min(given as usize) / 2).max(1),
        }
    }
    Ok(())
}

/// Returns the stop reason of a program explored in jobs, from the previous reason and a result's.
pub(super) fn reason(before: Option<&str>, result: &str) -> String {
    let rank = |name: &str| match name {
        "exhausted" => 0,
        "exhausted-underapproximated" => 1,
        _ => 2,
    };
    // The limit that stopped a job does not end the program: other jobs continue its states.
    let is_end = ["exhausted", "exhausted-underapproximated", "no-states-left"].contains(&result);
    let result = if is_end { result } else { "exhausted" };
    let before = before.unwrap_or("exhausted");
    let worst = if rank(result) > rank(before) {
        result
    } else {
        before
    };
    worst.to_string()
}
