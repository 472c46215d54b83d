//! `homi explain`: arguments and dispatch.

use super::status::Exit;
use homi_native::replay::explain;
use homi_native::replay::explain::ExplainOptions;
use std::path::PathBuf;

/// Show a test: its inputs, its coverage or bug, and how to replay it
#[derive(clap::Args, Debug)]
pub(super) struct ExplainArgs {
    /// Test to show
    #[arg(value_name = "KTEST")]
    test: PathBuf,
    /// Show commands for this native program
    #[arg(long, value_name = "EXE")]
    exe: Option<PathBuf>,
    /// Show all bytes and branches, without a limit
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
