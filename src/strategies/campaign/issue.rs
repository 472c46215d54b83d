//! Campaign whose runs other processes perform: draws the parameters of each run, and learns from
//! the results in the order of their arrival.
//!
//! Invariant: D and its file equal a campaign's in one process. An assigned run changes nothing
//! until its result arrives.

use super::assigned::AssignedRun;
use super::campaign_data::CampaignData;
use super::planning::draw;
use super::store::StoredRun;
use homi_config::{CampaignConfig, CampaignKind};
use homi_explore::prune::learn::{FeatureId, Policy, Probabilities, Recogniser, extract};
use std::collections::{BTreeMap, BTreeSet};

/// Learner of a campaign.
pub struct RunIssuer {
    options: CampaignConfig,
    seed: u64,
    data: CampaignData,
    conditions: Recogniser,
    /// Branch sides that the files of the campaign show; `segments` are the segments that they
    /// show.
    sides: BTreeSet<u32>,
    segments: BTreeSet<u32>,
    runs: u64,
}

impl RunIssuer {
    /// Creates the learner from the runs received so far.
    pub fn new(options: CampaignConfig, seed: u64, runs: &[StoredRun]) -> Self {
        let mut issuer = Self {
            options,
            seed,
            data: CampaignData::default(),
            conditions: Recogniser::default(),
            sides: BTreeSet::new(),
            segments: BTreeSet::new(),
            runs: 0,
        };
        for run in runs {
            issuer.take_up(run);
        }
        issuer
    }

    fn take_up(&mut self, run: &StoredRun) {
        self.data.take_up(run, &mut self.conditions);
        for (sides, segments) in run.shown() {
            self.sides.extend(sides);
            self.segments.extend(segments);
        }
        self.runs += u64::from(run.budget.is_some());
    }

    /// Draws the run with this number; runs with lower numbers may be in progress.
    pub fn issue(&mut self, number: u64) -> AssignedRun {
        if self.options.kind == CampaignKind::Homi && self.runs > 0 {
            self.data.learn(&self.options);
        }
        let learned = self.data.learned.as_ref();
        // Runs in progress count as earlier runs, although their results are unknown.
        let runs = self.runs.max(u64::from(number > 0));
        let drawn = draw(&self.options, self.seed, number, runs, learned);
        let wanted = learned.filter(|_| drawn.policy.is_some_and(|one| one != Policy::Initial));
        let features = wanted.map_or(&[][..], |learned| &learned.features);
        let condition = |feature: &FeatureId| self.conditions.condition(*feature).clone();
        AssignedRun {
            number,
            policy: drawn.policy,
            budget: drawn.budget,
            conditions: features.iter().map(condition).collect(),
            learned: wanted.map(|learned| Probabilities {
                features: (0..features.len()).map(FeatureId::new).collect(),
                ..learned.clone()
            }),
            sides: self.data.sides.iter().collect(),
            segments: self.data.segments.iter().collect(),
        }
    }

    /// Returns the files that a run follows first: name, true if nothing new can be learned from
    /// the path, and the coverage of a path that does not end.
    pub fn tests_to_follow(&self) -> Vec<(String, bool, Option<Vec<u32>>)> {
        if !self.options.seed_runs {
            return Vec::new();
        }
        let written = &self.data.written;
        let sides: Vec<&[u32]> = written.iter().map(|test| test.sides.as_slice()).collect();
        let chosen = extract(&sides).into_iter().map(|index| &written[index]);
        chosen
            .map(|test| {
                let shows = test.endless.then(|| test.sides.clone());
                (test.file.clone(), test.learned, shows)
            })
            .collect()
    }

    /// True if a test of a received run adds coverage to the files.
    pub fn adds(&self, run: &StoredRun, test: &str) -> bool {
        let is_it = |one: &&super::store::StoredTest| one.file.as_deref() == Some(test);
        let test = run.tests.iter().find(is_it);
        test.is_some_and(|test| {
            let is_new =
                |all: &BTreeSet<u32>, some: &[u32]| some.iter().any(|one| !all.contains(one));
            is_new(&self.sides, &test.sides) || is_new(&self.segments, &test.segments)
        })
    }

    /// Takes a received run and returns its line of the campaign's data. `name` returns the
    /// campaign's name of a test file that is kept.
    pub fn take(
        &mut self,
        assigned: &AssignedRun,
        mut run: StoredRun,
        name: impl Fn(&str) -> Option<String>,
    ) -> StoredRun {
        let known = self.conditions.len();
        let all = assigned.conditions.iter().chain(&run.conditions);
        let numbers: Vec<FeatureId> = all
            .map(|condition| self.conditions.intern(condition.clone()))
            .collect();
        let renumber = |features: &mut Vec<FeatureId>| {
            for feature in features.iter_mut() {
                *feature = numbers.get(feature.index()).copied().unwrap_or(*feature);
            }
        };
        // The weights of events follow the order of the run's features.
        let order = in_order(&mut run, &numbers);
        for event in &mut run.events {
            event.weights = order
                .iter()
                .filter_map(|at| event.weights.get(*at).copied())
                .collect();
        }
        for test in &mut run.tests {
            renumber(&mut test.features);
            test.features.sort_unstable();
            let Some(file) = test.file.take() else {
                continue;
            };
            test.file = name(&file);
            if test.file.is_none() {
                test.endless = false;
                test.segments.clear();
            }
        }
        run.conditions = (known..self.conditions.len())
            .map(|number| self.conditions.condition(FeatureId::new(number)).clone())
            .collect();
        run.new_sides
            .retain(|side| !self.data.sides.contains(*side));
        run.new_segments
            .retain(|segment| !self.data.segments.contains(*segment));
        self.take_up(&run);
        run
    }
}

/// Replaces the features of a run by their numbers in the campaign, ascending. Returns the old
/// index of each.
fn in_order(run: &mut StoredRun, numbers: &[FeatureId]) -> Vec<usize> {
    let number = |feature: &FeatureId| numbers.get(feature.index()).copied().unwrap_or(*feature);
    let renumbered = run.features.iter().map(number).enumerate();
    let by_number: BTreeMap<FeatureId, usize> = renumbered.map(|(at, new)| (new, at)).collect();
    run.features = by_number.keys().copied().collect();
    by_number.into_values().collect()
}
