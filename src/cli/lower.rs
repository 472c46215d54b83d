//! The `lower` subcommand's arguments (its body comes with its room).

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct LowerArgs {}

pub(super) fn execute(_args: LowerArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}
