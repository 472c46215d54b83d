//! The counts of all runs in lcov's tracefile format, which genhtml, IDEs and CI services read.
//!
//! A line's count is the largest count of a block on it. gcov adds up entries into a line instead,
//! so numbers of lines with several blocks can differ; covered or not is the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::program::GcovProgram;

/// What is known of one source file.
#[derive(Default)]
pub(super) struct FileRecord {
    /// How often each function was entered, by first line and name.
    functions: BTreeMap<(u32, String), u64>,
    pub(super) lines: BTreeMap<u32, u64>,
    /// How often each branch was taken, by line, function and index.
    pub(super) branches: BTreeMap<(u32, String, u32), u64>,
}

impl GcovProgram {
    /// The tracefile's text; source names are absolute.
    pub fn lcov(&self) -> String {
        let mut out = String::new();
        for (name, record) in self.file_records() {
            // Writing to a String cannot fail.
            let _ = write_record(&mut out, &name, &record);
        }
        out
    }

    pub(super) fn file_records(&self) -> BTreeMap<PathBuf, FileRecord> {
        let mut records: BTreeMap<PathBuf, FileRecord> = BTreeMap::new();
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

fn write_record(out: &mut String, name: &Path, record: &FileRecord) -> std::fmt::Result {
    writeln!(out, "TN:homi\nSF:{}", name.display())?;
    for (line, function) in record.functions.keys() {
        writeln!(out, "FN:{line},{function}")?;
    }
    for ((_, function), count) in &record.functions {
        writeln!(out, "FNDA:{count},{function}")?;
    }
    let hit = |counts: &mut dyn Iterator<Item = &u64>| counts.filter(|c| **c > 0).count();
    let functions = hit(&mut record.functions.values());
    writeln!(out, "FNF:{}\nFNH:{functions}", record.functions.len())?;
    // The block field tells functions that share a line apart.
    let mut block = 0;
    let mut last: Option<(u32, &str)> = None;
    for ((line, function, index), count) in &record.branches {
        block = match last {
            Some((l, f)) if l == *line => block + u32::from(f != function),
            _ => 0,
        };
        last = Some((*line, function));
        let ran = record.lines.get(line).is_some_and(|count| *count > 0);
        let taken = if ran { count.to_string() } else { "-".into() };
        writeln!(out, "BRDA:{line},{block},{index},{taken}")?;
    }
    let branches = hit(&mut record.branches.values());
    writeln!(out, "BRF:{}\nBRH:{branches}", record.branches.len())?;
    for (line, count) in &record.lines {
        writeln!(out, "DA:{line},{count}")?;
    }
    let lines = hit(&mut record.lines.values());
    writeln!(out, "LF:{}\nLH:{lines}\nend_of_record", record.lines.len())
}
