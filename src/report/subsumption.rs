//! What a run under `--subsume` did not follow, and what that cost.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The counts of a run in which paths that can do nothing new were not followed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SubsumptionSummary {
    /// States that were not followed: a lower bound of the paths saved.
    pub subsumed: u64,
    /// Paths below what subsumed them, where a subsumed state counts those of its own subsumer: an
    /// upper bound.
    pub leaves_spared: u64,
    /// With `--check`: states that were followed although they were subsumed, and how often one of
    /// them showed something new, which would be a fault of homi's.
    #[serde(default)]
    pub checked: u64,
    #[serde(default)]
    pub contradicted: u64,
    /// States at a point that has entries, and entries that were tried on them.
    pub states_tested: u64,
    pub tests_tried: u64,
    /// Tries that failed, by the layer that said no.
    pub refused: BTreeMap<String, u64>,
    /// Entries made, kept at the end, and dropped for others at the same point.
    pub entries: u64,
    pub entries_kept: u64,
    pub entries_dropped: u64,
    /// Nodes of the tree of paths all of whose successors were followed, and those that never will
    /// be.
    pub full_nodes: u64,
    pub half_nodes: u64,
    /// States of which the tree kept nothing because it had too many nodes.
    pub nodes_dropped: u64,
    /// Nodes that got no interpolant, by why.
    pub failures: BTreeMap<String, u64>,
    /// Instructions that were executed once more to find interpolants.
    pub retraced_instructions: u64,
    /// Siblings that were explored at once to make a node full, and those that did.
    pub greedy_tried: u64,
    pub greedy_succeeded: u64,
    /// Instructions that exploring siblings took.
    #[serde(default)]
    pub greedy_instructions: u64,
    /// Seconds that tests and annotating took.
    pub test_s: f64,
    pub annotate_s: f64,
    /// Seconds that exploring siblings took, with the tests and the annotating on the way.
    #[serde(default)]
    pub greedy_s: f64,
    /// The places whose values made most tries fail, with the number of tries.
    pub places: Vec<(String, u64)>,
    /// Present if what is subsumed was followed all the same, to be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredSummary>,
}

/// What a run did in subsumed trees, which it would have left out had it not measured them.
///
/// Taken from the run's own figures it gives those of a run that leaves them out. What subsumption
/// itself takes is part of the run's `work` and time, but not of its `instructions`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MeasuredSummary {
    /// Paths that came to an end, but for those that repeat an earlier test's.
    pub paths: u64,
    /// Those of them that are in subsumed trees.
    pub paths_subsumed: u64,
    /// The same, in percent.
    pub subsumed_percent: f64,
    /// Instructions executed in subsumed trees.
    pub instructions_subsumed: u64,
    /// Units of work done in subsumed trees (docs/guide/work.md).
    pub work_subsumed: u64,
    /// Seconds spent in subsumed trees.
    pub time_subsumed_s: f64,
}

/// Places that are named at the end of a run.
const PLACES_NAMED: usize = 10;

impl SubsumptionSummary {
    /// Adds the counts of a later run of the same session, whose tree was another one.
    pub fn add(&mut self, later: &Self) {
        for (sum, count) in [
            (&mut self.subsumed, later.subsumed),
            (&mut self.leaves_spared, later.leaves_spared),
            (&mut self.checked, later.checked),
            (&mut self.contradicted, later.contradicted),
            (&mut self.states_tested, later.states_tested),
            (&mut self.tests_tried, later.tests_tried),
            (&mut self.entries, later.entries),
            (&mut self.entries_kept, later.entries_kept),
            (&mut self.entries_dropped, later.entries_dropped),
            (&mut self.full_nodes, later.full_nodes),
            (&mut self.half_nodes, later.half_nodes),
            (&mut self.nodes_dropped, later.nodes_dropped),
            (&mut self.retraced_instructions, later.retraced_instructions),
            (&mut self.greedy_tried, later.greedy_tried),
            (&mut self.greedy_succeeded, later.greedy_succeeded),
            (&mut self.greedy_instructions, later.greedy_instructions),
        ] {
            *sum += count;
        }
        self.test_s += later.test_s;
        self.annotate_s += later.annotate_s;
        self.greedy_s += later.greedy_s;
        for (sums, counts) in [
            (&mut self.refused, &later.refused),
            (&mut self.failures, &later.failures),
        ] {
            for (name, count) in counts {
                *sums.entry(name.clone()).or_insert(0) += count;
            }
        }
        let places = std::mem::take(&mut self.places);
        self.name_places(places.into_iter().chain(later.places.iter().cloned()));
    }

    /// Keeps of all places those whose values made most tries fail, the worst first.
    pub fn name_places(&mut self, places: impl IntoIterator<Item = (String, u64)>) {
        let mut sums: BTreeMap<String, u64> = BTreeMap::new();
        for (place, count) in places {
            *sums.entry(place).or_insert(0) += count;
        }
        self.places = sums.into_iter().collect();
        self.places
            .sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.places.truncate(PLACES_NAMED);
    }

    /// The lines at the end of a run.
    pub fn lines(&self) -> String {
        let mut text = format!(
            "homi: done: states subsumed = {}, with {} paths below what they repeat\n",
            self.subsumed, self.leaves_spared
        );
        text.push_str(&format!(
            "homi: done: interpolants = {} of {} nodes\n",
            self.full_nodes,
            self.full_nodes + self.half_nodes
        ));
        if let Some(measured) = &self.measured {
            text.push_str(&format!(
                "homi: done: paths in subsumed trees = {} of {} ({:.1} %)\n",
                measured.paths_subsumed, measured.paths, measured.subsumed_percent
            ));
        }
        if let [(place, count), ..] = &self.places[..] {
            text.push_str(&format!(
                "homi: done: most tests failed at {place} ({count} times)\n"
            ));
        }
        text
    }
}
