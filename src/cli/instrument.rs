//! The `instrument` subcommand's arguments (its body comes with its room).

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct InstrumentArgs {}

pub(super) fn execute(_args: InstrumentArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}
