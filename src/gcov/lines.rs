//! How often each line ran, over all runs, with the branches on it that no run took.

use super::program::GcovProgram;
use std::path::PathBuf;

/// One line with code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCount {
    /// From 1.
    pub line: u32,
    /// The largest count of a block on it.
    pub count: u64,
    /// Branches on it that were never taken.
    pub branches_left: usize,
}

impl GcovProgram {
    /// The lines of each source file, ascending; the files by their absolute paths.
    pub fn line_counts(&self) -> Vec<(PathBuf, Vec<LineCount>)> {
        let files = self.sources().into_iter();
        files
            .map(|source| {
                let lines = source.lines.iter().map(|(line, count)| {
                    let branches = source.branches.iter();
                    let left = branches
                        .filter(|branch| branch.line == *line && branch.taken.unwrap_or(0) == 0);
                    LineCount {
                        line: *line,
                        count: *count,
                        branches_left: left.count(),
                    }
                });
                (PathBuf::from(&source.file), lines.collect())
            })
            .collect()
    }
}
