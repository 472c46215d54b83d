//! Files of a run: tests, bug reports, a summary, further formats.

use super::{MAZE, files};
use crate::support::{TestDir, summary};
use std::fs;
use std::path::Path;

#[test]
fn a_run_leaves_tests_errors_and_a_summary() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    let summary = place.run(&["maze.bc", "--all-tests", "--quiet"]);
    let out = place.path("homi-last");
    assert_eq!(summary["schema"], 2);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["paths"]["completed"], 7);
    assert_eq!(summary["paths"]["error"], 1);
    assert_eq!(summary["tests"], 8);
    assert_eq!(summary["errors"][0]["kind"], "assert");
    assert!(
        summary["errors"][0]["location"]
            .as_str()
            .is_some_and(|at| at.ends_with("maze.c:11"))
    );
    assert_eq!(
        summary["coverage"]["branches"],
        summary["coverage"]["branches_total"]
    );
    assert_eq!(files(&out, ".ktest").len(), 8);
    assert_eq!(
        fs::read_link(&out).expect("a link"),
        Path::new("homi-out-0")
    );

    let error = files(&out, ".assert.err");
    assert_eq!(error.len(), 1);
    let report = fs::read_to_string(out.join(&error[0])).expect("the error file");
    assert!(
        report.starts_with("Error: ASSERTION FAIL: found != 3\nFile: "),
        "{report}"
    );
    assert!(report.contains("\nLine: 11\n"), "{report}");
    assert!(report.contains("in main("), "{report}");
    // The test that shows the bug holds exactly the bytes that lead there.
    let ktest = out.join(error[0].replace(".assert.err", ".ktest"));
    let bytes = fs::read(ktest).expect("the test");
    assert!(bytes.ends_with(b"abc"), "{bytes:?}");

    // Each test's coverage is recorded, and the paths ended.
    let log = fs::read_to_string(out.join("coverage.jsonl")).expect("the coverage log");
    assert_eq!(log.lines().count(), 8);
    assert!(log.lines().all(|line| line.contains(r#""ended":true"#)));
}

/// Uses built-in functions that a libc would define, and one undefined function.
const WITHOUT_LIBC: &str = r#"
#include <stdio.h>
#include <string.h>
void *_Znwm(unsigned long size);
void _ZdlPv(void *object);
int absent(void);
int main(int argc, char **argv) {
  char *text = _Znwm(8);
  strcpy(text, "seven");
  printf("%s is %d\n", text, 7);
  puts("done");
  _ZdlPv(text);
  return argc > 1 ? absent() : 0;
}
"#;

#[test]
fn built_in_functions_are_not_undefined_where_there_is_no_libc() {
    let place = TestDir::new();
    place.compile("alone", WITHOUT_LIBC);
    let output = place.succeeds(&["run", "--libc", "none", "--show-output", "alone.bc"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, "seven is 7\ndone\n");
    let warnings = fs::read_to_string(place.path("homi-last/warnings.txt")).expect("warnings");
    let named =
        warnings.contains("undefined symbol; a path that uses it ends there: absent (needed by ");
    assert!(named && warnings.ends_with("alone.c)\n"), "{warnings}");
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
}

#[test]
fn by_default_only_tests_that_show_something_new_are_written() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    let summary = place.run(&["--profile", "klee", "--search", "dfs", "maze.bc", "--quiet"]);
    let tests = summary["tests"].as_u64().expect("a number");
    assert!((2..=5).contains(&tests), "{tests}");
    assert_eq!(summary["paths"]["completed"], 7);
    assert_eq!(
        summary["coverage"]["branches"],
        summary["coverage"]["branches_total"]
    );
    assert_eq!(files(&place.path("homi-last"), ".assert.err").len(), 1);
}

#[test]
fn requested_formats_stand_beside_each_test() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    place.run(&[
        "maze.bc",
        "--quiet",
        "--all-tests",
        "--write-kqueries",
        "--write-smt2s",
        "--write-cov",
        "--write-paths",
    ]);
    let out = place.path("homi-last");
    for ending in [".ktest", ".kquery", ".smt2", ".cov", ".path"] {
        assert_eq!(files(&out, ending).len(), 8, "{ending}");
    }
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("a file");
    let queries = files(&out, ".smt2");
    assert!(
        queries
            .iter()
            .all(|name| read(name).contains("(check-sat)"))
    );
    let queries = files(&out, ".kquery");
    assert!(queries.iter().all(|name| read(name).contains("(query [")));
    // Every line is covered first by exactly one test.
    let mut lines: Vec<String> = Vec::new();
    for name in files(&out, ".cov") {
        lines.extend(read(&name).lines().map(str::to_string));
    }
    let found: Vec<&String> = lines.iter().filter(|line| line.ends_with(":12")).collect();
    assert_eq!(found.len(), 1, "{lines:?}");
}

#[test]
fn bugs_set_the_exit_code_only_on_request() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    place.run(&["maze.bc", "--quiet"]);
    let output = place
        .homi()
        .args([
            "run",
            "maze.bc",
            "--quiet",
            "--error-exit-code",
            "--exit-on-error",
        ])
        .output()
        .expect("homi runs");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        summary(&place.path("homi-last"))["stop_reason"],
        "error-found"
    );
}
