//! Reference page of KLEE's options, each with its effect.

use super::help::meaning;
use super::table::GROUPS;

const INTRODUCTION: &str = "# KLEE's options

homi generates this page: `homi __klee-options-markdown > docs/reference/klee-options.md`. It lists the
effect of each option of KLEE in [`homi klee`](../guide/from-klee.md). homi accepts an option without
effect and warns once with the reason.
";

/// Returns the page.
pub fn markdown() -> String {
    let mut text = INTRODUCTION.to_string();
    for (title, options) in GROUPS {
        text += &format!(
            "\n## {title}\n\n| KLEE's option | KLEE's default | effect in `homi klee` |\n|---|---|---|\n"
        );
        for option in options {
            let default = match option.default {
                "" => "-".to_string(),
                value => format!("`{value}`"),
            };
            text += &format!(
                "| `--{}` | {default} | {} |\n",
                option.name,
                meaning(option)
            );
        }
    }
    text
}
