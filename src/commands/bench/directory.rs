//! Directory of a study: its file, the rows, and a directory per run.
//!
//! ```text
//! study.toml  base.txt     the study file, and the directory of its relative paths
//! runs.jsonl              one line per run
//! runs/SUBJECT/CONFIGURATION/SEED/  log.txt, out/ (the run), replay.json, replay.info
//! build/NAME/  build/NAME.log   programs built for the study
//! report.md  curves.csv    the report
//! ```
//!
//! Invariant: one process at a time writes the directory, and a row is in the file as soon as its
//! run ends.

use super::error::{Result, StudyError, failed, request};
use super::plan::Study;
use super::study_run::{Key, RUNS, Row};
use homi_report::{LineFile, read_lines};
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const STUDY: &str = "study.toml";
const BASE: &str = "base.txt";
const LOCK: &str = "lock";

/// Directory of a study that this process writes.
pub(super) struct Directory {
    pub(super) path: PathBuf,
    pub(super) rows: Vec<Row>,
    file: LineFile,
    /// Lock held while the study runs.
    _lock: Flock<File>,
}

impl Directory {
    /// Creates the directory of a new study.
    pub(super) fn create(path: &Path, file: &Path, base: &Path) -> Result<Self> {
        if let Err(error) = fs::create_dir(path) {
            return match error.kind() {
                std::io::ErrorKind::AlreadyExists => Err(in_the_way(path)),
                _ => Err(failed("make", path, &error)),
            };
        }
        let made = path
            .canonicalize()
            .map_err(|error| failed("find", path, &error))?;
        keep(&made, file, base)?;
        Self::open(&made)
    }

    /// Resumes a study; `file` is its new study file, if one is given.
    pub(super) fn resume(path: &Path, file: Option<(&Path, &Study, &Path)>) -> Result<Self> {
        let path = path
            .canonicalize()
            .map_err(|error| failed("find", path, &error))?;
        if let Some((file, study, base)) = file {
            let there = name_in(&path)?;
            if there != study.name {
                return request(format!(
                    "{} holds the study `{there}`, but {} is the study `{}`; use another directory",
                    path.display(),
                    file.display(),
                    study.name
                ));
            }
            keep(&path, file, base)?;
        }
        Self::open(&path)
    }

    fn open(path: &Path) -> Result<Self> {
        let lock = path.join(LOCK);
        let file = File::create(&lock).map_err(|error| failed("write", &lock, &error))?;
        let Ok(lock) = Flock::lock(file, FlockArg::LockExclusiveNonblock) else {
            return request(format!(
                "another `homi bench` uses {}; wait for its end or use another \
                 directory",
                path.display()
            ));
        };
        let study_runs = path.join(RUNS);
        let file = LineFile::append_to(&study_runs)
            .map_err(|error| failed("write", &study_runs, &error))?;
        Ok(Self {
            path: path.to_path_buf(),
            rows: rows(path)?,
            file,
            _lock: lock,
        })
    }

    /// True if a run has a row.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.rows.iter().any(|row| row.key.is_same_study_run(key))
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: Row) -> Result<()> {
        let written = self.file.append(&row);
        written.map_err(|error| {
            let path = self.path.join(RUNS);
            StudyError::Failed(format!(
                "cannot write {}: {error}; free disk space, then run `homi bench --resume {}`",
                path.display(),
                self.path.display()
            ))
        })?;
        self.rows.push(row);
        Ok(())
    }

    /// Removes the rows of failed runs, so that they run again.
    pub(super) fn forget_failed(&mut self) -> Result<()> {
        let path = self.path.join(RUNS);
        let fresh = self.path.join("runs.jsonl.new");
        let problem = |error: std::io::Error| failed("write", &fresh, &error);
        // Leftover of a killed session.
        let _ = fs::remove_file(&fresh);
        let mut file = LineFile::append_to(&fresh).map_err(problem)?;
        self.rows.retain(|row| row.outcome.counts());
        for row in &self.rows {
            file.append(row).map_err(problem)?;
        }
        fs::rename(&fresh, &path).map_err(problem)?;
        self.file = file;
        Ok(())
    }
}

/// Creates an empty directory for a run; removes the files of a killed job.
pub(super) fn fresh_study_run(directory: &Path, key: &Key) -> Result<PathBuf> {
    let place = study_run(directory, key);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|error| failed("remove", &place, &error))?;
    }
    fs::create_dir_all(&place).map_err(|error| failed("make", &place, &error))?;
    Ok(place)
}

/// Returns the directory of a run.
pub(super) fn study_run(directory: &Path, key: &Key) -> PathBuf {
    let folder = directory
        .join("runs")
        .join(&key.subject)
        .join(&key.configuration);
    folder.join(key.seed.to_string())
}

/// Reads the rows of a study's directory.
pub(super) fn rows(directory: &Path) -> Result<Vec<Row>> {
    let path = directory.join(RUNS);
    read_lines(&path).map_err(|error| failed("read", &path, &error))
}

/// Returns the study file of a directory and the directory of its relative paths.
pub(super) fn kept(directory: &Path) -> Result<(PathBuf, PathBuf)> {
    let file = directory.join(STUDY);
    if !file.is_file() {
        return request(format!(
            "{} is not the directory of a study: {STUDY} is missing",
            directory.display()
        ));
    }
    let base = directory.join(BASE);
    let text = fs::read_to_string(&base).map_err(|error| failed("read", &base, &error))?;
    Ok((file, PathBuf::from(text.trim_end_matches('\n'))))
}

fn keep(directory: &Path, file: &Path, base: &Path) -> Result<()> {
    let kept = directory.join(STUDY);
    // The new study file may be the stored one itself.
    let text = fs::read(file).map_err(|error| failed("read", file, &error))?;
    fs::write(&kept, text).map_err(|error| failed("write", &kept, &error))?;
    let kept = directory.join(BASE);
    let text = format!("{}\n", base.display());
    fs::write(&kept, text).map_err(|error| failed("write", &kept, &error))
}

/// Returns the error for a directory that already exists.
fn in_the_way(path: &Path) -> StudyError {
    let shown = path.display();
    StudyError::Request(match name_in(path) {
        Ok(name) => format!(
            "{shown} already holds the study `{name}`; resume it with --resume {shown}, or choose \
             another directory with --output-dir"
        ),
        Err(_) => format!(
            "{shown} already exists and does not hold a study; choose another directory with \
             --output-dir"
        ),
    })
}

/// Returns the name of the study in a directory.
fn name_in(directory: &Path) -> Result<String> {
    let (file, _) = kept(directory)?;
    let text = fs::read_to_string(&file).map_err(|error| failed("read", &file, &error))?;
    super::plan::name_of(&text, &file)
}
