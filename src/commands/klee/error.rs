//! What KLEE says of a command line that it does not take.
//!
//! Invariant: the text begins with the command's name as it was called, as LLVM's reader of command
//! lines has it; the exit status of all of them is 1.

/// Why a command line is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KleeError {
    #[error("Unknown command line argument '{word}'.  Try: 'klee --help'{}", likely(.nearest))]
    Unknown {
        word: String,
        nearest: Option<String>,
    },
    #[error("for the --{option} option: requires a value!")]
    NoValue { option: &'static str },
    #[error(
        "for the --{option} option: '{value}' is invalid value for boolean argument! Try 0 or 1"
    )]
    NotBool { option: &'static str, value: String },
    #[error("for the --{option} option: '{value}' value invalid for uint argument!")]
    NotNumber { option: &'static str, value: String },
    #[error("for the --{option} option: Cannot find option named '{value}'!{}", one_of(.words))]
    NotAWord {
        option: &'static str,
        value: String,
        words: &'static [&'static str],
    },
    #[error("for the --{option} option: may only occur zero or one times!")]
    Twice { option: &'static str },
    /// What the options come to makes no sense.
    #[error("{0}")]
    Refused(String),
    /// What KLEE itself says, and no reader of command lines.
    #[error("ERROR: {0}")]
    Ends(&'static str),
}

impl KleeError {
    /// From what homi's own reader of options says, of which the first line has it all.
    pub(super) fn refused(text: &str) -> Self {
        let line = text.lines().next().unwrap_or_default();
        let line = line.strip_prefix("error: ").unwrap_or(line);
        Self::Refused(in_klees_form(line).unwrap_or_else(|| line.to_string()))
    }
}

/// A wrong value of an option as KLEE tells it.
fn in_klees_form(line: &str) -> Option<String> {
    let (value, rest) = line
        .strip_prefix("invalid value '")?
        .split_once("' for '--")?;
    let (option, rest) = rest.split_once([' ', '\''])?;
    let (_, why) = rest.split_once(": ")?;
    Some(format!(
        "for the --{option} option: '{value}' value invalid: {why}"
    ))
}

fn likely(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| {
        format!("\nklee: Did you mean '--{name}'?")
    })
}

fn one_of(words: &[&str]) -> String {
    format!(" (it is one of {})", words.join(", "))
}
