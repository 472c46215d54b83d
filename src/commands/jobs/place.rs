//! The directory of a unit's result: made beside its place, and moved there when it is whole.
//!
//! Invariant: a directory that a unit was to be done in holds its whole result, or is not there.
//! Two processes may do one unit at the same time; the second to end finds the first one's result.

use super::error::{Result, UnitError, failed, request};
use super::file::Unit;
use super::outcome::{FORMAT, Outcome, VERSION};
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The name of the result's file.
const RESULT: &str = "result.json";
const LOCK: &str = "lock";

/// What is there for a unit.
#[derive(Debug)]
pub enum Begun {
    /// Its result.
    Finished(Box<Outcome>),
    /// A place to do it.
    Place(Place),
}

/// A place for a unit that is done now.
#[derive(Debug)]
pub struct Place {
    place: PathBuf,
    part: PathBuf,
    /// Held as long as it is done, so that others know.
    _lock: Flock<File>,
}

/// Looks what there is of a unit in the directory for its result, and makes a place to do it if
/// there is none. What processes have left that were killed goes.
pub fn begin(unit: &Unit, place: &Path) -> Result<Begun> {
    let place = std::path::absolute(place).map_err(|error| failed("find", place, &error))?;
    if let Some(outcome) = finished(unit, &place)? {
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
    Ok(Begun::Place(Place {
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
        // From the text: a value has no room for the widest numbers.
        Ok(value) if is_ours(&value) => serde_json::from_slice(&bytes),
        Ok(_) => return request(format!("{} is no result of this homi's", path.display())),
        Err(error) => Err(error),
    };
    outcome.map_err(|error| {
        UnitError::Request(format!("{} is damaged or cut off: {error}", path.display()))
    })
}

/// The result of a unit in a directory; nothing if there is none.
fn finished(unit: &Unit, place: &Path) -> Result<Option<Outcome>> {
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
            "{shown} holds something else than a result: name another --out"
        ));
    }
    let outcome = read(place)?;
    if outcome.unit == unit.id() {
        Ok(Some(outcome))
    } else {
        request(format!(
            "{shown} holds the result of another unit (unit {}, {}), and this is {}: name another \
             --out",
            outcome.number,
            outcome.unit,
            unit.shown()
        ))
    }
}

/// Where a process does a unit.
fn part(place: &Path) -> PathBuf {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let time = time.unwrap_or_default().subsec_nanos();
    let mut name = beginning(place);
    name.push_str(&format!("{}-{time}", std::process::id()));
    place.with_file_name(name)
}

/// How names of places begin where a unit is done.
fn beginning(place: &Path) -> String {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.part-")
}

/// Removes what processes have left that were killed: nobody holds its lock.
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
            // What stays is in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
            drop(lock);
        }
    }
}

impl Place {
    /// Where the unit may write.
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// The unit is done: all that it has written is moved to its place, if nobody else was earlier.
    pub fn finish(self, unit: &Unit, outcome: Outcome) -> Result<Outcome> {
        let path = self.part.join(RESULT);
        let text = serde_json::to_vec(&outcome)
            .map_err(|error| UnitError::Failed(format!("the result has no form: {error}")))?;
        let problem = |error: std::io::Error| failed("write", &path, &error);
        fs::write(&path, text).map_err(problem)?;
        File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(problem)?;
        // What was done is known to be whole, so nobody needs to know who did it.
        let _ = fs::remove_file(self.part.join(LOCK));
        match fs::rename(&self.part, &self.place) {
            Ok(()) => Ok(outcome),
            Err(error) => match finished(unit, &self.place) {
                Ok(Some(earlier)) => {
                    self.discard();
                    Ok(earlier)
                }
                Ok(None) => Err(failed("write", &self.place, &error)),
                Err(other) => Err(other),
            },
        }
    }

    /// The unit was not done.
    pub fn discard(self) {
        // What stays is removed by who does the unit next.
        let _ = fs::remove_dir_all(&self.part);
    }
}
