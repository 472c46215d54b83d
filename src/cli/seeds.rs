//! `--seed-file`, `--seed-dir`: earlier tests that a run follows first.

use super::status::UsageError;
use super::units;
use crate::config::{SeedConfig, Span};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SEEDS: &str = "Seeds";

#[derive(Clone, clap::Args, Debug)]
pub(super) struct SeedArgs {
    /// Follow the path of this .ktest file before the search begins; repeatable
    ///
    /// Tests of homi and of KLEE for the same program and arguments will do. Branches that a seed
    /// passes by are where the search starts. Objects are matched by name; missing bytes are zero.
    /// With --prune or --restart the first runs of the session follow them, for at most half of
    /// their time.
    #[arg(long, value_name = "FILE", help_heading = SEEDS)]
    seed_file: Vec<PathBuf>,
    /// The same for each .ktest file in this directory, such as an earlier run's output; repeatable
    #[arg(long, value_name = "DIR", help_heading = SEEDS)]
    seed_dir: Vec<PathBuf>,
    /// Leave the seeds after this time, wherever they are; 0 is no limit [default: half of
    /// --max-time]
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = SEEDS)]
    seed_time: Option<Duration>,
}

impl SeedArgs {
    /// The seeds' files, in order of name within a directory.
    pub(super) fn into_config(self, budget: Span) -> Result<SeedConfig, UsageError> {
        let mut files = self.seed_file;
        for directory in &self.seed_dir {
            files.extend(tests_in(directory)?);
        }
        let half = match budget {
            Span::Time(time) => time / 2,
            Span::Instructions(_) => Duration::ZERO,
        };
        let time = self.seed_time.unwrap_or(half);
        Ok(SeedConfig {
            files,
            time: (!time.is_zero()).then_some(time),
        })
    }
}

fn tests_in(directory: &Path) -> Result<Vec<PathBuf>, UsageError> {
    let failed =
        |error: std::io::Error| UsageError(format!("--seed-dir {}: {error}", directory.display()));
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
        return Err(UsageError(format!(
            "--seed-dir {}: no .ktest file is in it",
            directory.display()
        )));
    }
    found.sort();
    Ok(found)
}
