//! Commands whose options are those of a table: what was typed stays as it is, and `options` says
//! what it means.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::marker::PhantomData;

/// A command with a table of options.
pub(super) trait TableCommand {
    /// Adds what it takes, and its help.
    fn augment(command: Command) -> Command;
}

/// What was typed after the command `C`.
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
