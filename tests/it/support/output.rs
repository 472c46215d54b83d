//! Files and output of `homi`.

use super::files_with;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Returns the standard error of a command.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Number of under-approximations of a kind in a run.
pub(crate) fn underapproximations(summary: &Value, kind: &str) -> u64 {
    let places = summary["underapproximations"]
        .as_array()
        .expect("a list")
        .iter();
    let counts = places.filter(|place| place["kind"] == kind);
    counts.filter_map(|place| place["count"].as_u64()).sum()
}

/// The `summary.json` of an output directory.
pub(crate) fn summary(directory: &Path) -> Value {
    let text = fs::read_to_string(directory.join("summary.json")).expect("summary.json exists");
    serde_json::from_str(&text).expect("summary.json is JSON")
}

/// The lines of a file of JSON lines.
pub(crate) fn json_lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

/// Names and bytes of the tests in an output directory, in order of name.
pub(crate) fn tests(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.into_owned(), fs::read(path).expect("a test"))
    };
    files_with("ktest", directory).iter().map(read).collect()
}
