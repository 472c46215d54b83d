//! A run's verdict on a property, in `summary.json` and among its last lines.

use super::schema::Described;
use super::statistics::statistics;
use serde::{Deserialize, Serialize};

/// Verdict on a property.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    True,
    False,
    #[default]
    Unknown,
    /// Tests were asked for.
    Done,
}

impl Described for Judgement {
    fn schema() -> serde_json::Value {
        serde_json::json!({"enum": ["true", "false", "unknown", "done"]})
    }
}

statistics! {
    /// A verdict and its reason.
    #[derive(Eq)]
    VerdictSummary in "`summary.json`: `verdict`" {
        /// Property to verify.
        property: String, Text, Own;
        /// `true`, `false` or `unknown`; `done` for a coverage property.
        verdict: Judgement, Text, Own;
        /// The reason as a sentence.
        reason: String, Text, Own;
        /// Name of the test that violates the property.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test: Option<String>, Text, Own;
    }
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
