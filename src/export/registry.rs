//! The exporters by name, and what `--export` takes.
//!
//! Invariant: names and files are distinct. To add an exporter, write a file with its row and name
//! the row here.

use super::findings_jsonl::WithEarlier;
use super::{
    afl, cobertura, coverage_jsonl, ctest, findings_jsonl, junit, lcov, learning_jsonl, sarif,
    summary_json,
};
use crate::report::{Event, EventStream, Listener};
use std::path::Path;

/// What an exporter is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// A run: its tests and bugs.
    Run,
    /// A replay: what natively built programs do with tests.
    Replay,
}

impl Occasion {
    fn command(self) -> &'static str {
        match self {
            Occasion::Run => "homi run",
            Occasion::Replay => "homi replay",
        }
    }
}

/// One exporter.
#[derive(Clone, Copy, Debug)]
pub struct ExporterRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// The file or directory that it writes, within the output directory.
    pub output: &'static str,
    pub occasions: &'static [Occasion],
    /// It writes counts of the program's source, which a replay has with `--gcov` only.
    pub needs_gcov: bool,
    /// Makes one that writes into a directory.
    pub make: fn(&Path) -> Box<dyn Listener>,
}

/// What every run writes, whatever is asked for.
pub const ALWAYS: [&ExporterRow; 4] = [
    &coverage_jsonl::ROW,
    &findings_jsonl::ROW,
    &learning_jsonl::ROW,
    &summary_json::ROW,
];

/// What is written on request, in the order in which help lists it.
pub const EXPORTERS: [&ExporterRow; 6] = [
    &sarif::ROW,
    &junit::ROW,
    &ctest::ROW,
    &afl::ROW,
    &lcov::ROW,
    &cobertura::ROW,
];

/// Why a word names no exporter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownExport {
    #[error("it is not one of {known}")]
    Name { known: String },
    #[error("it is a format of {}", .of.command())]
    Occasion { of: Occasion },
}

/// The exporter of a name, if it can be used on the occasion.
pub fn find(name: &str, occasion: Occasion) -> Result<&'static ExporterRow, UnknownExport> {
    let Some(row) = EXPORTERS.into_iter().find(|row| row.name == name) else {
        let known: Vec<&str> = names(occasion).collect();
        let known = known.join(", ");
        return Err(UnknownExport::Name { known });
    };
    match row.occasions {
        occasions if occasions.contains(&occasion) => Ok(row),
        [of, ..] => Err(UnknownExport::Occasion { of: *of }),
        [] => Err(UnknownExport::Occasion { of: Occasion::Run }),
    }
}

/// The names that can be used on an occasion.
pub fn names(occasion: Occasion) -> impl Iterator<Item = &'static str> {
    let rows = EXPORTERS.into_iter();
    let rows = rows.filter(move |row| row.occasions.contains(&occasion));
    rows.map(|row| row.name)
}

/// Lets the exporters of every run hear events and write into its output directory. A run that can
/// no longer write one of them stops, so that all that is in the directory is known to who goes on
/// with it; only the summary comes when the run is over.
pub fn attach_always(events: &EventStream, directory: &Path) {
    for row in ALWAYS {
        let output = directory.join(row.output).display().to_string();
        let listener = (row.make)(directory);
        match row.output == summary_json::ROW.output {
            true => events.add(output, listener),
            false => events.add_essential(output, listener),
        }
    }
}

/// Lets an exporter hear events and write into a directory.
pub fn attach(row: &ExporterRow, events: &EventStream, directory: &Path) {
    attach_with(row, events, directory, Vec::new());
}

/// Lets an exporter hear events and write into a directory, after what `earlier` sessions of the
/// directory found.
pub fn attach_with(row: &ExporterRow, events: &EventStream, directory: &Path, earlier: Vec<Event>) {
    let output = directory.join(row.output).display().to_string();
    let listener = (row.make)(directory);
    events.add(output, Box::new(WithEarlier { listener, earlier }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rows_are_distinct_and_of_some_use() {
        let all = || ALWAYS.into_iter().chain(EXPORTERS);
        let names: BTreeSet<&str> = all().map(|row| row.name).collect();
        let outputs: BTreeSet<&str> = all().map(|row| row.output).collect();
        let count = all().count();
        assert_eq!((names.len(), outputs.len()), (count, count));
        for row in all() {
            assert!(!row.occasions.is_empty(), "{}", row.name);
            assert!(!row.help.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn a_word_is_found_where_it_is_of_use() {
        assert_eq!(find("sarif", Occasion::Run).unwrap().name, "sarif");
        let text = |name, occasion| find(name, occasion).err().unwrap().to_string();
        assert_eq!(text("lcov", Occasion::Run), "it is a format of homi replay");
        assert_eq!(
            text("sarif", Occasion::Replay),
            "it is a format of homi run"
        );
        assert!(text("nope", Occasion::Run).contains("sarif, junit"));
    }
}
