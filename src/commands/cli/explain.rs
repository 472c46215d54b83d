//! `homi explain`: what was typed.

use super::status::Exit;
use crate::native::replay::explain;
use crate::native::replay::explain::ExplainOptions;
use std::path::PathBuf;

/// Show a test: its inputs, what it covers or breaks, how to run it.
#[derive(clap::Args, Debug)]
pub(super) struct ExplainArgs {
    /// The test
    #[arg(value_name = "KTEST")]
    test: PathBuf,
    /// The native program, to complete the commands
    #[arg(long, value_name = "EXE")]
    exe: Option<PathBuf>,
    /// Show all bytes and branches, however many
    #[arg(long)]
    all: bool,
}

pub(super) fn execute(args: ExplainArgs) -> anyhow::Result<Exit> {
    let text = explain::run(&ExplainOptions {
        test: args.test,
        exe: args.exe,
        all: args.all,
    })?;
    super::print(&text)?;
    Ok(Exit::Done)
}
