//! The guide's table of KLEE's options.

use super::help::meaning;
use super::table::GROUPS;

/// The table, by group.
pub fn markdown() -> String {
    let mut text = String::new();
    for (title, options) in GROUPS {
        text += &format!("\n### {title}\n\n| KLEE's option | KLEE's default | here |\n|---|---|---|\n");
        for option in options {
            let default = match option.default {
                "" => "-".to_string(),
                value => format!("`{value}`"),
            };
            text += &format!("| `--{}` | {default} | {} |\n", option.name, meaning(option));
        }
    }
    text
}
