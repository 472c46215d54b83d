//! Verdict of a run on a property: true, false or unknown, with the reason.
//!
//! Owns: when a program is called correct. Never: the exploration. Data come from a run's summary
//! and go into it.
//!
//! Invariant: TRUE needs a run that followed every path and dropped nothing; everything else is
//! UNKNOWN, with the reason.

use crate::config::{Goal, Property};
use crate::report::{ErrorSummary, Judgement, Summary, VerdictSummary};

/// Limits of the model that the rules of the competition share: allocations succeed.
const SHARED_LIMITS: [&str; 1] = ["allocation"];

/// Ends that the program chose: they violate nothing by themselves.
const CHOSEN_ENDS: [&str; 2] = ["abort", "assert"];

/// The verdict on a property.
pub fn verdict(property: &Property, summary: &Summary) -> VerdictSummary {
    let judged = |verdict, reason: String, test: Option<&str>| VerdictSummary {
        property: property.name.clone(),
        verdict,
        reason,
        test: test.map(str::to_string),
    };
    let violation = violation(property, summary);
    if property.asks_for_tests() {
        let reason = match (violation, property.has(Goal::CoverError)) {
            (Some((_, error)), _) => {
                return judged(
                    Judgement::Done,
                    "the call is covered".to_string(),
                    Some(&error.test),
                );
            }
            (None, true) => "no test covers the call".to_string(),
            (None, false) => {
                let coverage = summary.coverage;
                let (covered, all) = (coverage.branches, coverage.branches_total);
                format!(
                    "{covered} of {all} branch sides are covered by {} tests",
                    summary.tests
                )
            }
        };
        return judged(Judgement::Done, reason, None);
    }
    if let Some((goal, error)) = violation {
        let reason = format!("{}: {} at {}", goal.name(), error.message, error.location);
        return judged(Judgement::False, reason, Some(&error.test));
    }
    match doubt(property, summary) {
        Some(why) => judged(Judgement::Unknown, why, None),
        None => judged(Judgement::True, WHOLE.to_string(), None),
    }
}

/// Reason for calling a program correct.
const WHOLE: &str = "all paths explored";

/// The first bug that violates the property, and what of it.
fn violation<'s>(property: &Property, summary: &'s Summary) -> Option<(Goal, &'s ErrorSummary)> {
    summary.errors.iter().find_map(|error| {
        let goal = property.goals.iter().find(|goal| violates(**goal, error))?;
        Some((*goal, error))
    })
}

fn violates(goal: Goal, error: &ErrorSummary) -> bool {
    goal.meaning().kinds.contains(&error.kind.as_str())
}

/// Returns the reason why a program without a violation is not called correct.
fn doubt(property: &Property, summary: &Summary) -> Option<String> {
    let mut doubts = property.goals.iter().map(|goal| goal.meaning().doubt);
    if let Some(why) = doubts.find_map(|why| why) {
        return Some(why.to_string());
    }
    let other = |error: &&ErrorSummary| !CHOSEN_ENDS.contains(&error.kind.as_str());
    if let Some(error) = summary.errors.iter().find(other) {
        let (message, location) = (&error.message, &error.location);
        return Some(format!("a path ended otherwise: {message} at {location}"));
    }
    let outcomes = summary.outcomes.iter();
    if let Some(divergence) = outcomes.flat_map(|all| &all.divergences).next() {
        let test = &divergence.test;
        return Some(format!(
            "the native program diverges in {test}: {divergence}"
        ));
    }
    if let Some(unsupported) = summary.unsupported.first() {
        return Some(format!(
            "a path met an unsupported feature: {} at {}",
            unsupported.what, unsupported.location
        ));
    }
    if let Some(underapproximations) = summary.underapproximations.first() {
        return Some(format!(
            "the run is an under-approximation: {} at {} ({})",
            underapproximations.kind, underapproximations.location, underapproximations.what
        ));
    }
    let is_not_shared = |limit: &&String| !SHARED_LIMITS.contains(&limit.as_str());
    if let Some(limit) = summary.model_limitations.iter().find(is_not_shared) {
        return Some(format!("the program met a model limitation: {limit}"));
    }
    let paths = &summary.paths;
    let dropped = paths.early + paths.pruned + paths.unsupported;
    match summary.stop_reason.as_str() {
        "exhausted" if dropped == 0 => None,
        "exhausted" => Some(format!("{dropped} paths were dropped")),
        reason => Some(format!("not all paths were explored ({reason})")),
    }
}

#[cfg(test)]
mod tests;
