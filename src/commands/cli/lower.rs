//! Internal `__lower` subcommand: the child process of `bitcode`; `--text` prints the IR.

use super::status::Exit;
use homi_build::toolchain::newest_clang;
use homi_ir::program::text;
use homi_llvm::{LoadOptions, child_main, image_child_main, llvm_version, load};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct LowerArgs {
    /// Print the IR of these bitcode files instead of serving the parent process
    #[arg(long, num_args = 1..)]
    text: Vec<PathBuf>,
    /// Build the native image that the options on standard input describe
    #[arg(long)]
    image: bool,
    /// Link libc.bc and kernel.bc from this directory
    #[arg(long)]
    runtime: Option<PathBuf>,
}

pub(super) fn execute(args: LowerArgs) -> anyhow::Result<Exit> {
    if args.image {
        let supported = llvm_version();
        let Some(clang) = newest_clang(supported).filter(|clang| clang.major == supported) else {
            anyhow::bail!("clang-{supported} is missing");
        };
        image_child_main(&clang.program)?;
        return Ok(Exit::Done);
    }
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
