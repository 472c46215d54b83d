//! `recorded.json`: what a directory of recorded seeds says of itself.

use super::sizes;
use crate::testcase::{Invocation, RECORDED};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    pub schema: u32,
    /// The command and its arguments.
    pub command: Vec<String>,
    /// The recorded program.
    pub program: String,
    pub invocations: usize,
    /// Symbolic inputs of a run with these seeds, unless it is given others.
    pub arguments: Vec<String>,
}

impl Recorded {
    /// Describes seeds made of these invocations.
    pub fn new(command: Vec<String>, program: String, invocations: &[Invocation]) -> Self {
        Self {
            schema: 1,
            command,
            program,
            invocations: invocations.len(),
            arguments: sizes::symbolic_inputs(invocations),
        }
    }

    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(directory.join(RECORDED), text)
    }
}
