//! The exporters by name, and what `--export` takes.
//!
//! Invariant: names and files are distinct. To add an exporter, write a file with its row and name
//! the row here.

use super::findings_jsonl::WithEarlier;
use super::row::{ExporterRow, Occasion, OutputDestination};
use super::{
    afl, cobertura, coverage_jsonl, ctest, dict, findings_jsonl, info, junit, lcov, learning_jsonl,
    run_stats, sarif, status, summary_json, test_comp,
};
use homi_report::{Event, EventStream};

/// Exporters of every run.
pub const ALWAYS: [&ExporterRow; 7] = [
    &coverage_jsonl::ROW,
    &findings_jsonl::ROW,
    &info::ROW,
    &learning_jsonl::ROW,
    &run_stats::ROW,
    &status::ROW,
    &summary_json::ROW,
];

/// Exporters on request, in the order in which help lists them.
pub const EXPORTERS: [&ExporterRow; 8] = [
    &sarif::ROW,
    &junit::ROW,
    &ctest::ROW,
    &afl::ROW,
    &dict::ROW,
    &lcov::ROW,
    &cobertura::ROW,
    &test_comp::ROW,
];

/// Reason why a name has no exporter.
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

/// Adds the exporters of every run to the listeners; they write into its output directory. `info`
/// is written only if nothing else writes it.
pub fn attach_always(events: &EventStream, place: &OutputDestination<'_>, writes_info: bool) {
    let rows = ALWAYS.into_iter();
    for row in rows.filter(|row| writes_info || row.name != info::ROW.name) {
        let output = place.join(row.output).display().to_string();
        events.add_with(output, row.on_failure, (row.make)(place));
    }
}

/// Lets an exporter hear events and write into a directory.
pub fn attach(row: &ExporterRow, events: &EventStream, place: &OutputDestination<'_>) {
    attach_with(row, events, place, Vec::new());
}

/// Lets an exporter hear events and write into a directory, after what `earlier` sessions of the
/// directory found.
pub fn attach_with(
    row: &ExporterRow,
    events: &EventStream,
    place: &OutputDestination<'_>,
    earlier: Vec<Event>,
) {
    let output = place.join(row.output).display().to_string();
    let listener = (row.make)(place);
    let listener = Box::new(WithEarlier { listener, earlier });
    events.add_with(output, row.on_failure, listener);
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
    fn a_format_is_found_where_it_is_of_use() {
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
