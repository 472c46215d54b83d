//! `homi keep`: tests of a run as cases that a team keeps in its repository.
//!
//! Owns: the builds that cases are recorded on, which tests become cases, their names, what becomes
//! of cases that were kept before. Never: exploring, the form of a case, printing. Data come from
//! directories of tests and go to a directory of cases.
//!
//! Invariant: a case that people edited is not written again, and one that still passes is not
//! touched. Equal runs give equal bytes.

mod boundaries;
mod bug_text;
mod candidates;
mod condition_text;
mod covers;
mod functions;
mod names;
mod pending;
mod program;
mod register;
mod relative;
mod suite;
mod suite_file;

pub use functions::{Framework, FunctionOptions, keep_function};
pub use pending::{accept, reject};
pub use program::KeptProgram;
pub use register::{BuildSystem, register};

use anyhow::Context;
use homi_native::kept::RUN_SCRIPT;
use homi_native::replay::sandbox::{Limits, SandboxKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use suite::Suite;

/// Options of `homi keep`.
pub struct KeepOptions {
    /// `.ktest` files and directories of them.
    pub tests: Vec<PathBuf>,
    pub program: KeptProgram,
    /// Directory of the kept tests.
    pub into: PathBuf,
    /// clang of the version of homi's LLVM.
    pub clang: PathBuf,
    pub limits: Limits,
    pub sandbox: SandboxKind,
    pub interrupt: Arc<AtomicBool>,
}

/// Result: the fate of tests and cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Name of the program, which is the directory of its cases.
    pub name: String,
    /// Names of new cases.
    pub added: Vec<String>,
    /// Number of cases that are as before.
    pub same: usize,
    /// Cases with changed behavior, of which the new one waits to be accepted.
    pub pending: Vec<String>,
    /// Cases that people edited and that do not pass.
    pub failing: Vec<String>,
    /// Known bugs that are fixed: their old and new names.
    pub fixed: Vec<(String, String)>,
    /// Cases that were removed since and do not return.
    pub removed: usize,
    /// Known bugs among all cases.
    pub bugs: usize,
    /// Tests that cover nothing beyond the cases.
    pub superfluous: usize,
    /// Tests and cases that were left out, and why.
    pub left_out: Vec<(String, String)>,
    /// Branch sides that the cases cover, of all.
    pub sides: (usize, usize),
}

/// Keeps the tests of a run.
///
/// # Errors
/// Fails if the program cannot be built or run, or if a file cannot be read or written.
pub fn keep(options: &KeepOptions) -> anyhow::Result<Kept> {
    let mut suite = Suite::open(options)?;
    suite.review()?;
    suite.add(&options.tests)?;
    let kept = suite.finish()?;
    write_script(&options.into)?;
    Ok(kept)
}

/// Writes the script that runs the cases, unless it is there. People may have edited theirs.
fn write_script(directory: &Path) -> anyhow::Result<()> {
    let script = directory.join("run.sh");
    if script.exists() || !directory.exists() {
        return Ok(());
    }
    std::fs::write(&script, RUN_SCRIPT)
        .with_context(|| format!("cannot write {}", script.display()))
}
