//! The directory of the chosen tests, and the file with which an interrupted minimization goes on.

use super::behavior::Behavior;
use super::{Covering, Reports};
use anyhow::{Context, bail};
use homi_native::testcase::RUN_ENVIRONMENT;
use homi_native::testcase::ktest::KTest;
use homi_report::{LineFile, read_lines};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Name of the file with what was measured; removed at the end.
const CONTROL: &str = "minimize.jsonl";

/// A line of the file: a test, its size and time of modification, and what it does.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    test: PathBuf,
    size: u64,
    modified: Option<SystemTime>,
    behavior: Behavior,
}

/// The directory of the result.
pub(super) struct Output {
    directory: PathBuf,
    control: LineFile,
    known: BTreeMap<PathBuf, Behavior>,
    reports: Reports,
    /// Names of the tests written.
    names: BTreeSet<String>,
}

impl Output {
    /// Creates the directory, or opens the one of an interrupted minimization.
    pub(super) fn create(directory: &Path) -> anyhow::Result<Self> {
        let shown = directory.display();
        let file = directory.join(CONTROL);
        let mut known = BTreeMap::new();
        if file.exists() {
            let failed = || format!("cannot read {}", file.display());
            for line in read_lines::<Line>(&file).with_context(failed)? {
                if stamp(&line.test) == Some((line.size, line.modified)) {
                    known.insert(line.test, line.behavior);
                }
            }
        } else if directory.exists() {
            bail!("{shown} exists; name a new directory with --output");
        } else {
            fs::create_dir_all(directory).with_context(|| format!("cannot create {shown}"))?;
        }
        let control = LineFile::append_to(&file);
        Ok(Self {
            directory: directory.to_path_buf(),
            control: control.with_context(|| format!("cannot write {}", file.display()))?,
            known,
            reports: Reports::default(),
            names: BTreeSet::new(),
        })
    }

    /// Returns the behavior of a test, if it was measured.
    pub(super) fn known(&self, test: &Path) -> Option<&Behavior> {
        self.known.get(test)
    }

    /// Writes down what a test does.
    pub(super) fn note(&mut self, test: &Path, behavior: Behavior) -> anyhow::Result<()> {
        if let Some((size, modified)) = stamp(test) {
            self.control.append(&Line {
                test: test.to_path_buf(),
                size,
                modified,
                behavior: behavior.clone(),
            })?;
        }
        self.known.insert(test.to_path_buf(), behavior);
        Ok(())
    }

    /// Writes a chosen test and its reports, under another name if its own is taken.
    pub(super) fn write(&mut self, test: &Covering, smaller: Option<KTest>) -> anyhow::Result<()> {
        let stem = test.path.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy().into_owned();
        let names = (1..).map(|number| match number {
            1 => stem.clone(),
            number => format!("{stem}-{number}"),
        });
        let Some(name) = names
            .into_iter()
            .find(|name| self.names.insert(name.clone()))
        else {
            return Ok(());
        };
        let target = self.directory.join(format!("{name}.ktest"));
        let failed = || format!("cannot write {}", target.display());
        match smaller {
            Some(smaller) => smaller.write(&target).with_context(failed)?,
            None => drop(fs::copy(&test.path, &target).with_context(failed)?),
        }
        for report in self.reports.of_test(&test.path) {
            let own = report.file_name().unwrap_or_default().to_string_lossy();
            let ending = own.strip_prefix(&stem).unwrap_or(&own);
            let target = self.directory.join(format!("{name}{ending}"));
            let failed = || format!("cannot write {}", target.display());
            fs::copy(&report, &target).with_context(failed)?;
        }
        Ok(())
    }

    /// Adds the environment of the runs, so that tests replay as before, and removes the file of
    /// the measurements.
    pub(super) fn finish(self, directories: &[PathBuf]) -> anyhow::Result<()> {
        let environments = directories
            .iter()
            .map(|directory| directory.join(RUN_ENVIRONMENT));
        if let Some(environment) = environments.into_iter().find(|file| file.exists()) {
            let target = self.directory.join(RUN_ENVIRONMENT);
            let failed = || format!("cannot write {}", target.display());
            fs::copy(environment, &target).with_context(failed)?;
        }
        let file = self.directory.join(CONTROL);
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))
    }
}

/// Size and time of modification of a file.
fn stamp(file: &Path) -> Option<(u64, Option<SystemTime>)> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}
