//! `homi man`: the manual page, made from the table of `--help`; also the reference pages of
//! options and statistics.

use super::command::Cli;
use super::status::Exit;
use crate::klee;
use clap::CommandFactory;
use homi_app::options;
use homi_report::statistics_page;

/// Print the manual page
///
/// The output is roff; read it with `homi man
/// man -l -`.
#[derive(clap::Args, Debug)]
pub(super) struct ManArgs {
    /// Print the page of this subcommand [default: homi]
    command: Option<String>,
}

pub(super) fn execute(args: ManArgs) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let chosen = match &args.command {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            super::UsageError(format!(
                "unknown command `{name}`; `homi --help` lists the commands"
            ))
        })?,
    };
    let chosen = chosen.mut_args(|argument| {
        let hides = argument.is_hide_set() || argument.is_hide_long_help_set();
        argument.hide(hides)
    });
    let mut page = Vec::new();
    clap_mangen::Man::new(chosen).render(&mut page)?;
    super::print(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}

/// Prints the reference page of the options of all commands.
pub(super) fn options_markdown() -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    super::print(&options::markdown(&command))?;
    Ok(Exit::Done)
}

/// Prints the reference page of KLEE's options.
pub(super) fn klee_options_markdown() -> anyhow::Result<Exit> {
    super::print(&klee::markdown())?;
    Ok(Exit::Done)
}

/// Prints the reference page of statistics.
pub(super) fn statistics_markdown() -> anyhow::Result<Exit> {
    super::print(&statistics_page())?;
    Ok(Exit::Done)
}
