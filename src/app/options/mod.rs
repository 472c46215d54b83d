//! The options of `homi run`: one table that everything about options reads.
//!
//! Owns: names, types, help, scopes and defaults of the options, their requirements and exclusions,
//! the defaults of profiles, units. Never: the meaning of an option beyond its value. [`resolve`]
//! returns a `config::RunConfig`, and nothing else leaves the module. Data come from `cli` as clap
//! parsed them.
//!
//! An option is one declaration in one of the files below, with the field of `config` that it sets.

mod budget;
#[cfg(test)]
mod campaign_tests;
mod check_choice;
mod checks;
mod concolic;
mod declare;
mod error;
mod exports;
mod fill;
mod function;
mod learn_search;
#[cfg(test)]
mod learn_search_tests;
mod line;
mod markdown;
mod merging;
mod option_values;
mod output;
mod parse;
mod profile;
mod program;
mod project;
mod property;
mod pruning;
mod recorded;
mod requirement;
mod resolve;
mod resume;
mod row;
mod run;
mod search;
mod seeds;
mod situation;
mod stubs;
mod subsume;
mod table;
mod target;
mod test;
#[cfg(test)]
mod test_tests;
#[cfg(test)]
mod tests;
mod tests_written;
mod triage;
pub mod units;
mod uses;
mod value;

pub use error::OptionError;
pub use exports::ExportParser;
pub use learn_search::{
    augment_learn_search, parse_learn_search, resolve_learn_search, sort_learn_search,
};
pub use line::{RunLine, asks_for_constants, sort};
pub use markdown::markdown;
pub use parse::parse;
pub use parse::parse_for_klee;
pub use profile::Profile;
pub use recorded::{open_recorded_layouts, with_recorded_arguments};
pub use resolve::{resolve, resumed};
pub use resume::{complete, kept, resumed_directory};
pub use row::{DefaultText, Form, Heading, Paths, Row, Scope};
pub use table::{augment, augment_concolic, rows, rows_for_klee};
pub use test::{augment_test, resolve_test, shell_arguments, sort_test, test_rows};
