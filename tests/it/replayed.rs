//! Programs of tests/data/replayed: homi explores them, their tests run on the natively compiled
//! program.
//!
//! A program's exit status names the path. `// run:` has the symbolic input, `// statuses:` all
//! exit statuses that there are, `// signals:` the signals that end it, `// bugs: N` how many bugs
//! homi must find (whose input has a status of its own natively, where one byte too many does no
//! harm), `// underapproximations:` of what kinds values are lost on the way. Every status and
//! signal must come up natively.

use crate::support::{self, TestDir, data, files_with};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The words after `// key:` in a source.
fn words<'t>(source: &'t str, key: &str) -> Vec<&'t str> {
    let prefix = format!("// {key}:");
    let lines = source.lines().filter_map(|line| line.strip_prefix(&prefix));
    lines.flat_map(str::split_whitespace).collect()
}

fn check(path: &Path) {
    let name = path.file_stem().expect("a name").to_string_lossy();
    let source = fs::read_to_string(path).expect("the source");
    let place = TestDir::new();
    place.compile("program", &source);
    let bugs: u64 = words(&source, "bugs")
        .first()
        .map_or(0, |count| count.parse().expect("a number"));
    let mut compiler = Command::new("clang-19");
    compiler.args(["-O0", "-g", "-w", "-o", "native", "program.c", "-lm"]);
    support::run(compiler.current_dir(place.path("")));
    let mut run = vec![
        "program.bc",
        "--all-tests",
        "--quiet",
        "--max-solver-time",
        "60s",
        "--",
    ];
    run.extend(words(&source, "run"));
    let found = place.run(&run);
    let underapproximations = words(&source, "underapproximations");
    let reason = if underapproximations.is_empty() {
        "exhausted"
    } else {
        "exhausted-underapproximated"
    };
    assert_eq!(found["stop_reason"], reason, "{name}: {found}");
    let places = found["underapproximations"]
        .as_array()
        .expect("a list")
        .iter();
    let kinds: BTreeSet<&str> = places.filter_map(|place| place["kind"].as_str()).collect();
    assert_eq!(
        kinds,
        underapproximations.into_iter().collect(),
        "{name}: {found}"
    );
    assert_eq!(found["paths"]["unsupported"], 0, "{name}: {found}");
    assert_eq!(found["paths"]["error"], bugs, "{name}: {found}");
    place.succeeds(&["replay", "--json", "replay.json", "native", "homi-last"]);
    let json = fs::read_to_string(place.path("replay.json")).expect("the results");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let tests = json["tests"].as_array().expect("tests");
    assert_eq!(
        tests.len() as u64,
        found["tests"].as_u64().expect("a number")
    );
    let statuses: BTreeSet<String> = tests
        .iter()
        .filter_map(|test| test["status"].as_str())
        .map(String::from)
        .collect();
    let exits = words(&source, "statuses").into_iter();
    let signals = words(&source, "signals").into_iter();
    let expected: BTreeSet<String> = exits
        .map(|status| format!("exit {status}"))
        .chain(signals.map(|signal| format!("signal {signal}")))
        .collect();
    assert_eq!(statuses, expected, "{name}");
}

#[test]
fn tests_take_their_paths_natively() {
    let sources = files_with("c", &data("replayed"));
    assert!(sources.len() >= 6);
    for source in &sources {
        check(source);
    }
}
