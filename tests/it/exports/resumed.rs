//! Exports of a session that goes on with a campaign: they are about all tests and bugs of the
//! directory.

use super::{BUGS, FORMATS};
use crate::support::{TestDir, json_lines, summary, tests};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A first session that has found some, but not all.
const FIRST: &str = "run bugs.bc --quiet --dump-states-on-halt=false --prune homi --output-dir out \
                     --max-time 200000i --max-tests 3 -- --sym-arg 3";

fn campaign() -> TestDir {
    let place = TestDir::new();
    place.compile("bugs", BUGS);
    place.succeeds(&FIRST.split(' ').collect::<Vec<_>>());
    place
}

fn bugs(place: &TestDir) -> Vec<String> {
    let summary = summary(&place.path("out"));
    let errors = summary["errors"].as_array().expect("a list").iter();
    let text = |error: &Value| format!("{} {}", error["location"], error["test"]);
    errors.map(text).collect()
}

#[test]
fn a_session_that_goes_on_exports_what_the_directory_has() {
    let place = campaign();
    let (first_bugs, first_tests) = (bugs(&place), tests(&place.path("out")).len());
    assert!(!first_bugs.is_empty() && first_tests > 1);
    let resume = ["run", "--quiet", "--resume", "out", "--max-tests", "100"];
    place.succeeds(&[&resume[..], &["--export", FORMATS]].concat());

    let all = tests(&place.path("out"));
    let names: BTreeSet<String> = all.into_iter().map(|(name, _)| name).collect();
    assert!(names.len() > first_tests, "{names:?}");
    let read = |name: &str| fs::read_to_string(place.path("out").join(name)).expect("a file");
    let cases = read("junit.xml").matches("<testcase ").count();
    assert_eq!(cases, names.len());
    assert_eq!(
        read("CTestTestfile.cmake").matches("add_test(").count(),
        names.len()
    );
    let queue = fs::read_dir(place.path("out/afl/queue")).expect("a queue");
    assert_eq!(queue.count(), names.len());

    let all_bugs = bugs(&place);
    assert_eq!(
        all_bugs[..first_bugs.len()],
        first_bugs[..],
        "known bugs come first, once"
    );
    assert_eq!(all_bugs.len(), 3, "{all_bugs:?}");
    let sarif: Value = serde_json::from_str(&read("homi.sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    let shown = results
        .iter()
        .map(|result| result["properties"]["test"].to_string());
    let listed = all_bugs
        .iter()
        .map(|bug| bug.split(' ').nth(1).unwrap_or_default().to_string());
    assert_eq!(shown.collect::<Vec<_>>(), listed.collect::<Vec<_>>());
}

#[test]
fn a_log_that_cannot_be_written_stops_the_session_at_once() {
    let place = campaign();
    let data = || json_lines(&place.path("out/learning-data.jsonl")).len();
    let (before, made) = (data(), tests(&place.path("out")).len());
    for log in ["learning.jsonl", "findings.jsonl"] {
        let path = place.path("out").join(log);
        let swapped = place.path("swapped");
        fs::rename(&path, &swapped).expect("a log");
        fs::create_dir(&path).expect("a directory in its place");
        let resume = ["run", "--resume", "out", "--max-tests", "100"];
        place.fails(&resume, 1, &[log]);
        assert_eq!((data(), tests(&place.path("out")).len()), (before, made));
        fs::remove_dir(&path).expect("the directory");
        fs::rename(&swapped, &path).expect("a log");
    }
}
