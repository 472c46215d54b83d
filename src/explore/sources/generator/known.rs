//! Inputs of the run with the branch sides they take, and the input nearest to a side that none
//! takes.
//!
//! An input that takes another side of the same branch reaches the branch, and the shortest of
//! these is sent: it has the fewest irrelevant bytes.

use crate::sources::named_objects::Objects;
use homi_ir::program::{BranchId, Origin, Program};
use homi_machine::exec::Segments;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A side is asked about so often at most.
const MOST_TIMES: u32 = 3;
/// Inputs that wait to be looked at; more are dropped.
const MOST_WAITING: usize = 4096;

/// A side that no input takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stuck {
    pub(super) branch: BranchId,
    pub(super) side: u32,
    /// The nearest input.
    pub(super) input: usize,
}

/// The inputs of a session and what they show.
#[derive(Default)]
pub(super) struct Known {
    waiting: VecDeque<Objects>,
    seen: BTreeSet<Objects>,
    inputs: Vec<Objects>,
    /// The first shortest input that takes a side, by dense number.
    takers: BTreeMap<u32, usize>,
    /// Number of requests per side.
    asked: BTreeMap<u32, u32>,
}

impl Known {
    /// An input that is worth looking at.
    pub(super) fn note(&mut self, objects: Objects) {
        if self.waiting.len() < MOST_WAITING && self.seen.insert(objects.clone()) {
            self.waiting.push_back(objects);
        }
    }

    /// The next input whose sides are not known.
    pub(super) fn next(&mut self) -> Option<Objects> {
        self.waiting.pop_front()
    }

    /// Records the sides that an input takes.
    pub(super) fn taken(&mut self, objects: Objects, sides: &[u32]) {
        let number = self.inputs.len();
        let size = |objects: &Objects| objects.iter().map(|one| used(&one.1)).sum::<usize>();
        let own = size(&objects);
        self.inputs.push(objects);
        for side in sides {
            let taker = self.takers.entry(*side).or_insert(number);
            if own < size(&self.inputs[*taker]) {
                *taker = number;
            }
        }
    }

    pub(super) fn input(&self, number: usize) -> &Objects {
        &self.inputs[number]
    }

    /// Returns the side to ask about next: the first in the program among those with the fewest
    /// requests.
    pub(super) fn next_stuck(&mut self, program: &Program, segments: &Segments) -> Option<Stuck> {
        let mut best: Option<(u32, Stuck)> = None;
        let own = program.branches.iter().enumerate();
        for (index, site) in own.filter(|(_, site)| site.origin == Origin::Program) {
            let branch = BranchId::new(index);
            let takers = (0..site.sides)
                .filter_map(|side| self.takers.get(&segments.side(branch, side)).copied());
            let Some(input) = takers.min() else {
                continue;
            };
            for side in 0..site.sides {
                let number = segments.side(branch, side);
                let times = self.asked.get(&number).copied().unwrap_or(0);
                let is_open = !self.takers.contains_key(&number) && times < MOST_TIMES;
                if is_open && best.is_none_or(|(least, _)| times < least) {
                    let stuck = Stuck {
                        branch,
                        side,
                        input,
                    };
                    best = Some((times, stuck));
                }
            }
        }
        best.map(|(_, stuck)| stuck)
    }

    /// A side was asked about.
    pub(super) fn asked(&mut self, segments: &Segments, stuck: Stuck) {
        let number = segments.side(stuck.branch, stuck.side);
        *self.asked.entry(number).or_insert(0) += 1;
    }
}

/// Bytes up to the last that is not zero.
fn used(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1)
}
