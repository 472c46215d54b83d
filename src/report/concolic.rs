//! Summary of a concolic run.

use super::statistics::statistics;
use std::collections::BTreeMap;

statistics! {
    /// The statistics of a concolic run.
    #[derive(Eq)]
    ConcolicSummary in "`summary.json`: `concolic`" {
        /// Strategy as typed.
        strategy: String, Text, Own;
        /// Counters of the strategy; these fields are inlined into `concolic`.
        #[serde(flatten)]
        counts: ConcolicCounts, Group, Sum;
        /// Executions that diverged from their predicted path; present with `--re-execute`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        divergences: Option<u64>, Count, Sum;
        /// Preferences of the strategy's weights, if it has any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weights: Option<WeightsSummary>, Group, Own;
        /// Maximum number of instructions of a path, from program start.
        #[serde(default)]
        longest_path: u64, Instructions, Most;
        /// Histogram of completed paths by their instructions; a key is the lower bound of a
        /// bucket, and a bucket spans one eighth of its lower bound.
        #[serde(default)]
        paths_by_instructions: BTreeMap<String, u64>, CountsByName, Sum;
    }
}

statistics! {
    /// Counters of a concolic run.
    #[derive(Copy, Eq)]
    ConcolicCounts in "`summary.json`: `concolic`" {
        /// Completed paths of the initial input and of negated branches.
        executions: u64, Count, Sum;
        /// Executions that ended early: pruned, or swapped out for lack of memory.
        cut: u64, Count, Sum;
        /// Failing sides of checks, which homi executes to their end immediately; they are not
        /// executions.
        side_ends: u64, Count, Sum;
        /// Negated branches by result.
        negations: NegationSummary, Group, Sum;
        /// Negations on older paths, because the last path had no open branch.
        older: u64, Count, Sum;
        /// Negations of branches that the strategy skips, because no other branch was open.
        skipped: u64, Count, Sum;
        /// Number of restarts of the strategy.
        restarts: u64, Count, Sum;
    }
}

statistics! {
    /// Preferences of a searcher's weights, by the names of features, the strongest first.
    #[derive(Eq)]
    WeightsSummary in "`summary.json`: `concolic`: `weights`" {
        /// Features that raise the score of a branch.
        prefers: Vec<String>, Texts, Own;
        /// Features that lower the score of a branch.
        avoids: Vec<String>, Texts, Own;
    }
}

impl WeightsSummary {
    /// A line for each side that is not empty.
    pub fn lines(&self) -> String {
        let line = |does: &str, names: &[String]| {
            if names.is_empty() {
                String::new()
            } else {
                format!("homi: done: the weights {does} {}\n", names.join(", "))
            }
        };
        line("prefer", &self.prefers) + &line("avoid", &self.avoids)
    }
}

statistics! {
    /// Negated branches by what came of it.
    #[derive(Copy, Eq)]
    NegationSummary in "`summary.json`: `concolic`: `negations`" {
        /// Feasible other sides, which homi explored.
        feasible: u64, Count, Sum;
        /// Feasible other sides that homi skipped because explored paths subsume them
        /// (`--subsume`).
        #[serde(default)]
        subsumed: u64, Count, Sum;
        /// Infeasible other sides.
        infeasible: u64, Count, Sum;
        /// Other sides whose query timed out.
        unknown: u64, Count, Sum;
        /// Branches dropped before their query.
        dropped: u64, Count, Sum;
    }
}

impl ConcolicSummary {
    /// The lines at the end of a run.
    pub fn lines(&self) -> String {
        let NegationSummary {
            feasible,
            subsumed,
            infeasible,
            unknown,
            dropped,
        } = self.counts.negations;
        let all = feasible + subsumed + infeasible + unknown + dropped;
        let executions = self.counts.executions;
        let mut text = format!("homi: done: executions = {executions}\n");
        text.push_str(&format!(
            "homi: done: branches negated = {all}: {feasible} feasible, {infeasible} infeasible, \
             {unknown} unknown\n"
        ));
        if let Some(divergences) = self.divergences {
            text.push_str(&format!(
                "homi: done: divergent executions = {divergences}\n"
            ));
        }
        if let Some(weights) = &self.weights {
            text.push_str(&weights.lines());
        }
        text
    }
}
