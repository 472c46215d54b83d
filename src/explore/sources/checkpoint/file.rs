//! The file of a checkpoint: `checkpoint` in an output directory, and `checkpoint.before`, the one
//! before.
//!
//! A line of JSON says what it is, and how long what follows is and its hash: what the run has to
//! say, as JSON, then the open states. Invariant: a file of that name is whole, unless the disk has
//! lost a part of it; then the hash tells, and the one before is used.

use super::open::Frontier;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file within an output directory.
const FILE: &str = "checkpoint";
const BEFORE: &str = "checkpoint.before";
const PART: &str = "checkpoint.part";
const FORMAT: &str = "homi checkpoint";
/// Version of the format.
const VERSION: u32 = 1;

/// Reason why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "cannot resume: {} is corrupt and has no backup; its tests are intact: start a new run in \
         another directory with --seed-dir {} to follow them first", path.display(),
        directory.display()
    )]
    Damaged { path: PathBuf, directory: PathBuf },
    #[error(
        "cannot resume: {} was written by homi {theirs}, format {format}, but this is homi {}, \
         format {VERSION}; resume with that homi, or start a new run", path.display(), env!("CARGO_PKG_VERSION")
    )]
    Version {
        path: PathBuf,
        theirs: String,
        format: u32,
    },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Line<H> {
    format: String,
    version: u32,
    homi: String,
    /// Bytes of what the run has to say, and of the open states.
    facts: usize,
    states: usize,
    /// Hash of everything after it.
    sha256: String,
    run: H,
}

/// A checkpoint.
#[derive(Debug)]
pub struct Found<H, S> {
    /// Identity of the run.
    pub head: H,
    /// Messages of the run.
    pub facts: S,
    pub frontier: Frontier,
    /// The newest one is damaged: this is the one before.
    pub is_older: bool,
}

fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// True if there is a checkpoint in a directory.
pub fn exists(directory: &Path) -> bool {
    [FILE, BEFORE]
        .iter()
        .any(|name| directory.join(name).exists())
}

/// Removes the checkpoints of a run that is over.
pub fn remove(directory: &Path) {
    for name in [FILE, BEFORE, PART] {
        // A missing file needs no removal, and the summary marks a remaining one as outdated.
        let _ = fs::remove_file(directory.join(name));
    }
}

/// Writes a checkpoint and keeps the existing one as the backup. Returns its size in bytes.
pub fn write(
    directory: &Path,
    head: &impl Serialize,
    facts: &impl Serialize,
    frontier: &Frontier,
) -> io::Result<u64> {
    let facts = serde_json::to_vec(facts)?;
    let states = frontier.to_bytes();
    let body = [facts.as_slice(), &states].concat();
    let mut bytes = serde_json::to_vec(&Line {
        format: FORMAT.to_string(),
        version: VERSION,
        homi: env!("CARGO_PKG_VERSION").to_string(),
        facts: facts.len(),
        states: states.len(),
        sha256: hash(&body),
        run: head,
    })?;
    bytes.push(b'\n');
    bytes.extend(body);
    let (part, path) = (directory.join(PART), directory.join(FILE));
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    if let Err(error) = written {
        let _ = fs::remove_file(&part);
        return Err(error);
    }
    if path.exists() {
        fs::rename(&path, directory.join(BEFORE))?;
    }
    fs::rename(&part, &path)?;
    File::open(directory)?.sync_all()?;
    Ok(bytes.len() as u64)
}

/// Reads the newest checkpoint of a directory that is whole.
pub fn read<H: DeserializeOwned, S: DeserializeOwned>(
    directory: &Path,
) -> Result<Found<H, S>, CheckpointError> {
    first_whole(directory, |name| {
        let bytes = read_file(directory, name)?;
        Ok(whole(&bytes))
    })
    .map(|((head, facts, frontier), is_older)| Found {
        head,
        facts,
        frontier,
        is_older,
    })
}

/// Returns the identity of the run whose checkpoints are in a directory.
pub fn read_head<H: DeserializeOwned>(directory: &Path) -> Result<H, CheckpointError> {
    let read = first_whole(directory, |name| {
        let bytes = read_file(directory, name)?;
        Ok(line(&bytes).map(|(line, _)| line.run))
    });
    read.map(|(head, _)| head)
}

/// The first of the files that gives something, and whether it is the older one.
fn first_whole<T>(
    directory: &Path,
    read: impl Fn(&str) -> Result<Option<T>, CheckpointError>,
) -> Result<(T, bool), CheckpointError> {
    let newest = match read(FILE) {
        // It may have been stopped where the two were renamed.
        Err(CheckpointError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            let older = read(BEFORE)?;
            return older
                .map(|found| (found, false))
                .ok_or_else(|| damaged(directory));
        }
        newest => newest?,
    };
    if let Some(found) = newest {
        return Ok((found, false));
    }
    match read(BEFORE) {
        Ok(Some(found)) => Ok((found, true)),
        _ => Err(damaged(directory)),
    }
}

fn damaged(directory: &Path) -> CheckpointError {
    CheckpointError::Damaged {
        path: directory.join(FILE),
        directory: directory.to_path_buf(),
    }
}

/// The bytes of a file. Fails if it is of another version, too.
fn read_file(directory: &Path, name: &str) -> Result<Vec<u8>, CheckpointError> {
    let path = directory.join(name);
    let bytes = fs::read(&path).map_err(|source| CheckpointError::Read {
        path: path.clone(),
        source,
    })?;
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let head = end.and_then(|end| serde_json::from_slice(&bytes[..end]).ok());
    if let Some(serde_json::Value::Object(head)) = head {
        let text = |name: &str| head.get(name).and_then(serde_json::Value::as_str);
        let format = head.get("version").and_then(serde_json::Value::as_u64);
        let theirs = text("homi").unwrap_or("?");
        let ours = env!("CARGO_PKG_VERSION");
        if text("format") == Some(FORMAT) && (theirs != ours || format != Some(VERSION.into())) {
            return Err(CheckpointError::Version {
                theirs: theirs.to_string(),
                format: format.unwrap_or(0) as u32,
                path,
            });
        }
    }
    Ok(bytes)
}

/// The first line and what follows, if it is the line of a checkpoint.
fn line<H: DeserializeOwned>(bytes: &[u8]) -> Option<(Line<H>, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line: Line<H> = serde_json::from_slice(&bytes[..end]).ok()?;
    (line.format == FORMAT).then_some((line, &bytes[end + 1..]))
}

/// Returns the content of a checkpoint if it is complete.
fn whole<H: DeserializeOwned, S: DeserializeOwned>(bytes: &[u8]) -> Option<(H, S, Frontier)> {
    let (line, body) = line::<H>(bytes)?;
    if body.len() != line.facts.checked_add(line.states)? || hash(body) != line.sha256 {
        return None;
    }
    let (facts, states) = body.split_at(line.facts);
    let facts = serde_json::from_slice(facts).ok()?;
    Some((line.run, facts, Frontier::from_bytes(states)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::checkpoint::Collector;
    use crate::sources::checkpoint::{OpenState, Waits};
    use homi_ir::program::FuncId;
    use homi_machine::state::{Decision, DecisionList};

    fn frontier(states: u64) -> Frontier {
        let mut collector = Collector::default();
        let mut list = DecisionList::default();
        let mut lists = Vec::new();
        for state in 0..states {
            let side = (state % 2) as u8;
            list.push(Decision::Branch { side });
            let open = OpenState {
                node: crate::sources::checkpoint::DecisionTree::ROOT,
                instructions: 1000 + 7 * state,
                waits: Waits::ForNothing,
                function: FuncId(3),
                pc: 5,
            };
            lists.push(list.clone());
            collector.add_decided(&list, open);
        }
        collector.finish()
    }

    type Read = Result<Found<String, u64>, CheckpointError>;

    #[test]
    fn a_checkpoint_that_is_cut_off_anywhere_gives_way_to_the_one_before() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let run = "a run".to_string();
        write(path, &run, &1u64, &frontier(10)).unwrap();
        write(path, &run, &2u64, &frontier(20)).unwrap();
        let found: Read = read(path);
        let found = found.unwrap();
        assert_eq!((found.facts, found.is_older), (2, false));
        assert_eq!(found.frontier.states, frontier(20).states);
        assert_eq!(found.frontier.states.len(), 20);
        let bytes = fs::read(path.join(FILE)).unwrap();
        for cut in (0..50).map(|part| bytes.len() * part / 50) {
            fs::write(path.join(FILE), &bytes[..cut]).unwrap();
            let found: Read = read(path);
            let found = found.unwrap();
            assert_eq!((found.facts, found.is_older), (1, true), "cut at {cut}");
            assert_eq!(found.frontier.states.len(), 10);
        }
        fs::remove_file(path.join(FILE)).unwrap();
        let found: Read = read(path);
        assert_eq!(found.unwrap().facts, 1);
        fs::write(path.join(BEFORE), &bytes[..bytes.len() / 2]).unwrap();
        let found: Read = read(path);
        let message = found.unwrap_err().to_string();
        assert!(
            message.contains("corrupt") && message.contains("--seed-dir"),
            "{message}"
        );
        remove(path);
        assert!(!exists(path));
    }

    /// Tests the tree of a breadth-first search: each state is on a separate list.
    #[test]
    fn ten_thousand_states_take_a_few_bytes_each() {
        let mut lists = vec![DecisionList::default()];
        while lists.len() < 10_000 {
            lists = lists
                .into_iter()
                .flat_map(|list| {
                    [0, 1].map(|side| {
                        let mut list = list.clone();
                        list.push(Decision::Branch { side });
                        list
                    })
                })
                .collect();
        }
        let began = std::time::Instant::now();
        let mut collector = Collector::default();
        for (number, list) in (0..).zip(&lists[..10_000]) {
            let open = OpenState {
                node: crate::sources::checkpoint::DecisionTree::ROOT,
                instructions: 100_000 + 37 * (number % 100),
                waits: Waits::ForNothing,
                function: FuncId(300),
                pc: 50,
            };
            collector.add_decided(list, open);
        }
        let frontier = collector.finish();
        let bytes = frontier.to_bytes();
        let written = began.elapsed();
        let again = Frontier::from_bytes(&bytes).unwrap();
        println!(
            "{} bytes a state, taken down in {written:?}, read in {:?}",
            bytes.len() as f64 / 10_000.0,
            began.elapsed() - written
        );
        assert_eq!(again.states, frontier.states);
        assert!(bytes.len() < 20 * 10_000);
    }

    #[test]
    fn another_version_is_reported() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        write(path, &"a run".to_string(), &1u64, &frontier(3)).unwrap();
        let text = fs::read(path.join(FILE)).unwrap();
        let text = String::from_utf8_lossy(&text).replacen("\"version\":1", "\"version\":9", 1);
        fs::write(path.join(FILE), text.as_bytes()).unwrap();
        let found: Read = read(path);
        assert!(found.unwrap_err().to_string().contains("format 9"));
        assert!(read_head::<String>(path).is_err());
    }
}
