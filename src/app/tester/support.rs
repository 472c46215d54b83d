//! Files that homi adds to a program's build: the headers of harnesses, and the code that reads
//! their objects natively.
//!
//! Invariant: the files are inside the `homi` command, so an installed homi needs no source tree.

use super::build::{BuildError, io_error};
use super::verifier;
use std::fs;
use std::path::{Path, PathBuf};

/// Paths below the directory of the headers, with contents.
const HEADERS: [(&str, &str); 2] = [
    (
        "klee/klee.h",
        include_str!("../../../runtime/include/klee/klee.h"),
    ),
    ("crest.h", include_str!("../../../runtime/include/crest.h")),
];

const HARNESS_RUNTIME: &str = include_str!("../../../runtime/replay/klee_runtime.c");

/// The written files.
pub(super) struct Support {
    /// For `-I`.
    pub(super) include: PathBuf,
    /// A source that natively built harnesses are linked with.
    pub(super) runtime: PathBuf,
    /// A source with the functions of SV-COMP.
    pub(super) verifier: PathBuf,
}

impl Support {
    /// Writes the files below a directory.
    pub(super) fn write(directory: &Path) -> Result<Support, BuildError> {
        let include = directory.join("include");
        let runtime = directory.join("klee_runtime.c");
        let verifier = directory.join(verifier::FILE);
        let headers = HEADERS.map(|(name, text)| (include.join(name), text));
        let sources = [
            (runtime.clone(), HARNESS_RUNTIME),
            (verifier.clone(), verifier::SOURCE),
        ];
        for (path, text) in headers.iter().chain(&sources) {
            let written = path.parent().map_or(Ok(()), fs::create_dir_all);
            let written = written.and_then(|()| fs::write(path, text));
            written.map_err(io_error(format!("cannot write {}", path.display())))?;
        }
        Ok(Support {
            include,
            runtime,
            verifier,
        })
    }
}
