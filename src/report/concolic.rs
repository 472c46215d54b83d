//! What a concolic run did.

use serde::{Deserialize, Serialize};

/// The counts of a concolic run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConcolicSummary {
    /// The strategy as it was typed.
    pub strategy: String,
    /// Paths that were followed from the first input or from a negated branch to their end.
    pub executions: u64,
    /// Executions that left before their end, for want of memory or by pruning.
    pub cut: u64,
    /// Ends that were run at once beside an execution: the failing sides of checks.
    pub side_ends: u64,
    /// Negated branches by what came of it; `gone` left before they were asked for.
    pub negations: NegationSummary,
    /// Negations of branches of older paths, because the last one had none left.
    pub older: u64,
    /// Negations of what the strategy's rule skips, because nothing else was left.
    pub skipped: u64,
    /// How often the strategy was stuck and began anew.
    pub restarts: u64,
    /// Present with `--re-execute`: executions that left the path that was predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divergences: Option<u64>,
    /// Present if the strategy has weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<WeightsSummary>,
}

/// What the weights of a search say, by the names of features, the strongest first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WeightsSummary {
    pub prefers: Vec<String>,
    pub avoids: Vec<String>,
}

impl WeightsSummary {
    /// A line for each side that is not empty.
    pub fn lines(&self) -> String {
        let line = |does: &str, names: &[String]| match names.is_empty() {
            true => String::new(),
            false => format!("homi: done: the weights {does} {}\n", names.join(", ")),
        };
        line("prefer", &self.prefers) + &line("avoid", &self.avoids)
    }
}

/// Negated branches by what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NegationSummary {
    pub possible: u64,
    /// Possible, but not followed: they can only do what followed paths have done (--subsume).
    #[serde(default)]
    pub subsumed: u64,
    pub refuted: u64,
    pub unknown: u64,
    pub gone: u64,
}

impl ConcolicSummary {
    /// The lines at the end of a run.
    pub fn lines(&self) -> String {
        let NegationSummary {
            possible,
            subsumed,
            refuted,
            unknown,
            gone,
        } = self.negations;
        let all = possible + subsumed + refuted + unknown + gone;
        let executions = self.executions;
        let mut text = format!("homi: done: executions = {executions}\n");
        text.push_str(&format!(
            "homi: done: branches negated = {all}: {possible} possible, {refuted} not, {unknown} \
             unknown\n"
        ));
        if let Some(divergences) = self.divergences {
            text.push_str(&format!(
                "homi: done: executions that left their predicted path = {divergences}\n"
            ));
        }
        if let Some(weights) = &self.weights {
            text.push_str(&weights.lines());
        }
        text
    }
}
