//! Record of a run's attempts to prove loops, and the limits of one attempt.

use homi_ir::program::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions that one attempt executes.
const MOST_INSTRUCTIONS: u64 = 200_000;
/// Cost of the answers to one attempt's queries, in nanoseconds as the solver counts them.
const MOST_WORK: u64 = 1_000_000_000;
/// Such cost of all attempts of a run, to which a quarter of the run's own is added.
const MOST_WORK_OF_ALL: u64 = 3_000_000_000;
/// Attempts at one loop head that failed, after which no more is made.
pub(super) const MOST_FAILURES: u32 = 3;

/// A loop head with the invariants that proofs rested on, as C expressions; without any, the head
/// was met without a proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProvenLoop {
    /// Conjuncts that hold at every visit.
    pub conjuncts: Option<BTreeSet<String>>,
    /// Attempts that failed.
    pub failures: u32,
}

/// Attempts of a run to prove loops.
#[derive(Clone, Debug, Default)]
pub struct LoopProofs {
    /// Loops by function and code index of the head.
    pub loops: BTreeMap<(FuncId, u32), ProvenLoop>,
    /// Segments that general states entered, whose limits of the model count as the program's.
    pub segments: BTreeSet<u32>,
    /// Work of the solver for all attempts.
    spent: u64,
    /// Instructions that the running attempt may still execute.
    pub(super) left: u64,
    /// Work of the solver up to which the running attempt may ask.
    pub(super) until_work: u64,
}

impl ProvenLoop {
    /// Keeps the conjuncts that hold at these visits too.
    pub(super) fn state(&mut self, conjuncts: BTreeSet<String>) {
        self.conjuncts = Some(match self.conjuncts.take() {
            Some(earlier) => earlier.intersection(&conjuncts).cloned().collect(),
            None => conjuncts,
        });
    }
}

impl LoopProofs {
    /// The record of a loop head.
    pub(super) fn of(&mut self, place: (FuncId, u32)) -> &mut ProvenLoop {
        self.loops.entry(place).or_default()
    }

    /// An attempt is over, which cost this work.
    pub(super) fn spend(&mut self, work: u64) {
        self.spent += work;
    }

    /// True if another attempt costs little beside the run's own queries.
    pub(super) fn can_afford(&self, work: u64) -> bool {
        self.spent <= MOST_WORK_OF_ALL + work / 4
    }

    /// An attempt begins.
    pub(super) fn begin(&mut self, work: u64) {
        self.left = MOST_INSTRUCTIONS;
        self.until_work = work.saturating_add(MOST_WORK);
    }
}
