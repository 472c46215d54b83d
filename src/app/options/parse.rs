//! Options for a caller of the library, who has words and no process of his own to end.

use super::error::OptionError;
use super::{augment, resolve, sort};
use crate::config::RunConfig;
use clap::Command;
use std::ffi::OsString;

/// The configuration that `homi run` would have with these words: options, bitcode files, and the
/// program's own arguments, which stand after `--` or after the file. To go on with a campaign
/// (`--resume`), all of its options are said again.
///
/// # Errors
///
/// The error says what is wrong with the words, as the command would.
pub fn parse<W: Into<OsString>>(
    words: impl IntoIterator<Item = W>,
) -> Result<RunConfig, OptionError> {
    let line = sort(words.into_iter().map(Into::into).collect())?;
    let command = augment(Command::new("homi run")).no_binary_name(true);
    let typed = command
        .try_get_matches_from(line.words())
        .map_err(|error| OptionError(error.to_string()))?;
    resolve(&typed, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_a_configuration_or_an_error() {
        let config = parse(["a.bc", "--seed", "3", "--", "-n"]).expect("they make sense");
        assert_eq!(config.search.seed, 3);
        assert_eq!(config.program.arguments, ["-n"]);
        let error = parse(["a.bc", "--seed", "x"]).expect_err("no number");
        assert!(error.to_string().contains("--seed"), "{error}");
        assert!(parse(Vec::<OsString>::new()).is_err());
    }
}
