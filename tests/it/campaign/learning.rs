//! A campaign of each kind, from start to end.

use super::{CAMPAIGN, COMMANDS, MAZE, lines_of, run_campaign, summary_of};
use crate::support::{TestDir, tests};
use serde_json::Value;
use std::fs;

#[test]
fn a_campaign_learns_and_is_reproducible() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    run_campaign(&place, "one", &CAMPAIGN);
    run_campaign(&place, "two", &CAMPAIGN);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));

    let runs = lines_of(&place, "one", "learning.jsonl");
    let others = lines_of(&place, "two", "learning.jsonl");
    assert_eq!(runs.len(), others.len());
    for (run, other) in runs.iter().zip(&others) {
        for field in ["policy", "budget", "features", "instructions", "good_tests"] {
            assert_eq!(run[field], other[field], "{field}");
        }
    }
    assert!(runs.len() > 15, "{} runs", runs.len());
    assert_eq!(runs[0]["policy"], "initial");
    assert_eq!(runs[0]["prune_events"].as_array().map(Vec::len), Some(0));
    for run in &runs[1..=10] {
        assert_eq!(run["policy"], "explore");
    }
    let policies: Vec<_> = runs.iter().map(|run| run["policy"].as_str()).collect();
    assert!(policies.contains(&Some("exploit")) && policies.contains(&Some("reverse")));

    let mut pruned = 0;
    for run in &runs[1..] {
        let features = run["features"].as_array().expect("features").len();
        assert!(features > 0);
        for event in run["prune_events"].as_array().expect("events") {
            let number = |field: &str| event[field].as_f64().expect("a number");
            let (before, after) = (number("before"), number("after"));
            let leave = (before * number("ratio") + 1e-9).floor();
            assert_eq!(after, before - leave);
            pruned += leave as u64;
            let theta = event["theta"].as_array().expect("theta");
            assert_eq!(theta.len(), features);
            assert!(
                theta
                    .iter()
                    .all(|weight| weight.as_f64().is_some_and(|w| w.abs() <= 1.0))
            );
        }
    }
    let texts = runs.last().expect("runs")["features"].to_string();
    assert!(texts.contains("in[0] == 97"), "{texts}");

    let summary = summary_of(&place, "one");
    assert_eq!(summary["prune"], "homi");
    assert!(pruned > 0);
    assert!(summary["paths"]["pruned"].as_u64().expect("a number") <= pruned);
    assert_eq!(
        summary["campaign"]["runs"].as_u64(),
        Some(runs.len() as u64)
    );
    // Later runs walk known ground first.
    assert!(
        summary["campaign"]["repeated_instruction_ratio"]
            .as_f64()
            .expect("a number")
            > 0.05
    );
    assert_eq!(
        summary["tests"].as_u64(),
        Some(tests(&place.path("one")).len() as u64)
    );

    place.succeeds(&["report", "one", "--output", "page.html"]);
    let page = fs::read_to_string(place.path("page.html")).expect("the page is written");
    assert!(page.contains("exploit") && page.contains("</html>"));
}

#[test]
fn an_exhausted_program_ends_the_campaign() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    let arguments = ["--prune", "homi", "--max-time", "100000000i", "maze.bc"];
    run_campaign(&place, "out", &arguments);
    let summary = summary_of(&place, "out");
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["campaign"]["runs"], 1);
    assert_eq!(summary["paths"]["completed"], 8);
}

#[test]
fn the_guard_goes_on_with_the_run_without_pruning() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = [&["--tuning keep-unpruned-run=true"][..], &CAMPAIGN].concat();
    run_campaign(&place, "one", &arguments);
    run_campaign(&place, "two", &arguments);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    let runs = lines_of(&place, "one", "learning.jsonl");
    assert_eq!(runs[0]["policy"], "initial");
    let slices: Vec<&Value> = runs
        .iter()
        .filter(|run| run["policy"] == "unpruned")
        .collect();
    assert!(!slices.is_empty() && slices.len() < runs.len() - 2);
    for slice in &slices {
        assert_eq!(slice["prune_events"].as_array().map(Vec::len), Some(0));
        // It goes on: what it executes first is not what the first run did.
        let number = |value: &Value| value.as_u64().expect("a number");
        assert!(number(&slice["repeated"]["instructions"]) < number(&slice["instructions"]) / 2);
    }
    // Slices bring the states of the first run with them.
    let first = runs[0]["states_peak"].as_u64();
    assert!(slices[0]["states_peak"].as_u64() >= first);
}

#[test]
fn the_baselines_restart_too() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let budget = ["--max-time", "200000i", "commands.bc"];
    run_campaign(
        &place,
        "random",
        &[&["--prune", "random"][..], &budget].concat(),
    );
    run_campaign(
        &place,
        "divide",
        &[&["--restart", "divide"][..], &budget].concat(),
    );
    for (name, prunes) in [("random", true), ("divide", false)] {
        let summary = summary_of(&place, name);
        assert!(summary["campaign"]["runs"].as_u64() > Some(10), "{name}");
        assert!(summary["campaign"]["features_seen"].as_u64() > Some(0));
        let pruned = summary["paths"]["pruned"].as_u64().expect("a number");
        assert_eq!(pruned > 0, prunes, "{name}");
        for run in lines_of(&place, name, "learning.jsonl") {
            assert_eq!(run["policy"], *name);
            assert_eq!(run["good_tests"], 0);
        }
    }
}

#[test]
fn single_paths_come_first_and_later_runs_begin_with_their_tests() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = "--restart divide --concolic-ratio 0.25 --tuning run-time-max=30000i --tuning run-time-steps=1";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let budget = ["--max-time", "40000i", "commands.bc"];
    run_campaign(&place, "single", &[&arguments[..], &budget].concat());
    let runs = lines_of(&place, "single", "learning.jsonl");
    let policies: Vec<&Value> = runs.iter().map(|run| &run["policy"]).collect();
    // Slices of it come first, then it takes turns.
    assert_eq!(policies[0], "concolic");
    let first = policies.iter().position(|policy| **policy == "divide");
    let first = first.expect("other runs come");
    let slices = runs.iter().filter(|run| run["policy"] == "concolic");
    let spent: u64 = slices.filter_map(|run| run["instructions"].as_u64()).sum();
    assert!((2_000..15_000).contains(&spent), "{spent}");
    // It follows single paths: a state runs, the others wait for their turn.
    assert!(runs[0]["run_files"].as_u64() > Some(0));
    assert!(runs[first]["seeds"]["followed"].as_u64() > Some(0));
    // Its tests record their coverage, as the tests of other runs do.
    let summary = summary_of(&place, "single");
    assert_eq!(
        summary["campaign"]["runs"].as_u64(),
        Some(runs.len() as u64)
    );
    let resume = "run --libc none --quiet --resume single --max-time 40000i";
    place.succeeds(&resume.split(' ').collect::<Vec<_>>());
    let runs = lines_of(&place, "single", "learning.jsonl");
    let later = &runs[policies.len()..];
    assert!(!later.is_empty());
    let again = later.iter().any(|run| run["policy"] == "concolic");
    assert!(!again, "a resumed campaign has had it");
}

#[test]
fn contradictions_are_reported_before_anything_starts() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    for (arguments, part) in [
        (
            [
                "--prune",
                "homi",
                "--max-time",
                "1s",
                "--tuning run-time-max",
                "20s",
            ],
            "shorter than one run",
        ),
        (
            [
                "--prune",
                "homi",
                "--max-time",
                "1h",
                "--tuning run-time-max",
                "5i",
            ],
            "must all be times",
        ),
        (
            [
                "--prune",
                "homi",
                "--max-time",
                "1h",
                "--tuning prune-ratio-max",
                "2",
            ],
            "--tuning prune-ratio-max",
        ),
        (
            [
                "--prune",
                "none",
                "--max-time",
                "1h",
                "--tuning explorations",
                "2",
            ],
            "needs --prune homi",
        ),
    ] {
        let mut all = vec!["run", "maze.bc"];
        all.extend(arguments);
        place.fails(&all, 2, &[part]);
    }
    assert!(!place.path("homi-out-0").exists());
    place.fails(
        &["report", "nowhere", "--output", "x"],
        2,
        &["nowhere is not a directory"],
    );
}
