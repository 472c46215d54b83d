//! Internal `__lower` subcommand: the child process of `bitcode`; `--text` prints the IR.

use super::status::Exit;
use crate::ir::program::text;
use crate::llvm::{LoadOptions, child_main, load};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct LowerArgs {
    /// Print the IR of these bitcode files instead of serving the parent process
    #[arg(long, num_args = 1..)]
    text: Vec<PathBuf>,
    /// Link libc.bc and kernel.bc from this directory
    #[arg(long)]
    runtime: Option<PathBuf>,
}

pub(super) fn execute(args: LowerArgs) -> anyhow::Result<Exit> {
    if args.text.is_empty() {
        child_main()?;
        return Ok(Exit::Done);
    }
    let program = load(&LoadOptions {
        inputs: args.text,
        runtime_dir: args.runtime,
        ..LoadOptions::new("")
    })?;
    super::print(&text::print(&program))?;
    Ok(Exit::Done)
}
