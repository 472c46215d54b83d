//! Each branch side and each line that a run covers is claimed by one test, whose path takes it.
//!
//! The native program with a counter per branch side (`homi instrument`) says what a test takes.

use crate::support::{TestDir, data, files_with, json_lines, tests, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

type Sides = BTreeSet<(u64, u64)>;

fn sides(list: &Value) -> Sides {
    let pairs = list.as_array().expect("a list").iter();
    pairs
        .map(|pair| {
            (
                pair[0].as_u64().expect("a branch"),
                pair[1].as_u64().expect("a side"),
            )
        })
        .collect()
}

/// The log of a run: each side that a test takes is claimed by one test, which takes it.
fn claims(directory: &Path, what: &str) -> Sides {
    let (mut all, mut shown) = (Sides::new(), Sides::new());
    for line in json_lines(&directory.join("coverage.jsonl")) {
        let (taken, new) = (sides(&line["sides"]), sides(&line["new"]));
        assert!(new.is_subset(&taken), "{what}: {line}");
        assert!(all.is_disjoint(&new), "{what}: claimed twice: {line}");
        all.extend(new);
        shown.extend(taken);
    }
    assert_eq!(all, shown, "{what}");
    all
}

/// The number of sides that a run covers.
fn covered(summary: &Value) -> usize {
    summary["coverage"]["branches"].as_u64().expect("a number") as usize
}

/// `LINE` of every line that a test's `.cov` has.
fn lines(place: &TestDir, test: usize) -> Vec<u64> {
    let text = fs::read_to_string(place.path(&format!("homi-last/test{test:06}.cov")));
    let text = text.expect("a .cov file");
    let number = |line: &str| {
        line.rsplit(':')
            .next()
            .and_then(|number| number.parse().ok())
    };
    text.lines().filter_map(number).collect()
}

#[test]
fn each_side_of_a_branch_belongs_to_the_test_that_took_it() {
    let place = TestDir::new();
    let source = "#include <klee/klee.h>
int g;
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, \"x\");
  if (x > 5)
    g = 1;
  else
    g = 2;
  return 0;
}
";
    place.compile("two", source);
    let found = place.run(&["two.bc", "--quiet", "--write-cov", "--all-tests"]);
    assert_eq!(found["tests"], 2);
    let log = json_lines(&place.path("homi-last/coverage.jsonl"));
    for entry in &log {
        assert_eq!(entry["sides"], entry["new"], "{log:?}");
    }
    let (first, second) = (lines(&place, 1), lines(&place, 2));
    for (line, other) in [(7, 9), (9, 7)] {
        let holders = [&first, &second].map(|lines| lines.contains(&line));
        assert_eq!(
            holders.iter().filter(|holds| **holds).count(),
            1,
            "line {line}"
        );
        let who = if holders[0] { &first } else { &second };
        assert!(!who.contains(&other), "{first:?} {second:?}");
    }
    // What both have done belongs to one of them.
    assert!(first.contains(&5) != second.contains(&5));
}

/// Programs whose paths share what they cover in ways that are easily credited to the wrong one.
const SHARED: &[(&str, &str)] = &[
    (
        "a path that ends without a test has covered first what others share",
        "  if (a > 5) g = 1; else g = 2;
  if (b > 5) klee_silent_exit(0);
  if (c > 5) g = 3;",
    ),
    (
        "the targets of a switch are one fork",
        "  switch (a) { case 1: g = 1; break; case 2: case 3: g = 2; break; case 9: g = 3;
    default: g += 4; }
  switch (b & 3) { case 0: g = 5; break; case 1: return 1; case 2: return 2; }",
    ),
    (
        "a bug ends a sibling after what the others have covered",
        "  int table[4] = {0};
  if (a > 5) g = 1; else g = 2;
  g += table[b & 7];
  if (c > 5) g = 3;
  if (c == 77) klee_abort();",
    ),
    (
        "loops fork again and again at one branch",
        "  for (int i = 0; i < (a & 7); i++) { if (i == (b & 7)) { g++; break; } if (c == i) continue; g--; }",
    ),
];

fn shared_program(body: &str) -> String {
    format!(
        "#include <klee/klee.h>
int g;
int main(void) {{
  unsigned char a, b, c;
  klee_make_symbolic(&a, 1, \"a\");
  klee_make_symbolic(&b, 1, \"b\");
  klee_make_symbolic(&c, 1, \"c\");
{body}
  return 0;
}}
"
    )
}

#[test]
fn every_side_is_claimed_once_however_paths_share_it() {
    for (what, body) in SHARED {
        let place = TestDir::new();
        place.compile("program", &shared_program(body));
        for search in ["dfs", "bfs", "random-path"] {
            for tests in [
                &[][..],
                &["--all-tests"],
                &["--emit-all-errors"],
                &["--threads", "2"],
            ] {
                let options = ["program.bc", "--quiet", "--write-cov", "--search", search];
                let found = place.run(&[&options, tests].concat());
                let claimed = claims(&place.path("homi-last"), what);
                // Only paths without a test take the other side.
                let most = covered(&found) - usize::from(body.contains("silent"));
                assert!(claimed.len() <= most, "{what}, {search} {tests:?}");
                if most == covered(&found) || tests.is_empty() {
                    assert_eq!(claimed.len(), most, "{what}, {search} {tests:?}");
                }
            }
        }
    }
}

#[test]
fn lines_of_a_path_that_a_bug_ended_are_those_up_to_the_bug() {
    let place = TestDir::new();
    let source = "#include <klee/klee.h>
int main(void) {
  unsigned char a;
  int table[4] = {0}, *p = table;
  klee_make_symbolic(&a, 1, \"a\");
  if (a > 3) {
    p[2] = 1;
    p[a] = 2;
    p[3] = 3;
    p[1] = 4;
  }
  return 0;
}
";
    place.compile("program", source);
    let found = place.run(&["program.bc", "--quiet", "--write-cov", "--all-tests"]);
    let claimed = claims(&place.path("homi-last"), "a bug");
    assert_eq!(claimed.len(), covered(&found));
    assert_eq!(found["errors"].as_array().map(Vec::len), Some(1), "{found}");
    let names = tests(&place.path("homi-last"));
    let all: Vec<u64> = (1..=names.len())
        .flat_map(|test| lines(&place, test))
        .collect();
    assert!(all.contains(&8) && all.contains(&12), "{all:?}");
    assert!(!all.contains(&9) && !all.contains(&10), "{all:?}");
}

/// Runs a program of tests/data/replayed; its tests, run natively, take what they claim.
fn check_natively(source: &Path, options: &[&str]) {
    let text_of = fs::read_to_string(source).expect("the source");
    let place = TestDir::new();
    place.compile("program", &text_of);
    let run = text_of
        .lines()
        .find_map(|line| line.strip_prefix("// run:"));
    let arguments = run.unwrap_or_default().split_whitespace();
    let mut all = vec!["program.bc", "--quiet", "--max-solver-time", "60s"];
    all.extend(options);
    all.push("--");
    all.extend(arguments);
    let found = place.run(&all);
    let what = format!("{source:?} {options:?}");
    let out = place.path("homi-last");
    assert_eq!(claims(&out, &what).len(), covered(&found), "{what}");
    place.succeeds(&["instrument", "program.bc", "-o", "counted", "--link", "-lm"]);
    let output = place.output(&["replay", "--check-coverage", "counted", "homi-last"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains(" 0 different, 0 not replayed"),
        "{what}: {said} {}",
        text(&output)
    );
}

#[test]
fn tests_take_natively_what_they_claim() {
    for source in &files_with("c", &data("replayed")) {
        check_natively(source, &[]);
    }
}

#[test]
fn a_campaign_claims_each_side_once() {
    let source = data("replayed/hex_digits.c");
    let budget = ["--max-instructions", "400000"];
    check_natively(&source, &[&["--prune", "homi"], &budget[..]].concat());
}
