//! The internal `__lower` subcommand: `bitcode`'s child process.

use super::status::Exit;

#[derive(clap::Args, Debug)]
pub(super) struct LowerArgs {}

pub(super) fn execute(_args: LowerArgs) -> anyhow::Result<Exit> {
    crate::bitcode::child_main()?;
    Ok(Exit::Done)
}
