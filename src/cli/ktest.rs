//! `homi ktest`: what was typed.

use super::status::Exit;
use crate::testcase::ktest_text::{self, KTestOptions};
use std::path::PathBuf;

/// Print .ktest files as KLEE's ktest-tool does, or take an object out of them.
#[derive(clap::Args, Debug)]
pub(super) struct KtestArgs {
    /// The tests
    #[arg(value_name = "KTEST", required = true)]
    files: Vec<PathBuf>,
    /// Write the object of this name to KTEST.NAME instead of printing
    #[arg(long, value_name = "NAME")]
    extract: Option<String>,
    /// Leave out the zero bytes at an object's end
    #[arg(long)]
    trim_zeros: bool,
}

pub(super) fn execute(args: KtestArgs) -> anyhow::Result<Exit> {
    let text = ktest_text::run(&KTestOptions {
        files: args.files,
        extract: args.extract,
        trim_zeros: args.trim_zeros,
    })?;
    super::print(&text)?;
    Ok(Exit::Done)
}
