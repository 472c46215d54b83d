//! Summary of subsumption: skipped paths and their cost.

use super::AddUp;
use super::schema::Described;
use super::statistics::statistics;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

statistics! {
    /// The statistics of a run in which paths that can do nothing new were not followed.
    SubsumptionSummary in "`summary.json`: `subsumption`" {
        /// States that were not followed: a lower bound of the paths saved.
        subsumed: u64, Count, Sum;
        /// Paths below the subsuming nodes, an upper bound: a subsumed state counts the paths of
        /// its subsumer.
        leaves_subsumed: u64, Count, Sum;
        /// Subsumed states that `--self-check` followed nevertheless.
        #[serde(default)]
        checked: u64, Count, Sum;
        /// How often such a state showed something new, which would be a bug of homi.
        #[serde(default)]
        contradicted: u64, Count, Sum;
        /// States at a point that has entries.
        states_tested: u64, Count, Sum;
        /// Entries that were tried on them.
        tests_tried: u64, Count, Sum;
        /// Failed comparisons of a state with an interpolant, by cause.
        refused: BTreeMap<String, u64>, Count, Sum;
        /// Entries made.
        interpolants: u64, Count, Sum;
        /// Entries kept at the end.
        interpolants_kept: u64, Count, Sum;
        /// Entries dropped for others at the same point.
        interpolants_dropped: u64, Count, Sum;
        /// Forks below which homi explored every path.
        full_nodes: u64, Count, Sum;
        /// Forks below which some path will stay unexplored.
        half_nodes: u64, Count, Sum;
        /// States that the execution tree did not record because it had reached its maximum number
        /// of nodes.
        nodes_dropped: u64, Count, Sum;
        /// Nodes that got no interpolant, by why.
        failures: BTreeMap<String, u64>, Count, Sum;
        /// Instructions that were executed once more to find interpolants.
        subpath_instructions: u64, Instructions, Sum;
        /// Siblings that were explored at once to make a node full.
        greedy_tried: u64, Count, Sum;
        /// Siblings that made their node full.
        greedy_succeeded: u64, Count, Sum;
        /// Instructions that exploring siblings took.
        #[serde(default)]
        greedy_instructions: u64, Instructions, Sum;
        /// Seconds that tests took.
        test_s: f64, Seconds, Sum;
        /// Seconds that annotating took.
        annotate_s: f64, Seconds, Sum;
        /// Seconds that exploring siblings took, with the tests and the annotating on the way.
        #[serde(default)]
        greedy_s: f64, Seconds, Sum;
        /// Storage locations whose values caused most failed comparisons, with the number of
        /// failures.
        storage_locations: WorstLocations, Count, Sum;
    }
}

/// Places that are named at the end of a run.
const LOCATIONS_NAMED: usize = 10;

/// Places with how many tries each made fail, the worst first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorstLocations(pub Vec<(String, u64)>);

impl WorstLocations {
    /// Keeps of all places those whose values made most tries fail.
    pub fn of(storage_locations: impl IntoIterator<Item = (String, u64)>) -> Self {
        let mut sums: BTreeMap<String, u64> = BTreeMap::new();
        for (place, count) in storage_locations {
            *sums.entry(place).or_insert(0) += count;
        }
        let mut storage_locations: Vec<(String, u64)> = sums.into_iter().collect();
        storage_locations.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        storage_locations.truncate(LOCATIONS_NAMED);
        Self(storage_locations)
    }
}

impl Described for WorstLocations {
    fn schema() -> serde_json::Value {
        Vec::<(String, u64)>::schema()
    }
}

impl AddUp for WorstLocations {
    fn add_up(&mut self, other: &Self) {
        let storage_locations = std::mem::take(&mut self.0);
        *self = Self::of(storage_locations.into_iter().chain(other.0.iter().cloned()));
    }
}

impl SubsumptionSummary {
    /// The lines at the end of a run.
    pub fn lines(&self) -> String {
        let mut text = format!(
            "homi: done: states subsumed = {}, in place of {} paths\n",
            self.subsumed, self.leaves_subsumed
        );
        text.push_str(&format!(
            "homi: done: interpolants = {} of {} nodes\n",
            self.full_nodes,
            self.full_nodes + self.half_nodes
        ));
        if let [(place, count), ..] = &self.storage_locations.0[..] {
            text.push_str(&format!(
                "homi: done: most failed subsumption tests = {count} at {place}\n"
            ));
        }
        text
    }
}
