//! Verdict of a run on a property: true, false or unknown, with the reason.
//!
//! Owns: when a program is called correct. Never: the exploration. Data come from a run's summary
//! and go into it.
//!
//! Invariant: TRUE needs a run that followed every path and dropped nothing. FALSE needs a
//! violation that the native program shows, or that no native program can show; the reason says
//! which. On a path with a decision that native programs need not share, it needs the former.
//! Everything else is UNKNOWN, with the reason.

use homi_config::{Goal, Property};
use homi_ir::program::Mark;
use homi_report::{
    ErrorConfirmation, ErrorSummary, Judgement, ReplayResult, Summary, VerdictSummary,
};

/// Limits of the model that the rules of the competition share: allocations succeed.
const SHARED_LIMITS: [&str; 1] = ["allocation"];

fn is_not_shared(limit: &str) -> bool {
    !SHARED_LIMITS.contains(&limit)
}

/// Goals whose violations no replay shows.
const UNSHOWN: [Goal; 3] = [Goal::ValidMemtrack, Goal::ValidMemcleanup, Goal::NoDataRace];

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
        let limit = summary
            .model_limitations
            .iter()
            .find(|limit| is_not_shared(limit));
        if let (Goal::Termination, Some(limit)) = (goal, limit) {
            let reason = format!("a state repeats, but the program met a limit: {limit}");
            return judged(Judgement::Unknown, reason, None);
        }
        let (verdict, natively) = natively(goal, error, summary);
        let (name, message) = (goal.name(), error.full_message());
        let reason = format!("{name}: {message} at {}; {natively}", error.location);
        return judged(verdict, reason, Some(&error.test));
    }
    match doubt(summary) {
        Some(why) => judged(Judgement::Unknown, why, None),
        None => judged(Judgement::True, WHOLE.to_string(), None),
    }
}

/// Reason for calling a program correct.
const WHOLE: &str = "all paths explored";

/// Returns the first bug that violates the property and that no replay refutes, else the first that
/// violates it, and what of the property.
fn violation<'s>(property: &Property, summary: &'s Summary) -> Option<(Goal, &'s ErrorSummary)> {
    let violations = summary.errors.iter().filter_map(|error| {
        let goal = property.goals.iter().find(|goal| violates(**goal, error))?;
        Some((*goal, error))
    });
    violations.min_by_key(|(goal, error)| (is_refuted(error), rests_on_homi(*goal, error)))
}

fn is_refuted(error: &ErrorSummary) -> bool {
    let confirmation = error.confirmation.as_ref();
    confirmation.is_some_and(|confirmation| confirmation.refutes)
}

/// Returns the verdict on a violation that was found, and what its replay showed.
fn natively(goal: Goal, error: &ErrorSummary, summary: &Summary) -> (Judgement, String) {
    let (judged, how) = shown(error, summary);
    if judged == Judgement::False && rests_on_homi(goal, error) {
        let why = format!(
            "{how}; it may rest on a decision of homi ({})",
            error.decided
        );
        return (Judgement::Unknown, why);
    }
    (judged, how)
}

/// Returns true if the violation may exist only with what homi decided on its path. The numbers of
/// addresses rarely decide about violations that no replay can show.
fn rests_on_homi(goal: Goal, error: &ErrorSummary) -> bool {
    let is_asked = match error.decided.as_str() {
        "" => false,
        decided if decided == Mark::Addresses.name() => !UNSHOWN.contains(&goal),
        _ => true,
    };
    is_asked && !is_confirmed(error)
}

fn is_confirmed(error: &ErrorSummary) -> bool {
    let confirmation = error.confirmation.as_ref();
    confirmation.is_some_and(|confirmation| {
        let result = confirmation.result;
        matches!(
            result,
            ReplayResult::Confirmed | ReplayResult::ConfirmedBySignal
        )
    })
}

/// Returns the verdict by the replay of a violation, and what it showed.
fn shown(error: &ErrorSummary, summary: &Summary) -> (Judgement, String) {
    let Some(ErrorConfirmation { result, how, .. }) = &error.confirmation else {
        return (Judgement::False, "not replayed natively".to_string());
    };
    match result {
        ReplayResult::Confirmed | ReplayResult::ConfirmedBySignal => {
            return (Judgement::False, format!("confirmed natively: {how}"));
        }
        ReplayResult::NotReplayed => {
            return (Judgement::False, format!("not replayed natively: {how}"));
        }
        ReplayResult::SeenOtherwise | ReplayResult::Unseen => {}
    }
    // Natively the threads may run in another order.
    let has_threads = (summary.model_limitations.iter()).any(|limit| limit == THREADS);
    if is_refuted(error) && !has_threads {
        return (Judgement::Unknown, format!("not confirmed natively: {how}"));
    }
    let shown = match result {
        ReplayResult::SeenOtherwise => "seen natively",
        _ => "not shown natively",
    };
    (Judgement::False, format!("{shown}: {how}"))
}

/// Limit of the model that programs with threads meet.
const THREADS: &str = "thread-order";

fn violates(goal: Goal, error: &ErrorSummary) -> bool {
    goal.meaning().kinds.contains(&error.kind.as_str())
}

/// Returns the reason why a program without a violation is not called correct.
fn doubt(summary: &Summary) -> Option<String> {
    let other = |error: &&ErrorSummary| !CHOSEN_ENDS.contains(&error.kind.as_str());
    if let Some(error) = summary.errors.iter().find(other) {
        let (message, location) = (error.full_message(), &error.location);
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
    let mut limits = summary.model_limitations.iter();
    if let Some(limit) = limits.find(|limit| is_not_shared(limit)) {
        return Some(format!("the program met a model limitation: {limit}"));
    }
    let paths = &summary.paths;
    let dropped = paths.early + paths.pruned + paths.unsupported;
    match summary.stop_reason.as_str() {
        // One run of a campaign explored all paths; the others were interrupted.
        "exhausted" if dropped == 0 || summary.campaign.is_some() => None,
        "exhausted" => Some(format!("{dropped} paths were dropped")),
        reason => Some(format!("not all paths were explored ({reason})")),
    }
}

#[cfg(test)]
mod tests;
