//! A run's verdict on a property, in `summary.json` and among its last lines.

use serde::{Deserialize, Serialize};

/// Verdict on a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    True,
    False,
    Unknown,
    /// Tests were asked for.
    Done,
}

/// A verdict and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VerdictSummary {
    pub property: String,
    pub verdict: Judgement,
    pub reason: String,
    /// The test that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

impl VerdictSummary {
    /// `verdict: FALSE (unreach-call): ...`.
    pub fn line(&self) -> String {
        let verdict = match self.verdict {
            Judgement::True => "TRUE",
            Judgement::False => "FALSE",
            Judgement::Unknown => "UNKNOWN",
            Judgement::Done => "DONE",
        };
        let test = self
            .test
            .as_deref()
            .map_or_else(String::new, |test| format!(" ({test})"));
        format!(
            "verdict: {verdict} ({}): {}{test}",
            self.property, self.reason
        )
    }
}
