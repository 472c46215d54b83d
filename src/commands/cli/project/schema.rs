//! The JSON Schema of `homi.toml`, made from the options of the commands.

use super::sections::is_option;
use crate::cli::declared;
use clap::{Arg, ArgAction};
use homi_app::options::{Form, Row, rows, test_rows};
use homi_report::document;
use serde_json::{Map, Value, json};
use std::ffi::OsStr;

/// Returns the schema. Unknown keys are errors, so no table may have further keys.
pub(in super::super) fn project_schema() -> Value {
    let text = |meaning: &str| json!({"type": "string", "description": meaning});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let listed =
        |meaning: &str| json!({"anyOf": [{"type": "string"}, texts], "description": meaning});
    let mut build = options();
    build.insert(
        "files".into(),
        listed("C files; `*` stands for any part of a name."),
    );
    build.insert("program".into(), text("Executable that homi cc built."));
    let mut run = options();
    run.insert("arguments".into(), listed("Arguments of the program."));
    let jobs = json!({
        "type": "object",
        "description": "Options that replace the ones of [run] with --job NAME.",
        "additionalProperties": table("Options of a job.", run.clone()),
    });
    let rule = [
        (
            "function",
            "Function of the bug; `*` stands for any characters.",
        ),
        ("kind", "Kind or weakness of the bug."),
        ("fingerprint", "Fingerprint of the bug."),
        ("reason", "Reason for the suppression."),
        ("until", "Last day of the suppression, such as 2027-06-01."),
    ];
    let rule = rule
        .into_iter()
        .map(|(name, meaning)| (name.to_string(), text(meaning)));
    let mut rule = table("A suppression.", rule.collect());
    rule["required"] = json!(["reason"]);
    let whole = Map::from_iter([
        ("homi-version".to_string(), text("Least version of homi.")),
        (
            "build".to_string(),
            table("Files, and how they are compiled.", build),
        ),
        (
            "run".to_string(),
            table("Options of homi run and homi test.", run),
        ),
        ("job".to_string(), jobs),
        (
            "keep".to_string(),
            table("Options of homi keep.", of_command("keep")),
        ),
        (
            "sweep".to_string(),
            table("Options of homi sweep.", of_command("sweep")),
        ),
        (
            "ignore".to_string(),
            json!({"type": "array", "items": rule, "description": "Suppressions of bugs."}),
        ),
    ]);
    let whole = table("The options of a project.", whole);
    document("homi.toml: the options of a project", whole)
}

fn table(meaning: &str, keys: Map<String, Value>) -> Value {
    json!({
        "type": "object",
        "description": meaning,
        "properties": keys,
        "required": [],
        "additionalProperties": false,
    })
}

/// Returns the keys of `[run]` that are options.
fn options() -> Map<String, Value> {
    let all = [rows(), test_rows()].concat();
    let keys = all.iter().filter(|row| is_option(row.long));
    keys.map(|row| (row.long.to_string(), of_row(row)))
        .collect()
}

fn of_row(row: &Row) -> Value {
    let is_flag = row.form == Form::Flag && row.constant().is_none();
    let mut schema = if is_flag {
        json!({"type": "boolean"})
    } else {
        literals()
    };
    schema["description"] = row.paragraphs().first().cloned().unwrap_or_default().into();
    schema
}

/// Values that are as typed: one, or a list of them.
fn literals() -> Value {
    let one = ["string", "number", "boolean"].map(|name| json!({"type": name}));
    let list = json!({"type": "array", "items": {"anyOf": one}});
    json!({"anyOf": [one[0], one[1], one[2], list]})
}

/// Returns the keys of the section of a command.
fn of_command(name: &str) -> Map<String, Value> {
    let command = declared(OsStr::new(name)).unwrap_or_default();
    let keys = command
        .get_arguments()
        .filter(|one| super::command::is_key(one));
    keys.map(|one| {
        (
            one.get_long().unwrap_or_default().to_string(),
            of_argument(one),
        )
    })
    .collect()
}

fn of_argument(one: &Arg) -> Value {
    let mut schema = match one.get_action() {
        ArgAction::SetTrue => json!({"type": "boolean"}),
        _ => literals(),
    };
    schema["description"] = one
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default()
        .into();
    schema
}
