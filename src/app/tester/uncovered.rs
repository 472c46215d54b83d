//! Code that the tests did not reach natively: lines that never ran, and lines with an uncovered
//! branch side.

use homi_report::gcov::{GcovProgram, LineCount};
use std::path::{Path, PathBuf};

/// Branches and lines of one source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncoveredFile {
    /// Name for the user: relative to the current directory if the file is below it.
    pub name: PathBuf,
    /// Lines with code that never ran, ascending.
    pub lines: Vec<u32>,
    /// Lines that ran and have a branch with a side that was never taken; ascending.
    pub sides: Vec<u32>,
}

/// The branches that the tests took, and what they left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredLines {
    pub branches: usize,
    pub branches_total: usize,
    /// Files that are not covered as a whole, by name.
    pub files: Vec<UncoveredFile>,
}

/// Returns the lines that the runs of a program covered.
pub(super) fn covered_lines(program: &GcovProgram) -> CoveredLines {
    let here = std::env::current_dir().unwrap_or_default();
    let files = program.line_counts().into_iter();
    let files = files.filter(|(path, _)| !is_of_the_system(path));
    let files = files.map(|(path, lines)| UncoveredFile {
        name: path.strip_prefix(&here).unwrap_or(&path).to_path_buf(),
        lines: numbers(&lines, |line| line.count == 0),
        sides: numbers(&lines, |line| line.count > 0 && line.branches_left > 0),
    });
    CoveredLines {
        branches: program.covered(),
        branches_total: program.total(),
        files: files
            .filter(|file| !file.lines.is_empty() || !file.sides.is_empty())
            .collect(),
    }
}

fn numbers(lines: &[LineCount], wanted: impl Fn(&LineCount) -> bool) -> Vec<u32> {
    let wanted = lines.iter().filter(|line| wanted(line));
    wanted.map(|line| line.line).collect()
}

/// True for code in headers of the system, which is not under test.
fn is_of_the_system(path: &Path) -> bool {
    path.starts_with("/usr/include") || path.starts_with("/usr/lib")
}

/// `3, 7-9`: numbers in ascending order with runs of neighbors as ranges.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let shown = ranges.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_ranges() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[3, 7, 8, 9, 11, 12]), "3, 7-9, 11-12");
    }
}
