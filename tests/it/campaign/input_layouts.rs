//! `--input_layouts auto`: what only another input layout reaches is reached, its tests say their
//! own arguments and replay. A campaign of a program without arguments does so by itself.

use super::{lines_of, summary_of};
use crate::support::{TestDir, homi};
use std::collections::BTreeSet;
use std::process::Command;

/// Gates that the usual inputs (two arguments of 8 bytes, a file, standard input) do not open.
const GATES: &str = r#"
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const struct option options[] = {
  {"level", required_argument, 0, 'l'}, {"quiet-please", no_argument, 0, 'q'},
  {"help", no_argument, 0, 'h'}, {0, 0, 0, 0}};
int main(int argc, char **argv) {
  int level = 0, c;
  setlocale(LC_ALL, "");
  while ((c = getopt_long(argc, argv, "l:q", options, 0)) != -1) {
    if (c == 'l') level = atoi(optarg);
    else if (c == 'q') level = -1;
    else return 2;
  }
  const char *mode = getenv("GATES_MODE");
  if (mode && mode[0] == 'x') return 10;
  if (argc - optind >= 4) return 11;
  if (argc > 1 && strlen(argv[argc - 1]) > 12) return 12;
  if (argc > 1 && MB_CUR_MAX > 1 && argv[1][0] == 'u') return 15;
  char in[80];
  size_t n = fread(in, 1, sizeof in, stdin);
  if (n > 20) return 13;
  return level == 77 ? 14 : 0;
}
"#;

fn build(place: &TestDir) {
    let source = place.path("gates.c");
    std::fs::write(&source, GATES).expect("write");
    let done = Command::new(homi())
        .args(["cc", "-O0", "-o"])
        .arg(place.path("gates"))
        .arg(&source)
        .output()
        .expect("homi cc runs");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn explore(place: &TestDir, arguments: &[&str]) {
    let output = place
        .homi()
        .args([
            "run",
            "--quiet",
            "--prune",
            "homi",
            "--seed",
            "1",
            "--output-dir",
            "out",
        ])
        .args(arguments)
        .arg("gates")
        .output()
        .expect("homi runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The statuses that native replays of the tests end with.
fn native_statuses(place: &TestDir) -> BTreeSet<i64> {
    let output = place
        .homi()
        .args([
            "replay",
            "--quiet",
            "--json",
            "replay.json",
            "./gates",
            "out",
        ])
        .output()
        .expect("homi replay runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = std::fs::read_to_string(place.path("replay.json")).expect("written");
    let replayed: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tests = replayed["tests"].as_array().expect("tests").iter();
    let status =
        |test: &serde_json::Value| test["status"].as_str()?.strip_prefix("exit ")?.parse().ok();
    tests.filter_map(status).collect()
}

#[test]
fn other_layouts_open_gates_and_their_tests_replay() {
    let place = TestDir::new();
    build(&place);
    explore(&place, &["--max-time", "60000000w"]);
    let statuses = native_statuses(&place);
    for status in [10, 11, 12, 13, 15] {
        assert!(statuses.contains(&status), "{status} not in {statuses:?}");
    }
    let runs = lines_of(&place, "out", "learning.jsonl");
    let input_layouts: BTreeSet<&str> = runs
        .iter()
        .filter_map(|run| run["symbolic_args"].as_str())
        .collect();
    assert!(input_layouts.contains(""), "the usual inputs come first");
    let summary = summary_of(&place, "out");
    assert_eq!(summary["args"][1], "LC_ALL=C.UTF-8", "{summary}");
    for part in [
        "--sym-env GATES_MODE 8 ",
        "--level --sym-arg 8 ",
        "--quiet-please ",
    ] {
        assert!(
            input_layouts.iter().any(|layout| layout.contains(part)),
            "{part}: {input_layouts:?}"
        );
    }
    assert!(
        !input_layouts.iter().any(|layout| layout.contains("--help")),
        "{input_layouts:?}"
    );
    let named = runs.iter().filter(|run| run["policy"] == "layout");
    assert!(named.clone().count() > 0 && named.clone().all(|run| run["symbolic_args"] != ""));
}

#[test]
fn equal_seeds_are_equal_and_without_the_option_there_is_one_layout() {
    let (one, other) = (TestDir::new(), TestDir::new());
    let line = |run: &serde_json::Value| (run["symbolic_args"].clone(), run["branches"].clone());
    let lines: Vec<Vec<_>> = [&one, &other]
        .map(|place| {
            build(place);
            explore(
                place,
                &["--max-time", "20000000w", "--input-layouts", "auto"],
            );
            let runs = lines_of(place, "out", "learning.jsonl");
            runs.iter().map(line).collect()
        })
        .into();
    assert_eq!(lines[0], lines[1]);
    let place = TestDir::new();
    build(&place);
    explore(
        &place,
        &["--max-time", "3000000w", "--input-layouts", "off"],
    );
    let runs = lines_of(&place, "out", "learning.jsonl");
    assert!(runs.iter().all(|run| run["symbolic_args"] == ""));
    assert_eq!(summary_of(&place, "out")["tests"], 1, "nothing is symbolic");
}
