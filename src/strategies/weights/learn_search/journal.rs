//! Results of trials on disk, so that an interrupted session can resume: JSON, one line with the
//! request, then one per trial.
//!
//! Invariant: the plan determines the trials, so the journal stores results only. A truncated line
//! belongs to a trial that has not ended.

use super::trial::{EndedTrial, Reached, TrialId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Request: all inputs of the trials.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Hash of the lowered program.
    pub program: String,
    /// Every option that trials depend on, as typed or by default.
    pub options: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
}

/// Reason why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("cannot write {}: {cause}", path.display())]
    Write { path: PathBuf, cause: io::Error },
    #[error(
        "cannot read {}: {cause}; leave out --resume to start again", path.display()
    )]
    Read { path: PathBuf, cause: io::Error },
    #[error(
        "{} is not a journal of `homi learn-search`: {cause}; leave out --resume to start again",
        path.display()
    )]
    Format {
        path: PathBuf,
        cause: serde_json::Error,
    },
    #[error(
        "cannot resume {}: {what} changed since learning started; repeat the first session's, or \
         leave out --resume to start again", path.display()
    )]
    OtherRequest { path: PathBuf, what: &'static str },
}

/// Journal of a session.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    known: FxHashMap<TrialId, Reached>,
}

impl Journal {
    /// Creates a journal, replacing an existing one.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn create(path: &Path, request: &Request) -> Result<Self, JournalError> {
        let failed = |cause| JournalError::Write {
            path: path.to_path_buf(),
            cause,
        };
        let mut journal = Self {
            path: path.to_path_buf(),
            file: File::create(path).map_err(failed)?,
            known: FxHashMap::default(),
        };
        journal.append(request)?;
        Ok(journal)
    }

    /// Resumes the journal of an earlier session.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or if its request differs.
    pub fn resume(path: &Path, request: &Request) -> Result<Self, JournalError> {
        let read = |cause| JournalError::Read {
            path: path.to_path_buf(),
            cause,
        };
        let text = std::fs::read_to_string(path).map_err(read)?;
        // The last line may be truncated.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let format = |cause| JournalError::Format {
            path: path.to_path_buf(),
            cause,
        };
        let first = lines.next().unwrap_or_default();
        let earlier: Request = serde_json::from_str(first).map_err(format)?;
        if let Some(what) = difference(&earlier, request) {
            let path = path.to_path_buf();
            return Err(JournalError::OtherRequest { path, what });
        }
        let mut known = FxHashMap::default();
        for line in lines {
            let line: EndedTrial = serde_json::from_str(line).map_err(format)?;
            known.insert(line.id, line.reached);
        }
        let write = |cause| JournalError::Write {
            path: path.to_path_buf(),
            cause,
        };
        let file = File::options().append(true).open(path).map_err(write)?;
        file.set_len(whole as u64).map_err(write)?;
        let path = path.to_path_buf();
        Ok(Self { path, file, known })
    }

    /// Reads the request and the trials from the journal of an ended session.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read(path: &Path) -> Result<(Request, Vec<EndedTrial>), JournalError> {
        let text = std::fs::read_to_string(path).map_err(|cause| JournalError::Read {
            path: path.to_path_buf(),
            cause,
        })?;
        let format = |cause| JournalError::Format {
            path: path.to_path_buf(),
            cause,
        };
        let mut lines = text.lines();
        let request = serde_json::from_str(lines.next().unwrap_or_default()).map_err(format)?;
        let trials = lines.map(|line| serde_json::from_str(line).map_err(format));
        Ok((request, trials.collect::<Result<_, _>>()?))
    }

    /// Returns the result of a trial in an earlier session; `None` if it has none.
    pub fn known(&self, id: TrialId) -> Option<Reached> {
        self.known.get(&id).copied()
    }

    /// Records the end of a trial.
    pub(super) fn note(
        &mut self,
        id: TrialId,
        seed: u64,
        reached: Reached,
    ) -> Result<(), JournalError> {
        self.append(&EndedTrial { id, seed, reached })
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let failed = |cause| JournalError::Write {
            path: self.path.clone(),
            cause,
        };
        let text = serde_json::to_string(line).map_err(|error| failed(error.into()))?;
        self.file
            .write_all((text + "\n").as_bytes())
            .map_err(failed)
    }
}

/// Returns the part in which two requests differ.
fn difference(earlier: &Request, now: &Request) -> Option<&'static str> {
    if earlier.program != now.program {
        Some("the program or homi")
    } else if earlier.arguments != now.arguments {
        Some("the program's arguments")
    } else if earlier.options != now.options {
        Some("the options")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::Phase;
    use super::*;

    fn request() -> Request {
        Request {
            program: "00ff".to_string(),
            options: vec!["--seed=1".to_string()],
            arguments: vec!["--sym-arg".to_string(), "3".to_string()],
        }
    }

    fn id(repeat: u32) -> TrialId {
        TrialId {
            round: 1,
            phase: Phase::Check,
            vector: 7,
            repeat,
        }
    }

    const REACHED: Reached = Reached {
        branches: 5,
        executions: 6,
    };

    #[test]
    fn what_was_noted_is_known_and_a_cut_line_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trials.jsonl");
        let mut journal = Journal::create(&path, &request()).unwrap();
        journal.note(id(0), 7, REACHED).unwrap();
        journal.note(id(1), 7, REACHED).unwrap();
        drop(journal);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 5]).unwrap();
        let mut journal = Journal::resume(&path, &request()).unwrap();
        assert_eq!(journal.known(id(0)), Some(REACHED));
        assert_eq!(journal.known(id(1)), None);
        journal.note(id(2), 7, REACHED).unwrap();
        drop(journal);
        let journal = Journal::resume(&path, &request()).unwrap();
        assert_eq!(journal.known(id(2)), Some(REACHED));
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
    }

    #[test]
    fn another_request_is_refused_with_what_is_different() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trials.jsonl");
        let refused = |request: &Request| {
            let error = Journal::resume(&path, request).unwrap_err();
            error.to_string()
        };
        assert!(refused(&request()).contains("cannot read"));
        Journal::create(&path, &request()).unwrap();
        let program = Request {
            program: "0000".to_string(),
            ..request()
        };
        assert!(refused(&program).contains("the program or homi changed"));
        let options = Request {
            options: Vec::new(),
            ..request()
        };
        assert!(refused(&options).contains("the options changed"));
        std::fs::write(&path, "no json\n").unwrap();
        assert!(refused(&request()).contains("is not a journal"));
    }
}
