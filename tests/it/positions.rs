//! Positions, counts, flags and numbers in system calls and in streams, symbolic in homi: each
//! program of tests/data/positions has an outcome for every value of two bytes. Run natively for
//! all of them, it has exactly the outcomes that homi finds.

use crate::support::{TestDir, data, files_with, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The outcomes of all inputs.
fn natively(source: &Path, place: &TestDir) -> BTreeSet<String> {
    let executable = place.path("native");
    run(Command::new("cc")
        .args(["-w", "-O1", "-DNATIVE"])
        .arg(source)
        .arg("-o")
        .arg(&executable));
    let mut command = Command::new(&executable);
    let printed = run(command.current_dir(place.path("")));
    let printed = String::from_utf8(printed).expect("numbers");
    printed.lines().map(String::from).collect()
}

/// The exit statuses of all paths.
fn in_homi(source: &Path, place: &TestDir) -> BTreeSet<String> {
    let header = data("positions/oracle.h");
    fs::copy(header, place.path("oracle.h")).expect("the header");
    let text = fs::read_to_string(source).expect("the source");
    place.compile("program", &text);
    fs::write(place.path("data.txt"), "abcdef").expect("the file");
    let summary = place.run(&["program.bc", "--quiet"]);
    assert_eq!(summary["stop_reason"], "exhausted", "{source:?} {summary}");
    assert_eq!(summary["errors"], serde_json::json!([]), "{source:?}");
    let statuses = summary["exit_statuses"].as_object().expect("statuses");
    statuses.keys().cloned().collect()
}

#[test]
fn all_outcomes_are_found_and_no_others() {
    let sources = files_with("c", &data("positions"));
    assert!(sources.len() >= 9);
    for source in &sources {
        // A file system in memory, if there is one: every input has a fresh file.
        let memory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let place = TestDir {
            directory: memory.expect("a temporary directory"),
        };
        let native = natively(source, &place);
        assert!(native.len() > 10, "{source:?} {native:?}");
        assert_eq!(in_homi(source, &place), native, "{source:?}");
    }
}
