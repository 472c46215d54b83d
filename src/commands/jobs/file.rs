//! File of a job: its work, the build of homi, the program.
//!
//! Invariant: the file alone determines the job. Two files with equal contents are the same job,
//! whatever their layout.

use super::error::{Result, failed, request};
use super::text::{Bytes, Numbers};
use homi_strategies::campaign::AssignedRun;
use homi_strategies::weights::learn_search::Trial;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::Path;

const FORMAT: &str = "homi job";
/// Version of the format.
const VERSION: u32 = 1;
/// Number of hexadecimal digits kept of a digest.
const DIGITS: usize = 16;

/// Build of homi: its version and a prefix of the SHA-256 of its executable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    pub version: String,
    pub digest: String,
}

impl Build {
    /// Returns the build with this executable.
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

/// Job: one part of a run or study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Job {
    format: String,
    version: u32,
    /// Build of homi that created the job and is required to do it.
    pub homi: Build,
    /// Number of the job in its job directory.
    pub number: u64,
    /// Name of the program and hash of its lowered form with libc. `None` for a run, whose study
    /// names the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<(String, String)>,
    /// Directory to which arguments and paths are relative.
    pub directory: String,
    /// Arguments after `homi run`, `homi learn-search` or `homi bench`.
    pub arguments: Vec<String>,
    pub work: Work,
}

/// Work of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Explores from open states, for the `--max-time` of the arguments.
    Frontier {
        open: Bytes,
        /// Number of open states, for users.
        states: u64,
        /// Branch sides that count as covered.
        sides: Numbers,
        segments: Numbers,
    },
    /// Performs a run of a campaign.
    Run {
        run: Box<AssignedRun>,
        /// Tests that the run follows first.
        tests: Vec<SeedFile>,
    },
    /// Runs a run of a study.
    StudyRun {
        study_run: StudyRun,
        /// Text of the study file, whose relative paths start in the job's directory.
        study: String,
    },
    /// Performs trials of weights.
    Trials { trials: Vec<Trial> },
}

impl Work {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Work::Frontier { .. } => "frontier",
            Work::Run { .. } => "run",
            Work::StudyRun { .. } => "study-run",
            Work::Trials { .. } => "trials",
        }
    }
}

/// Run of a study: a program, a configuration and a seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StudyRun {
    pub subject: String,
    pub configuration: String,
    pub seed: u64,
}

/// Earlier test that a run follows first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeedFile {
    /// Bytes of the `.ktest` file.
    pub test: Bytes,
    /// True if the campaign has learned everything from the test's path.
    pub known: bool,
    /// Coverage of a path that did not end; `None` for complete paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Vec<u32>>,
}

impl Job {
    /// Creates a job for this build of homi.
    pub fn new(
        homi: Build,
        number: u64,
        program: Option<(String, String)>,
        (directory, arguments): (String, Vec<String>),
        work: Work,
    ) -> Self {
        Self {
            format: FORMAT.to_string(),
            version: VERSION,
            homi,
            number,
            program,
            directory,
            arguments,
            work,
        }
    }

    /// Reads the job in a file; refuses jobs of another build.
    pub fn read(path: &Path, homi: &Build) -> Result<Self> {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|error| failed("read", path, &error))?;
        let refused = |text: String| request(format!("{shown} {text}"));
        // The version is checked first: another version may have another layout.
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else {
            return refused("is not a job: it is not valid JSON".to_string());
        };
        if value["format"] != FORMAT {
            return refused(format!(
                "is not a job: `\"format\": \"{FORMAT}\"` is missing"
            ));
        }
        let theirs: Build = serde_json::from_value(value["homi"].clone()).unwrap_or(Build {
            version: "?".to_string(),
            digest: "?".to_string(),
        });
        if value["version"] != VERSION || theirs.version != homi.version {
            return refused(format!(
                "is a job of homi {}, format {}, but this is homi {}, format {VERSION}; run it \
                 with the homi that created it",
                theirs.version, value["version"], homi.version
            ));
        }
        if theirs != *homi {
            return refused(format!(
                "is a job of another build of homi {} ({}, this is {}), whose states may differ; \
                 run it with a copy of the executable that created it",
                homi.version, theirs.digest, homi.digest
            ));
        }
        // Parsed from the text: `Value` cannot hold the widest numbers.
        serde_json::from_slice(&bytes).or_else(|error| refused(format!("is not a job: {error}")))
    }

    /// Returns the digest that identifies the job.
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        // Serialization of text, numbers and lists cannot fail.
        hash.update(serde_json::to_vec(self).unwrap_or_default());
        digits(hash)
    }

    /// Returns the name of the job in messages.
    pub(super) fn shown(&self) -> String {
        format!("unit {} ({}, {})", self.number, self.work.name(), self.id())
    }
}
