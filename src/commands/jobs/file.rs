//! The file of a unit: what is to be done, by which homi, with which program.
//!
//! Invariant: a unit is what its file says and nothing else. Two files are the same unit if they
//! say the same, however they are laid out.

use super::error::{Result, failed, request};
use super::text::{Bytes, Numbers};
use crate::strategies::campaign::AssignedRun;
use crate::strategies::weights::learn_search::Trial;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::Path;

const FORMAT: &str = "homi unit";
/// Version of the format.
const VERSION: u32 = 1;
/// Digits of a digest that are kept.
const DIGITS: usize = 16;

/// A homi: its version and the beginning of the SHA-256 of its executable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    pub version: String,
    pub digest: String,
}

impl Build {
    /// The homi with this executable.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn of(executable: &Path) -> Result<Self> {
        let mut hash = Sha256::new();
        File::open(executable)
            .and_then(|mut file| std::io::copy(&mut file, &mut hash))
            .map_err(|error| failed("read", executable, &error))?;
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_string(),
            digest: digits(hash),
        })
    }
}

fn digits(hash: Sha256) -> String {
    let digest = hash.finalize();
    let text: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    text[..DIGITS].to_string()
}

/// A piece of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unit {
    format: String,
    version: u32,
    /// Which homi made it, and alone can do it.
    pub homi: Build,
    /// Its number in its book.
    pub number: u64,
    /// The program that it is about, by its name and its hash as lowered, with its libc; nothing
    /// of a cell, whose study says what its program is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<(String, String)>,
    /// The directory in which words and paths mean something.
    pub directory: String,
    /// What stands after `homi run`, `homi learn-search` or `homi bench`.
    pub words: Vec<String>,
    pub work: Work,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Explore what lies behind open states, for the `--max-time` of the words.
    Frontier {
        open: Bytes,
        /// How many they are, for people.
        states: u64,
        /// What counts as covered.
        sides: Numbers,
        segments: Numbers,
    },
    /// Make a run of a campaign.
    Run {
        run: Box<AssignedRun>,
        /// Tests that it follows first.
        tests: Vec<SeedFile>,
    },
    /// Run a cell of a study.
    Cell {
        cell: Cell,
        /// The study's file; its relative paths begin in the unit's directory.
        study: String,
    },
    /// Make trials of weights.
    Trials { trials: Vec<Trial> },
}

impl Work {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Work::Frontier { .. } => "frontier",
            Work::Run { .. } => "run",
            Work::Cell { .. } => "cell",
            Work::Trials { .. } => "trials",
        }
    }
}

/// A cell of a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub subject: String,
    pub arm: String,
    pub seed: u64,
}

/// An earlier test that a run follows first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeedFile {
    /// The bytes of its `.ktest` file.
    pub test: Bytes,
    /// All has been learned from its path already.
    pub known: bool,
    /// Of a path without end: what it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Vec<u32>>,
}

impl Unit {
    /// A unit of this homi's.
    pub fn new(
        homi: Build,
        number: u64,
        program: Option<(String, String)>,
        (directory, words): (String, Vec<String>),
        work: Work,
    ) -> Self {
        Self {
            format: FORMAT.to_string(),
            version: VERSION,
            homi,
            number,
            program,
            directory,
            words,
            work,
        }
    }

    /// Reads the unit in a file; refuses one that another homi has made.
    pub fn read(path: &Path, homi: &Build) -> Result<Self> {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|error| failed("read", path, &error))?;
        let refused = |text: String| request(format!("{shown} {text}"));
        // The version is looked at alone: another version may have another form.
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else {
            return refused("is no unit: it is cut off, or no JSON".to_string());
        };
        if value["format"] != FORMAT {
            return refused(format!(
                "is no unit: it does not say `\"format\": \"{FORMAT}\"`"
            ));
        }
        let theirs: Build = serde_json::from_value(value["homi"].clone()).unwrap_or(Build {
            version: "?".to_string(),
            digest: "?".to_string(),
        });
        if value["version"] != VERSION || theirs.version != homi.version {
            return refused(format!(
                "is a unit of homi {} in format {}; this is homi {}, format {VERSION}: do it with \
                 the homi that made it",
                theirs.version, value["version"], homi.version
            ));
        }
        if theirs != *homi {
            return refused(format!(
                "is a unit of another build of homi {} ({}, this is {}), whose states may be \
                 others: do it with a copy of the executable that made it",
                homi.version, theirs.digest, homi.digest
            ));
        }
        // From the text: a value has no room for the widest numbers.
        serde_json::from_slice(&bytes).or_else(|error| refused(format!("is no unit: {error}")))
    }

    /// What tells it from all other units.
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        // Text, numbers and lists have a form always.
        hash.update(serde_json::to_vec(self).unwrap_or_default());
        digits(hash)
    }

    /// How it is told from others in messages.
    pub(super) fn shown(&self) -> String {
        format!("unit {} ({}, {})", self.number, self.work.name(), self.id())
    }
}
