//! Records of `homi cc` in a native program that a replay uses.

use crate::llvm::embedded::Head;
use crate::report::gcov::GcovProgram;
use std::path::{Path, PathBuf};

/// True if `homi cc` built the program for coverage and its notes files exist.
pub(super) fn counts_branches(exe: &Path, records: &[Head]) -> bool {
    let counted = |head: &Head| matches!(head, Head::Module { coverage: true, .. });
    records.iter().any(counted)
        && GcovProgram::open(exe)
            .inspect_err(|error| eprintln!("homi: warning: branches are not counted: {error}"))
            .is_ok()
}

/// Returns the directories of the shared libraries that `homi cc` linked the program with.
pub(super) fn library_directories(records: &[Head]) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for head in records {
        let Head::Linked { libraries, .. } = head else {
            continue;
        };
        for library in libraries {
            let directory = Path::new(library).parent().map(Path::to_path_buf);
            directories.extend(directory.filter(|found| !directories.contains(found)));
        }
    }
    directories
}
