//! Verdicts on summaries.

use super::*;
use homi_report::{CampaignSummary, PathSummary, UnsupportedSummary};

fn summary(stop_reason: &str) -> Summary {
    let text = serde_json::json!({
        "schema": 1, "program": "p", "args": [], "search": [], "prune": "none", "seed": 1,
        "stop_reason": stop_reason, "wall_s": 0.0, "cpu_s": 0.0, "instructions": 0,
        "paths": PathSummary::default(), "tests": 0, "states_peak": 0, "memory_peak_bytes": 0,
        "coverage": homi_report::CoverageSummary::default(),
        "solver": homi_report::SolverSummary::default(),
        "errors": [], "unsupported": [], "exit_statuses": {}
    });
    serde_json::from_value(text).expect("a summary")
}

fn error(kind: &str) -> ErrorSummary {
    ErrorSummary {
        kind: kind.to_string(),
        message: "m".to_string(),
        location: "a.c:1".to_string(),
        test: "test000001".to_string(),
        ..ErrorSummary::default()
    }
}

fn judged(name: &str, summary: &Summary) -> Judgement {
    let property = Property::named(name).expect("a property");
    verdict(&property, summary).verdict
}

#[test]
fn true_needs_a_run_that_gave_up_nothing() {
    let whole = summary("exhausted");
    assert_eq!(judged("unreach-call", &whole), Judgement::True);
    assert_eq!(judged("valid-memcleanup", &whole), Judgement::True);
    let mut assertion = whole.clone();
    assertion.errors.push(error("assert"));
    assert_eq!(judged("unreach-call", &assertion), Judgement::True);
    let mut undefined = whole.clone();
    undefined.errors.push(error("ptr"));
    assert_eq!(judged("unreach-call", &undefined), Judgement::Unknown);
    assert_eq!(judged("valid-memsafety", &undefined), Judgement::False);
    let mut limited = whole.clone();
    limited.model_limitations = vec!["allocation".to_string()];
    assert_eq!(judged("unreach-call", &limited), Judgement::True);
    limited.model_limitations.push("thread-order".to_string());
    assert_eq!(judged("unreach-call", &limited), Judgement::Unknown);
    let mut unsupported = whole.clone();
    unsupported.unsupported.push(UnsupportedSummary {
        what: "w".to_string(),
        location: "a.c:1".to_string(),
        count: 1,
    });
    assert_eq!(judged("termination", &unsupported), Judgement::Unknown);
    let mut early = whole;
    early.paths.early = 1;
    assert_eq!(judged("no-overflow", &early), Judgement::Unknown);
    early.campaign = Some(CampaignSummary::default());
    assert_eq!(judged("no-overflow", &early), Judgement::True);
    assert_eq!(
        judged("no-overflow", &summary("max-time")),
        Judgement::Unknown
    );
}

#[test]
fn a_violation_is_false_whatever_ended_the_run() {
    let mut found = summary("error-found");
    found.errors.push(error("reach_error"));
    assert_eq!(judged("unreach-call", &found), Judgement::False);
    assert_eq!(judged("coverage-error-call", &found), Judgement::Done);
    assert_eq!(judged("no-overflow", &found), Judgement::Unknown);
}

#[test]
fn a_violation_behind_a_decision_of_homi_needs_its_replay() {
    let behind = |confirmation: Option<ErrorConfirmation>| ErrorSummary {
        decided: "allocation-failed".to_string(),
        confirmation,
        ..error("reach_error")
    };
    let replayed = |result| {
        let how = "signal SIGABRT ends it".to_string();
        Some(ErrorConfirmation {
            result,
            how,
            refutes: false,
        })
    };
    let mut found = summary("error-found");
    for (confirmation, expected) in [
        (None, Judgement::Unknown),
        (replayed(ReplayResult::NotReplayed), Judgement::Unknown),
        (replayed(ReplayResult::Unseen), Judgement::Unknown),
        (replayed(ReplayResult::Confirmed), Judgement::False),
    ] {
        found.errors = vec![behind(confirmation)];
        assert_eq!(judged("unreach-call", &found), expected, "{found:?}");
    }
    found.errors = vec![behind(None), error("reach_error")];
    assert_eq!(judged("unreach-call", &found), Judgement::False);
}

#[test]
fn a_violation_that_its_replay_refutes_is_unknown() {
    let mut found = summary("error-found");
    let replayed = |result, refutes| ErrorSummary {
        confirmation: Some(ErrorConfirmation {
            result,
            how: "it exits with status 0".to_string(),
            refutes,
        }),
        ..error("reach_error")
    };
    found.errors.push(replayed(ReplayResult::Unseen, true));
    assert_eq!(judged("unreach-call", &found), Judgement::Unknown);
    let mut threads = found.clone();
    threads.model_limitations.push(THREADS.to_string());
    assert_eq!(judged("unreach-call", &threads), Judgement::False);
    found.errors.push(replayed(ReplayResult::Unseen, false));
    assert_eq!(judged("unreach-call", &found), Judgement::False);
    found.errors[1] = replayed(ReplayResult::Confirmed, false);
    let property = Property::named("unreach-call").expect("a property");
    let reason = verdict(&property, &found).reason;
    assert!(
        reason.ends_with("confirmed natively: it exits with status 0"),
        "{reason}"
    );
}
