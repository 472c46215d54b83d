//! Equal runs give equal results, and what is counted instead of measured is the same everywhere.

use super::{MAZE, files};
use crate::support::{ENDLESS, TestDir, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn canonical_tests_do_not_depend_on_the_search() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    let mut sets = Vec::new();
    for search in [
        "dfs",
        "bfs",
        "random-path,covnew",
        "md2u",
        "cpicnt",
        "random-state",
    ] {
        place.run(&["maze.bc", "--all-tests", "--quiet", "--search", search]);
        let out = place.path("homi-last");
        let mut tests: Vec<_> = files(&out, ".ktest")
            .iter()
            .map(|name| fs::read(out.join(name)).expect("a test"))
            .collect();
        tests.sort();
        sets.push(tests);
    }
    assert!(sets.windows(2).all(|pair| pair[0] == pair[1]));
}

/// All files of a directory but times and sizes.
pub(super) fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    // A checkpoint has the times of the figures so far within it.
    let timed = |name: &String| name == "checkpoint" || name == "checkpoint.before";
    for name in files(directory, "").into_iter().filter(|name| !timed(name)) {
        let mut bytes = fs::read(directory.join(&name)).expect("a file");
        if name == "summary.json" {
            let mut value: Value = serde_json::from_slice(&bytes).expect("JSON");
            for key in ["wall_s", "cpu_s", "memory_peak_bytes", "states_mean"] {
                value[key] = Value::Null;
            }
            value["solver"]["time_s"] = Value::Null;
            for layer in value["solver"]["layers"].as_array_mut().expect("a list") {
                layer["time_s"] = Value::Null;
            }
            value["memory"] = Value::Null;
            for line in value["hot_lines"].as_array_mut().expect("a list") {
                line["solver_s"] = Value::Null;
            }
            bytes = value.to_string().into_bytes();
        }
        if name == "learning.jsonl" {
            let mut value: Value = serde_json::from_slice(&bytes).expect("the line of one run");
            for key in [
                "wall_s",
                "states_each_second",
                "branches_each_second",
                "learning_s",
            ] {
                value[key] = Value::Null;
            }
            value["repeated"]["time_s"] = Value::Null;
            value["repeated"]["solver_s"] = Value::Null;
            bytes = value.to_string().into_bytes();
        }
        if name == "info" {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let kept = text
                .lines()
                .filter(|line| !line.starts_with("started:") && !line.starts_with("elapsed:"))
                .filter(|line| !line.contains("--output-dir"));
            bytes = kept.collect::<Vec<_>>().join("\n").into_bytes();
        }
        if name == "messages.txt" || name == "run.stats" {
            continue;
        }
        all.push((name, bytes));
    }
    all
}

#[test]
fn equal_seeds_and_instruction_budgets_give_equal_bytes() {
    let place = TestDir::new();
    place.compile("endless", ENDLESS);
    for search in [
        "random-path,covnew",
        "random-state",
        "md2u,icnt,cpicnt,depth,rp",
        "qc",
    ] {
        let mut outputs = Vec::new();
        for run in ["a", "b"] {
            let name = format!("{run}-{}", search.replace(',', "-"));
            let arguments = [
                "run",
                "endless.bc",
                "--quiet",
                "--all-tests",
                "--write-paths",
                "--seed",
                "7",
                "--max-instructions",
                "6000",
                "--profile",
                "klee",
                "--search",
                search,
            ];
            let output = place
                .homi()
                .args(arguments)
                .args(["--output-dir", &name])
                .output()
                .expect("homi runs");
            assert!(output.status.success(), "{}", text(&output));
            outputs.push(contents(&place.path(&name)));
        }
        assert!(outputs[0].len() > 20, "{}", outputs[0].len());
        for (a, b) in outputs[0].iter().zip(&outputs[1]) {
            assert_eq!(a.0, b.0);
            assert!(a.1 == b.1, "{search}: {} differs", a.0);
        }
        assert_eq!(outputs[0].len(), outputs[1].len());
    }
}

/// One half of the paths has cheap branches, the other asks for a product's remainder at each.
pub(super) const CHEAP_AND_DEAR: &str = r#"
#include <klee/klee.h>
static int digits(const unsigned char *in) {
  int sum = 0;
  for (int i = 0; i < 12; i++)
    if (in[i] >= '0' && in[i] <= '9')
      sum += in[i] - '0';
  return sum;
}
static int products(unsigned long a, unsigned long b) {
  int found = 0;
  for (unsigned long i = 0; i < 1000; i++)
    if (a * b % 65521 == 40 * i + a % 7)
      found++;
  return found;
}
int main(void) {
  unsigned char kind, in[12];
  unsigned int a, b;
  klee_make_symbolic(&kind, sizeof kind, "kind");
  klee_make_symbolic(in, sizeof in, "in");
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  return kind < 128 ? digits(in) : products(a, b);
}
"#;

#[test]
fn states_with_expensive_queries_are_selected_less_often() {
    let place = TestDir::new();
    place.compile("dear", CHEAP_AND_DEAR);
    let paths = |counts: &str| {
        let arguments = ["dear.bc", "--quiet", "--max-instructions", "100000"];
        let summary = place.run(&[&arguments[..], &["--fuzz-ratio=0", counts]].concat());
        let count = |kind: &str| summary["paths"][kind].as_u64().expect("a count");
        (count("completed") + count("early"), summary)
    };
    let (without, _) = paths("--tuning count-solver-work=false");
    let (with, summary) = paths("--tuning count-solver-work=true");
    // All of it is counted, so these are the same numbers everywhere.
    assert!(with * 2 > without * 3, "{with} and {without} paths");
    let (again, twice) = paths("--tuning count-solver-work=true");
    assert_eq!(with, again);
    assert_eq!(summary["solver"]["queries"], twice["solver"]["queries"]);
}
