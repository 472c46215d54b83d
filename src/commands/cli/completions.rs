//! `homi completions`: prints a shell script that completes homi's options, from the table of
//! `--help`.

use super::command::Cli;
use super::status::Exit;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

/// Print a script that lets a shell complete commands and options
///
/// For bash: `homi completions bash > ~/.local/share/bash-completion/completions/homi`.
#[derive(clap::Args, Debug)]
pub(super) struct CompletionsArgs {
    /// Shell to print the script for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn execute(args: CompletionsArgs) -> anyhow::Result<Exit> {
    let whole = Cli::command();
    let visible = whole.get_subcommands().filter(|one| !one.is_hide_set());
    let mut command = Command::new("homi").subcommands(visible.map(without_constants));
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "homi", &mut script);
    super::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Returns the command without tuning constants, whose names contain spaces and cannot be
/// completed.
fn without_constants(command: &Command) -> Command {
    let is_constant = |one: &&Arg| one.get_long().is_some_and(|long| long.contains(' '));
    if !command.get_arguments().any(|one| is_constant(&one)) {
        return command.clone();
    }
    let others = command.get_arguments().filter(|one| !is_constant(one));
    let about = command.get_about().cloned();
    Command::new(command.get_name().to_string())
        .about(about.unwrap_or_default())
        .args(others.cloned())
}
