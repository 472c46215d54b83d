//! Raw files as tests: a directory of inputs, or a fuzzer's queue.
//!
//! Invariant: files are taken in the order of their names, so equal directories give equal tests.

use std::io;
use std::path::{Path, PathBuf};

/// Returns the raw inputs in a directory: the queue of a fuzzer's output directory, else all files
/// except hidden ones, `README.txt` and `.ktest` files.
pub fn raw_inputs(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let queue = ["queue", "default/queue"].map(|name| directory.join(name));
    let from = queue.iter().find(|queue| queue.is_dir());
    let from = from.map_or(directory, PathBuf::as_path);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_input = entry.file_type()?.is_file()
            && !name.starts_with('.')
            && name != "README.txt"
            && !name.ends_with(".ktest");
        if is_input {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(directory: &Path) -> Vec<String> {
        let found = raw_inputs(directory).unwrap().into_iter();
        found
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_queue_is_found_within_a_fuzzers_directory() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        for name in ["b", "a", ".hidden", "README.txt", "t.ktest"] {
            fs::write(path.join(name), "x").unwrap();
        }
        assert_eq!(names(path), ["a", "b"]);
        let queue = path.join("default/queue");
        fs::create_dir_all(queue.join(".state")).unwrap();
        fs::write(queue.join("id:000000,time:0"), "x").unwrap();
        assert_eq!(names(path), ["id:000000,time:0"]);
        assert_eq!(names(&queue), ["id:000000,time:0"]);
    }
}
