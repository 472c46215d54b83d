//! `homi klee`: KLEE's command line for a run, and KLEE's format for its messages and files.
//!
//! Owns: the table of KLEE's options and their effects, KLEE's command-line syntax, the lines that
//! KLEE prints and the files that only KLEE writes. Never: exploring. The result is a
//! `config::RunConfig` for a session and listeners for its events. Data come from `cli` as
//! arguments.
//!
//! Formats and texts are public facts about KLEE, which scripts read.

mod ending;
mod error;
mod files;
mod generate;
mod help;
mod info;
mod line;
mod markdown;
mod option;
mod profile;
mod refusal;
mod request;
mod stats;
mod stats_columns;
mod stats_table;
mod table;
mod tests_as_xml;
mod texts;

pub use ending::{Ending, ending};
pub use error::KleeError;
pub use files::{attach, remove_unwanted};
pub use generate::{GEN_USAGE, GenerateError, Generated, RANDGEN_USAGE, at_random, from_files};
pub use help::{help, version};
pub use line::{KleeLine, read};
pub use markdown::markdown;
pub use option::{Becomes, KleeOption, Setting, Value};
pub use profile::profile_as_klee;
pub use refusal::refusal;
pub use request::{Asked, Request, request};
pub use stats::{STATS_USAGE, StatsRequest};
pub use table::options;
