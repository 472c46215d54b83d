//! `homi instrument`: compiles bitcode natively, with one counter per branch side.

use super::status::Exit;
use homi_llvm::{InstrumentOptions, instrument};
use homi_report::gcov::COUNTERS_VARIABLE;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(
    after_help = "The built program records each branch side that it takes in the file that \
HOMI_COVERAGE_FILE names. The file survives crashes and _exit; several runs accumulate in it."
)]
pub(super) struct InstrumentArgs {
    /// Bitcode files of one program
    #[arg(required = true, value_name = "BITCODE")]
    inputs: Vec<PathBuf>,
    /// Write the executable to this file
    #[arg(short, long, value_name = "EXE")]
    output: PathBuf,
    /// Compile with this clang, whose version must match homi's LLVM
    #[arg(long, default_value = "clang-19", value_name = "PATH")]
    clang: PathBuf,
    /// Pass this object, C file, library or flag to the linker; repeatable
    #[arg(long = "link", value_name = "ARGUMENT", allow_hyphen_values = true)]
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
