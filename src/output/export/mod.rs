//! Files about a run or a replay for other tools: one exporter per format.
//!
//! Owns: the formats, the registry of their names, which of them a run can write and which a
//! replay. Never: what happens in a run; an exporter sees events and nothing else. Data come from
//! `report`'s stream of events and end in files of an output directory, or on the standard output.

mod afl;
mod cobertura;
mod coverage_jsonl;
mod ctest;
mod dict;
mod findings_jsonl;
mod info;
mod json_lines;
mod junit;
mod lcov;
mod learning_jsonl;
mod registry;
mod row;
mod run_stats;
mod sarif;
mod status;
mod summary_json;
mod test_comp;
pub mod test_format;
mod uri;
pub mod verifier_inputs;
mod xml;

pub use afl::fuzzer_input;
pub use dict::NAME as DICTIONARY;
pub use findings_jsonl::{earlier_findings, findings_schema};
pub use json_lines::JsonLines;
pub use lcov::lcov;
pub use registry::{
    ALWAYS, EXPORTERS, UnknownExport, attach, attach_always, attach_with, find, names,
};
pub use row::{ExporterRow, Occasion, OutputDestination};
pub use sarif::{SarifBug, sarif};
