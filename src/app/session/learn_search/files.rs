//! The files of a session of learning: the weights, and the directory next to them.
//!
//! Invariant: what an earlier session left is never overwritten silently.

use super::super::SessionError;
use homi_config::LearnSearchConfig;
use homi_report::OutputDirectory;
use homi_strategies::weights::learn_search::{Journal, JournalError, Request};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Results of trials, in the directory next to the weights.
const JOURNAL: &str = "trials.jsonl";

/// `FILE.learning`.
fn directory_of(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_os_string();
    name.push(".learning");
    PathBuf::from(name)
}

/// Sees whether the weights can be written.
pub(super) fn check(learn: &LearnSearchConfig) -> Result<(), SessionError> {
    let output = &learn.output;
    let shown = output.display();
    let is_new = !output.exists();
    let open = File::options().append(true).create(true).open(output);
    open.map_err(SessionError::io(format!("cannot write --output {shown}")))?;
    if is_new {
        // It was only a trial: no file of weights is empty.
        fs::remove_file(output)
            .map_err(SessionError::io(format!("cannot create --output {shown}")))?;
    }
    Ok(())
}

/// Creates the directory next to the weights, or opens the resumed session's directory.
pub(super) fn directory(learn: &LearnSearchConfig) -> Result<OutputDirectory, SessionError> {
    let path = directory_of(&learn.output);
    let has_journal = path.join(JOURNAL).exists();
    let shown = path.display();
    match (learn.resume, has_journal) {
        (true, true) => Ok(OutputDirectory::open(&path)),
        (true, false) => Err(SessionError::Request(format!(
            "--resume: {shown} holds no session to resume; leave the option out"
        ))),
        (false, _) if path.exists() => Err(SessionError::Request(format!(
            "{shown} exists from an earlier session; add --resume, remove it, or choose another \
             --output"
        ))),
        (false, _) => Ok(OutputDirectory::create(
            Some(&path),
            Path::new("."),
            "homi",
        )?),
    }
}

/// The journal in the directory.
pub(super) fn journal(
    learn: &LearnSearchConfig,
    directory: &OutputDirectory,
    request: &Request,
) -> Result<Journal, SessionError> {
    let path = directory.file(JOURNAL);
    let journal = if learn.resume {
        Journal::resume(&path, request)
    } else {
        Journal::create(&path, request)
    };
    journal.map_err(|error| match error {
        JournalError::OtherRequest { .. } => SessionError::Request(error.to_string()),
        error => error.into(),
    })
}
