//! Knowledge of a campaign: D, the coverage of its runs, and the probabilities learned from D.

use super::options::{ratios, run_times};
use super::store::{StoredEvent, StoredRun, StoredTest};
use super::test_features::LearnedTest;
use homi_config::CampaignConfig;
use homi_explore::prune::learn::{
    Data, FeatureId, Probabilities, Recogniser, RunRecord, TestRecord, extract, generate_features,
    generate_probabilities,
};
use homi_machine::exec::{Observer, Underapproximations};
use homi_machine::state::SideSet;

/// Test that became a file.
#[derive(Debug)]
pub(super) struct Written {
    /// Name of the test's file without extension.
    pub(super) file: String,
    /// B(t) as recorded by its run, ascending.
    pub(super) sides: Vec<u32>,
    /// B(t) of its native replay; `None` if native replays do not count.
    pub(super) native: Option<Vec<u32>>,
    pub(super) endless: bool,
    /// True if the test is in D or a run has followed it. A test from fuzzing has no path condition
    /// before that.
    pub(super) learned: bool,
}

/// D and derived data.
#[derive(Debug, Default)]
pub(super) struct CampaignData {
    pub(super) data: Data,
    /// Branch sides that any run covered; `segments` are the covered segments.
    pub(super) sides: SideSet,
    pub(super) segments: SideSet,
    /// Probabilities for the next run; `None` before the first run ends.
    pub(super) learned: Option<Probabilities>,
    /// Number of tests that Extract chose (
    /// GoodT
    /// ).
    pub(super) good: usize,
    /// Tests that became files, in creation order.
    pub(super) written: Vec<Written>,
}

impl CampaignData {
    /// Adds a finished run and returns its line for the store. `known_conditions` is the number of
    /// core conditions before the run; `native` has B(t) of each test if native replays count.
    pub(super) fn add_run(
        &mut self,
        record: RunRecord,
        tests: Vec<LearnedTest>,
        observer: &Observer,
        recogniser: &Recogniser,
        known_conditions: usize,
        native: Option<Vec<Vec<u32>>>,
    ) -> StoredRun {
        let conditions = (known_conditions..recogniser.len())
            .map(|number| recogniser.condition(FeatureId::new(number)).clone())
            .collect();
        let native = |number: usize| native.as_ref()?.get(number).cloned();
        let stored = StoredRun {
            budget: record.budget,
            features: record.features.clone(),
            events: record.events.iter().map(StoredEvent::of).collect(),
            conditions,
            tests: tests
                .iter()
                .enumerate()
                .map(|(number, test)| StoredTest::of(test, native(number)))
                .collect(),
            new_sides: self.newly_covered_sides(observer),
            new_segments: self.newly_covered_segments(observer),
            underapproximations: Underapproximations::default(),
        };
        self.note_written(&stored);
        let run = self.data.runs.len();
        self.data.runs.push(record);
        self.data.tests.extend(
            tests
                .into_iter()
                .zip(&stored.tests)
                .filter(|(test, _)| !test.fuzzing_run)
                .map(|(test, stored)| TestRecord {
                    run,
                    event: test.event,
                    features: test.features,
                    sides: match &stored.native {
                        Some(native) => native.as_slice().into(),
                        None => test.sides,
                    },
                }),
        );
        stored
    }

    /// Returns the branch sides that no earlier run covered.
    fn newly_covered_sides(&mut self, observer: &Observer) -> Vec<u32> {
        let sides = observer.sides.iter();
        sides.filter(|side| self.sides.insert(*side)).collect()
    }

    /// Returns the segments that no earlier run covered, or went through in a proof.
    fn newly_covered_segments(&mut self, observer: &Observer) -> Vec<u32> {
        let entries = (0..).zip(&observer.segment_entries);
        let entered = entries
            .filter(|(_, count)| **count > 0)
            .map(|(segment, _)| segment);
        let proven = observer.proofs.segments.iter().copied();
        entered
            .chain(proven)
            .filter(|segment| self.segments.insert(*segment))
            .collect()
    }

    /// Adds a run of an earlier session; its conditions keep their numbers.
    pub(super) fn take_up(&mut self, stored: &StoredRun, recogniser: &mut Recogniser) {
        for condition in &stored.conditions {
            recogniser.intern(condition.clone());
        }
        for side in &stored.new_sides {
            self.sides.insert(*side);
        }
        for segment in &stored.new_segments {
            self.segments.insert(*segment);
        }
        self.note_written(stored);
        let run = self.data.runs.len();
        self.data.runs.push(RunRecord {
            budget: stored.budget,
            features: stored.features.clone(),
            events: stored.events.iter().map(StoredEvent::to_event).collect(),
        });
        for test in &stored.tests {
            if test.fuzzing_run {
                continue;
            }
            self.data.tests.push(TestRecord {
                run,
                event: test.event,
                features: test.features.as_slice().into(),
                sides: test
                    .native
                    .as_ref()
                    .unwrap_or(&test.sides)
                    .as_slice()
                    .into(),
            });
        }
    }

    fn note_written(&mut self, stored: &StoredRun) {
        // The run has followed the tests of earlier runs.
        for test in &mut self.written {
            test.learned = true;
        }
        let written = stored.tests.iter().filter_map(|test| {
            Some(Written {
                file: test.file.clone()?,
                sides: test.sides.clone(),
                native: test.native.clone(),
                endless: test.endless,
                learned: !test.fuzzing_run,
            })
        });
        self.written.extend(written);
    }

    /// Learns from D: lines 10 to 12 of Algorithm 2.
    pub(super) fn learn(&mut self, config: &CampaignConfig) {
        let sides: Vec<_> = self.data.tests.iter().map(|test| &*test.sides).collect();
        let good = extract(&sides);
        self.good = good.len();
        let (ratios, times) = (ratios(config).len(), run_times(config).len());
        let features = generate_features(&self.data, &good);
        self.learned = Some(generate_probabilities(
            &self.data, &good, features, ratios, times,
        ));
    }
}
