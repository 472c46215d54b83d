//! `--seed-file`, `--seed-dir`: earlier tests and raw inputs that a run follows first.

use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Heading, Scope};
use super::value::{budget, choice, flag, path, paths};
use homi_config::{Budget, Others, SeedConfig, SeedSizes};
use homi_native::testcase::{raw_inputs, tests_in};
use std::path::{Path, PathBuf};

/// Values of the options about seeds.
pub(super) struct SeedOptions {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    time: Budget,
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

    /// Follow the path of this .ktest file before the search; repeatable
    ///
    /// Tests that homi or KLEE wrote for the same program and arguments fit. The search starts from
    /// the branches on a seed's path. A test of other arguments is fitted to this run's arguments:
    /// objects are matched by name, and missing bytes are zero. With `--prune` or `--restart` the
    /// first runs of the session follow seeds, for at most half of their time.
    files: Vec<PathBuf> = paths("seed-file", "FILE")
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// Follow the paths of the .ktest files in this directory first; repeatable
    ///
    /// If the program has no arguments and `homi record` made the directory, homi takes the
    /// recorded ones.
    ///
    /// A directory without .ktest files holds raw inputs, such as a fuzzer's queue. The bytes of
    /// each file go to the symbolic standard input, else to the first symbolic file, else to the
    /// arguments. `homi ktest import` converts them to .ktest files and lets you choose.
    directories: Vec<PathBuf> = paths("seed-dir", "DIR")
        .common()
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// Stop following seeds after this time; 0 is no limit
    ///
    /// Suffix i counts instructions, w work.
    time: Budget = budget("seed-time")
        .depends("half of --max-time", |situation| {
            let total = situation.total;
            total.of_same_unit(total.amount() / 2.0)
        })
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// Match the objects of seeds by order instead of name, as KLEE does
    by_position: bool = flag("seeds-by-position").heading(Heading::Seeds);

    /// Choose what happens if an object of a seed differs in size
    ///
    /// `resize` truncates the object or extends it with zeros; an object that the seed lacks may
    /// have any bytes. homi reports the first such seeds and counts them. With the other values the
    /// path ends with a user error, as in KLEE: `extend` rejects seeds that need truncation,
    /// `truncate` rejects seeds that need extension, and `exact` rejects both.
    sizes: SeedSizes = choice("seed-sizes")
        .default(SeedSizes::Resize)
        .heading(Heading::Seeds);

    /// Stop after the seeds, with tests of the open paths
    only_seeds: bool = flag("only-seed").heading(Heading::Seeds);

    /// Follow the paths of the seeds alone; drop states that no seed takes
    only_paths: bool = flag("only-replay-seeds").heading(Heading::Seeds);

    /// Follow only the path whose branch sides this file lists
    ///
    /// Each line is 1 if the condition of a two-way branch holds, else 0, as `homi klee
    /// --write-paths` writes them.
    path: Option<PathBuf> = path("replay-path", "FILE")
        .scope(Scope::Session)
        .excludes(Fact::Campaign, ONE_INPUT_EACH)
        .excludes(Fact::Concolic, ONE_INPUT_EACH)
        .heading(Heading::Seeds);

    /// Execute the program on the bytes of this .ktest file; repeatable
    ///
    /// No object is symbolic. If you give no arguments, homi takes the first file's arguments.
    replays: Vec<PathBuf> = paths("replay-ktest-file", "FILE")
        .scope(Scope::Session)
        .excludes(Fact::Campaign, ONE_INPUT_EACH)
        .excludes(Fact::Concolic, ONE_INPUT_EACH)
        .excludes(Fact::Threads, ONE_INPUT_EACH)
        .heading(Heading::Seeds);

    /// Execute the program on each .ktest file in this directory
    replay_directories: Vec<PathBuf> = paths("replay-ktest-dir", "DIR")
        .scope(Scope::Session)
        .excludes(Fact::Campaign, ONE_INPUT_EACH)
        .excludes(Fact::Concolic, ONE_INPUT_EACH)
        .excludes(Fact::Threads, ONE_INPUT_EACH)
        .heading(Heading::Seeds);
}

/// Reason why replays exclude every option of exploration.
const ONE_INPUT_EACH: &str = "a replay executes one input and explores nothing";

impl SeedOptions {
    /// The seeds' files, in order of name within a directory.
    pub(super) fn into_config(self) -> Result<SeedConfig, OptionError> {
        let (mut files, mut raw) = (self.files, Vec::new());
        let mut replays = self.replays;
        for directory in &self.replay_directories {
            replays.extend(named_tests(directory, "--replay-ktest-dir")?);
        }
        for directory in &self.directories {
            match named_tests(directory, "--seed-dir")? {
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

/// Returns the `.ktest` files of the directory that an option names.
fn named_tests(directory: &Path, option: &str) -> Result<Vec<PathBuf>, OptionError> {
    let shown = directory.display();
    tests_in(directory).map_err(|error| OptionError(format!("{option} {shown}: {error}")))
}

/// The raw inputs in a directory; there must be some.
fn raw_in(directory: &Path) -> Result<Vec<PathBuf>, OptionError> {
    let shown = directory.display();
    let failed = |error: std::io::Error| OptionError(format!("--seed-dir {shown}: {error}"));
    let found = raw_inputs(directory).map_err(failed)?;
    if found.is_empty() {
        Err(OptionError(format!(
            "--seed-dir {shown}: the directory has neither .ktest files nor raw inputs"
        )))
    } else {
        Ok(found)
    }
}
