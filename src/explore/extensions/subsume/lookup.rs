//! Search for an entry that subsumes a state, and statistics of the refusals.

use super::candidate::Candidate;
use super::frames::FrameView;
use super::interpolant::Interpolant;
use super::point::Point;
use super::statistics::{Refusal, refuse};
use super::storage::{Region, StorageLoc};
use super::subsumption::{Subsumption, SubsumptionContext};
use super::tree::Below;
use homi_machine::state::State;
use homi_solver::{Oracle, WORK_OF_INSTRUCTION};

/// Work units that the solver may spend on tests in any run. Beyond this budget it answers only
/// cheap queries while its part of the run's work exceeds one in `TESTS_PART`.
const TESTS_FREE: u64 = 100_000;
const TESTS_PART: u64 = 4;
/// Maximum number of storage locations named in statistics.
const MOST_LOCS: usize = 4096;

impl Subsumption {
    /// Returns the interpolant that subsumes a state, in the state's addresses, and what is
    /// below its node.
    pub(super) fn subsumer(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        state: &State,
        oracle: &mut dyn Oracle,
    ) -> Option<(Interpolant, Below)> {
        let mut candidate = Candidate::new(state);
        let point = Point::of(state, &candidate.frames)?;
        let entries = self.table.get_mut(&point.hash())?;
        self.statistics.states_tested += 1;
        let usage = self.tests_work / WORK_OF_INSTRUCTION;
        let may_search = usage < TESTS_FREE + with.work / TESTS_PART;
        let mut refusals = Vec::new();
        let mut found = None;
        for (index, entry) in entries.iter_mut().enumerate().rev() {
            self.statistics.tests_tried += 1;
            let tested = (&mut candidate, &point);
            match entry.admits(with.terms, &self.locs, tested, (&mut *oracle, may_search)) {
                Ok(()) => {
                    entry.uses += 1;
                    let named = (with.terms, &mut self.locs);
                    let interpolant = entry.interpolant(named, &candidate.frames)?;
                    found = Some((index, interpolant, entry.below));
                    break;
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        // An entry that subsumes a state is likely to subsume the next one.
        if let Some((index, ..)) = found {
            let entry = entries.remove(index);
            entries.push(entry);
        }
        for refusal in refusals {
            self.note_refusal(with, state, &candidate.frames, refusal);
        }
        found.map(|(_, interpolant, below)| (interpolant, below))
    }

    pub(super) fn note_refusal(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        state: &State,
        frames: &FrameView<'_>,
        refusal: Refusal,
    ) {
        refuse(&mut self.statistics, refusal);
        let Some(clause) = refusal.clause() else {
            return;
        };
        let support = with.terms.support(clause);
        let loc = support.iter().find_map(|byte| self.locs.loc(byte.array));
        let Some(loc) = loc else {
            return;
        };
        let name = self.describe(with, (state, frames), loc);
        let locs = &mut self.refused_locs;
        if locs.len() < MOST_LOCS || locs.contains_key(&name) {
            *locs.entry(name).or_default() += 1;
        }
    }

    /// Returns the description of a storage location for statistics.
    pub(super) fn describe(
        &self,
        with: &SubsumptionContext<'_, '_>,
        (state, frames): (&State, &FrameView<'_>),
        loc: StorageLoc,
    ) -> String {
        let function = |depth: u32| {
            let frame = frames.get(depth as usize);
            frame.map_or("?", |frame| {
                &with.executor.program().function(frame.function).name
            })
        };
        match loc {
            StorageLoc::Register { depth, .. } => format!("a register of {}", function(depth)),
            StorageLoc::Object { region, .. } => {
                let address = frames.address(region);
                let object = address.and_then(|address| state.memory.object_at(address));
                match (object, region) {
                    (Some(object), _) => with.executor.describe(&object),
                    (None, Region::Frame { depth, .. }) => {
                        format!("a local of {}", function(depth))
                    }
                    (None, Region::Absolute(base)) => format!("an object at {base:#x}"),
                    (None, Region::Pointed(_)) => "a heap block".to_string(),
                }
            }
        }
    }
}
