//! Directory of a job's result: created under a temporary name next to it, then renamed.
//!
//! Invariant: the result directory is complete or absent. Two processes may do the same job at the
//! same time; the second one to finish finds the first one's result.

use super::error::{JobError, Result, failed, request};
use super::file::Job;
use super::outcome::{FORMAT, Outcome, VERSION};
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Name of the result's file.
const RESULT: &str = "result.json";
const LOCK: &str = "lock";

/// State of a result directory.
#[derive(Debug)]
pub enum Begun {
    /// The job has a result.
    Finished(Box<Outcome>),
    /// The job has no result; this process may do it.
    ResultDir(ResultDir),
}

/// Working directory of a job in progress.
#[derive(Debug)]
pub struct ResultDir {
    place: PathBuf,
    part: PathBuf,
    /// Lock held while the job is in progress, which other processes check.
    _lock: Flock<File>,
}

/// Returns the result of a job if its directory exists; else creates a working directory. Removes
/// working directories of killed processes.
pub fn begin(job: &Job, place: &Path) -> Result<Begun> {
    let place = std::path::absolute(place).map_err(|error| failed("find", place, &error))?;
    if let Some(outcome) = finished(job, &place)? {
        return Ok(Begun::Finished(Box::new(outcome)));
    }
    let parent = place.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).map_err(|error| failed("make", parent, &error))?;
    remove_dead(&place);
    let part = part(&place);
    fs::create_dir(&part).map_err(|error| failed("make", &part, &error))?;
    let path = part.join(LOCK);
    let file = File::create(&path).map_err(|error| failed("write", &path, &error))?;
    let lock = Flock::lock(file, FlockArg::LockExclusiveNonblock)
        .map_err(|(_, error)| failed("lock", &path, &error.into()))?;
    Ok(Begun::ResultDir(ResultDir {
        place,
        part,
        _lock: lock,
    }))
}

/// Reads the result in a directory.
pub(super) fn read(place: &Path) -> Result<Outcome> {
    let path = place.join(RESULT);
    let bytes = fs::read(&path).map_err(|error| failed("read", &path, &error))?;
    let value: std::result::Result<serde_json::Value, _> = serde_json::from_slice(&bytes);
    let is_ours =
        |value: &serde_json::Value| value["format"] == FORMAT && value["version"] == VERSION;
    let outcome = match value {
        // Parsed from the text: `Value` cannot hold the widest numbers.
        Ok(value) if is_ours(&value) => serde_json::from_slice(&bytes),
        Ok(_) => {
            return request(format!(
                "{} is not a result of this version of homi",
                path.display()
            ));
        }
        Err(error) => Err(error),
    };
    outcome.map_err(|error| {
        JobError::Request(format!(
            "{} is corrupt or truncated: {error}; run the job again",
            path.display()
        ))
    })
}

/// Returns the result of a job in a directory; `None` if there is none.
fn finished(job: &Job, place: &Path) -> Result<Option<Outcome>> {
    let shown = place.display();
    let mut entries = match fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed("read", place, &error)),
    };
    if entries.next().is_none() {
        return Ok(None);
    }
    if !place.join(RESULT).exists() {
        return request(format!(
            "{shown} is not empty and does not hold a result; choose another --out"
        ));
    }
    let outcome = read(place)?;
    if outcome.job == job.id() {
        Ok(Some(outcome))
    } else {
        request(format!(
            "{shown} holds the result of another job (job {}, {}), but this is {}; choose another \
             --out",
            outcome.number,
            outcome.job,
            job.shown()
        ))
    }
}

/// Returns a new path for a working directory.
fn part(place: &Path) -> PathBuf {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let time = time.unwrap_or_default().subsec_nanos();
    let mut name = beginning(place);
    name.push_str(&format!("{}-{time}", std::process::id()));
    place.with_file_name(name)
}

/// Returns the prefix of the names of a result's working directories.
fn beginning(place: &Path) -> String {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.part-")
}

/// Removes working directories of killed processes, whose locks are free.
fn remove_dead(place: &Path) {
    let entries = place.parent().and_then(|parent| fs::read_dir(parent).ok());
    let beginning = beginning(place);
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with(&beginning) {
            continue;
        }
        let Ok(file) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        if let Ok(lock) = Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            // A directory that cannot be removed is harmless.
            let _ = fs::remove_dir_all(entry.path());
            drop(lock);
        }
    }
}

impl ResultDir {
    /// Returns the directory to which the job may write.
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// Renames the working directory to the result directory, unless another process was faster.
    pub fn finish(self, job: &Job, outcome: Outcome) -> Result<Outcome> {
        let path = self.part.join(RESULT);
        let text = serde_json::to_vec(&outcome)
            .map_err(|error| JobError::Failed(format!("cannot encode the result: {error}")))?;
        let problem = |error: std::io::Error| failed("write", &path, &error);
        fs::write(&path, text).map_err(problem)?;
        File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(problem)?;
        // A complete result needs no lock.
        let _ = fs::remove_file(self.part.join(LOCK));
        match fs::rename(&self.part, &self.place) {
            Ok(()) => Ok(outcome),
            Err(error) => match finished(job, &self.place) {
                Ok(Some(earlier)) => {
                    self.discard();
                    Ok(earlier)
                }
                Ok(None) => Err(failed("write", &self.place, &error)),
                Err(other) => Err(other),
            },
        }
    }

    /// Removes the working directory of a job that failed.
    pub fn discard(self) {
        // The next process that does the job removes leftovers.
        let _ = fs::remove_dir_all(&self.part);
    }
}
