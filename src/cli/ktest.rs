//! The `ktest` subcommand's arguments (its body comes with its room).

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct KtestArgs {}

pub(super) fn execute(_args: KtestArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}
