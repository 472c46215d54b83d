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
        text
    }
}
