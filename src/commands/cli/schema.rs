//! `homi schema`: the JSON Schemas of the files that homi writes and reads.

use super::print;
use super::project::project_schema;
use super::status::{Exit, UsageError};
use crate::bench::source::suggestion;
use clap::Args;
use homi_app::sweep::SweepFile;
use homi_app::tester::Comparison;
use homi_app::triage::baseline_schema;
use homi_native::replay::report::results_schema;
use homi_native::testcase::TestCoverage;
use homi_output::export::findings_schema;
use homi_report::{Described, document, events_schema, summary_schema};
use serde_json::Value;

/// Print the JSON Schema of a file that homi writes or reads
#[derive(Args, Debug)]
pub(super) struct SchemaArgs {
    /// Name of the schema [default: list the names]
    name: Option<String>,
}

/// A schema: its name, what has it, and how it is made.
type Row = (&'static str, &'static str, fn() -> Value);

const SCHEMAS: [Row; 9] = [
    (
        "summary",
        "summary.json: the result of a run",
        summary_schema,
    ),
    ("events", "a line of --events", events_schema),
    ("findings", "a line of findings.jsonl", findings_schema),
    ("coverage", "a line of coverage.jsonl", || {
        document("A line of coverage.jsonl", TestCoverage::schema())
    }),
    ("replay", "results of homi replay --json", results_schema),
    ("comparison", "comparison.json of homi compare", || {
        document(
            "comparison.json: differences of two versions",
            Comparison::schema(),
        )
    }),
    ("sweep", "sweep.json of homi sweep", || {
        document("sweep.json: bugs of functions", SweepFile::schema())
    }),
    ("baseline", "a file of --baseline", baseline_schema),
    ("homi.toml", "homi.toml, read as JSON", project_schema),
];

/// Executes the command.
pub(super) fn execute(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let Some(name) = &args.name else {
        let lines = SCHEMAS
            .iter()
            .map(|(name, about, _)| format!("{name:<12}{about}\n"));
        print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let Some((_, _, schema)) = SCHEMAS.iter().find(|row| row.0 == name) else {
        let names = SCHEMAS.iter().map(|row| row.0);
        let text = format!("there is no schema `{name}`{}", suggestion(name, names));
        return Err(UsageError(text).into());
    };
    print(&format!("{:#}\n", schema()))?;
    Ok(Exit::Done)
}
