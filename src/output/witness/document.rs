//! The YAML text of a witness.
//!
//! Invariant: equal executions of equal tasks at equal times give equal texts. Strings are quoted
//! as in JSON, which YAML includes.

use super::waypoint::{Waypoint, WaypointKind};
use super::{LoopInvariant, Task};
use crate::export::test_format::hash;
use homi_report::utc_date;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Version of the format.
const VERSION: &str = "2.0";

/// Returns the witness of an execution: one segment for each input, and one for the violation.
pub(super) fn violation(task: &Task, inputs: &[Waypoint], target: &Waypoint) -> String {
    let mut content = "  content:\n".to_string();
    for waypoint in inputs.iter().chain([target]) {
        content += &segment(waypoint);
    }
    head(task, "violation_sequence", &content) + &content
}

/// Returns the witness of a proof.
pub(super) fn correctness(task: &Task, invariants: &[LoopInvariant]) -> String {
    let content = match invariants {
        [] => "  content: []\n".to_string(),
        stated => "  content:\n".to_string() + &stated.iter().map(invariant).collect::<String>(),
    };
    head(task, "invariant_set", &content) + &content
}

fn invariant(stated: &LoopInvariant) -> String {
    let at = &stated.position;
    let conjuncts: Vec<&str> = stated.conjuncts.iter().map(String::as_str).collect();
    let value = conjuncts.join(" && ");
    format!(
        "    - invariant:\n        type: \"loop_invariant\"\n        location:\n          file_name: \
         {}\n          line: {}\n          column: {}\n        value: {}\n        format: \
         \"c_expression\"\n",
        quoted(&at.file),
        at.line,
        at.column,
        quoted(&value),
    )
}

fn head(task: &Task, entry: &str, content: &str) -> String {
    let names: Vec<String> = task
        .files
        .iter()
        .map(|file| quoted(&file.display().to_string()))
        .collect();
    let hashes: Vec<String> = task.files.iter().map(|file| hash(file)).collect();
    let name = |name: &String| format!("        - {name}\n");
    let line = |(name, hash): (&String, &String)| format!("        {name}: {}\n", quoted(hash));
    let listed: String = names.iter().map(name).collect();
    let hashed: String = names.iter().zip(&hashes).map(line).collect();
    let model = if task.is_of_32_bits { "ILP32" } else { "LP64" };
    let identity = identity(&[&task.specification, entry, content, &hashes.join(" ")]);
    format!(
        "- entry_type: {}\n  metadata:\n    format_version: {}\n    uuid: {}\n    creation_time: \
         {}\n    producer:\n      name: \"homi\"\n      version: {}\n    task:\n      input_files:\n\
         {listed}      input_file_hashes:\n{hashed}      specification: {}\n      data_model: {}\n      \
         language: \"C\"\n",
        quoted(entry),
        quoted(VERSION),
        quoted(&identity),
        quoted(&utc_date(task.created_unix_s)),
        quoted(env!("CARGO_PKG_VERSION")),
        quoted(&task.specification),
        quoted(model),
    )
}

/// Returns a UUID that is made of a hash of the parts.
fn identity(parts: &[&str]) -> String {
    let mut bytes: [u8; 32] = Sha256::digest(parts.join("\0")).into();
    // RFC 4122: version 5 (of a hash), variant 1.
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}

fn segment(waypoint: &Waypoint) -> String {
    let (kind, constraint) = match &waypoint.kind {
        WaypointKind::Assumption(value) => ("assumption", Some(("c_expression", value))),
        WaypointKind::FunctionReturn(value) => {
            ("function_return", Some(("acsl_expression", value)))
        }
        WaypointKind::Target => ("target", None),
    };
    let at = &waypoint.position;
    let mut text = format!(
        "    - segment:\n        - waypoint:\n            type: {}\n            action: \
         \"follow\"\n            location:\n              file_name: {}\n              line: {}\n",
        quoted(kind),
        quoted(&at.file),
        at.line
    );
    if at.column != 0 {
        let _ = writeln!(text, "              column: {}", at.column);
    }
    if let Some((format, value)) = constraint {
        let (format, value) = (quoted(format), quoted(value));
        let _ = write!(
            text,
            "            constraint:\n              format: {format}\n              value: {value}\n"
        );
    }
    text
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
