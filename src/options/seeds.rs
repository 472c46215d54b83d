//! `--seed-file`, `--seed-dir`: earlier tests that a run follows first.

use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::row::{Heading, Scope};
use super::value::{paths, span};
use crate::config::{SeedConfig, Span};
use std::path::{Path, PathBuf};

/// What was said of seeds.
pub(super) struct SeedOptions {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    time: Span,
}

options! {
    /// The options of [`SeedConfig`].
    Seeds fills SeedOptions;

    /// Follow the path of this .ktest file before the search begins; repeatable
    ///
    /// Tests of homi and of KLEE for the same program and arguments will do. Branches that a seed
    /// passes by are where the search starts. Objects are matched by name; missing bytes are zero.
    /// With --prune or --restart the first runs of the session follow them, for at most half of
    /// their time.
    files: Vec<PathBuf> = paths("seed-file", "FILE")
        .scope(Scope::Session)
        .heading(Heading::Seeds);

    /// The same for each .ktest file in this directory, such as an earlier run's output; repeatable
    directories: Vec<PathBuf> = paths("seed-dir", "DIR")
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
}

impl SeedOptions {
    /// The seeds' files, in order of name within a directory.
    pub(super) fn into_config(self) -> Result<SeedConfig, OptionError> {
        let mut files = self.files;
        for directory in &self.directories {
            files.extend(tests_in(directory)?);
        }
        Ok(SeedConfig {
            files,
            time: (!self.time.is_zero()).then_some(self.time),
        })
    }
}

fn tests_in(directory: &Path) -> Result<Vec<PathBuf>, OptionError> {
    let shown = directory.display();
    let failed = |error: std::io::Error| OptionError(format!("--seed-dir {shown}: {error}"));
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
    if found.is_empty() {
        return Err(OptionError(format!(
            "--seed-dir {shown}: no .ktest file is in it"
        )));
    }
    found.sort();
    Ok(found)
}
