//! The tables that say which group or module may use which.
//!
//! A table stands after the marker `<!-- layering-table -->`, one row per name:
//! `| name | what it owns | name, name |`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Per row, in the order of the rows: its name, and the names it may use.
pub type Table = Vec<(String, BTreeSet<String>)>;

/// Uses between modules, each with a file that contains one.
pub type Uses = BTreeMap<(String, String), String>;

/// The table of a document, or of the head of a source file. None without a marker.
pub fn table(file: &Path) -> Option<Table> {
    let text = fs::read_to_string(file).expect("the file is readable");
    let (_, text) = text.split_once("<!-- layering-table -->")?;
    let lines = text
        .lines()
        .map(|line| line.trim_start_matches("//!").trim());
    let rows = lines
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2);
    Some(rows.map(row).collect())
}

fn row(line: &str) -> (String, BTreeSet<String>) {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [name, _, uses] = cells[..] else {
        panic!("a row has three cells: {line}");
    };
    let uses = uses.split(',').map(|name| name.trim().trim_matches('`'));
    let uses = uses.filter(|name| !name.is_empty() && *name != "-");
    (
        name.trim_matches('`').to_string(),
        uses.map(String::from).collect(),
    )
}

/// How a table differs from what the code does, a line each.
pub fn differences(table: &Table, names: &BTreeSet<String>, uses: &Uses) -> Vec<String> {
    let mut wrong = Vec::new();
    let rows: BTreeMap<&String, &BTreeSet<String>> =
        table.iter().map(|(name, uses)| (name, uses)).collect();
    for name in names.iter().filter(|name| !rows.contains_key(name)) {
        wrong.push(format!("`{name}` has no row"));
    }
    for name in rows.keys().filter(|name| !names.contains(**name)) {
        wrong.push(format!("the row `{name}` stands for nothing"));
    }
    for ((from, to), file) in uses {
        if !rows.get(from).is_some_and(|row| row.contains(to)) {
            wrong.push(format!("`{from}` may not use `{to}`, and {file} does"));
        }
    }
    for (from, row) in rows {
        let unused = row.iter().filter(|to| {
            let edge = (from.clone(), (*to).clone());
            !uses.contains_key(&edge)
        });
        wrong.extend(unused.map(|to| format!("`{from}` does not use `{to}`")));
    }
    wrong
}
