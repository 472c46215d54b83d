//! `learning.jsonl`: one line per run, for people who want to see a campaign learn and for `homi
//! report`.
//!
//! A run outside of a campaign is one line with policy `none`. Readers ignore a cut-off last line.

use super::line_file::read_lines;
use super::statistics::statistics;
use super::{FuzzingSummary, SeedSummary};
use std::io;
use std::path::Path;

/// Name of the file within an output directory.
pub const LEARNING_LOG: &str = "learning.jsonl";

statistics! {
    /// A run of a campaign: a line of the file.
    RunLine in "a line of `learning.jsonl`, event `run-ended`" {
        /// Number of the run, from 1.
        run: u64, Number, Own;
        /// Policy: `none`, `initial`, `explore`, `exploit`, `reverse`, `random`, `divide`,
        /// `unpruned`, `concolic` or `layout`.
        policy: String, Text, Own;
        /// Symbolic arguments of the run; empty if the run used the given ones.
        #[serde(default)]
        symbolic_args: String, Text, Own;
        /// Thread of the run, from 0.
        thread: u64, Number, Own;
        /// Budget of the run (N' in the paper), in the unit of `budget_unit`; 0 is no limit.
        budget: f64, Count, Own;
        /// The unit of the budget: `s` (seconds), `i` (instructions) or `w` (work).
        budget_unit: String, Text, Own;
        /// Seconds since the campaign started.
        started_s: f64, Seconds, Own;
        /// Duration of the run, including its tests.
        wall_s: f64, Seconds, Sum;
        /// Stop reason.
        stop_reason: String, Text, Last;
        /// Instructions executed.
        instructions: u64, Instructions, Sum;
        /// Units of work.
        #[serde(default)]
        work: u64, Work, Sum;
        /// The features F as text.
        features: Vec<String>, Texts, Own;
        /// |GoodT| after the run.
        good_tests: u64, Count, Last;
        /// |D| after the run.
        data_tests: u64, Count, Last;
        /// Tests of the run added to the campaign data D.
        run_tests: u64, Count, Sum;
        /// Test files written by the run.
        run_files: u64, Count, Sum;
        /// Branch sides first covered by this run.
        new_branches: u64, Count, Sum;
        /// Branch sides covered so far.
        branches: u64, Count, Last;
        /// Branch sides of user code.
        branches_total: u64, Count, Last;
        /// |S| at each second of the run.
        states_each_second: Vec<u64>, Counts, Own;
        /// Branch sides covered so far at each second of the run.
        branches_each_second: Vec<u64>, Counts, Own;
        /// For a concolic run: pairs of executions and covered branch sides, one at each increase.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        branches_by_execution: Vec<(u64, u64)>, Pairs, Own;
        /// Maximum number of states.
        states_peak: u64, Count, Most;
        /// Pruned states.
        states_pruned: u64, Count, Sum;
        /// Prune events.
        prune_events: Vec<PruneLine>, Groups, Own;
        /// Work that repeats subpaths of earlier runs.
        repeated: RepeatedLine, Group, Sum;
        /// Statistics of seeds; present if the run started from earlier tests (`--seed-runs`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeds: Option<SeedSummary>, Group, Sum;
        /// Statistics of the fuzzing runs of this run; present if there were any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fuzzing: Option<FuzzingSummary>, Group, Sum;
        /// Costs apart from exploration; these fields are inlined into the line.
        #[serde(flatten)]
        costs: CampaignCosts, Group, Sum;
    }
}

statistics! {
    /// Costs of a campaign apart from exploration.
    #[derive(Copy)]
    CampaignCosts in "a line of `learning.jsonl`; summed, in `summary.json`: `campaign`" {
        /// Time to score and select the states to prune.
        #[serde(default)]
        selection_s: f64, Seconds, Sum;
        /// Time to remove the states, with their tests.
        #[serde(default)]
        pruning_s: f64, Seconds, Sum;
        /// Time to learn between runs: selecting good tests (Extract), deriving weight
        /// distributions, freeing unused terms.
        learning_s: f64, Seconds, Sum;
        /// Instructions of completion runs, which measure B(t) of unfinished paths.
        completion_instructions: u64, Instructions, Sum;
    }
}

statistics! {
    /// One prune event.
    PruneLine in "a line of `learning.jsonl`: `prune_events`, event `pruned`" {
        /// Seconds since the start of the run.
        time_s: f64, Seconds, Own;
        /// Instructions since the start of the run.
        instructions: u64, Instructions, Own;
        /// Ratio of the states that the event pruned.
        ratio: f64, Ratio, Own;
        /// Number of states |S| before the event.
        before: u64, Count, Own;
        /// Number of states |S| after the event.
        after: u64, Count, Own;
        /// Time to score and select the states.
        selection_s: f64, Seconds, Sum;
        /// Time to remove the selected states, with their tests.
        pruning_s: f64, Seconds, Sum;
        /// Number of distinct scores; 0 if scores were not used.
        #[serde(default)]
        distinct_scores: u64, Count, Own;
        /// Number of states with the most common score.
        #[serde(default)]
        largest_tie: u64, Count, Own;
        /// States pruned by random tie-breaking among equal scores.
        #[serde(default)]
        random_ties: u64, Count, Own;
        /// Tests written by the pruned states.
        #[serde(default)]
        tests: u64, Count, Own;
        /// Weight of each feature.
        theta: Vec<f64>, Numbers, Own;
    }
}

statistics! {
    /// Work that repeats subpaths of earlier runs.
    #[derive(Copy)]
    RepeatedLine in "a line of `learning.jsonl`: `repeated`" {
        /// Instructions on repeated subpaths.
        instructions: u64, Instructions, Sum;
        /// Time on repeated subpaths.
        time_s: f64, Seconds, Sum;
        /// Solver time within `time_s`.
        solver_s: f64, Seconds, Sum;
    }
}

/// Reads the file of an output directory.
pub fn read_learning(directory: &Path) -> io::Result<Vec<RunLine>> {
    read_lines(&directory.join(LEARNING_LOG))
}
