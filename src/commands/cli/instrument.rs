//! `homi instrument`: the same bitcode natively, with a counter per branch side.

use super::status::Exit;
use crate::llvm::{InstrumentOptions, instrument};
use crate::report::gcov::COUNTERS_VARIABLE;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(
    after_help = "The built program marks each branch side that it takes in the file named by \
HOMI_COVERAGE_FILE; the file also survives crashes and _exit, and several runs add up in it."
)]
pub(super) struct InstrumentArgs {
    /// Bitcode files of one program
    #[arg(required = true, value_name = "BITCODE")]
    inputs: Vec<PathBuf>,
    /// The executable to write
    #[arg(short, long, value_name = "EXE")]
    output: PathBuf,
    /// clang, of the LLVM version that homi was built with
    #[arg(long, default_value = "clang-19", value_name = "PATH")]
    clang: PathBuf,
    /// A further word for the link: an object, C file, library or flag (repeatable)
    #[arg(long = "link", value_name = "WORD", allow_hyphen_values = true)]
    link_arguments: Vec<String>,
}

pub(super) fn execute(args: InstrumentArgs) -> anyhow::Result<Exit> {
    let output = args.output.clone();
    let sides = instrument(&InstrumentOptions {
        inputs: args.inputs,
        output: args.output,
        clang: args.clang,
        link_arguments: args.link_arguments,
    })?;
    super::print(&format!(
        "{}: {sides} branch sides; run it with {COUNTERS_VARIABLE}=FILE\n",
        output.display()
    ))?;
    Ok(Exit::Done)
}
