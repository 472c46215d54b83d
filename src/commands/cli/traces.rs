//! Records of `homi cc` in a native program that a replay uses.

use homi_llvm::embedded::Head;
use homi_report::gcov::{GcovError, GcovProgram};
use std::path::{Path, PathBuf};

/// True if the program was built for coverage and its notes files exist. Warns if they are missing.
pub(super) fn counts_branches(exe: &Path) -> bool {
    match GcovProgram::open(exe) {
        Ok(_) => true,
        // The replay reports a program that it cannot read.
        Err(GcovError::NotInstrumented { .. } | GcovError::Read { .. }) => false,
        Err(error) => {
            eprintln!("homi: warning: branches are not counted: {error}");
            false
        }
    }
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
