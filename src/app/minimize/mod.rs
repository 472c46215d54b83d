//! `homi ktest minimize`: few tests with the coverage of many.
//!
//! Owns: what tests cover (from the logs of runs, or measured on an instrumented build), the choice
//! of tests, making them smaller, the directory of the result. Never: exploring, printing. Data
//! come from directories of tests and go to another directory.
//!
//! Invariant: the chosen tests cover every branch side that the given ones cover, and show each bug
//! that those show.

mod behavior;
mod bug;
mod cover;
mod logged;
mod measured;
mod output;
mod shrink;

pub use bug::Reports;
pub use cover::choose;
pub use measured::linked_libraries;

use anyhow::bail;
use homi_native::replay::ReplayOptions;
use homi_native::testcase::ktest::KTest;
use measured::Program;
use output::Output;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Options of a minimization.
pub struct MinimizeOptions {
    /// Directories of `.ktest` files.
    pub directories: Vec<PathBuf>,
    /// Directory of the chosen tests, which is created.
    pub output: PathBuf,
    /// Directory of tests that are kept apart: only tests that add sides to them are chosen.
    pub into: Option<PathBuf>,
    /// Make the chosen tests smaller.
    pub shrink: bool,
    /// Bitcode, or a program with embedded bitcode, on which coverage is measured; without it the
    /// logs of the directories say what tests cover.
    pub program: Option<PathBuf>,
    /// clang of the version of homi's LLVM.
    pub clang: PathBuf,
    /// Sandbox and limits of the program.
    pub replay: ReplayOptions,
}

/// One test and what it covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covering {
    pub path: PathBuf,
    /// Bytes of the file.
    pub size: u64,
    /// Branch sides, ascending.
    pub sides: Vec<u32>,
    /// The bug that the test shows.
    pub bug: Option<String>,
}

/// Result of a minimization.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Minimized {
    /// Tests that could be measured.
    pub given: usize,
    pub kept: usize,
    /// Different bugs that the kept tests show.
    pub bugs: usize,
    /// Branch sides that the kept tests cover; with `into`, the sides that they add.
    pub sides: usize,
    /// Bytes of the kept tests that are not zero, before and after they were made smaller.
    pub shrunk: Option<(usize, usize)>,
    /// Tests that were left out, and why.
    pub left_out: Vec<String>,
}

/// Chooses tests and writes them to the output directory.
pub fn minimize(options: &MinimizeOptions) -> anyhow::Result<Minimized> {
    if options.shrink && options.program.is_none() {
        bail!("--shrink executes the program; name its bitcode with --program");
    }
    let program = match &options.program {
        Some(program) => Some(Program::build(program, options)?),
        None => None,
    };
    let mut minimized = Minimized::default();
    let (all, mut output) = read(options, program.as_ref(), &mut minimized.left_out)?;
    let is_old = |test: &Covering| test.path.parent() == options.into.as_deref();
    let (old, mut tests): (Vec<Covering>, Vec<Covering>) = all.into_iter().partition(is_old);
    if options.into.is_some() {
        // A test that ends the program early would do so in every use of the corpus.
        let reason = |test: &Covering| format!("{}: it shows a bug", test.path.display());
        let crashes = tests.iter().filter(|test| test.bug.is_some());
        minimized.left_out.extend(crashes.map(reason));
        tests.retain(|test| test.bug.is_none());
    }
    let old = old.into_iter().flat_map(|test| test.sides);
    let covered: BTreeSet<u32> = old.collect();
    let chosen = cover::choose(&tests, covered.clone());
    let chosen: Vec<&Covering> = chosen.iter().map(|number| &tests[*number]).collect();
    let mut added: BTreeSet<u32> = BTreeSet::new();
    let mut bugs = BTreeSet::new();
    for test in &chosen {
        added.extend(test.sides.iter().filter(|side| !covered.contains(*side)));
        bugs.extend(&test.bug);
        let smaller = match &program {
            Some(program) if options.shrink => Some(minimized.shrink(test, program)?),
            _ => None,
        };
        output.write(test, smaller)?;
    }
    output.finish(&options.directories)?;
    (minimized.given, minimized.kept) = (tests.len(), chosen.len());
    (minimized.sides, minimized.bugs) = (added.len(), bugs.len());
    Ok(minimized)
}

/// Reads or measures all tests, and opens the output directory.
fn read(
    options: &MinimizeOptions,
    program: Option<&Program>,
    left_out: &mut Vec<String>,
) -> anyhow::Result<(Vec<Covering>, Output)> {
    // Logs of different programs are refused, so all directories are read together.
    let directories = [options.into.as_slice(), &options.directories].concat();
    match program {
        Some(program) => {
            let mut output = Output::create(&options.output)?;
            let all = program.measure(&directories, &mut output, left_out)?;
            Ok((all, output))
        }
        None => {
            let all = logged::read(&directories, left_out)?;
            Ok((all, Output::create(&options.output)?))
        }
    }
}

impl Minimized {
    /// Makes a test smaller and counts its bytes.
    fn shrink(&mut self, test: &Covering, program: &Program) -> anyhow::Result<KTest> {
        let smaller = shrink::shrink(test, program)?;
        let (before, after) = self.shrunk.get_or_insert((0, 0));
        *before += smaller.before;
        *after += smaller.after;
        Ok(smaller.test)
    }
}
