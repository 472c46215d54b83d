//! Internal `__solver` subcommand: the solver process of a run.

use super::status::Exit;
use homi_solver::child_main;

#[derive(clap::Args, Debug)]
pub(super) struct SolverArgs {}

pub(super) fn execute(_args: SolverArgs) -> anyhow::Result<Exit> {
    child_main()?;
    Ok(Exit::Done)
}
