//! Cobertura: the counts of a replay as XML, for CI services that show coverage.
//! <http://cobertura.sourceforge.net/xml/coverage-04.dtd>
//!
//! Invariant: lines and branches are the same as in the LCOV file. A directory is a package, a file
//! a class.

use super::row::{ExporterRow, Occasion};
use super::xml::escape;
use homi_report::gcov::{BranchCount, SourceCoverage};
use homi_report::{Event, Listener, OutputFailure};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "cobertura",
    help: "lines and branches that the tests cover, as Cobertura XML",
    output: "cobertura.xml",
    occasions: &[Occasion::Replay],
    needs_gcov: true,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(Cobertura {
            file: place.join(ROW.output),
            working_directory: PathBuf::new(),
        })
    },
};

/// Writes the file when the replay is over.
struct Cobertura {
    file: PathBuf,
    working_directory: PathBuf,
}

impl Listener for Cobertura {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::ReplayStarted(started) => {
                self.working_directory = PathBuf::from(&started.working_directory);
            }
            Event::ReplayFinished(finished) => {
                if let Some(sources) = &finished.coverage {
                    let now = SystemTime::now().duration_since(UNIX_EPOCH);
                    let now = now.map_or(0, |now| now.as_secs());
                    let text = document(sources, &self.working_directory, now);
                    return std::fs::write(&self.file, text);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Lines and branches, covered and all.
#[derive(Clone, Copy, Default)]
struct Counts {
    lines: [usize; 2],
    branches: [usize; 2],
}

impl Counts {
    fn of(source: &SourceCoverage) -> Self {
        let hit = source.lines.iter().filter(|(_, count)| *count > 0).count();
        let taken = source
            .branches
            .iter()
            .filter(|one| one.taken > Some(0))
            .count();
        Self {
            lines: [hit, source.lines.len()],
            branches: [taken, source.branches.len()],
        }
    }

    fn plus(self, other: Self) -> Self {
        let add = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            lines: add(self.lines, other.lines),
            branches: add(self.branches, other.branches),
        }
    }

    /// The attributes that packages and classes have.
    fn rates(self) -> String {
        let (lines, branches) = (rate(self.lines), rate(self.branches));
        format!("line-rate=\"{lines}\" branch-rate=\"{branches}\" complexity=\"0\"")
    }
}

/// A share; all of nothing is 1.
fn rate([covered, all]: [usize; 2]) -> String {
    match all {
        0 => "1".to_string(),
        all => format!("{:.4}", covered as f64 / all as f64),
    }
}

/// The document. Files below the directory are named as seen from there.
fn document(sources: &[SourceCoverage], directory: &Path, timestamp: u64) -> String {
    let mut packages: BTreeMap<String, Vec<(String, &SourceCoverage)>> = BTreeMap::new();
    for source in sources {
        let path = Path::new(&source.file);
        let shown = path.strip_prefix(directory).unwrap_or(path);
        let package = shown
            .parent()
            .unwrap_or(Path::new(""))
            .display()
            .to_string();
        let package = package.replace('/', ".");
        let named = (shown.display().to_string(), source);
        packages.entry(package).or_default().push(named);
    }
    let all = sources
        .iter()
        .map(Counts::of)
        .fold(Counts::default(), Counts::plus);
    let ([lines, all_lines], [branches, all_branches]) = (all.lines, all.branches);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(
        "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n",
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{lines}\" lines-valid=\"{all_lines}\" \
         branches-covered=\"{branches}\" branches-valid=\"{all_branches}\" \
         version=\"homi {}\" timestamp=\"{timestamp}\">",
        all.rates(),
        env!("CARGO_PKG_VERSION")
    );
    let root = escape(&directory.display().to_string());
    let _ = writeln!(
        out,
        "  <sources>\n    <source>{root}</source>\n  </sources>\n  <packages>"
    );
    for (name, files) in &packages {
        let _ = write_package(&mut out, name, files);
    }
    out + "  </packages>\n</coverage>\n"
}

fn write_package(
    out: &mut String,
    name: &str,
    files: &[(String, &SourceCoverage)],
) -> std::fmt::Result {
    let counts = files.iter().map(|(_, source)| Counts::of(source));
    let rates = counts.fold(Counts::default(), Counts::plus).rates();
    writeln!(
        out,
        "    <package name=\"{}\" {rates}>\n      <classes>",
        escape(name)
    )?;
    for (file, source) in files {
        write_class(out, file, source)?;
    }
    writeln!(out, "      </classes>\n    </package>")
}

fn write_class(out: &mut String, file: &str, source: &SourceCoverage) -> std::fmt::Result {
    let name = Path::new(file).file_name().unwrap_or_default();
    let (name, file) = (escape(&name.to_string_lossy()), escape(file));
    let rates = Counts::of(source).rates();
    writeln!(
        out,
        "        <class name=\"{name}\" filename=\"{file}\" {rates}>"
    )?;
    writeln!(out, "          <methods>")?;
    for function in &source.functions {
        let (name, rate) = (escape(&function.name), u32::from(function.count > 0));
        writeln!(
            out,
            "            <method name=\"{name}\" signature=\"\" line-rate=\"{rate}\" \
             branch-rate=\"{rate}\" complexity=\"0\"><lines><line number=\"{}\" hits=\"{}\"/></lines></method>",
            function.line, function.count
        )?;
    }
    writeln!(out, "          </methods>\n          <lines>")?;
    let mut branches: BTreeMap<u32, Vec<&BranchCount>> = BTreeMap::new();
    for branch in &source.branches {
        branches.entry(branch.line).or_default().push(branch);
    }
    for (line, hits) in &source.lines {
        let of_line = branches.get(line).map(Vec::as_slice).unwrap_or_default();
        write_line(out, *line, *hits, of_line)?;
    }
    writeln!(out, "          </lines>\n        </class>")
}

fn write_line(
    out: &mut String,
    line: u32,
    hits: u64,
    branches: &[&BranchCount],
) -> std::fmt::Result {
    let start = format!("            <line number=\"{line}\" hits=\"{hits}\"");
    if branches.is_empty() {
        return writeln!(out, "{start} branch=\"false\"/>");
    }
    let taken = branches
        .iter()
        .filter(|branch| branch.taken > Some(0))
        .count();
    let all = branches.len();
    let percent = 100 * taken / all;
    writeln!(
        out,
        "{start} branch=\"true\" condition-coverage=\"{percent}% ({taken}/{all})\">\
         <conditions><condition number=\"0\" type=\"jump\" coverage=\"{percent}%\"/></conditions></line>"
    )
}
