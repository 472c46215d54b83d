//! Budgets in work: instructions and what the solver does, counted at fixed prices.

use super::repeated::{CHEAP_AND_DEAR, contents};
use crate::support::{TestDir, json_lines, root};
use serde_json::Value;
use std::fs;

/// The instructions that a state runs at most before the next choice.
const TURN: u64 = 10_000;

fn number(value: &Value, key: &str) -> u64 {
    value[key]
        .as_u64()
        .unwrap_or_else(|| panic!("{key} in {value}"))
}

/// A matcher of regular expressions over three symbolic bytes: 158 paths.
fn with_matcher() -> TestDir {
    let place = TestDir::new();
    let source = root().join("tests/data/ui/pass/regex.c");
    let source = fs::read_to_string(source).expect("the program");
    place.compile("regex", &source);
    place
}

#[test]
fn equal_budgets_in_work_give_equal_files() {
    let place = with_matcher();
    let whole = place.run(&["regex.bc", "--quiet"]);
    let budget = number(&whole, "work") / 3;
    let limit = format!("{budget}w");
    let arguments = ["regex.bc", "--quiet", "--seed=7", "--max-time", &limit];
    // Every other time that may be work.
    let times = [
        "--tuning batch-time=900w",
        "--tuning uncovered-update-interval=700w",
        "--max-solver-time=100000w",
    ];
    let arguments = [&arguments[..], &times].concat();
    let [first, second] = ["first", "second"].map(|name| place.run_into(name, &arguments));
    assert_eq!(first["stop_reason"], "max-time");
    let spent = number(&first, "work");
    assert!(
        (budget..budget + TURN).contains(&spent),
        "{budget}: {spent}"
    );
    assert!(spent >= number(&first, "instructions"));
    for key in [
        "work",
        "instructions",
        "tests",
        "paths",
        "coverage",
        "states_peak",
        "underapproximations",
    ] {
        assert_eq!(first[key], second[key], "{key}");
    }
    let [first, second] = ["first", "second"].map(|name| contents(&place.path(name)));
    assert!(first.len() > 8 && first == second);
    let line = json_lines(&place.path("first/learning.jsonl")).remove(0);
    assert_eq!(
        (number(&line, "work"), line["budget_unit"].as_str()),
        (spent, Some("w"))
    );
    // Less work is less of the same run.
    let shorter = place.run(&[
        "regex.bc",
        "--quiet",
        "--max-time",
        &format!("{}w", budget / 2),
    ]);
    assert!(number(&shorter, "instructions") < number(&whole, "instructions") / 3);
}

#[test]
fn work_goes_to_the_solver_where_its_queries_are_dear() {
    let place = TestDir::new();
    place.compile("dear", CHEAP_AND_DEAR);
    let run = |name, limit| {
        let arguments = ["dear.bc", "--quiet", "--fuzz-ratio=0", "--max-time", limit];
        place.run_into(name, &arguments)
    };
    let instructions = run("instructions", "60000i");
    assert_eq!(instructions["stop_reason"], "max-time");
    assert_eq!(number(&instructions, "instructions"), 60_000);
    let [first, second] = ["first", "second"].map(|name| run(name, "60000w"));
    assert_eq!(first["stop_reason"], "max-time");
    let executed = number(&first, "instructions");
    assert!(executed < 30_000, "{executed}");
    // One of its queries may end beyond the budget.
    let spent = number(&first, "work");
    assert!((60_000..400_000).contains(&spent), "{spent}");
    assert_eq!(spent, number(&second, "work"));
    let [first, second] = ["first", "second"].map(|name| contents(&place.path(name)));
    assert!(first == second);
}

#[test]
fn instructions_of_fuzzing_are_work() {
    let place = with_matcher();
    let run = |share| {
        let arguments = ["regex.bc", "--quiet", share, "--max-time=30000w"];
        place.run(&[&arguments[..], &["--tuning", "fuzz_first_after=1000"]].concat())
    };
    let (with, without) = (run("--fuzz-ratio=4"), run("--fuzz-ratio=0"));
    let fuzzed = number(&with["fuzzing"], "instructions");
    assert!(fuzzed > 1000, "{with}");
    for (name, summary, fuzzed) in [("with", &with, fuzzed), ("without", &without, 0)] {
        assert_eq!(summary["stop_reason"], "max-time", "{name}");
        let spent = number(summary, "work");
        assert!((30_000..30_000 + TURN).contains(&spent), "{name}: {spent}");
        let least = number(summary, "instructions") + fuzzed / 4;
        assert!(least <= spent, "{name}: {least} of {spent}");
    }
    assert!(number(&with, "instructions") < number(&without, "instructions"));
}

#[test]
fn the_work_of_all_threads_is_added_up() {
    let place = with_matcher();
    let arguments = ["regex.bc", "--quiet", "--threads=2", "--max-time=20000w"];
    let summary = place.run(&[&arguments[..], &["--fuzz-ratio=0"]].concat());
    assert_eq!(summary["stop_reason"], "max-time");
    let spent = number(&summary, "work");
    assert!(spent >= number(&summary, "instructions"), "{summary}");
    // Each may go on for a turn, which forks end long before the limit.
    assert!((20_000..20_000 + 2 * TURN).contains(&spent), "{spent}");
}

#[test]
fn a_campaign_in_work_is_repeated_and_its_runs_scale() {
    let place = with_matcher();
    let limit = "400000w";
    let arguments = [
        "regex.bc",
        "--quiet",
        "--prune",
        "homi",
        "--max-time",
        limit,
    ];
    let arguments = [
        &arguments[..],
        &["--all-tests", "--tuning run-time-max=40000w"],
    ]
    .concat();
    let arguments = [&arguments[..], &["--tuning prune-interval=4000w"]].concat();
    let [first, second] = ["first", "second"].map(|name| place.run_into(name, &arguments));
    for key in [
        "work",
        "instructions",
        "tests",
        "paths",
        "coverage",
        "stop_reason",
    ] {
        assert_eq!(first[key], second[key], "{key}");
    }
    let runs = ["first", "second"].map(|name| json_lines(&place.path(name).join("learning.jsonl")));
    assert_eq!(runs[0].len(), runs[1].len());
    for (one, other) in runs[0].iter().zip(&runs[1]) {
        assert_eq!(one["budget_unit"], "w");
        for key in [
            "work",
            "budget",
            "instructions",
            "run_tests",
            "completion_instructions",
        ] {
            assert_eq!(one[key], other[key], "{key}");
        }
        let least = number(one, "instructions") + number(one, "completion_instructions");
        assert!(number(one, "work") >= least, "{one}");
    }
    let sum: u64 = runs[0].iter().map(|run| number(run, "work")).sum();
    let start_up = number(&first["campaign"], "startup_instructions");
    assert_eq!(number(&first, "work"), sum + start_up);
    place.fails(
        &[
            "run",
            "regex.bc",
            "--prune=homi",
            "--max-time=400000w",
            "--tuning run-time-max=4000i",
        ],
        2,
        &[
            "--max-time, --tuning run-time-max and --tuning prune-interval",
            "(suffix w)",
        ],
    );
    place.fails(
        &["run", "regex.bc", "--max-time=5ww"],
        2,
        &["--max-time", "`5ww` is not a whole number of units of work"],
    );
}
