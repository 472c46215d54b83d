//! The JSON Schema of a line of `--events`.
//!
//! Invariant: each event is in the list, under the name that it is written with.

use super::{Event, Level, Prediction, TestEnding, Verdict};
use crate::gcov::SourceCoverage;
use crate::{Described, Record, document, variants};
use serde_json::{Value, json};

/// Returns the JSON Schema of a line: the first line of a stream, or an event.
pub fn events_schema() -> Value {
    let mut schema = Event::schema();
    let mut head = Record::default();
    head.value("event", TAG, json!({"const": "stream"}));
    head.value("schema", "Version of the events: 1.", u32::schema());
    head.value("homi", "Version of homi.", String::schema());
    if let Some(all) = schema["oneOf"].as_array_mut() {
        for event in all.iter_mut() {
            event["properties"]["at_s"] =
                json!({"type": "number", "description": "Seconds since the start of the stream."});
        }
        all.push(head.finish());
    }
    document("A line of homi --events", schema)
}

/// Meaning of the field that tells events apart.
const TAG: &str = "Name of the event.";
/// Meaning of the field that tells other variants apart.
const KIND: &str = "Kind.";

impl Described for Event {
    fn schema() -> Value {
        fn of<T: Described>(name: &str, _: fn(T) -> Event) -> (&str, Value) {
            (name, T::schema())
        }
        let all = vec![
            of("started", Event::Started),
            of("test-written", Event::TestWritten),
            of("bug-found", Event::BugFound),
            of("coverage-grew", Event::CoverageGrew),
            of("status", Event::Status),
            of("search-chosen", Event::SearchChosen),
            of("sampled", Event::Sampled),
            of("pruned", Event::Pruned),
            of("run-ended", Event::RunEnded),
            of("message", Event::Message),
            of("finished", Event::Finished),
            of("replay-started", Event::ReplayStarted),
            of("test-replayed", Event::TestReplayed),
            of("replay-finished", Event::ReplayFinished),
        ];
        variants("event", TAG, all)
    }
}

/// Returns a record of texts.
fn texts(fields: &[(&str, &str)]) -> Value {
    let mut record = Record::default();
    for (name, meaning) in fields {
        record.value(name, meaning, String::schema());
    }
    record.finish()
}

/// Returns a record with an exit status.
fn status(schema: Value) -> Value {
    let mut record = Record::default();
    record.value("status", "Exit status of the program.", schema);
    record.finish()
}

impl Described for TestEnding {
    fn schema() -> Value {
        let bug = [
            ("bug", "Kind of the bug."),
            ("message", "Message of the bug."),
            ("location", "Place of the bug, `file:line`."),
        ];
        let unsupported = [
            ("what", "The unsupported feature."),
            ("location", "Its place, `file:line`."),
        ];
        let all = vec![
            ("exit", status(i32::schema())),
            ("silent", texts(&[])),
            ("bug", texts(&bug)),
            ("unsupported", texts(&unsupported)),
            ("early", texts(&[("reason", "What stopped the path.")])),
        ];
        variants("kind", KIND, all)
    }
}

impl Described for Prediction {
    fn schema() -> Value {
        let bug = [
            ("bug", "Kind of the bug."),
            ("message", "Message of the bug."),
        ];
        let all = vec![
            ("nothing", texts(&[])),
            ("ended", status(json!({"type": ["integer", "null"]}))),
            ("stopped", texts(&[("reason", "What stopped the path.")])),
            ("bug", texts(&bug)),
        ];
        variants("kind", KIND, all)
    }
}

impl Described for Verdict {
    fn schema() -> Value {
        let why = || texts(&[("why", "Reason in words.")]);
        let all = vec![
            ("passed", texts(&[])),
            ("failed", why()),
            ("diverged", why()),
            ("error", why()),
        ];
        variants("kind", KIND, all)
    }
}

/// The numbers of gcov, which knows nothing of schemas.
impl Described for SourceCoverage {
    fn schema() -> Value {
        let mut function = Record::default();
        function.value("name", "Name of the function.", String::schema());
        function.value("line", "Its first line.", u32::schema());
        function.value(
            "count",
            "Number of times that it was entered.",
            u64::schema(),
        );
        let mut branch = Record::default();
        branch.value("line", "Line of the condition.", u32::schema());
        let group = "Number that tells functions on one line apart.";
        branch.value("group", group, u32::schema());
        branch.value(
            "number",
            "Number of the outcome on the line.",
            u32::schema(),
        );
        let taken = "Number of times that it was taken; null if the line was never executed.";
        branch.value("taken", taken, json!({"type": ["integer", "null"]}));
        let list = |items: Value| json!({"type": "array", "items": items});
        let mut source = Record::default();
        source.value("file", "The file, absolute.", String::schema());
        let functions = "Functions in the order of their lines.";
        source.value("functions", functions, list(function.finish()));
        let lines = "Each line with code, and the number of times that it was executed.";
        source.value("lines", lines, Vec::<(u32, u64)>::schema());
        let branches = "Outcomes of conditions in the order of lines.";
        source.value("branches", branches, list(branch.finish()));
        source.finish()
    }
}

impl Described for Level {
    fn schema() -> Value {
        json!({"enum": ["note", "warning"]})
    }
}
