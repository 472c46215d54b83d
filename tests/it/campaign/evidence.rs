//! Data of a campaign: the branches of its tests, from the engine or from native replays, and the
//! seeds of later runs.

use super::{COMMANDS, lines_of, resume_elsewhere, run_campaign, summary_of};
use crate::support::{self, TestDir, tests};
use serde_json::Value;
use std::process::Command;

#[test]
fn branches_may_come_from_native_replays() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let runtime = support::root().join("runtime");
    support::run(
        Command::new("gcc")
            .current_dir(place.directory.path())
            .args(["--coverage", "-O0", "-g", "-I"])
            .arg(runtime.join("include"))
            .arg("commands.c")
            .arg(runtime.join("replay/klee_runtime.c"))
            .args(["-o", "native"]),
    );
    let arguments = [
        "--coverage",
        "gcov=native",
        "--prune",
        "homi",
        "--max-time",
        "40000i",
    ];
    run_campaign(&place, "out", &[&arguments[..], &["commands.bc"]].concat());
    let data = lines_of(&place, "out", "learning-data.jsonl");
    let tests: Vec<&Value> = data[1..]
        .iter()
        .flat_map(|run| run["tests"].as_array().expect("tests"))
        .collect();
    assert!(!tests.is_empty());
    for test in &tests {
        let native = test["native"].as_array().map_or(0, Vec::len);
        assert!(native > 0, "{test}");
    }
    let runs = lines_of(&place, "out", "learning.jsonl");
    assert!(runs.last().expect("runs")["good_tests"].as_u64() > Some(1));
    resume_elsewhere(&place);
    assert!(lines_of(&place, "out", "learning.jsonl").len() > runs.len());
    place.fails(
        &[
            "run",
            "--prune",
            "homi",
            "--max-time",
            "1h",
            "--coverage",
            "gcov=nothing",
            "commands.bc",
        ],
        2,
        &["--coverage gcov=nothing"],
    );
}

#[test]
fn searches_may_know_what_earlier_runs_covered() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let arguments = |scope| {
        let search = ["--tuning search-coverage", scope, "--search", "md2u"];
        let rest = ["--profile", "paper", "--max-time", "400000i", "commands.bc"];
        [&search[..], &rest].concat()
    };
    for (directory, scope) in [("one", "campaign"), ("two", "campaign"), ("own", "run")] {
        run_campaign(&place, directory, &arguments(scope));
    }
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    // The first run knows nothing in either; all later ones search elsewhere.
    let [one, own] = ["one", "own"].map(|directory| lines_of(&place, directory, "learning.jsonl"));
    assert_eq!(one[0]["instructions"], own[0]["instructions"]);
    assert_eq!(one[0]["new_branches"], own[0]["new_branches"]);
    let tests_of = |runs: &[Value]| -> Vec<u64> {
        let counts = runs.iter().map(|run| run["run_tests"].as_u64());
        counts.map(|count| count.expect("a number")).collect()
    };
    assert_ne!(tests_of(&one), tests_of(&own));
    // What a run learns from is still what is new in it, known before or not.
    assert!(tests_of(&one).iter().all(|count| *count > 0));
}

/// Rungs that only the right bytes climb, among 3^24 paths: no run from nothing gets high, breadth
/// first.
const RUNGS: &str = r#"
#include <klee/klee.h>
int sink;
int main(void) {
  unsigned char in[24];
  klee_make_symbolic(in, sizeof in, "in");
  int rung = 0;
  for (int i = 0; i < 24; i++) {
    if (in[i] == 'a' + i && rung == i) rung++;
    else if (in[i] > 'z') sink += i;
  }
  if (rung > 3) sink = 1;
  if (rung > 6) sink = 2;
  if (rung > 9) sink = 3;
  if (rung > 12) sink = 4;
  if (rung > 15) sink = 5;
  if (rung > 18) sink = 6;
  if (rung > 21) sink = 7;
  return 0;
}
"#;

#[test]
fn runs_may_begin_with_earlier_tests() {
    let place = TestDir::new();
    place.compile("rungs", RUNGS);
    let campaign =
        "--profile paper --search bfs --batch-instructions 1 --max-time 400000i rungs.bc";
    let campaign: Vec<&str> = campaign.split(' ').collect();
    run_campaign(&place, "own", &campaign);
    let seeded = [&["--seed-runs"][..], &campaign].concat();
    run_campaign(&place, "one", &seeded);
    run_campaign(&place, "two", &seeded);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    let runs = lines_of(&place, "one", "learning.jsonl");
    assert!(runs[0]["seeds"].is_null(), "there are no tests yet");
    let count = |run: &Value, what: &str| run["seeds"][what].as_u64().expect("a number");
    for run in &runs[1..] {
        assert!(count(run, "given") > 0);
        let ends = ["followed", "dropped", "unfinished"];
        let sum: u64 = ends.iter().map(|what| count(run, what)).sum();
        assert_eq!(sum, count(run, "given"));
    }
    assert!(runs[1..].iter().any(|run| count(run, "followed") > 0));
    assert!(lines_of(&place, "own", "learning.jsonl")[1]["seeds"].is_null());
    // A test is learned from once, in the run that found it.
    let known = lines_of(&place, "one", "learning-data.jsonl");
    let files = tests(&place.path("one")).len();
    let named: usize = known[1..]
        .iter()
        .flat_map(|run| run["tests"].as_array().expect("a list"))
        .filter(|test| test["file"].is_string())
        .count();
    assert_eq!(named, files);
    let coverage = |name: &str| {
        let coverage = summary_of(&place, name)["coverage"].clone();
        (
            coverage["branches"].as_u64(),
            coverage["branches_total"].as_u64(),
        )
    };
    let (reached, total) = coverage("one");
    assert_eq!(reached, total);
    assert!(coverage("own").0 < total);

    let resume = ["--resume", "one", "--seed-runs"];
    let all = [
        &["run", "--libc", "none", "--quiet"],
        &resume[..],
        &campaign,
    ]
    .concat();
    place.succeeds(&all);
    let later = lines_of(&place, "one", "learning.jsonl");
    assert!(
        count(&later[runs.len()], "given") > 0,
        "files of the first session"
    );
}

/// B(t) of a test whose path had not ended has the branches of its way on, too.
#[test]
fn a_test_covers_what_comes_after_its_state() {
    let place = TestDir::new();
    place.compile(
        "later",
        r#"
        #include <klee/klee.h>
        volatile int seen, last;
        int main(void) {
          unsigned char in[2];
          unsigned x = 1;
          klee_make_symbolic(in, sizeof in, "in");
          if (in[0] == 'a') seen = 1;
          if (in[1] == 'b') seen = 2;
          for (int i = 0; i < 20000; i++) x = x * 5 + 1;
          if (seen == 2) last = 1;
          return x & 1;
        }
        "#,
    );
    let sides = |directory: &str, tail: &str| {
        let arguments =
            "--profile klee --restart divide --search bfs --batch-instructions 50 --all-tests";
        let times =
            "--tuning run-time-max=4000i --max-time 40000i --tuning completion-instructions";
        let arguments = format!("{arguments} {times}={tail} later.bc");
        run_campaign(&place, directory, &arguments.split(' ').collect::<Vec<_>>());
        let data = lines_of(&place, directory, "learning-data.jsonl");
        let tests = data.iter().flat_map(|run| run["tests"].as_array());
        let sides = tests.flatten().map(|test| test["sides"].to_string());
        sides.collect::<std::collections::BTreeSet<String>>()
    };
    let count = |sides: &str| sides.split(',').count();
    let (whole, cut) = (sides("whole", "500000"), sides("cut", "1"));
    // The sides of two conditions, of the loop going on, of its end and of the last condition.
    assert_eq!(whole.len(), 4, "one for each path: {whole:?}");
    assert!(whole.iter().all(|sides| count(sides) == 5), "{whole:?}");
    assert!(cut.iter().all(|sides| count(sides) <= 3), "{cut:?}");
}
