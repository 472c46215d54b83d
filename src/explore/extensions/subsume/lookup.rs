//! Which entry subsumes a state, and what made the others refuse.

use super::candidate::Candidate;
use super::figures::{Refusal, refuse};
use super::frames::FrameView;
use super::interpolant::Interpolant;
use super::places::{Place, Region};
use super::point::Point;
use super::subsumption::{Subsumption, Surroundings};
use crate::machine::state::State;
use crate::solver::{Oracle, WORK_OF_INSTRUCTION};

/// Units of work that the solver may take for tests in any run; beyond, it is asked only for what
/// it knows at little cost as long as its part in the run's work is above one in `TESTS_PART`.
const TESTS_FREE: u64 = 100_000;
const TESTS_PART: u64 = 4;
/// Places named in figures.
const MOST_PLACES: usize = 4096;

impl Subsumption {
    /// What subsumes a state: its interpolant in the state's addresses, and the paths below it.
    pub(super) fn subsumer(
        &mut self,
        with: &Surroundings<'_, '_>,
        state: &State,
        oracle: &mut dyn Oracle,
    ) -> Option<(Interpolant, u64)> {
        let mut candidate = Candidate::new(state);
        let point = Point::of(state, &candidate.frames)?;
        let entries = self.table.get_mut(&point.hash())?;
        self.figures.states_tested += 1;
        let spent = self.tests_work / WORK_OF_INSTRUCTION;
        let may_search = spent < TESTS_FREE + with.work / TESTS_PART;
        let mut refusals = Vec::new();
        let mut found = None;
        for (index, entry) in entries.iter_mut().enumerate().rev() {
            self.figures.tests_tried += 1;
            let tested = (&mut candidate, &point);
            match entry.admits(with.terms, &self.places, tested, (&mut *oracle, may_search)) {
                Ok(()) => {
                    entry.uses += 1;
                    let named = (with.terms, &mut self.places);
                    let interpolant = entry.interpolant(named, &candidate.frames)?;
                    found = Some((index, interpolant, entry.leaves));
                    break;
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        // What subsumes now will do so again soon.
        if let Some((index, ..)) = found {
            let entry = entries.remove(index);
            entries.push(entry);
        }
        for refusal in refusals {
            self.note_refusal(with, state, &candidate.frames, refusal);
        }
        found.map(|(_, interpolant, leaves)| (interpolant, leaves))
    }

    pub(super) fn note_refusal(
        &mut self,
        with: &Surroundings<'_, '_>,
        state: &State,
        frames: &FrameView<'_>,
        refusal: Refusal,
    ) {
        refuse(&mut self.figures, refusal);
        let Some(clause) = refusal.clause() else {
            return;
        };
        let support = with.terms.support(clause);
        let place = support
            .iter()
            .find_map(|byte| self.places.place(byte.array));
        let Some(place) = place else {
            return;
        };
        let name = self.describe(with, (state, frames), place);
        let places = &mut self.refused_places;
        if places.len() < MOST_PLACES || places.contains_key(&name) {
            *places.entry(name).or_default() += 1;
        }
    }

    /// A place as people know it.
    pub(super) fn describe(
        &self,
        with: &Surroundings<'_, '_>,
        (state, frames): (&State, &FrameView<'_>),
        place: Place,
    ) -> String {
        let function = |depth: u32| {
            let frame = frames.get(depth as usize);
            frame.map_or("?", |frame| {
                &with.executor.program().function(frame.function).name
            })
        };
        match place {
            Place::Register { depth, .. } => format!("a register of {}", function(depth)),
            Place::Object { region, .. } => {
                let address = frames.address(region);
                let object = address.and_then(|address| state.memory.object_at(address));
                match (object, region) {
                    (Some(object), _) => with.executor.describe(&object),
                    (None, Region::Frame { depth, .. }) => {
                        format!("a local of {}", function(depth))
                    }
                    (None, Region::Absolute(base)) => format!("an object at {base:#x}"),
                    (None, Region::Pointed(_)) => "a block of the heap".to_string(),
                }
            }
        }
    }
}
