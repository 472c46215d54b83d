//! `homi run` compares its tests with the native program if `homi cc` built it, and says so.

use crate::support::{TestDir, bitcode, json_lines, summary, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// End that does not depend on a clock.
const END: [&str; 2] = ["--max-time", "20000000i"];

/// A program that is another one for gcc.
const COMPILERS: &str = "int main(int argc, char **argv) {
#ifdef __clang__
  if (argv[1][0] == 'x') return 1;
#else
  if (argv[1][0] == 'x') return 2;
#endif
  return 0;
}
";

/// A directory with the program `a` of a source.
fn built(source: &str) -> TestDir {
    let place = TestDir::new();
    fs::write(place.path("a.c"), source).expect("a file");
    place.succeeds(&["cc", "-g", "-w", "a.c", "-o", "a"]);
    place
}

/// Status, last lines and summary of `homi run` with symbolic input of one byte.
fn explored(place: &TestDir, program: &str, options: &[&str]) -> (Option<i32>, String, Value) {
    let words = ["run", program, "--output-dir", "out"];
    let input = ["--", "--sym-arg", "1"];
    let output = place.output(&[&words[..], options, &input].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said, summary(&place.path("out")))
}

/// Numbers of tests that were compared and that diverge.
fn counts(summary: &Value) -> (u64, usize) {
    let outcomes = &summary["outcomes"];
    let divergences = outcomes["divergences"].as_array().expect("divergences");
    (
        outcomes["compared"].as_u64().expect("a count"),
        divergences.len(),
    )
}

#[test]
fn a_run_says_which_tests_diverge() {
    let place = built(COMPILERS);
    let options = [&END[..], &["--error-exit-code"]].concat();
    let (status, said, summary) = explored(&place, "a", &options);
    assert_eq!(status, Some(4), "{said}");
    assert_eq!(counts(&summary), (2, 1), "{summary}");
    assert!(summary["outcomes"]["not_compared"].is_null(), "{summary}");
    for line in [
        "homi: done: tests compared with the native program = 2 of 2\n",
        "homi: done: divergences = 1\n",
        "homi predicts exit 1, the native program gives exit 2\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    for claim in ["all paths explored", "every path", "nothing else"] {
        assert!(!said.contains(claim), "{claim}: {said}");
    }
    fs::remove_dir_all(place.path("out")).expect("a directory");
    let (status, _, _) = explored(&place, "a", &END);
    assert_eq!(status, Some(0));
}

#[test]
fn the_last_event_has_the_comparison() {
    let place = built(COMPILERS);
    let words = ["run", "a", "--quiet", "--events", "--", "--sym-arg", "1"];
    let output = place.succeeds(&words);
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let last: Value = serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!(counts(&last["summary"]), (2, 1), "{last}");
}

#[test]
fn a_run_without_a_comparison_says_why() {
    let place = built(COMPILERS);
    let options = [&END[..], &["--compare=off"]].concat();
    let (_, said, summary) = explored(&place, "a", &options);
    let line = "homi: done: not compared with the native program: --compare=off\n";
    assert!(said.contains(line), "{said}");
    assert_eq!(counts(&summary), (0, 0));
    assert_eq!(summary["outcomes"]["not_compared"], "--compare=off");
    assert!(!place.path("out/outcomes.jsonl").exists());
    fs::remove_dir_all(place.path("out")).expect("a directory");
    bitcode(&["-g"], &place.path("a.c"));
    let (_, said, summary) = explored(&place, "a.bc", &END);
    let reason = "bitcode alone has no native program";
    assert!(said.contains(reason), "{said}");
    assert_eq!(summary["outcomes"]["not_compared"], reason);
}

#[test]
fn a_test_without_comparison_runs_natively() {
    let place = TestDir::new();
    fs::write(place.path("a.c"), COMPILERS).expect("a file");
    let words = [
        "test",
        "a.c",
        "--quiet",
        "--compare=off",
        "--",
        "--sym-arg",
        "1",
    ];
    let output = place.succeeds(&words);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("(by gcov, in replays)"), "{said}");
    let claim = "inputs of this layout, but no test was compared natively.";
    assert!(said.contains(claim), "{said}");
}

#[test]
fn a_divergence_makes_true_unknown() {
    let source = "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int number = __VERIFIER_nondet_int();
#ifdef __clang__
  if (number == 7) return 1;
#else
  if (number == 7) return 2;
#endif
  return 0;
}
";
    let place = TestDir::new();
    fs::write(place.path("a.c"), source).expect("a file");
    let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    fs::write(place.path("a.prp"), property).expect("a file");
    let output = place.output(&["test", "a.c", "--property", "a.prp", "--output-dir", "out"]);
    let summary = summary(&place.path("out"));
    assert_eq!(counts(&summary).1, 1, "{}{summary}", text(&output));
    let verdict = &summary["verdict"];
    assert_eq!(verdict["verdict"], "unknown", "{verdict}");
}

#[test]
fn tests_are_compared_while_the_run_goes_on() {
    let source = "#include <unistd.h>
int main(void) {
  char byte;
  int sum = 0, odd = 0;
#ifdef __clang__
  const char *name = \"clang\\n\";
#else
  const char *name = \"gcc\\n\";
#endif
  while (read(0, &byte, 1) == 1)
    if (byte == 'q') { write(1, name, 4); return 0; }
    else if (byte & 1) odd++;
    else sum += byte * byte % 7 == 3;
  return (sum + odd) & 7;
}
";
    let place = built(source);
    let words = ["run", "a", "--quiet", "--all-tests", "--max-time", "12s"];
    let rest = ["--output-dir", "out", "--", "--sym-stdin", "40"];
    place.succeeds(&[&words[..], &rest].concat());
    let messages = fs::read_to_string(place.path("out/messages.txt")).expect("messages");
    assert!(
        messages.contains(" diverges natively: stdout line 1"),
        "{messages}"
    );
    let summary = summary(&place.path("out"));
    let (compared, diverging) = counts(&summary);
    assert!(compared as usize >= diverging && diverging > 0, "{summary}");
    assert_eq!(summary["stop_reason"], "max-time", "{summary}");
}

/// Prints what varies: a process number, a time, an address, a distance, uninitialized bytes.
const VARYING: &str = "#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char *fresh = malloc(64);
  printf(\"pid %d\\n\", getpid());
  printf(\"time %ld\\n\", (long)time(0));
  printf(\"address %p\\n\", (void *)fresh);
  printf(\"distance %ld\\n\", (long)((char *)malloc(64) - fresh));
  printf(\"fresh %d\\n\", fresh[40]);
#ifdef __clang__
  if (argv[1][0] == 'x') printf(\"clang\\n\");
#endif
  return 0;
}
";

#[test]
fn only_a_test_that_differs_is_executed_twice() {
    let once = |place: &TestDir, test: &str| {
        let mut lines = json_lines(&place.path("out/outcomes.jsonl"));
        lines.retain(|line| line["test"] == test);
        lines.last().expect("an outcome")["once"] == true
    };
    let place = built(COMPILERS);
    let (_, _, summary) = explored(&place, "a", &END);
    let diverging = &summary["outcomes"]["divergences"][0]["test"];
    for test in ["test000001", "test000002"] {
        assert_eq!(once(&place, test), diverging != test, "{summary}");
    }
    let place = built(VARYING);
    let (_, said, summary) = explored(&place, "a", &END);
    assert_eq!(counts(&summary), (2, 1), "{summary}{said}");
    assert!(said.contains("homi predicts \"clang\""), "{said}");
}

#[test]
fn a_replay_executes_tests_of_bitcode_again() {
    let place = TestDir::new();
    fs::write(place.path("a.c"), VARYING).expect("a file");
    bitcode(&["-g"], &place.path("a.c"));
    explored(&place, "a.bc", &END);
    let gcc = Command::new("gcc")
        .current_dir(place.path(""))
        .args(["-w", "a.c", "-o", "a"])
        .status();
    assert!(gcc.expect("gcc runs").success());
    let replayed = |place: &TestDir, directory: &Path| {
        let directory = directory.display().to_string();
        place.succeeds(&["replay", "--json", "out.json", "a", &directory]);
        let results = fs::read_to_string(place.path("out.json")).expect("results");
        let results: Value = serde_json::from_str(&results).expect("JSON");
        let tests = results["tests"].as_array().expect("tests").clone();
        tests
            .iter()
            .filter(|test| !test["divergence"].is_null())
            .count()
    };
    assert_eq!(replayed(&place, &place.path("out")), 1);
}
