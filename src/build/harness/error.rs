//! Reasons why a function has no harness; each message names the problem and the remedy.

use crate::toolchain::OLDEST_CLANG;
use std::io;

/// No harness could be made.
#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    #[error("--entry-point {entry}: {reason}")]
    Signature { entry: String, reason: String },
    #[error("--symbolic-globals {name}: {reason}")]
    Variable { name: String, reason: String },
    #[error(
        "--entry-point {entry} needs clang {OLDEST_CLANG} to {newest} to compile the harness, but \
         none is installed; run apt-get install clang-{newest}"
    )]
    NoClang { entry: String, newest: u32 },
    #[error(
        "--requires of {entry} does not compile; use the names of its parameters, as in \
         `count > 0 && list->next`: {output}"
    )]
    Requires { entry: String, output: String },
    #[error(
        "the harness of {entry} does not compile; this is a bug of homi, please report it: \
         {output}"
    )]
    Compiler { entry: String, output: String },
    #[error("{what}: {source}")]
    Io { what: String, source: io::Error },
}
