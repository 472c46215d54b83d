//! The `replay` subcommand's arguments (its body comes with its room).

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct ReplayArgs {}

pub(super) fn execute(_args: ReplayArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}
