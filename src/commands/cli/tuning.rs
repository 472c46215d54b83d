//! `--tuning help`: the constants that `--tuning NAME=VALUE` sets.

use super::status::Exit;
use homi_app::{options, session};

/// Prints every constant with its default and its meaning.
pub(super) fn print_constants() -> anyhow::Result<Exit> {
    let mut text = "Constants of search and pruning, set by --tuning NAME=VALUE:\n".to_string();
    for row in options::rows() {
        if let Some(name) = row.constant() {
            let default = row.default_text();
            let default = default.map_or_else(String::new, |text| format!(" [default: {text}]"));
            text += &format!(
                "\n{name}{default}\n    {}\n",
                row.paragraphs().join("\n    ")
            );
        }
    }
    text += "\nConstants of engine and solver, set in the same way:\n";
    for row in session::tuning_rows() {
        let (least, most) = &row.range;
        text += &format!(
            "\n{} [default: {}; {least} to {most}, {}]\n    {}\n",
            row.name, row.default, row.unit, row.meaning
        );
    }
    super::print(&text)?;
    Ok(Exit::Done)
}
