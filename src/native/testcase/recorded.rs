//! `recorded.json`: what `homi record` says of a directory of seeds, as far as runs ask.

use serde::Deserialize;
use std::path::Path;

/// Name of the file within a directory of seeds.
pub const RECORDED: &str = "recorded.json";

#[derive(Deserialize)]
struct Stored {
    arguments: Vec<String>,
}

/// Returns the symbolic inputs that fit the seeds in a directory, if `recorded.json` names them.
pub fn recorded_arguments(directory: &Path) -> Option<Vec<String>> {
    let text = std::fs::read(directory.join(RECORDED)).ok()?;
    let stored: Stored = serde_json::from_slice(&text).ok()?;
    (!stored.arguments.is_empty()).then_some(stored.arguments)
}
