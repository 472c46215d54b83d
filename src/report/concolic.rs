//! Summary of a concolic run.

use super::statistics::statistics;
use std::collections::BTreeMap;

statistics! {
    /// The statistics of a concolic run.
    #[derive(Eq)]
    ConcolicSummary in "`summary.json`: `concolic`" {
        /// The strategy as it was typed.
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
        /// The most instructions of a path, from the program's start.
        #[serde(default)]
        longest_path: u64, Instructions, Most;
        /// Histogram of completed paths by their instructions; a key is the lower bound of a
        /// bucket, and a bucket spans one eighth of its lower bound.
        #[serde(default)]
        paths_by_instructions: BTreeMap<String, u64>, Count, Sum;
    }
}

statistics! {
    /// Counters of a concolic run.
    #[derive(Copy, Eq)]
    ConcolicCounts in "`summary.json`: `concolic`" {
        /// Paths that were followed from the first input or from a negated branch to their end.
        executions: u64, Count, Sum;
        /// Executions that left before their end, for want of memory or by pruning.
        cut: u64, Count, Sum;
        /// Failing sides of checks, which homi executes to their end immediately; they are not
        /// executions.
        side_ends: u64, Count, Sum;
        /// Negated branches by what came of it; `dropped` left before they were asked for.
        negations: NegationSummary, Group, Sum;
        /// Negations of branches of older paths, because the last one had none left.
        older: u64, Count, Sum;
        /// Negations of what the strategy's rule skips, because nothing else was left.
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
        prefers: Vec<String>, Text, Own;
        /// Features that lower the score of a branch.
        avoids: Vec<String>, Text, Own;
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
        /// The other side is possible, and was followed.
        feasible: u64, Count, Sum;
        /// Possible, but not followed: they can only do what followed paths have done (--subsume).
        #[serde(default)]
        subsumed: u64, Count, Sum;
        /// There is no input for the other side.
        infeasible: u64, Count, Sum;
        /// The solver gave up on the other side.
        unknown: u64, Count, Sum;
        /// The branch left before it was asked for.
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
