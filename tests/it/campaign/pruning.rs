//! Prune events: time, selected states, and the tests of the pruned states.

use super::{COMMANDS, lines_of, run_campaign, summary_of};
use crate::support::{TestDir, tests, underapproximations};
use serde_json::Value;
use std::fs;

#[test]
fn states_that_grow_are_pruned_within_the_interval() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = |growth| {
        let common = "--profile paper --prune random --search random-state --max-time 400000i \
            --tuning prune-interval=400000i";
        let common = common
            .split_whitespace()
            .chain(["--tuning prune-growth", growth]);
        common.chain(["commands.bc"]).collect::<Vec<_>>()
    };
    let events = |directory: &str, growth: &'static str| {
        run_campaign(&place, directory, &arguments(growth));
        let runs = lines_of(&place, directory, "learning.jsonl");
        let events = runs.iter().flat_map(|run| run["prune_events"].as_array());
        events.flatten().cloned().collect::<Vec<Value>>()
    };
    // No run is as long as the interval.
    let never = [&["run", "--libc", "none"], &arguments("0")[..]].concat();
    place.fails(&never, 2, &["no run would prune"]);
    let grown = events("grown", "50");
    assert!(grown.len() > 20, "{} events", grown.len());
    let states: Vec<_> = grown
        .iter()
        .map(|event| event["before"].as_u64().zip(event["after"].as_u64()))
        .map(|states| states.expect("numbers of states"))
        .collect();
    // r is at most 0.6, so |S| is at most 125 at an event, apart from the states of the last batch.
    assert!(states.iter().all(|(before, _)| (50..250).contains(before)));
    assert!(states.iter().all(|(before, after)| after < before));
}

/// Each pruned state becomes a test, like each path that ends.
#[test]
fn pruned_states_are_tests() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = "--profile paper --prune random --search bfs --all-tests";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let budget = ["--max-time", "40000i", "commands.bc"];
    run_campaign(&place, "out", &[&arguments[..], &budget].concat());
    let summary = summary_of(&place, "out");
    let count = |name: &str| summary["paths"][name].as_u64().expect("a number");
    let left: u64 = (lines_of(&place, "out", "learning.jsonl").iter())
        .flat_map(|run| run["prune_events"].as_array().cloned().unwrap_or_default())
        .map(|event| event["before"].as_u64().unwrap_or(0) - event["after"].as_u64().unwrap_or(0))
        .sum();
    assert!(left > 100);
    assert_eq!(count("pruned"), left);
    let ended = count("completed") + count("pruned") + count("early");
    assert_eq!(tests(&place.path("out")).len() as u64, ended);
}

/// A test carries the last prune event of its run at or before its creation. Tests before the first
/// event carry none; the pruned states carry their event.
#[test]
fn tests_have_the_prune_event_before_them() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = "--profile paper --prune random --search bfs --all-tests";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let budget = ["--max-time", "40000i", "commands.bc"];
    run_campaign(&place, "out", &[&arguments[..], &budget].concat());
    let runs = lines_of(&place, "out", "learning.jsonl");
    let data = lines_of(&place, "out", "learning-data.jsonl");
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut with_events = 0;
    for (run, stored) in runs.iter().zip(&data[1..]) {
        let events = array(&run["prune_events"]);
        assert_eq!(array(&stored["events"]).len(), events.len());
        for (event, stored) in events.iter().zip(array(&stored["events"])) {
            // S_ratio is 0.2, 0.4, 0.6.
            let number = stored["ratio"].as_f64().expect("the number of r");
            let ratio = event["ratio"].as_f64().expect("r");
            assert!((ratio - 0.2 * (number + 1.0)).abs() < 1e-9);
        }
        let carried: Vec<Option<u64>> = array(&stored["tests"])
            .iter()
            .map(|test| test["event"].as_u64())
            .collect();
        assert!(carried.is_sorted(), "in the order of their creation");
        for (number, event) in events.iter().enumerate() {
            let states = |field: &str| event[field].as_u64().expect("a number of states");
            let tests = carried.iter().filter(|of| **of == Some(number as u64));
            assert!(tests.count() as u64 >= states("before") - states("after"));
        }
        assert!(
            carried
                .iter()
                .flatten()
                .all(|of| (*of as usize) < events.len())
        );
        with_events += usize::from(events.len() > 1);
    }
    assert!(with_events > 5, "{with_events} runs of several events");
}

/// PRUNE_M: a tenth of the states, unless told otherwise, leaves for want of memory.
#[test]
fn a_ratio_of_the_states_is_pruned_at_the_memory_limit() {
    let place = TestDir::new();
    place.compile(
        "hungry",
        r#"
        #include <klee/klee.h>
        #include <stdlib.h>
        int main(void) {
          for (unsigned n = 0;; n++) {
            unsigned char in, *block = malloc(8192);
            klee_make_symbolic(&in, 1, "in");
            for (unsigned i = 0; i < 8192; i += 64) block[i] = i + n;
            if (in == n % 256) n += 3;
          }
        }
        "#,
    );
    let common = "--profile paper --prune random --search bfs --tuning completion-instructions=1 \
        --max-memory 100MiB \
        --tuning run-time-max=8000000i --tuning run-time-steps=1 --tuning prune-interval=7000000i --max-time 8000000i";
    for (directory, ratio, divisor) in [
        ("tenth", "", 10),
        ("quarter", "--tuning memory-prune-ratio=0.25", 4),
    ] {
        let arguments = format!("{common} {ratio} hungry.bc");
        run_campaign(
            &place,
            directory,
            &arguments.split_whitespace().collect::<Vec<_>>(),
        );
        let path = place.path(directory).join("warnings.txt");
        let warnings = fs::read_to_string(path).expect("warnings.txt");
        let (_, counts) = warnings
            .split_once("memory limit: giving up ")
            .expect(&warnings);
        let numbers: Vec<u64> = counts
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        assert!(numbers[1] > 100, "{warnings}");
        assert_eq!(numbers[0], numbers[1] / divisor, "{warnings}");
        let summary = summary_of(&place, directory);
        assert!(summary["paths"]["early"].as_u64() >= Some(numbers[0]));
        assert!(
            underapproximations(&summary, "memory") >= numbers[0],
            "{summary}"
        );
    }
}

/// A single run with this pruner, without a campaign.
#[test]
fn one_run_may_prune_at_random() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments =
        "--prune random --restart none --tuning prune-interval=20000i --max-time 200000i";
    let arguments: Vec<&str> = arguments.split(' ').chain(["commands.bc"]).collect();
    run_campaign(&place, "one", &arguments);
    run_campaign(&place, "two", &arguments);
    let summary = summary_of(&place, "one");
    assert_eq!(summary["prune"], "random");
    assert_eq!(summary["campaign"], Value::Null);
    let pruned = underapproximations(&summary, "pruned");
    assert!(
        pruned > 0 && summary["paths"]["pruned"] == pruned,
        "{summary}"
    );
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    let learned = ["run", "--prune", "homi", "--restart", "none", "commands.bc"];
    place.fails(&learned, 2, &["--restart none"]);
}
