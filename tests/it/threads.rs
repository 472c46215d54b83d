//! `--threads`: an exhausted program gives the same paths and tests for any number of threads, and
//! a run that a budget ends leaves numbers and tests that fit together.
//!
//! Programs are small C sources compiled here by clang 19. Nothing here depends on how fast threads
//! are.

use crate::support::{self, TestDir, text};
use homi::native::testcase::ktest::KTest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Exhaustible programs: what makes paths differ in each.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    // Words made of symbolic bytes, compared with each other: every byte in one group.
    (
        "sort",
        r#"#include <klee/klee.h>
int main(void) {
  unsigned short a[5];
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 5; i++)
    for (int j = 0; j + 1 < 5 - i; j++)
      if (a[j] > a[j + 1]) { unsigned short t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  if (a[0] > 10) return 1;
  return 0;
}
"#,
        &[],
    ),
    // Recursion, a switch, a table, sizes of allocations, symbolic writes, a bug, objects that come
    // in an order that the path decides.
    (
        "mixture",
        r#"#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int depth(unsigned char *s, int n) {
  if (n == 0) return 0;
  switch (s[0]) {
  case '(': return 1 + depth(s + 1, n - 1);
  case ')': return depth(s + 1, n - 1) - 1;
  case 'x': case 'y': return depth(s + 1, n - 1);
  default: return -100;
  }
}
int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
int main(void) {
  unsigned char s[3], first, second;
  klee_make_symbolic(s, sizeof s, "s");
  int d = depth(s, 3);
  if (d > 0) {
    klee_make_symbolic(&first, 1, "first");
    klee_make_symbolic(&second, 1, "second");
  } else {
    klee_make_symbolic(&second, 1, "second");
    klee_make_symbolic(&first, 1, "first");
  }
  unsigned char *p = malloc(first & 3 ? (first & 3) * 8 : 1);
  if (second < 16 && table[second] == 5) p[0] = 1;
  if (table[first & 15] > table[second & 15]) d++;
  if (second == 77 && d == 2) p[40] = 1;
  char buffer[8];
  memcpy(buffer, s, 3);
  buffer[first & 7] = second;
  if (buffer[2] == 'q') d += 7;
  free(p);
  return d & 255;
}
"#,
        &[],
    ),
    // libc, symbolic arguments and input, output, exits at many places.
    (
        "words",
        r#"#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int count = 0, c;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0) count += 100;
    else if (argv[i][0] == '-') { fprintf(stderr, "no option %s\n", argv[i]); exit(2); }
    else count += strlen(argv[i]);
  }
  while ((c = getchar()) != EOF) {
    if (isdigit(c)) count++;
    else if (c == '\n') break;
  }
  printf("%d\n", count);
  return count > 101;
}
"#,
        &["--sym-args", "0", "2", "2", "--sym-stdin", "2"],
    ),
];

/// Decisions and bytes of every test.
fn tests(directory: &Path) -> BTreeSet<(String, Vec<u8>)> {
    let mut found = BTreeSet::new();
    for path in support::files_with("ktest", directory) {
        let decisions = fs::read_to_string(path.with_extension("path")).unwrap();
        let fresh = found.insert((decisions, fs::read(&path).unwrap()));
        assert!(fresh, "{} is another test again", path.display());
    }
    found
}

fn run(place: &TestDir, directory: &str, arguments: &[&str]) -> Value {
    // What the program sees of its directory is part of the tests: output must not go there.
    fs::create_dir_all(place.path("seen")).unwrap();
    place.run_into(directory, &[&["--run-in-dir", "seen"], arguments].concat())
}

#[test]
fn an_exhausted_program_has_the_same_tests_for_any_number_of_threads() {
    for (name, source, arguments) in PROGRAMS {
        let place = TestDir::new();
        place.compile(name, source);
        let file = format!("{name}.bc");
        let mut first: Option<(Value, BTreeSet<_>)> = None;
        for (search, threads) in [
            ("random-path", "1"),
            ("random-path", "2"),
            ("dfs", "2"),
            ("md2u", "3"),
        ] {
            let directory = format!("{search}-{threads}");
            let mut command = vec!["--all-tests", "--write-paths", "--self-check", "--quiet"];
            command.extend(["--profile", "klee", "--search", search]);
            command.extend(["--threads", threads, &file, "--"]);
            command.extend(*arguments);
            let summary = run(&place, &directory, &command);
            let found = tests(&place.path(&directory));
            assert_eq!(summary["stop_reason"], "exhausted", "{name}");
            assert_eq!(summary["threads"].to_string(), threads);
            assert_eq!(summary["tests"], found.len() as u64, "{name}");
            let Some((expected, tests)) = &first else {
                assert!(found.len() > 50, "{name}: {}", found.len());
                first = Some((summary, found));
                continue;
            };
            assert!(*tests == found, "{name}: other tests with {directory}");
            // Every instruction that makes a path was executed once, by whichever thread.
            for field in [
                "paths",
                "instructions",
                "coverage",
                "exit_statuses",
                "unsupported",
            ] {
                assert_eq!(summary[field], expected[field], "{name}: {field}");
            }
            let bugs = |summary: &Value| {
                let errors = summary["errors"].as_array().unwrap().iter();
                errors
                    .map(|e| e["location"].to_string())
                    .collect::<Vec<_>>()
            };
            assert_eq!(bugs(&summary), bugs(expected), "{name}");
        }
    }
}

/// More paths than any budget of these tests.
const ENDLESS: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char a[64];
  int sum = 0;
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 64; i++) if (a[i] > 100 + i) sum += a[i]; else if (a[i] == i) return i;
  return sum & 63;
}
"#;

#[test]
fn what_a_budget_cuts_short_fits_together() {
    let place = TestDir::new();
    place.compile("endless", ENDLESS);
    let budgets = [
        ("--max-instructions", "60000", "max-instructions"),
        ("--max-tests", "40", "max-tests"),
    ];
    for (option, value, reason) in budgets {
        let arguments = ["--all-tests", "--write-paths", "--quiet", "--search", "dfs"];
        let mut arguments = arguments.to_vec();
        arguments.extend(["--threads", "3", option, value, "endless.bc"]);
        let summary = run(&place, reason, &arguments);
        assert_eq!(summary["stop_reason"], reason);
        let found = tests(&place.path(reason));
        let paths: u64 = ["completed", "early", "error", "pruned", "unsupported"]
            .iter()
            .map(|kind| summary["paths"][kind].as_u64().unwrap())
            .sum();
        // Open states are written too: each path has its test, and none is there twice.
        assert_eq!(found.len() as u64, paths);
        assert_eq!(summary["tests"], paths);
        let numbers: BTreeSet<String> = (1..=paths).map(|n| format!("test{n:06}.ktest")).collect();
        let log = fs::read_to_string(place.path(reason).join("coverage.jsonl")).unwrap();
        let logged: BTreeSet<String> = log
            .lines()
            .map(|line| {
                let entry: Value = serde_json::from_str(line).unwrap();
                format!("{}.ktest", entry["test"].as_str().unwrap())
            })
            .collect();
        assert_eq!(logged, numbers);
        for name in &numbers {
            let test = KTest::read(&place.path(reason).join(name)).unwrap();
            assert_eq!(test.objects.len(), 1);
        }
    }
}

#[test]
fn one_bug_ends_all_threads_if_it_is_to() {
    let place = TestDir::new();
    let source = ENDLESS.replace("return i;", "{ if (i == 9) klee_abort(); return i; }");
    place.compile("bug", &source);
    let arguments = ["--quiet", "--exit-on-error", "--threads", "2", "bug.bc"];
    let summary = run(&place, "out", &arguments);
    assert_eq!(summary["stop_reason"], "error-found");
    assert_eq!(summary["errors"].as_array().unwrap().len(), 1);
}

#[test]
fn absurd_numbers_of_threads_are_refused_before_anything_starts() {
    let place = TestDir::new();
    for (arguments, part) in [
        (vec!["--threads", "0"], "at least 1"),
        (vec!["--threads", "4000"], "at most 256"),
        (vec!["--threads", "two"], "from 1 to 256"),
    ] {
        place.fails(
            &[&["run"], &arguments[..], &["none.bc"]].concat(),
            2,
            &[part],
        );
    }
    assert!(!place.path("homi-last").exists());
}

#[test]
fn tests_of_a_real_program_under_a_time_budget_replay_exactly() {
    let place = TestDir::new();
    let wc = support::root().join(".deps/subjects/coreutils-9.1/bc-19/wc.bc");
    assert!(wc.exists(), "{} is missing: scripts/setup", wc.display());
    let wc = wc.to_str().unwrap();
    // The processor's clock: on a machine with other work three seconds may bring no test at all.
    let mut arguments = vec!["--quiet", "--threads", "2", "--clock", "cpu"];
    arguments.extend([
        "--max-time",
        "5s",
        wc,
        "--",
        "--sym-args",
        "0",
        "2",
        "3",
        "--sym-stdin",
        "8",
    ]);
    let summary = run(&place, "out", &arguments);
    assert_eq!(summary["stop_reason"], "max-time");
    let number = |value: &Value| value.as_u64().unwrap();
    let tests = number(&summary["tests"]);
    assert!(tests > 5, "{tests}");
    let hot = summary["hot_lines"].as_array().unwrap();
    assert!(hot.iter().any(|line| number(&line["forks"]) > 0));
    let layers = summary["solver"]["layers"].as_array().unwrap();
    let answered: u64 = layers.iter().map(|layer| number(&layer["answered"])).sum();
    assert!(answered >= number(&summary["solver"]["queries"]));
    // What the tests show is what is covered: nothing is claimed by two threads or by none.
    let log = fs::read_to_string(place.path("out").join("coverage.jsonl")).unwrap();
    let (mut shown, mut claimed) = (BTreeSet::new(), Vec::new());
    for line in log.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let sides = |field: &str| entry[field].as_array().unwrap().clone();
        shown.extend(sides("sides").iter().map(Value::to_string));
        claimed.extend(sides("new").iter().map(Value::to_string));
    }
    assert_eq!(shown.len() as u64, number(&summary["coverage"]["branches"]));
    assert_eq!(claimed.len(), shown.len());
    assert_eq!(claimed.into_iter().collect::<BTreeSet<_>>(), shown);

    place.succeeds(&["instrument", wc, "-o", "wc"]);
    let replay = place.output(&["replay", "--quiet", "--check-coverage", "wc", "out"]);
    let report = String::from_utf8_lossy(&replay.stdout);
    assert!(replay.status.success(), "{report}{}", text(&replay));
    assert!(
        report.contains(" 0 different, 0 not replayed"),
        "{report}{}",
        text(&replay)
    );
}
