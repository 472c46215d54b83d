//! Paths that the tests use.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file or folder of `tests/data`.
pub(crate) fn data(name: &str) -> PathBuf {
    root().join("tests/data").join(name)
}

/// The `homi` executable, built with the same options as the tests.
pub(crate) fn homi() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_homi"))
}

/// All that is in a folder, in order of name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths.collect();
    files.sort();
    files
}

/// The files of a folder whose names end in `.EXTENSION`, in order of name.
pub(crate) fn files_with(extension: &str, folder: &Path) -> Vec<PathBuf> {
    let mut files = files(folder);
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files
}
