//! `homi man`: the manual page, made from the same table as `--help`.

use super::command::Cli;
use super::status::Exit;
use clap::CommandFactory;

/// Print the manual page in roff; read it with `homi man | man -l -`.
#[derive(clap::Args, Debug)]
pub(super) struct ManArgs {
    /// The subcommand whose page to print; without it homi's own.
    command: Option<String>,
}

pub(super) fn execute(args: ManArgs) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let chosen = match &args.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| super::UsageError(format!("there is no command `{name}`")))?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(chosen).render(&mut page)?;
    super::print(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
