//! Executed code of all runs together, by source file: functions, lines, branches.
//!
//! Invariant: a line is covered if gcov says so. A line's count is the largest count of a block on
//! it; gcov sums entries into a line instead, so counts of lines with several blocks can differ.

use super::program::GcovProgram;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Executed code of one source file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourceCoverage {
    /// The file, absolute.
    pub file: String,
    /// In order of their lines.
    pub functions: Vec<FunctionCount>,
    /// Each line with code, and how often it was executed.
    pub lines: Vec<(u32, u64)>,
    /// In order of lines, groups and numbers.
    pub branches: Vec<BranchCount>,
}

/// Number of times that a function was entered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionCount {
    pub name: String,
    /// Its first line.
    pub line: u32,
    pub count: u64,
}

/// Number of times that one outcome of a condition was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchCount {
    pub line: u32,
    /// Tells functions that share the line apart.
    pub group: u32,
    /// Number of the outcome on the line, within the group.
    pub number: u32,
    /// `None` if the line was never executed.
    pub taken: Option<u64>,
}

/// Data of one source file while units are summed.
#[derive(Default)]
struct Record {
    /// Number of times that each function was entered, by first line and name.
    functions: BTreeMap<(u32, String), u64>,
    lines: BTreeMap<u32, u64>,
    /// Number of times that each branch was taken, by line, function and index.
    branches: BTreeMap<(u32, String, u32), u64>,
}

impl GcovProgram {
    /// Returns the executed code of all runs so far, in order of the files' names.
    pub fn sources(&self) -> Vec<SourceCoverage> {
        let records = self.records().into_iter();
        records
            .map(|(name, record)| record.coverage(&name))
            .collect()
    }

    fn records(&self) -> BTreeMap<PathBuf, Record> {
        let mut records: BTreeMap<PathBuf, Record> = BTreeMap::new();
        for unit in &self.units {
            let absolute = |file: &str| Path::new(&unit.notes.directory).join(file);
            for (function, sums) in unit.notes.functions.iter().zip(&unit.sums) {
                if function.artificial {
                    continue;
                }
                let arcs = function.solve(sums);
                let blocks = function.block_counts(&arcs);
                let record = records.entry(absolute(&function.source)).or_default();
                let key = (function.first_line, function.name.clone());
                let entered = blocks.first().copied().unwrap_or(0);
                *record.functions.entry(key).or_default() += entered;
                let mut lines: BTreeMap<(&str, u32), u64> = BTreeMap::new();
                for location in &function.locations {
                    for line in &location.lines {
                        let count = lines.entry((&location.file, *line)).or_default();
                        *count = blocks[location.block].max(*count);
                    }
                }
                for ((file, line), count) in lines {
                    let record = records.entry(absolute(file)).or_default();
                    *record.lines.entry(line).or_default() += count;
                }
                let mut used: BTreeMap<(&str, u32), u32> = BTreeMap::new();
                for branch in function.branches() {
                    let index = used.entry((branch.file, branch.line)).or_default();
                    let record = records.entry(absolute(branch.file)).or_default();
                    let key = (branch.line, function.name.clone(), *index);
                    *record.branches.entry(key).or_default() += arcs[branch.arc];
                    *index += 1;
                }
            }
        }
        records
    }
}

impl Record {
    fn coverage(self, file: &Path) -> SourceCoverage {
        let branches = self.branch_counts();
        let functions = self.functions.into_iter();
        SourceCoverage {
            file: file.display().to_string(),
            functions: functions
                .map(|((line, name), count)| FunctionCount { name, line, count })
                .collect(),
            lines: self.lines.into_iter().collect(),
            branches,
        }
    }

    fn branch_counts(&self) -> Vec<BranchCount> {
        let mut counts = Vec::with_capacity(self.branches.len());
        let mut group = 0;
        let mut last: Option<(u32, &str)> = None;
        for ((line, function, number), count) in &self.branches {
            group = match last {
                Some((earlier, other)) if earlier == *line => group + u32::from(other != function),
                _ => 0,
            };
            last = Some((*line, function));
            let ran = self.lines.get(line).is_some_and(|count| *count > 0);
            counts.push(BranchCount {
                line: *line,
                group,
                number: *number,
                taken: ran.then_some(*count),
            });
        }
        counts
    }
}
