//! LCOV: the counts of a replay as a tracefile, which genhtml, editors and CI services read.
//!
//! Invariant: what it says of files, functions, lines and branches is what gcov's files say.

use super::row::{ExporterRow, Occasion};
use homi_report::gcov::SourceCoverage;
use homi_report::{Event, Listener, OutputFailure};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "lcov",
    help: "lines, functions and branches that the tests cover, as an LCOV tracefile",
    output: "lcov.info",
    occasions: &[Occasion::Replay],
    needs_gcov: true,
    on_failure: OutputFailure::FailsRun,
    make: |place| Box::new(Lcov(place.join(ROW.output))),
};

/// Writes the file when the replay is over.
struct Lcov(PathBuf);

impl Listener for Lcov {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::ReplayFinished(finished) => match &finished.coverage {
                Some(sources) => write(&self.0, sources),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

fn write(path: &Path, sources: &[SourceCoverage]) -> io::Result<()> {
    std::fs::write(path, lcov(sources))
}

/// The tracefile's text.
pub fn lcov(sources: &[SourceCoverage]) -> String {
    let mut out = String::new();
    for source in sources {
        // Writing to a String cannot fail.
        let _ = write_record(&mut out, source);
    }
    out
}

fn write_record(out: &mut String, source: &SourceCoverage) -> std::fmt::Result {
    writeln!(out, "TN:homi\nSF:{}", source.file)?;
    for function in &source.functions {
        writeln!(out, "FN:{},{}", function.line, function.name)?;
    }
    for function in &source.functions {
        writeln!(out, "FNDA:{},{}", function.count, function.name)?;
    }
    let entered = source.functions.iter().filter(|one| one.count > 0).count();
    writeln!(out, "FNF:{}\nFNH:{entered}", source.functions.len())?;
    for branch in &source.branches {
        let taken = branch
            .taken
            .map_or("-".to_string(), |taken| taken.to_string());
        let (line, group, number) = (branch.line, branch.group, branch.number);
        writeln!(out, "BRDA:{line},{group},{number},{taken}")?;
    }
    let taken = source
        .branches
        .iter()
        .filter(|one| one.taken > Some(0))
        .count();
    writeln!(out, "BRF:{}\nBRH:{taken}", source.branches.len())?;
    for (line, count) in &source.lines {
        writeln!(out, "DA:{line},{count}")?;
    }
    let hit = source.lines.iter().filter(|(_, count)| *count > 0).count();
    writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", source.lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_report::gcov::{BranchCount, FunctionCount};

    #[test]
    fn a_record_has_its_sums() {
        let branch = |number, taken| BranchCount {
            line: 3,
            group: 0,
            number,
            taken,
        };
        let source = SourceCoverage {
            file: "/d/a.c".to_string(),
            functions: vec![FunctionCount {
                name: "main".to_string(),
                line: 1,
                count: 2,
            }],
            lines: vec![(1, 2), (3, 2), (4, 0)],
            branches: vec![branch(0, Some(2)), branch(1, Some(0)), branch(2, None)],
        };
        let expected = "TN:homi\nSF:/d/a.c\nFN:1,main\nFNDA:2,main\nFNF:1\nFNH:1\n\
            BRDA:3,0,0,2\nBRDA:3,0,1,0\nBRDA:3,0,2,-\nBRF:3\nBRH:1\n\
            DA:1,2\nDA:3,2\nDA:4,0\nLF:3\nLH:2\nend_of_record\n";
        assert_eq!(lcov(&[source]), expected);
    }
}
