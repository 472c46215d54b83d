//! `homi klee --help` and `--version`.

use super::option::{Becomes, KleeOption, Setting, Value};
use super::table::GROUPS;
use homi_app::options::rows;

/// True if `homi run` has an option of this name.
pub(super) fn is_option_of_run(name: &str) -> bool {
    rows().iter().any(|row| row.long == name)
}

/// Returns the option as the user types it.
pub(super) fn spelling(option: &KleeOption) -> String {
    let name = option.name;
    match option.value {
        Value::Bool => format!("--{name}"),
        Value::One | Value::Many => format!("--{name}=VALUE"),
        Value::Number => format!("--{name}=N"),
        Value::Choice(values) | Value::Choices(values) => format!("--{name}={}", values.join("|")),
    }
}

/// Returns a text about the option's effect.
pub(super) fn meaning(option: &KleeOption) -> String {
    match option.becomes {
        Becomes::Option(name) | Becomes::Flag(name) if is_option_of_run(name) => {
            format!("homi run --{name}")
        }
        Becomes::Code(setting) => format!("as in KLEE{}", exception(setting)),
        Becomes::Option(_) | Becomes::Flag(_) => "as in KLEE".to_string(),
        Becomes::Already(why) => why.to_string(),
        Becomes::Nothing(why) => format!("accepted, changes nothing: {why}"),
    }
}

/// Returns what differs from KLEE for an effect that is implemented by code.
fn exception(setting: Setting) -> &'static str {
    match setting {
        Setting::AllocationsInMemory => ", at least 65 MB; homi swaps states out at the limit",
        Setting::MaxForks => ", but 0 changes nothing",
        Setting::Merge => ", with `--use-merge`",
        Setting::SwitchType => ", but `llvm` is `internal`",
        _ => "",
    }
}

/// Returns the help page.
pub fn help() -> String {
    let mut text = "OVERVIEW: run homi with KLEE's command line\n\n\
                    USAGE: klee [OPTIONS] [FILE|-] [ARGUMENT...]\n"
        .to_string();
    for (title, options) in GROUPS {
        text += &format!("\n{title}:\n");
        for option in options {
            text += &format!("  {}\n        {}\n", spelling(option), meaning(option));
        }
    }
    text
}

/// Returns the text of `--version`.
pub fn version() -> String {
    format!(
        "homi {}, with KLEE's command line\n",
        env!("CARGO_PKG_VERSION")
    )
}
