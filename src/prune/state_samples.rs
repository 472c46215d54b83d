//! Open states as they were, and what became of them: what scores of states are judged by.
//!
//! A score that is to decide which states leave is good if the states that lead to new coverage
//! score high. Whether it is can be seen without a single run that prunes: at equal intervals some
//! open states are drawn and written down with their numbers, each gets a tag that its descendants
//! inherit, and whatever one of them covers first is to the credit of the tag.
//!
//! Invariant: nothing in here changes what the run does. A tag that a state has when it is drawn
//! again is the parent of the new one, so at the end credit is added up the chain of tags.

use super::open::Place;
use super::rules::Schedule;
use crate::config::Span;
use crate::expr::Terms;
use crate::learn::{FeatureId, Recogniser};
use crate::search::{Clock, Metrics, StateId};
use crate::select::MadeTest;
use crate::state::State;
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;
use std::num::NonZeroU32;

/// States that are drawn at a time.
const DRAWN: usize = 5_000;
/// Sides on so many tests at most are rare.
const RARE: u32 = 32;

/// One drawn state: a line of `state-samples.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StateSample {
    /// Number of the draw, from 0, and the work of the run until then.
    pub draw: u32,
    pub work: u64,
    /// Open states then, and those of them at the same place in the code with the same calls.
    pub open: u64,
    pub at_place: u64,
    /// Number of the row of the closest ancestor, or of its own earlier self, that was drawn.
    pub parent: Option<u32>,
    pub state: u64,
    /// Its place: call path and piece of code.
    pub place: (u32, u32),
    pub depth: u32,
    pub instructions: u64,
    /// Instructions since its path last covered something new; 0: never.
    pub since_new: u64,
    pub solver_seconds: f64,
    /// 0: no uncovered code can be reached, or the search does not look at distances.
    pub distance: u32,
    /// How often the next instruction and the innermost call path were executed, 0 if the search
    /// does not look at it.
    pub point_count: u64,
    pub call_path_count: u64,
    pub constraints: u64,
    /// Sum of 1/n over its own sides that n tests cover, 1 to 32 of them; and sides in no test.
    pub rarity: f64,
    pub untested: u32,
    /// The fewest tests in which one of its sides is.
    pub rarest: u32,
    /// Core conditions of its path, by their place in `DrawnStates::features`.
    pub features: Vec<u32>,
    /// Turns that it and its descendants had since.
    pub turns: u64,
    /// Own sides that they were the first of the run to cover.
    pub credit: u64,
}

/// What is left at the end of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DrawnStates {
    pub rows: Vec<StateSample>,
    /// The text of each core condition.
    pub features: Vec<String>,
}

/// The rows so far.
pub struct StateSamples {
    rows: Vec<StateSample>,
    schedule: Schedule,
    generator: Pcg64,
    recogniser: Recogniser,
    /// In how many tests each side is.
    tests: FxHashMap<u32, u32>,
    draws: u32,
}

/// What a draw is made of besides the state.
pub struct Drawn<'a> {
    pub id: StateId,
    pub state: &'a State,
    pub metrics: Metrics,
    pub place: Place,
    pub open: usize,
    pub at_place: usize,
    pub terms: &'a Terms,
}

impl StateSamples {
    /// Draws every `interval` from `start` instructions, and as much work, on.
    pub fn new(interval: Span, start: u64, seed: u64) -> Self {
        Self {
            rows: Vec::new(),
            schedule: Schedule::every(interval, start),
            generator: Pcg64::new(u128::from(seed), 0x05a3_b1e5),
            recogniser: Recogniser::default(),
            tests: FxHashMap::default(),
            draws: 0,
        }
    }

    /// Whether states are to be drawn now.
    pub fn is_due(&mut self, clock: Clock) -> bool {
        self.schedule.is_due(clock, 0)
    }

    /// Which of so many states are drawn, ascending.
    pub fn draw(&mut self, open: usize) -> Vec<usize> {
        self.draws += 1;
        let mut drawn = Vec::with_capacity(DRAWN.min(open));
        // Each of the rest with the probability that fills the room that is left.
        for index in 0..open {
            let (left, room) = (open - index, DRAWN.min(open) - drawn.len());
            if self.generator.random_range(0..left) < room {
                drawn.push(index);
            }
        }
        drawn
    }

    /// Writes a drawn state down; its new tag.
    pub fn note(&mut self, drawn: &Drawn<'_>, clock: Clock) -> Option<NonZeroU32> {
        let (state, metrics) = (drawn.state, &drawn.metrics);
        let counts = |side| self.tests.get(&side).copied().unwrap_or(0);
        let sides: Vec<u32> = state.sides.iter().map(counts).collect();
        let rare = sides.iter().filter(|count| (1..=RARE).contains(*count));
        let conditions = state.path.iter();
        let awaited = state.awaits.iter().map(|awaited| awaited.condition);
        let features = conditions.chain(awaited);
        let features = features.filter_map(|term| self.recogniser.feature(drawn.terms, term));
        let features: BTreeSet<FeatureId> = features.collect();
        self.rows.push(StateSample {
            draw: self.draws - 1,
            work: clock.counted,
            open: drawn.open as u64,
            at_place: drawn.at_place as u64,
            parent: state.sample.map(|tag| tag.get() - 1),
            state: drawn.id.index() as u64,
            place: (drawn.place.calls.0, drawn.place.segment),
            depth: metrics.depth,
            instructions: state.metrics.instructions,
            since_new: metrics.since_new,
            solver_seconds: metrics.solver_seconds,
            distance: metrics.distance,
            point_count: metrics.point_count,
            call_path_count: metrics.call_path_count,
            constraints: state.path.len() as u64,
            rarity: rare.map(|count| 1.0 / f64::from(*count)).sum(),
            untested: sides.iter().filter(|count| **count == 0).count() as u32,
            rarest: sides.iter().copied().min().unwrap_or(0),
            features: features.iter().map(|feature| feature.0).collect(),
            turns: 0,
            credit: 0,
        });
        u32::try_from(self.rows.len())
            .ok()
            .and_then(NonZeroU32::new)
    }

    /// A state with this tag has a turn.
    pub fn turned(&mut self, tag: NonZeroU32) {
        if let Some(row) = self.row(tag) {
            row.turns += 1;
        }
    }

    /// A state with this tag was the first to cover so many sides.
    pub fn credit(&mut self, tag: NonZeroU32, new_sides: u64) {
        if let Some(row) = self.row(tag) {
            row.credit += new_sides;
        }
    }

    fn row(&mut self, tag: NonZeroU32) -> Option<&mut StateSample> {
        self.rows.get_mut(tag.get() as usize - 1)
    }

    /// A test was made.
    pub fn test_made(&mut self, test: &MadeTest<'_>) {
        for side in test.shown.sides.iter() {
            *self.tests.entry(*side).or_default() += 1;
        }
    }

    /// The rows with what became of them.
    pub fn finish(mut self) -> DrawnStates {
        // A parent stands before its children, so from behind each row is complete when it is
        // added to its parent's.
        for index in (0..self.rows.len()).rev() {
            let (turns, credit) = (self.rows[index].turns, self.rows[index].credit);
            if let Some(parent) = self.rows[index].parent {
                let parent = &mut self.rows[parent as usize];
                parent.turns += turns;
                parent.credit += credit;
            }
        }
        let all = (0..self.recogniser.len()).map(FeatureId::new);
        let text = |feature| self.recogniser.condition(feature).to_string();
        DrawnStates {
            features: all.map(text).collect(),
            rows: self.rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn samples() -> StateSamples {
        StateSamples::new(Span::Time(Duration::from_secs(1)), 0, 7)
    }

    #[test]
    fn a_draw_has_all_of_few_and_some_of_many() {
        let mut samples = samples();
        assert_eq!(samples.draw(3), [0, 1, 2]);
        let many = samples.draw(10_000);
        assert_eq!(many.len(), DRAWN);
        assert!(many.is_sorted() && many[DRAWN - 1] < 10_000);
        let late = many.iter().filter(|index| **index >= 5_000).count();
        assert!((2_300..2_700).contains(&late), "{late} of the second half");
    }
}
