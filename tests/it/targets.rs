//! `--target` and `--changed` from the outside: the search goes there, the run stops there, and
//! what it says of the lines that it does not reach.

use crate::support::{TestDir, text};
use serde_json::Value;
use std::fs;
use std::process::Command;

const SOURCE: &str = "#include <stdio.h>
#include <string.h>
static int unused(int n) {
  return n + 1;
}
static int parse(const char *word) {
  int depth = 0;
  for (; *word; word++) {
    if (*word == '(') depth++;
    else if (*word == ')') depth--;
    else if (*word == '!') puts(\"loud\");
    if (depth < 0) return -1;
  }
  return depth;
}
int main(int argc, char **argv) {
  if (argc != 2) return 1;
  int depth = parse(argv[1]);
  if (depth == 3)
    puts(\"deep\");
  if (strlen(argv[1]) > 40)
    puts(\"long\");
  // nothing here
  return 0;
}
";

/// Result of each line.
fn targets(summary: &Value) -> Vec<(String, bool, String)> {
    let all = summary["targets"].as_array().cloned().unwrap_or_default();
    let shown = |value: &Value| value.as_str().unwrap_or_default().to_string();
    all.iter()
        .map(|target| {
            let reached = target["reached"].as_bool().expect("a truth value");
            (
                shown(&target["line"]),
                reached,
                shown(&target["blocking_branch"]),
            )
        })
        .collect()
}

const END: [&str; 2] = ["--max-time", "3000000i"];

#[test]
fn a_run_stops_when_its_lines_are_reached() {
    let place = TestDir::new();
    place.compile("p", SOURCE);
    let aimed = [
        &["p.bc", "--target", "p.c:20"],
        END.as_slice(),
        &["--", "--sym-arg", "5"],
    ]
    .concat();
    let summary = place.run(&aimed);
    assert_eq!(summary["stop_reason"], "targets-reached");
    assert_eq!(
        targets(&summary),
        [("p.c:20".to_string(), true, String::new())]
    );
    let aimed_work = summary["work"].as_u64().expect("a number");
    let all = place.run(&[&["p.bc"], END.as_slice(), &["--", "--sym-arg", "5"]].concat());
    let work = all["work"].as_u64().expect("a number");
    assert_eq!(all["targets"], Value::Null);
    assert!(aimed_work < work / 2, "{aimed_work} of {work}");
    let goes_on = [&["--stop-at-targets=false"], aimed.as_slice()].concat();
    assert_eq!(place.run(&goes_on)["stop_reason"], "exhausted");
}

/// The runs of a campaign share what is still to reach, and so do threads; a concolic run negates
/// the branches that lead there. Each names a test whose path begins the line.
#[test]
fn every_kind_of_run_goes_for_lines_and_names_their_tests() {
    let place = TestDir::new();
    place.compile("p", SOURCE);
    let campaign = ["--prune", "homi", "--tuning run-time-max", "40000i"];
    for kind in [
        campaign.as_slice(),
        &["--threads", "2"],
        &["--concolic"],
        &["--prune", "none"],
    ] {
        let goes = |lines: &[&str]| {
            let mut arguments = [kind, &["p.bc", "--write-cov"], END.as_slice()].concat();
            lines
                .iter()
                .for_each(|line| arguments.extend(["--target", line]));
            arguments.extend(["--", "--sym-arg", "5"]);
            place.run(&arguments)
        };
        let summary = goes(&["p.c:20", "p.c:11"]);
        assert_eq!(summary["stop_reason"], "targets-reached", "{kind:?}");
        for target in summary["targets"].as_array().expect("a list") {
            let test = target["test"].as_str().expect("a test");
            let covered = fs::read_to_string(place.path(&format!("homi-last/{test}.cov")));
            let covered = covered.expect("the lines of the test");
            let line = format!("/{}\n", target["line"].as_str().expect("a line"));
            assert!(covered.contains(&line), "{kind:?} {line} {covered}");
        }
        let summary = goes(&["p.c:20", "p.c:22"]);
        let reached = summary["targets"].as_array().expect("a list").iter();
        let reached: Vec<&Value> = reached.map(|target| &target["reached"]).collect();
        assert_eq!(reached, [true, false], "{kind:?}");
        if kind == campaign {
            assert!(summary["campaign"]["runs"].as_u64() > Some(1), "{summary}");
        }
    }
}

#[test]
fn each_line_that_is_not_reached_has_its_reason() {
    let place = TestDir::new();
    place.compile("p", SOURCE);
    let lines = ["p.c:4", "p.c:11", "p.c:22", "p.c:23", "other.c:1"];
    let mut arguments = vec!["p.bc"];
    for line in lines {
        arguments.extend(["--target", line]);
    }
    arguments.extend(END);
    arguments.extend(["--", "--sym-arg", "3"]);
    let output = place.succeeds(&[&["run"], arguments.as_slice()].concat());
    let said = text(&output);
    for expected in [
        "target lines reached = 1 of 5",
        "not reached: p.c:4: the line has no code, or nothing calls its function (nearest line: 8)",
        "p.c:21 in main, and the side that leads to the line is infeasible",
        "not reached: p.c:23: the line has no code, or nothing calls its function (nearest line: \
         22 and 24)",
        "not reached: other.c:1: the program has no such file (its files: ",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn changed_lines_are_those_of_git() {
    let place = TestDir::new();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(place.directory.path()).args(arguments);
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("HOME", "/nonexistent");
        let output = command.output().expect("git runs");
        assert!(output.status.success(), "{}", text(&output));
    };
    git(&["init", "-q"]);
    fs::write(place.path("p.c"), SOURCE).expect("a file");
    git(&["add", "p.c"]);
    git(&[
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "commit",
        "-qm",
        "one",
    ]);
    place.compile("p", SOURCE);
    place.fails(
        &["run", "p.bc", "--changed"],
        2,
        &["shows no new or changed line"],
    );
    let changed = SOURCE
        .replace("\"deep\"", "\"very deep\"")
        .replace("nothing here", "a comment");
    place.compile("p", &changed);
    let arguments = [
        &["p.bc", "--changed"],
        END.as_slice(),
        &["--", "--sym-arg", "5"],
    ]
    .concat();
    let summary = place.run(&arguments);
    assert_eq!(
        targets(&summary),
        [("p.c:20".to_string(), true, String::new())]
    );
    place.fails(
        &["run", "p.bc", "--changed=nothing"],
        2,
        &["--changed: `git diff nothing` failed"],
    );
}

#[test]
fn impossible_targets_are_refused() {
    let place = TestDir::new();
    place.compile("p", SOURCE);
    for (arguments, status, said) in [
        (vec!["--target", "p.c"], 2, "FILE:LINE"),
        (vec!["--target", "p.c:0"], 2, "FILE:LINE"),
        (vec!["--target", "p.c:23"], 2, "the line has no code"),
        (vec!["--target", "p.c:4"], 2, "nothing calls its function"),
        (vec!["--stop-at-targets"], 2, "--target or --changed"),
    ] {
        place.fails(
            &[&["run", "p.bc"], arguments.as_slice()].concat(),
            status,
            &[said],
        );
    }
    let made = fs::read_dir(place.directory.path())
        .expect("readable")
        .flatten();
    let made = made.filter(|entry| entry.file_name().to_string_lossy().starts_with("homi-"));
    assert_eq!(made.count(), 0);
}
