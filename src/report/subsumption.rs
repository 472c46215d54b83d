//! Summary of subsumption: skipped paths and their cost.

use super::AddUp;
use super::schema::Described;
use super::statistics::statistics;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

statistics! {
    /// The statistics of a run in which paths that can do nothing new were not followed.
    SubsumptionSummary in "`summary.json`: `subsumption`" {
        /// Subsumed states; a lower bound on the number of skipped paths.
        subsumed: u64, Count, Sum;
        /// Paths below the subsuming nodes; an upper bound on the number of skipped paths.
        leaves_subsumed: u64, Count, Sum;
        /// Subsumed states that `--self-check` explored nevertheless.
        #[serde(default)]
        checked: u64, Count, Sum;
        /// Checked states with new behavior, which indicate a bug in homi.
        #[serde(default)]
        contradicted: u64, Count, Sum;
        /// States at a code location with interpolants.
        states_tested: u64, Count, Sum;
        /// Comparisons of a state with an interpolant.
        tests_tried: u64, Count, Sum;
        /// Failed comparisons of a state with an interpolant, by cause.
        refused: BTreeMap<String, u64>, CountsByName, Sum;
        /// Interpolants created.
        interpolants: u64, Count, Sum;
        /// Interpolants stored at the end of the run.
        interpolants_kept: u64, Count, Sum;
        /// Interpolants replaced by others at the same location.
        interpolants_dropped: u64, Count, Sum;
        /// Forks below which homi explored every path.
        full_nodes: u64, Count, Sum;
        /// Forks below which some path remains unexplored.
        half_nodes: u64, Count, Sum;
        /// States not recorded because the execution tree had reached its maximum size.
        nodes_dropped: u64, Count, Sum;
        /// Pauses of subsumption, which begin where it has cost more than it has spared.
        #[serde(default)]
        pauses: u64, Count, Sum;
        /// Nodes without an interpolant, by reason.
        failures: BTreeMap<String, u64>, CountsByName, Sum;
        /// Instructions re-executed to compute interpolants.
        subpath_instructions: u64, Instructions, Sum;
        /// Siblings explored immediately to complete a node.
        greedy_tried: u64, Count, Sum;
        /// Siblings whose exploration completed their node.
        greedy_succeeded: u64, Count, Sum;
        /// Instructions executed to explore siblings.
        #[serde(default)]
        greedy_instructions: u64, Instructions, Sum;
        /// Time to test states against interpolants.
        test_s: f64, Seconds, Sum;
        /// Time to compute interpolants.
        annotate_s: f64, Seconds, Sum;
        /// Time to explore siblings, with their tests and interpolants.
        #[serde(default)]
        greedy_s: f64, Seconds, Sum;
        /// Storage locations whose values caused most failed comparisons, with the number of
        /// failures.
        storage_locations: WorstLocations, Pairs, Sum;
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
