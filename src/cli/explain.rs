//! The `explain` subcommand's arguments (its body comes with its room).

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct ExplainArgs {}

pub(super) fn execute(_args: ExplainArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}
