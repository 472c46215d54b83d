//! Programs on which a careless interpolant skips the bug: followed in any order, with either form
//! of interpolant, they fail where they fail without `--subsume`, and the same sides are covered.

use crate::support::{TestDir, data, files_with};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const ORDERS: [&[&str]; 3] = [
    &["--search", "dfs"],
    &["--search", "random-state"],
    &["--concolic", "--strategy", "cfg"],
];

/// The lines that the first line of a program names, up to its colon.
fn expected(source: &str) -> BTreeSet<u64> {
    let (head, _) = source.split_once(':').expect("a first line with a colon");
    let numbers = head.split(|letter: char| !letter.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// The lines of the bugs that a run reports.
fn failing(summary: &Value) -> BTreeSet<u64> {
    let errors = summary["errors"].as_array().expect("a list of bugs").iter();
    let line = |error: &Value| {
        let location = error["location"].as_str().expect("a location");
        let (_, line) = location.rsplit_once(':').expect("file:line");
        line.parse().expect("a line")
    };
    errors.map(line).collect()
}

/// A run to the end: where it fails, the sides it covers.
fn followed(place: &TestDir, directory: &str, arguments: &[&str]) -> (BTreeSet<u64>, Value) {
    let arguments = [&["program.bc"], arguments].concat();
    let summary = place.run_into(directory, &arguments);
    assert_eq!(
        summary["stop_reason"], "exhausted",
        "{arguments:?}: {summary}"
    );
    let branches = summary["coverage"]["branches"].clone();
    (failing(&summary), branches)
}

#[test]
fn no_bug_and_no_side_is_missed_where_paths_look_alike() {
    let programs = files_with("c", &data("subsumption"));
    assert!(programs.len() > 15, "{programs:?}");
    for program in programs {
        let source = fs::read_to_string(&program).expect("a program");
        let place = TestDir::new();
        place.compile("program", &source);
        let plain = followed(&place, "plain", &["--all-tests"]);
        assert_eq!(plain.0, expected(&source), "{program:?}");
        for order in ORDERS {
            for form in ["core", "wp"] {
                let arguments = [order, &["--subsume", "--interpolant", form]].concat();
                let directory = format!("out{}", arguments.join(""));
                let found = followed(&place, &directory, &arguments);
                assert_eq!(found, plain, "{program:?} {arguments:?}");
            }
        }
    }
}

/// If only the allocation order of blocks differs, one path suffices for each remaining fork, so
/// the instructions grow with the number of forks, not of paths.
#[test]
fn blocks_that_lie_elsewhere_are_the_same_blocks() {
    for name in ["list_in_any_order", "tree_in_any_order"] {
        let source = fs::read_to_string(data("subsumption").join(format!("{name}.c")));
        let place = TestDir::new();
        place.compile("program", &source.expect("a program"));
        let count = |summary: &Value| summary["instructions"].as_u64().expect("a count");
        let plain = count(&place.run_into("plain", &["program.bc", "--all-tests"]));
        for form in ["core", "wp"] {
            let arguments = [
                "program.bc",
                "--search",
                "dfs",
                "--subsume",
                "--interpolant",
                form,
            ];
            let arguments = [&arguments[..], &["--tuning greedy-confirmation", "off"]].concat();
            let summary = place.run_into(form, &arguments);
            let figures = &summary["subsumption"];
            assert!(figures["subsumed"].as_u64() >= Some(6), "{name} {figures}");
            assert!(
                count(&summary) * 8 < plain,
                "{name} {form}: {plain} {summary}"
            );
        }
    }
}

/// Conditions whose contributions meet in a sum, and one sum that fails.
const SUMS: &str = "\
#include <klee/klee.h>
int main(void) {
  unsigned char in[8];
  int sum = 0;
  klee_make_symbolic(in, sizeof in, \"in\");
  for (int i = 0; i < 8; i++)
    sum += in[i] > i ? i + 1 : 2;
  if (sum == 36) klee_abort();
  return 0;
}
";

#[test]
fn what_is_skipped_shows_nothing_new_where_it_is_followed_all_the_same() {
    let place = TestDir::new();
    place.compile("program", SUMS);
    let plain = followed(&place, "plain", &[]);
    for order in ORDERS {
        for greedy in ["on", "off"] {
            let arguments = [
                "--subsume",
                "--self-check",
                "--tuning greedy-confirmation",
                greedy,
            ];
            let arguments = [order, &arguments].concat();
            let directory = format!("out{}", arguments.join(""));
            let summary = place.run_into(&directory, &[&["program.bc"], &arguments[..]].concat());
            let figures = &summary["subsumption"];
            assert!(
                figures["checked"].as_u64() > Some(0),
                "{arguments:?}: {figures}"
            );
            assert_eq!(figures["contradicted"], 0, "{arguments:?}: {figures}");
            assert_eq!(failing(&summary), plain.0, "{arguments:?}");
        }
    }
}

/// Three conditions that nothing depends on afterwards.
const INDEPENDENT: &str = "\
#include <klee/klee.h>
int main(void) {
  unsigned char in[3];
  int sum = 0;
  klee_make_symbolic(in, sizeof in, \"in\");
  if (in[0]) sum += 1;
  if (in[1]) sum += 2;
  if (in[2]) sum += 4;
  return sum == 99;
}
";

/// Depth first, the two paths with the first sides of the first two conditions are followed, and
/// one more state at each of the four later sides is subsumed: two with one path below them, two
/// with two.
#[test]
fn figures_of_a_small_program_are_those_counted_by_hand() {
    let place = TestDir::new();
    place.compile("program", INDEPENDENT);
    let arguments = ["program.bc", "--search", "dfs", "--subsume"];
    let form = ["--interpolant", "wp", "--tuning greedy-confirmation", "off"];
    let arguments = [&arguments[..], &form].concat();
    let summary = place.run(&arguments);
    let figures = &summary["subsumption"];
    assert_eq!(figures["subsumed"], 4, "{figures}");
    assert_eq!(figures["leaves_subsumed"], 6, "{figures}");
    assert_eq!(summary["paths"]["completed"], 2, "{summary}");
    assert_eq!(figures["greedy_instructions"], 0, "{figures}");
}

/// Runs of a campaign have reasons of their own; the run that waits meanwhile keeps its own.
#[test]
fn a_campaign_prunes_and_subsumes() {
    // Runs that are too short to follow all paths at once, and long enough to do so in the end.
    for (prune, size, sum, run, single) in [
        ("homi", "12", "78", "100000w", "0"),
        ("homi", "12", "78", "100000w", "0.3"),
        ("random", "10", "55", "60000w", "0"),
    ] {
        let place = TestDir::new();
        let longer = SUMS.replace("[8]", &format!("[{size}]"));
        let longer = longer.replace("< 8", &format!("< {size}"));
        place.compile("program", &longer.replace("36", sum));
        let plain = followed(&place, "plain", &[]);
        let short = ["--tuning run-time-max", run, "--max-time", "40000000w"];
        let sweeps = ["--tuning", "terms_bytes_between_runs=0"];
        let arguments = [
            "--prune",
            prune,
            "--subsume",
            "--self-check",
            "--concolic-ratio",
            single,
        ];
        let arguments = [&arguments[..], &short, &sweeps, &["program.bc"]].concat();
        let summary = place.run_into("out", &arguments);
        let figures = &summary["subsumption"];
        let runs = summary["campaign"]["runs"].as_u64();
        assert!(runs > Some(1) || single != "0", "{summary}");
        assert_eq!(summary["stop_reason"], "exhausted", "{summary}");
        assert!(figures["subsumed"].as_u64() > Some(0), "{figures}");
        assert_eq!(figures["contradicted"], 0, "{figures}");
        assert_eq!(failing(&summary), plain.0);
        assert_eq!(summary["coverage"]["branches"], plain.1);
    }
}
