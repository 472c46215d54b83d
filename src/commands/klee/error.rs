//! KLEE's errors about a command line.
//!
//! Invariant: the text begins with the command's name as called, as in LLVM's option parser; the
//! exit status is 1.

/// Reason why a command line is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KleeError {
    #[error("Unknown command line argument '{argument}'.  Try: 'klee --help'{}", likely(.nearest))]
    Unknown {
        argument: String,
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
    #[error("for the --{option} option: Cannot find option named '{value}'!{}", one_of(.values))]
    NotAValue {
        option: &'static str,
        value: String,
        values: &'static [&'static str],
    },
    #[error("for the --{option} option: may only occur zero or one times!")]
    Twice { option: &'static str },
    /// The options are inconsistent.
    #[error("{0}")]
    Refused(String),
    /// Error of KLEE itself, not of its option parser.
    #[error("ERROR: {0}")]
    Ends(&'static str),
}

impl KleeError {
    /// Converts an error that homi's option parser reports, whose first line is complete.
    pub(super) fn refused(text: &str) -> Self {
        let line = text.lines().next().unwrap_or_default();
        let line = line.strip_prefix("error: ").unwrap_or(line);
        Self::Refused(in_klees_form(line).unwrap_or_else(|| line.to_string()))
    }
}

/// Returns KLEE's text for an option with an invalid value.
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

fn one_of(values: &[&str]) -> String {
    format!(" (it is one of {})", values.join(", "))
}
