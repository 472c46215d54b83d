//! The report of a run agrees with its work: bugs, test files and dropped paths.

use super::files;
use crate::support::{TestDir, summary, text};
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;

/// Sixteen inputs of one name, some of them assumed to be something, one assertion that can fail.
/// `left_out` is the number of the assumption that is not made.
fn many_inputs(left_out: usize) -> String {
    let assumptions = [
        "v[0] > 0",
        "v[1] < 100",
        "v[2] != v[3]",
        "v[4] == 7",
        "v[5] >= v[6]",
        "v[7] + v[8] < 50",
        "v[9] % 3 == 1",
        "(v[10] & 1) == 0",
        "v[11] != 0",
        "v[12] <= v[13]",
        "v[14] > -5",
        "v[0] != v[1]",
    ];
    let made = assumptions.iter().enumerate();
    let made = made.filter(|(number, _)| *number != left_out);
    let lines: Vec<String> = made
        .map(|(_, condition)| format!("  klee_assume({condition});\n"))
        .collect();
    format!(
        "#include <klee/klee.h>
#include <assert.h>
int main(void) {{
  int v[16];
  for (int i = 0; i < 16; i++) {{
    v[i] = klee_int(\"val\");
    klee_assume(v[i] > -1000);
    klee_assume(v[i] < 1000);
  }}
{}  if (v[4] < 10 && v[11] > v[12]) assert(v[15] != 42 || v[2] != 3);
  return 0;
}}
",
        lines.concat()
    )
}

#[test]
fn an_assertion_fails_whichever_assumption_is_left_out() {
    let place = TestDir::new();
    for left_out in 0..=12 {
        place.compile("program", &many_inputs(left_out));
        for check in [&[][..], &["--self-check"]] {
            let found = place.run(&[&["program.bc", "--quiet"], check].concat());
            let bugs = found["errors"].as_array().expect("a list");
            assert_eq!(bugs.len(), 1, "{left_out} {check:?}: {found}");
            assert_eq!(bugs[0]["kind"], "assert", "{left_out} {check:?}: {found}");
        }
    }
}

/// The number of tests that a run prints.
fn printed(said: &str) -> u64 {
    let mut lines = said.lines();
    let found = lines.find_map(|line| line.split_once("generated tests = "));
    let number = found.and_then(|(_, number)| number.trim().parse().ok());
    number.unwrap_or_else(|| panic!("no number of tests in {said}"))
}

/// Checks that files, summary, log and output agree on the number of tests.
fn agree(out: &Path, said: &str) -> u64 {
    let written = files(out, ".ktest").len() as u64;
    let found: Value = summary(out);
    assert_eq!(found["tests"], written, "{said}");
    assert_eq!(printed(said), written, "{said}");
    let log = fs::read_to_string(out.join("coverage.jsonl")).expect("the log");
    assert_eq!(log.lines().count() as u64, written, "{said}");
    for bug in found["errors"].as_array().expect("a list") {
        let test = bug["test"].as_str().expect("a name");
        assert!(out.join(format!("{test}.ktest")).exists(), "{bug}");
    }
    written
}

/// A hash of symbolic bytes that a solver does not invert in a moment.
const HASH: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char in[12];
  unsigned long hash = 14695981039346656037u;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++) hash = (hash ^ in[i]) * 1099511628211u ^ hash >> 29;
  for (int i = 0; i < 6; i++) if ((hash >> i * 8 & 255) == in[i]) { if (in[i] == 'x') return i; hash *= 31; }
  return 9;
}
"#;

#[test]
fn numbers_of_tests_agree_where_the_solver_gives_up() {
    let place = TestDir::new();
    place.compile("hash", HASH);
    for all in [&[][..], &["--all-tests"]] {
        let arguments = [
            "run",
            "hash.bc",
            "--output-dir",
            "out",
            "--max-solver-time",
            "1ms",
        ];
        let limit = ["--max-time", "5s"];
        let output = place.succeeds(&[&arguments, &limit[..], all].concat());
        agree(&place.path("out"), &text(&output));
        fs::remove_dir_all(place.path("out")).expect("it goes");
    }
}

/// A symbolic byte and a switch: many short paths.
const MANY: &str = r#"
#include <klee/klee.h>
int g;
int main(void) {
  unsigned char in[3];
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 3; i++)
    switch (in[i] & 7) {
      case 0: g = 1; break; case 1: g = 2; break; case 2: g = 3; break; case 3: g = 4; break;
      default: g = 5;
    }
  return g;
}
"#;

#[test]
fn numbers_of_tests_agree_at_a_limit_of_tests_and_on_a_full_disk() {
    let place = TestDir::new();
    place.compile("many", MANY);
    let arguments = [
        "run",
        "many.bc",
        "--output-dir",
        "three",
        "--all-tests",
        "--max-tests",
        "3",
    ];
    let output = place.succeeds(&arguments);
    // Those of the paths that are open then come on top.
    assert!(agree(&place.path("three"), &text(&output)) >= 3);
    assert_eq!(summary(&place.path("three"))["stop_reason"], "max-tests");
    let mut command = place.homi();
    command.args(["run", "many.bc", "--output-dir", "full", "--all-tests"]);
    // Files of a limited size fail as a full disk does: the log grows, tests are small.
    // SAFETY: only async-signal-safe calls between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit {
                rlim_cur: 1 << 12,
                rlim_max: 1 << 12,
            };
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            Ok(())
        });
    }
    let output = command.output().expect("homi runs");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let out = place.path("full");
    let written = files(&out, ".ktest").len() as u64;
    assert!(written > 0, "{said}");
    if let Ok(found) = fs::read_to_string(out.join("summary.json")) {
        let found: Value = serde_json::from_str(&found).expect("JSON, whole");
        assert_eq!(found["tests"], written, "{said}");
    }
    assert_eq!(printed(&said), written, "{said}");
}

/// Forty blocks, chosen by an input byte; one of them fails.
const BLOCKS: &str = r#"
#include <klee/klee.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *blocks[40];
  unsigned char which;
  for (int i = 0; i < 40; i++) { blocks[i] = malloc(sizeof(int)); *blocks[i] = i; }
  klee_make_symbolic(&which, 1, "which");
  if (which >= 40) return 1;
  assert(*blocks[which] != 37);
  return 0;
}
"#;

#[test]
fn statistics_of_a_run_that_ends_at_its_first_bug_are_there() {
    let place = TestDir::new();
    place.compile("blocks", BLOCKS);
    let found = place.run(&["blocks.bc", "--quiet", "--exit-on-error", "--search", "dfs"]);
    assert_eq!(found["stop_reason"], "error-found", "{found}");
    let output = place.succeeds(&["stats", "--json", "homi-last"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("JSON: {said}"));
    let row = &rows[0]["last"]["stats"];
    for key in [
        "Instructions",
        "NumBranches",
        "FullBranches",
        "WallTime",
        "CoveredInstructions",
    ] {
        assert!(
            row[key].as_u64().is_some_and(|value| value > 0),
            "{key}: {row}"
        );
    }
    assert_eq!(row["Instructions"], found["instructions"]);
}

/// Two paths for each byte, over and over.
const DOUBLING: &str = r#"
#include <klee/klee.h>
int main(void) {
  char text[24];
  int count = 0;
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 24; i++) {
    klee_open_merge();
    if (text[i] == 'a') count++;
    klee_close_merge();
  }
  return count == 24 ? 2 : count == 0;
}
"#;

#[test]
fn paths_dropped_for_memory_are_reported() {
    let place = TestDir::new();
    place.compile("doubling", DOUBLING);
    let arguments = [
        "run",
        "doubling.bc",
        "--output-dir",
        "out",
        "--prune",
        "none",
    ];
    let limits = ["--max-memory", "64MiB", "--max-time", "6s"];
    let output = place.output(&[&arguments[..], &limits].concat());
    let said = text(&output);
    let found = summary(&place.path("out"));
    assert_ne!(found["stop_reason"], "exhausted", "{said}");
    assert!(!said.contains("every path"), "{said}");
    let early = found["paths"]["early"].as_u64().unwrap_or_default();
    assert!(early > 0, "{found}");
    let partly = format!("partially completed paths = {early}");
    assert!(said.contains(&partly), "{said}");
}
