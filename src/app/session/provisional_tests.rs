//! The tests that are in a directory when a session resumes there.
//!
//! A session that stops writes tests of the paths that are open. Once those paths have ended, their
//! tests show the same, and these provisional tests are removed. A session that was killed has
//! tests behind its last checkpoint: their paths will come once more, and are known by the contents
//! of their tests. Invariant: a test that stays is whole and has its lines in the logs.

use homi_explore::engine::EarlierTests;
use homi_machine::exec::EarlyReason;
use homi_native::testcase::COVERAGE_LOG;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

/// The log of how tests ended.
const FINDINGS: &str = "findings.jsonl";

/// Returns the files of a directory by their test, without files of no test.
fn files(directory: &Path) -> io::Result<BTreeMap<String, Vec<String>>> {
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let Ok(file) = entry?.file_name().into_string() else {
            continue;
        };
        let Some((test, suffix)) = file.split_once('.') else {
            continue;
        };
        if number(test).is_some() {
            let suffixes = tests.entry(test.to_string()).or_default();
            suffixes.push(suffix.to_string());
        }
    }
    Ok(tests)
}

/// The number of a test.
fn number(test: &str) -> Option<u64> {
    test.strip_prefix("test")?.parse().ok()
}

/// True if a test is of a path that was open when its session stopped.
fn is_provisional(directory: &Path, test: &str, suffixes: &[String]) -> bool {
    let interrupted = EarlyReason::Interrupted.message();
    suffixes.iter().any(|suffix| suffix == "early")
        && fs::read_to_string(directory.join(format!("{test}.early")))
            .is_ok_and(|text| text.trim_end() == interrupted)
}

/// The tests that lines of a log are about.
fn logged(directory: &Path, log: &str) -> BTreeSet<String> {
    // A log that is not there is about none.
    let text = fs::read_to_string(directory.join(log)).unwrap_or_default();
    text.lines().filter_map(test_of).collect()
}

fn test_of(line: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    match line.get("finding").and_then(Value::as_str) {
        None | Some("test") => Some(line.get("test")?.as_str()?.to_string()),
        Some(_) => None,
    }
}

/// Takes tests out of a log.
fn take_out(directory: &Path, log: &str, tests: &BTreeSet<String>) -> io::Result<()> {
    let path = directory.join(log);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        text => text?,
    };
    let stays = |line: &&str| test_of(line).is_none_or(|test| !tests.contains(&test));
    let kept: String = text.split_inclusive('\n').filter(stays).collect();
    let part = directory.join(format!("{log}.part"));
    fs::write(&part, kept)?;
    fs::rename(part, path)
}

/// Removes tests with their additional files and their lines in logs.
fn remove(
    directory: &Path,
    tests: &BTreeSet<String>,
    files: &BTreeMap<String, Vec<String>>,
) -> io::Result<()> {
    if tests.is_empty() {
        return Ok(());
    }
    for log in [COVERAGE_LOG, FINDINGS] {
        take_out(directory, log, tests)?;
    }
    for test in tests {
        for suffix in files.get(test).into_iter().flatten() {
            fs::remove_file(directory.join(format!("{test}.{suffix}")))?;
        }
    }
    Ok(())
}

/// Sorts the files of a directory whose last checkpoint was written after the test with the number
/// `last_test`; the paths of `unmet` tests before it are still to come. Removes tests that a kill
/// left half written.
pub(super) fn sort_out(
    directory: &Path,
    last_test: u64,
    unmet: &[String],
) -> io::Result<EarlierTests> {
    let files = files(directory)?;
    let logs = [logged(directory, COVERAGE_LOG), logged(directory, FINDINGS)];
    let (mut halves, mut tests) = (BTreeSet::new(), EarlierTests::default());
    for (test, suffixes) in &files {
        let place = number(test).unwrap_or_default();
        let is_whole = suffixes.iter().any(|suffix| suffix == "ktest")
            && logs.iter().all(|log| log.contains(test));
        if place > last_test && !is_whole {
            halves.insert(test.clone());
            continue;
        }
        tests.last = tests.last.max(place);
        tests.count += 1;
        let provisional = is_provisional(directory, test, suffixes);
        if provisional {
            tests.provisional.insert(test.clone());
        }
        if place > last_test || provisional || unmet.contains(test) {
            let bytes = fs::read(directory.join(format!("{test}.ktest")))?;
            let known = tests.since_checkpoint.entry((bytes, provisional));
            known.or_insert_with(|| test.clone());
        }
    }
    remove(directory, &halves, &files)?;
    Ok(tests)
}

/// Removes the provisional tests, since every path has ended. Returns their number.
pub(super) fn remove_provisional(directory: &Path) -> io::Result<u64> {
    let files = files(directory)?;
    let provisional: BTreeSet<String> = files
        .iter()
        .filter(|(test, suffixes)| is_provisional(directory, test, suffixes))
        .map(|(test, _)| test.clone())
        .collect();
    remove(directory, &provisional, &files)?;
    Ok(provisional.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(directory: &Path, name: &str, text: &str) {
        fs::write(directory.join(name), text).unwrap();
    }

    #[test]
    fn halves_go_and_what_is_whole_is_known() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path();
        let line = |test: u32| format!("{{\"test\":\"test00000{test}\"}}\n");
        let finding =
            |test: u32| format!("{{\"finding\":\"test\",\"test\":\"test00000{test}\"}}\n");
        for (test, text) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
            write(path, &format!("test00000{test}.ktest"), text);
        }
        write(
            path,
            "test000003.early",
            "interrupted before the path ended\n",
        );
        write(path, "test000005.ptr.err", "Error");
        write(path, COVERAGE_LOG, &[1, 2, 3, 4].map(line).concat());
        write(path, FINDINGS, &[1, 2, 3].map(finding).concat());
        let tests = sort_out(path, 1, &[]).unwrap();
        assert_eq!((tests.last, tests.count), (3, 3));
        assert_eq!(
            tests.provisional,
            BTreeSet::from(["test000003".to_string()])
        );
        let known: Vec<_> = tests.since_checkpoint.values().collect();
        assert_eq!(known, ["test000003", "test000002"]);
        assert!(!path.join("test000004.ktest").exists());
        assert!(!path.join("test000005.ptr.err").exists());
        assert_eq!(logged(path, COVERAGE_LOG).len(), 3);
        assert_eq!(remove_provisional(path).unwrap(), 1);
        assert_eq!(logged(path, FINDINGS).len(), 2);
        assert!(path.join("test000002.ktest").exists() && !path.join("test000003.early").exists());
    }
}
