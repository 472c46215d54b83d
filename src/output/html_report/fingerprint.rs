//! Detects changes of a directory's files since a page was made.

use std::fmt::Write;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Files that grow or are written during a run or a study.
const WATCHED: [&str; 8] = [
    "run.stats",
    "run.stats-wal",
    "coverage.jsonl",
    "findings.jsonl",
    "learning.jsonl",
    "summary.json",
    "untaken.jsonl",
    "runs.jsonl",
];

/// A text that is another one when one of the files is.
pub fn fingerprint(directory: &Path) -> String {
    let mut out = String::new();
    for name in WATCHED {
        let Ok(data) = std::fs::metadata(directory.join(name)) else {
            continue;
        };
        let written = data.modified().ok();
        let since = written.and_then(|written| written.duration_since(UNIX_EPOCH).ok());
        let nanoseconds = since.map_or(0, |since| since.as_nanos());
        // Writing to a String cannot fail.
        let _ = write!(out, "{name} {} {nanoseconds};", data.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_is_seen() {
        let directory = tempfile::tempdir().unwrap();
        let before = fingerprint(directory.path());
        std::fs::write(directory.path().join("coverage.jsonl"), "{}\n").unwrap();
        std::fs::write(directory.path().join("other"), "x").unwrap();
        let after = fingerprint(directory.path());
        assert_ne!(before, after);
        std::fs::write(directory.path().join("other"), "xx").unwrap();
        assert_eq!(fingerprint(directory.path()), after);
    }
}
