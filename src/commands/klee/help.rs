//! `homi klee --help` and `--version`.

use super::option::{Becomes, KleeOption, Value};
use super::table::GROUPS;

/// How the option is written.
pub(super) fn spelling(option: &KleeOption) -> String {
    let name = option.name;
    match option.value {
        Value::Bool => format!("--{name}"),
        Value::One | Value::Many => format!("--{name}=VALUE"),
        Value::Number => format!("--{name}=N"),
        Value::Word(words) | Value::Words(words) => format!("--{name}={}", words.join("|")),
    }
}

/// What it becomes, in words.
pub(super) fn meaning(option: &KleeOption) -> String {
    match option.becomes {
        Becomes::Option(name) | Becomes::Flag(name) => format!("homi run --{name}"),
        Becomes::Code(_) => "as in KLEE".to_string(),
        Becomes::Already(why) => why.to_string(),
        Becomes::Nothing(why) => format!("accepted, changes nothing: {why}"),
    }
}

/// The page of help.
pub fn help() -> String {
    let mut text = "OVERVIEW: KLEE's command line in front of homi run\n\n\
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

/// What `--version` prints.
pub fn version() -> String {
    format!(
        "homi {}, which takes KLEE's command line\n",
        env!("CARGO_PKG_VERSION")
    )
}
