//! `--seed-file`, `--seed-dir`: earlier tests and raw inputs that a run follows first.

use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Heading, Scope};
use super::value::{flag, path, paths, span, word};
use crate::config::{Others, SeedConfig, SeedSizes, Span};
use crate::native::testcase::raw_inputs;
use std::path::{Path, PathBuf};

/// What was said of seeds.
pub(super) struct SeedOptions {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    time: Span,
    by_position: bool,
    sizes: SeedSizes,
    only_seeds: bool,
    only_paths: bool,
    path: Option<PathBuf>,
    replays: Vec<PathBuf>,
    replay_directories: Vec<PathBuf>,
}

options! {
    /// The options of [`SeedConfig`].
    Seeds fills SeedOptions;

    /// Follow the path of this .ktest file before the search begins; repeatable
    ///
    /// Tests of homi and of KLEE for the same program and arguments will do. Branches that a seed
    /// passes by are where the search starts. A test that was made with other words is fitted to
    /// those of this run; objects are matched by name, and missing bytes are zero. With --prune or
    /// --restart the first runs of the session follow them, for at most half of their time.
    files: Vec<PathBuf> = paths("seed-file", "FILE")
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// The same for each .ktest file in this directory, such as an earlier run's output; repeatable
    ///
    /// If the program is given no arguments and `homi record` made the directory, it has the words
    /// that fit.
    ///
    /// A directory without .ktest files is one of raw inputs, such as a fuzzer's queue. The bytes
    /// of each file go to the symbolic standard input, else to the first symbolic file, else to the
    /// arguments, as the guide's page on exports says. `homi ktest import` makes .ktest files of
    /// them and lets choose.
    directories: Vec<PathBuf> = paths("seed-dir", "DIR")
        .common("Begin with the tests or inputs in this directory")
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// Leave the seeds after this time (suffix i: instructions, w: work), wherever they are; 0 is
    /// no limit
    time: Span = span("seed-time")
        .depends("half of --max-time", |situation| {
            let total = situation.total;
            total.of_same_unit(total.amount() / 2.0)
        })
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// Match the objects of seeds by their order, as KLEE does, not by their names
    by_position: bool = flag("seeds-by-position").heading(Heading::Seeds);

    /// What to do if an object of a seed has another size than the program's
    ///
    /// `fit`: it is cut, or its missing bytes are zero; an object that the seed lacks has any bytes
    /// that the path allows. The run tells of the first such seeds and counts them. Otherwise the
    /// path ends with a user error, as in KLEE: `extend` refuses seeds that would be cut, `cut`
    /// those that would be extended, `exact` both.
    sizes: SeedSizes = word("seed-sizes")
        .default(SeedSizes::Fit)
        .heading(Heading::Seeds);

    /// End the run when the seeds are followed, with tests of what is open then
    only_seeds: bool = flag("only-seed").heading(Heading::Seeds);

    /// Follow the seeds' own paths and nothing else: states that no seed takes are not kept
    only_paths: bool = flag("only-replay-seeds").heading(Heading::Seeds);

    /// Follow only the path whose two-way branches take the sides in this file: a line each, 1
    /// where the condition holds, as `homi klee --write-paths` writes them
    path: Option<PathBuf> = path("replay-path", "FILE")
        .scope(Scope::Session)
        .excludes(Fact::Campaign, ONE_INPUT_EACH)
        .excludes(Fact::Concolic, ONE_INPUT_EACH)
        .heading(Heading::Seeds);

    /// Execute the program with the bytes of this .ktest file, and nothing else; repeatable
    ///
    /// Nothing is symbolic then. The program's arguments are those of the first file if none are
    /// given.
    replays: Vec<PathBuf> = paths("replay-ktest-file", "FILE")
        .scope(Scope::Session)
        .excludes(Fact::Campaign, ONE_INPUT_EACH)
        .excludes(Fact::Concolic, ONE_INPUT_EACH)
        .excludes(Fact::Threads, ONE_INPUT_EACH)
        .heading(Heading::Seeds);

    /// The same for each .ktest file in this directory
    replay_directories: Vec<PathBuf> = paths("replay-ktest-dir", "DIR")
        .scope(Scope::Session)
        .excludes(Fact::Campaign, ONE_INPUT_EACH)
        .excludes(Fact::Concolic, ONE_INPUT_EACH)
        .excludes(Fact::Threads, ONE_INPUT_EACH)
        .heading(Heading::Seeds);
}

/// Why nothing that explores goes with replays.
const ONE_INPUT_EACH: &str = "a replay executes one input, and there is nothing to explore";

impl SeedOptions {
    /// The seeds' files, in order of name within a directory.
    pub(super) fn into_config(self) -> Result<SeedConfig, OptionError> {
        let (mut files, mut raw) = (self.files, Vec::new());
        let mut replays = self.replays;
        for directory in &self.replay_directories {
            replays.extend(tests_in(directory, "--replay-ktest-dir")?);
        }
        for directory in &self.directories {
            match tests_in(directory, "--seed-dir")? {
                tests if tests.is_empty() => raw.extend(raw_in(directory)?),
                tests => files.extend(tests),
            }
        }
        Ok(SeedConfig {
            files,
            raw,
            time: (!self.time.is_zero()).then_some(self.time),
            by_position: self.by_position,
            sizes: self.sizes,
            others: match (self.only_paths, self.only_seeds) {
                (true, _) => Others::Nothing,
                (false, true) => Others::Open,
                (false, false) => Others::Later,
            },
            path: self.path,
            replays,
        })
    }
}

/// The `.ktest` files in the directory that an option names.
fn tests_in(directory: &Path, option: &str) -> Result<Vec<PathBuf>, OptionError> {
    let shown = directory.display();
    let failed = |error: std::io::Error| OptionError(format!("{option} {shown}: {error}"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "ktest")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The raw inputs in a directory; there must be some.
fn raw_in(directory: &Path) -> Result<Vec<PathBuf>, OptionError> {
    let shown = directory.display();
    let failed = |error: std::io::Error| OptionError(format!("--seed-dir {shown}: {error}"));
    let found = raw_inputs(directory).map_err(failed)?;
    if found.is_empty() {
        Err(OptionError(format!(
            "--seed-dir {shown}: neither a .ktest file nor a raw input is in it"
        )))
    } else {
        Ok(found)
    }
}
