//! `homi ktest minimize`: arguments and the line about the result.

use super::run::install_signals;
use anyhow::Context;
use homi_app::minimize::{MinimizeOptions, Minimized, minimize};
use homi_app::options::units;
use homi_native::replay::ReplayOptions;
use homi_native::replay::sandbox::{Limits, SandboxKind};
use std::path::PathBuf;
use std::time::Duration;

/// Left-out tests that are named one by one.
const NAMED: usize = 5;

/// Choose few tests that cover the same branch sides and show the same bugs
///
/// The chosen files are copied unchanged, with their .err files; of equal tests homi takes the
/// smallest. One test is chosen per bug: its kind, message and functions. Without --program, the
/// logs of homi's output directories say what the tests cover.
#[derive(clap::Args, Debug)]
pub(super) struct MinimizeArgs {
    /// Directories of .ktest files
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Write the chosen tests into this new directory
    ///
    /// After an interruption, the same command continues in it.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Choose only tests that add branch sides to those in INTO, which stays as it is
    ///
    /// Tests that show a bug are left out and named.
    #[arg(long = "merge", value_name = "INTO")]
    into: Option<PathBuf>,
    /// Make each chosen test smaller: it covers the same sides and ends the same way
    #[arg(long, requires = "program")]
    shrink: bool,
    /// Measure coverage on this bitcode, or this program with embedded bitcode
    ///
    /// homi builds it natively with a counter per branch side and runs each test in the sandbox.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Compile with this clang, whose version must match homi's LLVM
    #[arg(
        long,
        default_value = "clang-19",
        value_name = "PATH",
        requires = "program"
    )]
    clang: PathBuf,
    /// Kill a test after this time
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    timeout: Duration,
    /// Run the program with your permissions; it can change and delete your files
    #[arg(long)]
    unsafe_no_sandbox: bool,
}

pub(super) fn execute(args: MinimizeArgs) -> anyhow::Result<()> {
    let signals = install_signals().context("cannot install signal handlers")?;
    let replay = ReplayOptions {
        limits: Limits {
            timeout: args.timeout,
            ..Limits::default()
        },
        sandbox: args.unsafe_no_sandbox.then_some(SandboxKind::None),
        interrupt: signals.interrupt,
        ..ReplayOptions::default()
    };
    let merges = args.into.is_some();
    let minimized = minimize(&MinimizeOptions {
        directories: args.directories,
        output: args.output.clone(),
        into: args.into,
        shrink: args.shrink,
        program: args.program,
        clang: args.clang,
        replay,
    })?;
    for reason in minimized.left_out.iter().take(NAMED) {
        eprintln!("homi: warning: left out: {reason}");
    }
    let more = minimized.left_out.len().saturating_sub(NAMED);
    if more > 0 {
        eprintln!("homi: warning: {more} more tests are left out");
    }
    let line = text(&minimized, merges);
    super::print(&format!("{line} in {}\n", args.output.display()))
}

/// One line about the result.
fn text(minimized: &Minimized, merges: bool) -> String {
    let Minimized {
        given,
        kept,
        bugs,
        sides,
        ..
    } = minimized;
    let what = if merges { "new" } else { "all" };
    let mut text = format!("{kept} of {given} tests, with {what} {sides} branch sides");
    if *bugs > 0 {
        text += &format!(" and {bugs} bugs");
    }
    if let Some((before, after)) = minimized.shrunk {
        text += &format!(", {before} non-zero bytes shrunk to {after},");
    }
    text
}
