//! Commands with a table of options: keep clap's matches as parsed, for `options` to interpret.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::marker::PhantomData;

/// Command whose options come from a table.
pub(super) trait TableCommand {
    /// Adds the command's arguments and help to `command`.
    fn augment(command: Command) -> Command;
}

/// Parsed arguments of the command `C`.
#[derive(Debug)]
pub(super) struct Typed<C> {
    pub(super) matches: ArgMatches,
    command: PhantomData<C>,
}

impl<C> FromArgMatches for Typed<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            matches: matches.clone(),
            command: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.matches = matches.clone();
        Ok(())
    }
}

impl<C: TableCommand> Args for Typed<C> {
    fn augment_args(command: Command) -> Command {
        C::augment(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        C::augment(command)
    }
}
