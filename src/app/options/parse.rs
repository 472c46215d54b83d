//! Options for callers of the library, who have strings and do not want the process to exit.

use super::error::OptionError;
use super::line::sort_by;
use super::resolve;
use super::row::Row;
use super::table::{PROGRAM, augment_with, rows, rows_for_klee};
use clap::Command;
use homi_config::RunConfig;
use std::ffi::OsString;

/// Returns the configuration that `homi run` has for these arguments: options, bitcode files, and
/// after `--` the program's arguments. To resume a campaign (`--resume`), all of its options must
/// be given again.
///
/// # Errors
///
/// Returns the message that the command would print.
pub fn parse<W: Into<OsString>>(
    arguments: impl IntoIterator<Item = W>,
) -> Result<RunConfig, OptionError> {
    parse_as(arguments.into_iter().map(Into::into).collect(), rows())
}

/// Returns the configuration for arguments that `homi klee` has for options of KLEE.
pub fn parse_for_klee(arguments: Vec<OsString>) -> Result<RunConfig, OptionError> {
    parse_as(arguments, rows_for_klee())
}

fn parse_as(arguments: Vec<OsString>, rows: Vec<Row>) -> Result<RunConfig, OptionError> {
    let line = sort_by(arguments, &rows)?;
    let command = augment_with(Command::new("homi run"), rows, PROGRAM).no_binary_name(true);
    let typed = command
        .try_get_matches_from(line.all_arguments())
        .map_err(|error| OptionError(error.to_string()))?;
    resolve(&typed, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_a_configuration_or_an_error() {
        let config = parse(["a.bc", "--seed", "3", "--", "-n"]).expect("they make sense");
        assert_eq!(config.search.seed, 3);
        assert_eq!(config.program.arguments, ["-n"]);
        let error = parse(["a.bc", "--seed", "x"]).expect_err("no number");
        assert!(error.to_string().contains("--seed"), "{error}");
        assert!(parse(Vec::<OsString>::new()).is_err());
    }
}
