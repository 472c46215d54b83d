//! Open states are written down in the midst of a run, if they are to be (`state-samples.jsonl`).
//!
//! Invariant: the run takes the same course with and without it.

use super::pruning::place_of;
use super::run::Engine;
use crate::config::{RunConfig, Span};
use crate::prune::{Drawn, StateSamples};
use rustc_hash::FxHashMap;
use std::num::NonZeroU32;
use std::time::Duration;

/// States are drawn so often in a run whose time is limited.
const DRAWS: f64 = 20.0;

/// What samples of states a run takes; none if nobody wants them.
pub(super) fn state_samples(config: &RunConfig, start: u64) -> Option<StateSamples> {
    let total = config.budget.time;
    let interval = match total.is_zero() {
        true => Span::Time(Duration::from_secs(1)),
        false => total.of_same_unit((total.amount() / DRAWS).max(f64::MIN_POSITIVE)),
    };
    let wanted = config.output.state_samples;
    wanted.then(|| StateSamples::new(interval, start, config.search.seed))
}

impl Engine<'_, '_> {
    /// What a state with this tag was the first to cover.
    pub(super) fn credit_sample(&mut self, sample: Option<NonZeroU32>, new_sides: u64) {
        if let (Some(samples), Some(tag)) = (&mut self.progress.state_samples, sample) {
            samples.credit(tag, new_sides);
        }
    }

    /// Writes some of the open states down, if it is time to.
    pub(super) fn sample_states(&mut self) {
        if self.progress.state_samples.is_none() {
            return;
        }
        let clock = self.clock();
        let progress = &mut self.progress;
        let Some(samples) = &mut progress.state_samples else {
            return;
        };
        if !samples.is_due(clock) {
            return;
        }
        let segments = self.bench.executor.segments();
        let places = progress.states.values();
        let places: Vec<_> = places.map(|state| place_of(state, segments)).collect();
        let mut at_place: FxHashMap<_, usize> = FxHashMap::default();
        for place in &places {
            *at_place.entry(*place).or_default() += 1;
        }
        let drawn = samples.draw(places.len());
        let mut drawn = drawn.into_iter().peekable();
        for (index, (id, state)) in progress.states.iter_mut().enumerate() {
            if drawn.next_if_eq(&index).is_none() {
                continue;
            }
            let metrics = progress
                .measure
                .of(state, self.bench.executor, &progress.observer);
            let tag = samples.note(
                &Drawn {
                    id: *id,
                    state,
                    metrics,
                    place: places[index],
                    open: places.len(),
                    at_place: at_place[&places[index]],
                    terms: self.bench.terms,
                },
                clock,
            );
            state.sample = tag.or(state.sample);
        }
    }
}
