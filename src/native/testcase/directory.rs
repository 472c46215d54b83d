//! Test files of a directory.

use std::io;
use std::path::{Path, PathBuf};

/// Returns the `.ktest` files of a directory in the order of their names.
pub fn tests_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut tests = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|suffix| suffix == "ktest") {
            tests.push(path);
        }
    }
    tests.sort();
    Ok(tests)
}
