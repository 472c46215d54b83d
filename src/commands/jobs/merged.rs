//! Output directory of a job directory, which collects the results. It has the layout of a run, so
//! replays, reports and `--resume` can read it.
//!
//! Invariant: the job directory's state decides which files count. A command removes what a killed
//! command had added.

use super::error::{Result, failed};
use super::state::State;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Output directory of a job directory.
pub(super) struct Merged {
    pub(super) path: PathBuf,
}

/// Names in the output directory of the tests that are kept from one result, by their old names.
pub(super) struct Names(pub(super) BTreeMap<String, String>);

impl Merged {
    /// Opens a job directory's output directory, creates it if needed, and restores the state's
    /// contents.
    pub(super) fn open(job_directory: &Path, state: &State) -> Result<Self> {
        let path = job_directory.join("out");
        let problem = |error: std::io::Error| failed("write", &path, &error);
        fs::create_dir_all(&path).map_err(problem)?;
        let entries = fs::read_dir(&path).map_err(problem)?;
        for entry in entries {
            let entry = entry.map_err(problem)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let too_late = number(&name).is_some_and(|number| number > state.last_test);
            let unknown = name.ends_with(".jsonl") && !state.lengths.contains_key(&name);
            if too_late || unknown {
                fs::remove_file(entry.path()).map_err(problem)?;
            }
        }
        for (name, length) in &state.lengths {
            let path = path.join(name);
            let opened = File::options().write(true).open(&path);
            let cut = opened.and_then(|file| file.set_len(*length));
            cut.map_err(|error| failed("write", &path, &error))?;
        }
        Ok(Self { path })
    }

    /// Copies the files that are equal in all runs from the first result.
    pub(super) fn furnish(&self, run: &Path) -> Result<()> {
        for name in ["branches.json", "run-environment.json", "info"] {
            let (from, to) = (run.join(name), self.path.join(name));
            if from.exists() && !to.exists() {
                fs::copy(&from, &to).map_err(|error| failed("copy", &from, &error))?;
            }
        }
        Ok(())
    }

    /// Copies the files of a result's tests under their new names.
    pub(super) fn take_tests(&self, run: &Path, names: &Names) -> Result<()> {
        let entries = fs::read_dir(run).map_err(|error| failed("read", run, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed("read", run, &error))?;
            let file = entry.file_name().to_string_lossy().into_owned();
            let Some((test, ending)) = file.split_once('.') else {
                continue;
            };
            if let Some(name) = names.0.get(test) {
                let to = self.path.join(format!("{name}.{ending}"));
                fs::copy(entry.path(), &to)
                    .map_err(|error| failed("copy", &entry.path(), &error))?;
            }
        }
        Ok(())
    }

    /// Appends lines to a file of lines.
    pub(super) fn add_lines<L: Serialize>(
        &self,
        state: &mut State,
        name: &str,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<()> {
        let path = self.path.join(name);
        let problem = |error: std::io::Error| failed("write", &path, &error);
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, &line).map_err(|error| problem(error.into()))?;
            text.push(b'\n');
        }
        let is_known = state.lengths.contains_key(name);
        if let (false, Some(folder)) = (is_known, path.parent()) {
            fs::create_dir_all(folder).map_err(problem)?;
        }
        let mut options = File::options();
        // A new file may hold leftovers of a killed command.
        let options = options.create(true).write(true);
        let opened = if is_known {
            options.append(true).open(&path)
        } else {
            options.truncate(true).open(&path)
        };
        opened
            .and_then(|mut file| file.write_all(&text))
            .map_err(problem)?;
        *state.lengths.entry(name.to_string()).or_insert(0) += text.len() as u64;
        Ok(())
    }
}

/// Returns the number of the test that a file belongs to.
fn number(file: &str) -> Option<u64> {
    let (test, _) = file.split_once('.')?;
    test.strip_prefix("test")?.parse().ok()
}

/// Returns the name of the next test.
pub(super) fn next_test(state: &mut State) -> String {
    state.last_test += 1;
    format!("test{:06}", state.last_test)
}
