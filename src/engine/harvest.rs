//! What a campaign keeps of every test: (Phi, t, B) as core conditions, provenance and branch
//! sides.
//!
//! Invariant: which tests enter D is decided by the run alone (its own only-new filter); which of
//! them become files is decided over the whole campaign: a test is written if its branches or its
//! code are not all shown by files written before, or if it shows a new bug.

use super::sink::{Finishing, has_ended, own_sides};
use super::tail::TailRunner;
use crate::exec::{BugKind, EarlyReason, Termination};
use crate::expr::{Model, Terms};
use crate::learn::{FeatureId, Recogniser};
use crate::program::LocId;
use crate::state::{SideSet, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A test of the run under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Harvested {
    /// Number of the last prune event at or before its creation.
    pub event: Option<usize>,
    /// Core conditions of its path condition, ascending.
    pub features: Arc<[FeatureId]>,
    /// The program's own branch sides that it covers, ascending.
    pub sides: Arc<[u32]>,
    /// Its path was not seen to come to an end: it is without one, or longer than tails may be.
    pub endless: bool,
    /// A probe found it: it has no path condition to learn from.
    pub probe: bool,
    /// Segments of the program's own code that its path covered first in the run.
    pub segments: Vec<u32>,
    /// Name of its file, if it was written.
    pub file: Option<String>,
    /// The `.ktest`, if native replays are wanted.
    pub ktest: Option<Vec<u8>>,
}

/// The collector that travels with the test sink from run to run.
#[derive(Debug)]
pub struct Harvest {
    pub recogniser: Recogniser,
    /// Tests of the run under way.
    pub tests: Vec<Harvested>,
    /// Keep the tests' bytes, for native replays.
    pub keep_bytes: bool,
    /// The path that runs is that of an earlier test, which is in D already.
    pub(super) following: bool,
    /// Prune events so far in the run under way.
    pub(super) events: usize,
    /// Bugs of the run under way.
    pub(super) bugs: BTreeSet<(BugKind, LocId, String)>,
    /// Shown by written tests.
    shown_sides: SideSet,
    shown_segments: SideSet,
    tails: TailRunner,
    /// Instructions in tails.
    pub tail_instructions: u64,
}

impl Harvest {
    /// Nothing shown yet; tails have at most `tail_limit` instructions.
    pub fn new(recogniser: Recogniser, tail_limit: u64) -> Self {
        Self {
            recogniser,
            tests: Vec::new(),
            keep_bytes: false,
            following: false,
            events: 0,
            bugs: BTreeSet::new(),
            shown_sides: SideSet::default(),
            shown_segments: SideSet::default(),
            tails: TailRunner::new(tail_limit),
            tail_instructions: 0,
        }
    }

    /// Takes the tests of the run that ended and is ready for the next.
    pub fn finish_run(&mut self) -> Vec<Harvested> {
        self.events = 0;
        self.bugs.clear();
        std::mem::take(&mut self.tests)
    }

    /// Whether the written tests do not show all of this.
    pub(super) fn is_new(&self, sides: &[u32], segments: &[u32]) -> bool {
        sides.iter().any(|side| !self.shown_sides.contains(*side))
            || segments
                .iter()
                .any(|segment| !self.shown_segments.contains(*segment))
    }

    /// A test that shows this is written.
    pub fn show(&mut self, sides: &[u32], segments: &[u32]) {
        for side in sides {
            self.shown_sides.insert(*side);
        }
        for segment in segments {
            self.shown_segments.insert(*segment);
        }
    }

    /// The core conditions of a state's path condition, ascending.
    pub(super) fn features(&mut self, terms: &Terms, state: &State) -> Arc<[FeatureId]> {
        let found: BTreeSet<FeatureId> = state
            .path
            .iter()
            .filter_map(|term| self.recogniser.feature(terms, term))
            .collect();
        found.into_iter().collect()
    }

    /// What a path that ended teaches; `model` is its test.
    pub(super) fn test(
        &mut self,
        state: &State,
        termination: &Termination,
        model: &Model,
        run: &mut Finishing<'_, '_>,
    ) -> Harvested {
        let (sides, ran_on) = self.sides(state, termination, model, run);
        Harvested {
            event: self.events.checked_sub(1),
            features: self.features(run.terms, state),
            sides,
            endless: !(ran_on || has_ended(termination)),
            probe: run.probe,
            segments: Vec::new(),
            file: None,
            ktest: None,
        }
    }

    /// B(t): the own sides of the path, with those of its way on if a limit or the engine stopped
    /// it; and whether the way on reached the program's end.
    fn sides(
        &mut self,
        state: &State,
        termination: &Termination,
        model: &Model,
        run: &mut Finishing<'_, '_>,
    ) -> (Arc<[u32]>, bool) {
        // A probe has run on for long enough, and counts calls by an observer of its own.
        let unfinished = !run.probe
            && matches!(termination, Termination::Early(reason) if *reason != EarlyReason::RecursionLimit);
        if !unfinished {
            return (own_sides(state, run.coverage).into(), false);
        }
        let call_paths = run.observer.call_paths.len();
        let (after, ended, executed) =
            self.tails
                .run(run.executor, run.host, state, model, call_paths);
        self.tail_instructions += executed;
        (own_sides(&after, run.coverage).into(), ended)
    }
}
