//! The `solver` subcommand's arguments (its body comes with its room).

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct SolverArgs {}

pub(super) fn execute(_args: SolverArgs) -> anyhow::Result<Exit> {
    anyhow::bail!("not available yet")
}
