//! `homi run --concolic`: every strategy finds the paths of the symbolic mode, executions are what
//! a budget counts, first inputs are what was given, and what cannot be is an error.

use crate::support::{TestDir, tests};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Branches whose sides are known at once and branches that take a search, a switch, a loop whose
/// condition is implied in some rounds, a table of pointers, a bug.
const PROGRAM: &str = "\
#include <klee/klee.h>
#include <stdlib.h>
static int cell[3] = {4, 7, 9};
int main(void) {
  unsigned char in[4];
  klee_make_symbolic(in, sizeof in, \"in\");
  unsigned sum = in[0] * 3u + in[1] * 5u, rounds = 0;
  for (unsigned i = 0; i < 4; i++) {
    if (sum * sum % 251 > 60 * i) rounds++;
    if (sum < 400 && sum > 40 * (i + 20)) abort();
  }
  int *chosen[3] = {&cell[0], &cell[1], &cell[2]};
  int *at = chosen[in[2] % 3];
  switch (in[3] % 7 + (in[2] & 1)) {
  case 0: return rounds;
  case 1: case 2: return *at + rounds;
  case 5: if ((in[1] ^ in[0]) == 77) return 50; break;
  default: break;
  }
  if (in[0] + in[1] == 2 * in[2]) return 60 + rounds;
  return sum > 700 ? 70 : 71;
}
";

const STRATEGIES: [&str; 7] = [
    "dfs",
    "bfs",
    "random-branch",
    "random-path",
    "cfg",
    "cgs",
    "generational",
];

fn contents(place: &TestDir, directory: &str) -> BTreeSet<Vec<u8>> {
    let tests = tests(&place.path(directory)).into_iter();
    tests.map(|(_, bytes)| bytes).collect()
}

/// A run over all paths.
fn run(place: &TestDir, directory: &str, arguments: &[&str]) -> (BTreeSet<Vec<u8>>, Value) {
    let arguments = [&["program.bc", "--all-tests"], arguments].concat();
    let summary = place.run_into(directory, &arguments);
    assert_eq!(
        summary["stop_reason"], "exhausted",
        "{arguments:?}: {summary}"
    );
    (contents(place, directory), summary)
}

#[test]
fn every_strategy_finds_the_paths_of_the_symbolic_mode() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    let (symbolic, counts) = run(&place, "symbolic", &[]);
    assert!(symbolic.len() > 30, "{} paths", symbolic.len());
    let (lazy, lazily) = run(&place, "lazy", &["--fork", "lazy"]);
    assert_eq!(lazy, symbolic);
    assert_eq!(lazily["paths"], counts["paths"]);
    assert!(
        lazily["pending"]["infeasible"].as_u64() > Some(0),
        "{lazily}"
    );
    for strategy in STRATEGIES {
        for how in [&[][..], &["--re-execute"], &["--initial-input", "random"]] {
            let arguments = [&["--concolic", "--strategy", strategy], how].concat();
            let directory = format!("out{}", arguments.join(""));
            let (found, summary) = run(&place, &directory, &arguments);
            assert_eq!(found, symbolic, "{arguments:?}");
            assert_eq!(summary["paths"], counts["paths"], "{arguments:?}");
            let concolic = &summary["concolic"];
            let count = |name: &str| concolic[name].as_u64().expect("a count");
            let ends = count("executions") + count("side_ends");
            assert_eq!(ends, symbolic.len() as u64, "{arguments:?}: {concolic}");
            let lengths = concolic["paths_by_instructions"].as_object();
            let counted = lengths.map(|all| all.values().filter_map(Value::as_u64).sum());
            assert_eq!(counted, Some(ends), "{arguments:?}: {concolic}");
            // A class is at most an eighth of its least number wide.
            let least = lengths.and_then(|all| all.keys().flat_map(|name| name.parse().ok()).max());
            let longest = count("longest_path");
            let within =
                least.is_some_and(|least: u64| (least..=least + least / 8).contains(&longest));
            assert!(within, "{arguments:?}: {concolic}");
            let negations = &concolic["negations"];
            // The first execution negates nothing.
            let feasible = negations["feasible"].as_u64();
            assert_eq!(feasible, Some(count("executions") - 1), "{concolic}");
            if how == ["--re-execute"] {
                assert_eq!(concolic["divergences"], 0, "{arguments:?}");
            }
        }
    }
}

#[test]
fn a_budget_of_executions_is_exact() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    let arguments = ["--concolic", "program.bc", "--all-tests", "--max-runs", "9"];
    let summary = place.run_into("few", &arguments);
    assert_eq!(summary["stop_reason"], "max-runs");
    let paths = &summary["paths"];
    let ended = paths["completed"].as_u64().zip(paths["error"].as_u64());
    assert_eq!(ended.map(|(a, b)| a + b), Some(9), "{paths}");
}

const WORDS: &str = "\
#include <klee/klee.h>
int main(void) {
  unsigned char word[3];
  klee_make_symbolic(word, sizeof word, \"word\");
  if (word[0] == 'k' && word[1] == 'e' && word[2] == 'y') return 7;
  return 3;
}
";

#[test]
fn the_first_input_is_what_was_given() {
    let place = TestDir::new();
    place.compile("program", WORDS);
    fs::write(place.path("key"), "key").expect("a file");
    let arguments = [
        "--concolic",
        "program.bc",
        "--input",
        "word=key",
        "--max-runs",
        "1",
    ];
    let given = place.run_into("given", &arguments);
    assert_eq!(given["exit_statuses"]["7"], 1, "{given}");
    assert_eq!(given["exit_statuses"]["3"], Value::Null, "{given}");
    let zeros = place.run_into("zeros", &["--concolic", "program.bc", "--max-runs", "1"]);
    assert_eq!(zeros["exit_statuses"]["3"], 1, "{zeros}");
}

/// Ends in the sum of its bytes, so an exit status tells what the input was.
const SUM: &str = "\
#include <klee/klee.h>
int main(void) {
  unsigned char in[8];
  klee_make_symbolic(in, sizeof in, \"in\");
  unsigned sum = 0;
  for (int i = 0; i < 8; i++) sum = sum * 7 + in[i];
  return sum % 251;
}
";

#[test]
fn random_first_inputs_follow_the_seed() {
    let place = TestDir::new();
    place.compile("program", SUM);
    let first = |directory: &str, seed: &str| {
        let arguments = [
            "--concolic",
            "program.bc",
            "--initial-input",
            "random",
            "--max-runs",
            "1",
            "--seed",
            seed,
        ];
        place.run_into(directory, &arguments)["exit_statuses"].clone()
    };
    assert_eq!(first("a", "1"), first("b", "1"));
    assert_ne!(first("c", "2"), first("d", "1"), "other bytes");
    assert_eq!(
        first("e", "1").as_object().map(|statuses| statuses.len()),
        Some(1)
    );
}

#[test]
fn executions_of_seeds_count() {
    let place = TestDir::new();
    place.compile("program", WORDS);
    fs::write(place.path("key"), "key").expect("a file");
    let first = ["--concolic", "program.bc", "--all-tests"];
    let found = run(&place, "all", &["--concolic"]).0;
    place.run_into(
        "seed",
        &[&first[..], &["--input", "word=key", "--max-runs", "1"]].concat(),
    );
    let seeds = &["--seed-dir", "seed", "--strategy", "dfs"];
    let seeded = place.run_into("seeded", &[&first[..], seeds].concat());
    assert_eq!(contents(&place, "seeded"), found);
    let concolic = &seeded["concolic"];
    assert_eq!(concolic["executions"], found.len() as u64, "{concolic}");
    assert_eq!(concolic["side_ends"], 0, "{concolic}");
}

#[test]
fn what_does_not_fit_is_an_error() {
    let place = TestDir::new();
    place.compile("program", WORDS);
    fs::write(place.path("short"), "ke").expect("a file");
    let concolic = |arguments: &[&str], parts: &[&str]| {
        let arguments = [&["concolic", "program.bc"], arguments].concat();
        place.fails(&arguments, 2, parts);
    };
    concolic(
        &["--strategy", "dsf"],
        &["--strategy", "did you mean `dfs`?"],
    );
    concolic(
        &["--input", "word=short"],
        &["--input word: the object has 3 bytes, the file 2"],
    );
    concolic(
        &["--input", "other=short"],
        &[
            "--input other: the program makes no symbolic object of that name",
            "word",
        ],
    );
    concolic(
        &["--input", "word=missing"],
        &["--input word=missing", "No such file"],
    );
    concolic(&["--input", "word"], &["expected OBJECT=FILE"]);
    concolic(
        &["--search", "dfs"],
        &["--concolic cannot be combined with --search"],
    );
    concolic(
        &["--threads", "2"],
        &["--concolic cannot be combined with --threads"],
    );
    concolic(
        &["--prune", "homi"],
        &["--concolic cannot be combined with --prune"],
    );
    place.fails(
        &["run", "program.bc", "--strategy", "dfs"],
        2,
        &["--strategy needs --concolic"],
    );
}
