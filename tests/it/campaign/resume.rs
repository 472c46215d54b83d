//! Campaigns that were stopped and go on.

use super::{CAMPAIGN, COMMANDS, MAZE, lines_of, resume_elsewhere, run_campaign, summary_of};
use crate::support::{TestDir, tests, text, wait_until};
use std::fs;

#[test]
fn a_campaign_goes_on_after_it_was_stopped() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    place.compile("maze", MAZE);
    run_campaign(&place, "out", &CAMPAIGN);
    let before = tests(&place.path("out"));
    let runs = lines_of(&place, "out", "learning.jsonl").len();
    let data = lines_of(&place, "out", "learning-data.jsonl").len();
    assert_eq!(data, runs + 1, "a header and a line per run");

    let mut resume = vec!["run", "--libc", "none", "--quiet", "--resume", "out"];
    resume.extend(CAMPAIGN);
    place.succeeds(&resume);
    let after = tests(&place.path("out"));
    assert_eq!(after[..before.len()], before[..], "earlier tests stay");
    let lines = lines_of(&place, "out", "learning.jsonl");
    assert!(lines.len() > runs);
    assert_eq!(lines[runs]["run"].as_u64(), Some(runs as u64 + 1));
    assert_ne!(lines[runs]["policy"], "initial");
    let total = lines.last().map(|line| line["data_tests"].as_u64());
    let earlier = lines[runs - 1]["data_tests"].as_u64();
    assert!(total > Some(earlier));

    let refused = |arguments: &[&str], part: &str| {
        let mut all = vec!["run", "--libc", "none", "--max-time", "400000i"];
        all.extend(arguments);
        place.fails(&all, 2, &[part]);
    };
    let homi = ["--profile", "paper", "--search", "random-state"];
    let with = |rest: &[&'static str]| [&homi[..], rest].concat();
    refused(&with(&["--resume", "out", "maze.bc"]), "different program");
    refused(
        &with(&["--resume", "out", "--seed", "7", "commands.bc"]),
        "different seed",
    );
    refused(
        &with(&["--resume", "out", "commands.bc", "--", "x"]),
        "different program arguments",
    );
    refused(
        &with(&["--resume", "nowhere", "commands.bc"]),
        "cannot resume",
    );
    refused(
        &["--resume", "out", "--search", "dfs", "commands.bc"],
        "different search",
    );
    refused(
        &[
            "--prune",
            "random",
            "--search",
            "random-state",
            "--resume",
            "out",
            "commands.bc",
        ],
        "--prune or --restart differs",
    );
}

/// The options of the first session need not be repeated, in this directory or another.
#[test]
fn a_directory_is_enough_to_go_on() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    run_campaign(&place, "out", &CAMPAIGN);
    let runs = || lines_of(&place, "out", "learning.jsonl").len();
    let first = runs();
    place.succeeds(&["run", "--resume", "out", "--max-time", "300000i"]);
    let second = runs();
    assert!(second > first);
    let info = fs::read_to_string(place.path("out").join("info")).unwrap();
    assert!(
        info.contains("--resume out") && info.contains("commands.bc"),
        "{info}"
    );

    resume_elsewhere(&place);
    assert!(runs() > second);
    place.fails(
        &["run", "--resume", "out", "--seed", "7"],
        2,
        &["different seed"],
    );
}

#[test]
fn ctrl_c_leaves_tests_and_learning_data() {
    let place = TestDir::new();
    place.compile("commands", COMMANDS);
    let mut child = place
        .homi()
        .args(["run", "--libc", "none", "--quiet", "--output-dir", "out"])
        .args(["--prune", "homi", "--max-time", "2000000000i"])
        .args(["--concolic-ratio", "0", "--tuning run-time-max", "40000i"])
        .args(["--tuning prune-interval", "2000i", "commands.bc"])
        .spawn()
        .expect("homi starts");
    let log = place.path("out").join("learning.jsonl");
    let runs = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    wait_until("three runs", || runs() >= 3);
    // SAFETY: sends a signal to the process just started, which has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert!(child.wait().expect("homi ends").success());
    let summary = summary_of(&place, "out");
    assert_eq!(summary["stop_reason"], "interrupted");
    let runs = lines_of(&place, "out", "learning.jsonl");
    assert!(runs.len() >= 3);
    assert_eq!(
        summary["campaign"]["runs"].as_u64(),
        Some(runs.len() as u64)
    );
    assert_eq!(
        lines_of(&place, "out", "learning-data.jsonl").len(),
        runs.len() + 1
    );
    assert!(!tests(&place.path("out")).is_empty());
    // A session without the first one's --prune and --tuning run-time-max takes them from there.
    let resume = |rest: &[&str]| {
        let mut all = vec!["run", "--libc", "none", "--quiet", "--resume", "out"];
        all.extend(["--max-time", "100000i", "commands.bc"]);
        all.extend(rest);
        place.output(&all)
    };
    let output = resume(&[]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(lines_of(&place, "out", "learning.jsonl").len() > runs.len());
    let output = resume(&["--prune", "none"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("the directory holds a campaign; add --prune homi"));
}

/// 16,384 paths.
const DIGITS: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char in[7];
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 7; i++)
    switch (in[i]) {
      case 'a': sum += 1; break;
      case 'b': sum += 7; break;
      case 'c': sum += 49; break;
    }
  return sum & 7;
}
"#;

/// Runs a first session that ends with open paths.
fn begin_digits(place: &TestDir, directory: &str) {
    let arguments = ["--prune", "homi", "--concolic-ratio", "0", "--max-time"];
    run_campaign(
        place,
        directory,
        &[&arguments[..], &["60000i", "digits.bc"]].concat(),
    );
}

/// The open paths of the run without pruning outlive a session, and nothing is followed twice.
#[test]
fn open_paths_of_the_run_without_pruning_go_on_in_the_next_session() {
    let place = TestDir::new();
    place.compile("digits", DIGITS);
    begin_digits(&place, "out");
    let first = summary_of(&place, "out");
    assert_eq!(first["stop_reason"], "max-time", "{first}");
    let file = place.path("out").join("open-paths/0/checkpoint");
    assert!(file.exists());
    for threads in ["2", "1"] {
        let go_on = [
            "run",
            "--resume",
            "out",
            "--max-time",
            "60000i",
            "--threads",
        ];
        place.succeeds(&[&go_on[..], &[threads]].concat());
        let next = summary_of(&place, "out");
        let resumed = &next["resumed"];
        assert!(resumed["stored"].as_u64() > Some(100), "{threads}: {next}");
        assert_eq!(resumed["dropped"], 0, "{threads}: {next}");
    }
    // A missing file costs only its content and is reported; all results stay.
    fs::write(&file, "no checkpoint").expect("a file");
    fs::remove_file(file.with_extension("before")).ok();
    let said = place.succeeds(&["run", "--resume", "out", "--max-time", "3000000i"]);
    assert!(text(&said).contains("restarts"), "{}", text(&said));
    let last = summary_of(&place, "out");
    assert_eq!(last["stop_reason"], "exhausted", "{last}");
    assert!(!file.exists());
}

/// Resumes with another number of threads; states in transit between two are kept.
#[test]
fn a_resumed_campaign_reports_that_all_paths_are_explored() {
    let place = TestDir::new();
    place.compile("digits", DIGITS);
    for (directory, threads) in [("one", "1"), ("two", "2")] {
        begin_digits(&place, directory);
        let go_on = ["run", "--resume", directory, "--threads"];
        place.succeeds(&[&go_on[..], &[threads, "--max-time", "60000i"]].concat());
        let open = place.path(directory).join("open-paths");
        assert_eq!(open.join("whole").exists(), threads == "2");
        place.succeeds(&[&go_on[..], &["1", "--max-time", "3000000i"]].concat());
        let summary = summary_of(&place, directory);
        assert_eq!(summary["stop_reason"], "exhausted", "{summary}");
        let resumed = &summary["resumed"];
        assert_eq!(resumed["found"], resumed["stored"], "{summary}");
        assert!(!open.exists());
    }
}

/// Open paths of several threads without an end mark may be incomplete, so no claim is made.
#[test]
fn what_threads_left_that_were_killed_is_not_called_whole() {
    let place = TestDir::new();
    place.compile("digits", DIGITS);
    begin_digits(&place, "out");
    let go_on = ["run", "--resume", "out", "--threads"];
    place.succeeds(&[&go_on[..], &["2", "--max-time", "60000i"]].concat());
    fs::remove_file(place.path("out").join("open-paths/whole")).expect("the mark");
    place.succeeds(&[&go_on[..], &["1", "--max-time", "3000000i"]].concat());
    let summary = summary_of(&place, "out");
    assert_ne!(summary["stop_reason"], "exhausted", "{summary}");
}
