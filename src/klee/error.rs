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

fn likely(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| {
        format!("\nklee: Did you mean '--{name}'?")
    })
}

fn one_of(words: &[&str]) -> String {
    format!(" (it is one of {})", words.join(", "))
}
