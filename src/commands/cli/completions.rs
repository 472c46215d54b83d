//! `homi completions`: what a shell needs to complete homi's options, from the table of `--help`.

use super::command::Cli;
use super::status::Exit;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

/// Print a script that lets a shell complete commands and options
///
/// For bash: `homi completions bash > ~/.local/share/bash-completion/completions/homi`.
#[derive(clap::Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn execute(args: CompletionsArgs) -> anyhow::Result<Exit> {
    let whole = Cli::command();
    let visible = whole.get_subcommands().filter(|one| !one.is_hide_set());
    let mut command = Command::new("homi").subcommands(visible.cloned());
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "homi", &mut script);
    super::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
