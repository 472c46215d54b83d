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
    /// Seconds that tests and annotating took.
    pub test_s: f64,
    pub annotate_s: f64,
    /// The places whose values made most tries fail, with the number of tries.
    pub places: Vec<(String, u64)>,
}

impl SubsumptionSummary {
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
        if let [(place, count), ..] = &self.places[..] {
            text.push_str(&format!(
                "homi: done: most tests failed at {place} ({count} times)\n"
            ));
        }
        text
    }
}
