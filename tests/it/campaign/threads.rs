//! Campaigns in several threads: runs side by side, and parts of one run.

use super::{COMMANDS, lines_of, run_campaign, summary_of};
use crate::support::{TestDir, files_with};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// 16,384 paths, with a function that is not linked on some of them if there is `unsupported`.
fn shorter(unsupported: bool) -> String {
    let shorter = COMMANDS.replace("10", "7").replace("in[9]", "in[5]");
    let shorter = shorter.replace("in[7] == 'c'", "in[6] == 'c'");
    let shorter = shorter.replace("in[8]", "in[4]");
    if unsupported {
        shorter
            .replace("int sink;", "int sink; int absent(void);")
            .replace("sink = 3", "sink = absent()")
    } else {
        shorter
    }
}

/// Threads that performed runs of a policy.
fn threads_of(place: &TestDir, directory: &str, policy: &str) -> BTreeSet<u64> {
    let runs = lines_of(place, directory, "learning.jsonl");
    let runs = runs.iter().filter(|run| run["policy"] == policy);
    runs.filter_map(|run| run["thread"].as_u64()).collect()
}

#[test]
fn a_program_whose_parts_are_followed_by_several_threads_is_followed_to_its_end() {
    let place = TestDir::new();
    place.compile("shorter", &shorter(false));
    place.compile("unsupported", &shorter(true));
    let run = |directory: &str, program: &str, arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let budget = ["--max-time", "40000000i"];
        run_campaign(
            &place,
            directory,
            &[&budget, &arguments[..], &[program]].concat(),
        );
        summary_of(&place, directory)
    };
    let plain = run("plain", "shorter.bc", "--prune none");
    assert_eq!(plain["stop_reason"], "exhausted");
    let arguments = "--prune homi --concolic-ratio 0 --tuning run-time-max=100000i --threads";
    for threads in ["2", "3"] {
        let campaign = run(threads, "shorter.bc", &format!("{arguments} {threads}"));
        assert_eq!(campaign["stop_reason"], "exhausted", "{campaign}");
        assert_eq!(campaign["coverage"], plain["coverage"]);
        let completed = |summary: &Value| summary["paths"]["completed"].as_u64();
        assert!(completed(&campaign) >= completed(&plain), "{campaign}");
        let parts = threads_of(&place, threads, "unpruned");
        assert_eq!(parts.len().to_string(), threads, "each has a part");
    }
    let campaign = run("no end", "unsupported.bc", &format!("{arguments} 2"));
    assert_eq!(campaign["stop_reason"], "no-states-left", "{campaign}");
    assert_eq!(threads_of(&place, "no end", "unpruned").len(), 2);
}

/// All that a campaign writes down of its runs but times, and the contents of its tests.
fn traces(place: &TestDir, directory: &str) -> (Vec<Value>, BTreeSet<Vec<u8>>) {
    let mut runs = lines_of(place, directory, "learning.jsonl");
    for run in &mut runs {
        let figures = run.as_object_mut().expect("a run is an object");
        figures.retain(|name, _| {
            let timed = ["_s", "_each_second", "costs", "repeated", "prune_events"];
            !timed.iter().any(|part| name.ends_with(part))
        });
    }
    let tests = files_with("ktest", &place.path(directory));
    let tests = tests.iter().map(|path| fs::read(path).expect("a test"));
    (runs, tests.collect())
}

#[test]
fn equal_seeds_are_equal_campaigns_in_two_threads() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    for budget in ["600000i", "3000000w"] {
        let run = |directory: &str, seed: &str| {
            let arguments = ["--prune", "homi", "--threads", "2", "--max-time", budget];
            let arguments = [&arguments[..], &["--seed", seed, "commands.bc"]].concat();
            run_campaign(&place, &format!("{directory}-{budget}"), &arguments);
            traces(&place, &format!("{directory}-{budget}"))
        };
        let (one, same, other) = (run("one", "1"), run("same", "1"), run("other", "2"));
        assert!(one.0.len() > 5, "{} runs", one.0.len());
        assert_eq!(one, same);
        assert_ne!(one.0, other.0);
    }
}

#[test]
fn one_bug_ends_all_threads_if_it_is_to() {
    let place = TestDir::new();
    let bug = COMMANDS.replace("sink = 3", "klee_abort()");
    place.compile("bug", &bug);
    let arguments = "--prune homi --threads 2 --max-time 40000000i --exit-on-error bug.bc";
    run_campaign(&place, "out", &arguments.split(' ').collect::<Vec<_>>());
    let summary = summary_of(&place, "out");
    assert_eq!(summary["stop_reason"], "error-found", "{summary}");
    assert_eq!(summary["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_campaign_goes_on_in_another_number_of_threads() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = "--prune homi --threads 2 --max-time 200000i commands.bc";
    run_campaign(&place, "out", &arguments.split(' ').collect::<Vec<_>>());
    let before = lines_of(&place, "out", "learning.jsonl").len();
    let arguments = "run --resume out --threads 3 --max-time 200000i";
    place.succeeds(&arguments.split(' ').collect::<Vec<_>>());
    let runs = lines_of(&place, "out", "learning.jsonl");
    let numbers: BTreeSet<u64> = runs.iter().filter_map(|run| run["run"].as_u64()).collect();
    assert!(runs.len() > before + 3);
    assert_eq!(
        numbers.len(),
        runs.len(),
        "each run has a number of its own"
    );
}
