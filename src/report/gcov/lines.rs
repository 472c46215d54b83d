//! Execution count of each line, over all runs, with the branches on it that no run took.
//!
//! Invariant: a branch counts as taken here if `GcovProgram::covered` counts it. The sums over runs
//! would not do: what flows into a block flows out of it only in runs that no signal ended.

use super::program::{GcovProgram, absolute};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
        let mut left: BTreeMap<(&Path, u32), usize> = BTreeMap::new();
        for (branch, _) in self.branches().filter(|(_, count)| *count == 0) {
            *left.entry((self.path(branch), branch.line)).or_default() += 1;
        }
        let sources = self.sources().into_iter();
        sources
            .map(|source| {
                let path = absolute("", &source.file);
                let lines = source.lines.iter().map(|(line, count)| LineCount {
                    line: *line,
                    count: *count,
                    branches_left: left.get(&(path.as_path(), *line)).copied().unwrap_or(0),
                });
                let lines = lines.collect();
                (path, lines)
            })
            .collect()
    }
}
