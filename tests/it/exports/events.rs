//! `--events`: the lines say what the run's files say.

use super::EXPORTED;
use crate::support::{TestDir, json_lines};
use serde_json::Value;

#[test]
fn the_stream_begins_with_its_version_and_ends_with_the_summary() {
    let events = &EXPORTED.events;
    assert_eq!(events[0]["event"], "stream");
    assert_eq!(events[0]["schema"], 1);
    assert_eq!(events[1]["event"], "started");
    let last = events.last().unwrap();
    assert_eq!(last["event"], "finished");
    assert_eq!(last["summary"], EXPORTED.summary);
    let times = events.iter().filter_map(|event| event["at_s"].as_f64());
    assert!(times.collect::<Vec<f64>>().is_sorted());
}

#[test]
fn events_of_tests_and_bugs_equal_the_files() {
    let log = json_lines(&EXPORTED.file("coverage.jsonl"));
    let told = EXPORTED.events("test-written");
    assert_eq!(told.len(), log.len());
    for (told, line) in told.iter().zip(&log) {
        for field in ["test", "ended", "sides", "new"] {
            assert_eq!(told[field], line[field], "{field}");
        }
    }
    let bugs: Vec<[String; 4]> = EXPORTED
        .events("bug-found")
        .iter()
        .map(|bug| {
            let text = |value: &Value| value.as_str().expect("a text").to_string();
            let place = format!("{}:{}", text(&bug["place"]["file"]), bug["place"]["line"]);
            [
                text(&bug["kind"]),
                text(&bug["message"]),
                place,
                text(&bug["test"]),
            ]
        })
        .collect();
    assert_eq!(bugs, EXPORTED.bugs());
    let status = EXPORTED.events("status");
    let total = &EXPORTED.summary["coverage"]["branches_total"];
    assert!(
        status
            .iter()
            .all(|status| status["branches_total"] == *total)
    );
    assert!(!status.is_empty());
    let grown = EXPORTED.events("coverage-grew");
    let grown: Vec<u64> = grown
        .iter()
        .filter_map(|event| event["branches"].as_u64())
        .collect();
    assert!(grown.is_sorted());
    assert_eq!(
        grown.last().copied(),
        EXPORTED.summary["coverage"]["branches"].as_u64()
    );
}

#[test]
fn campaign_events_equal_learning_jsonl() {
    let place = TestDir::new();
    place.compile("p", super::BUGS);
    let arguments = [
        "run",
        "p.bc",
        "--output-dir",
        "out",
        "--quiet",
        "--events",
        "--prune",
        "homi",
    ];
    let output = place.succeeds(
        &[
            &arguments[..],
            &["--max-time", "300000i", "--", "--sym-arg", "3"],
        ]
        .concat(),
    );
    std::fs::write(place.path("events.jsonl"), &output.stdout).expect("write the events");
    let told = json_lines(&place.path("events.jsonl"));
    let runs = json_lines(&place.path("out/learning.jsonl"));
    let mut ended = told.iter().filter(|event| event["event"] == "run-ended");
    assert!(!runs.is_empty());
    for run in &runs {
        let event = ended.next().expect("an event for each run");
        for (field, value) in run.as_object().expect("an object") {
            assert_eq!(event[field], *value, "{field}");
        }
    }
    assert!(ended.next().is_none());
}
