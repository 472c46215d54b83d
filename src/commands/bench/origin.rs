//! What the figures of a study are of: the build of homi, the machine, the bytes of a program.

use super::error::{Result, failed};
use super::subjects::{Program, Recipe};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Digits of a digest that are kept.
const DIGITS: usize = 12;

/// The homi that explores, and the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) homi: PathBuf,
    pub(super) build: String,
    pub(super) commit: String,
    pub(super) machine: String,
    /// Device, number and time of the executable, by which a new build is noticed.
    file: (u64, u64, i64),
}

impl Origin {
    pub(super) fn of(homi: &Path) -> Result<Self> {
        let unreadable = |error: std::io::Error| failed("read", homi, &error);
        Ok(Self {
            homi: homi.to_path_buf(),
            build: digest(&[homi]).map_err(unreadable)?,
            commit: commit(homi),
            machine: machine(),
            file: identity(homi).map_err(unreadable)?,
        })
    }

    /// True if the executable is still the one that the study began with.
    pub(super) fn is_same(&self) -> bool {
        identity(&self.homi).is_ok_and(|file| file == self.file)
    }
}

fn identity(file: &Path) -> std::io::Result<(u64, u64, i64)> {
    let data = std::fs::metadata(file)?;
    Ok((data.dev(), data.ino(), data.mtime()))
}

/// The beginning of the SHA-256 of files' contents.
pub(super) fn digest(files: &[impl AsRef<Path>]) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    for file in files {
        std::io::copy(&mut File::open(file)?, &mut hash)?;
    }
    Ok(in_digits(hash))
}

/// The whole SHA-256 of a file.
pub(super) fn sha256(file: &Path) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    std::io::copy(&mut File::open(file)?, &mut hash)?;
    let digest = hash.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn in_digits(hash: Sha256) -> String {
    let digits: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    digits[..DIGITS].to_string()
}

/// The digest of a recipe: of what a program is made of, where it could not be made.
pub(super) fn digest_of_recipe(recipe: &Recipe) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{recipe:?}"));
    in_digits(hash)
}

/// The files of a program that is there.
pub(super) fn files(program: &Program) -> Vec<PathBuf> {
    match program {
        Program::Files(files) => files.clone(),
        Program::Built(_) => Vec::new(),
    }
}

/// The commit of the checkout that the executable lies in, with a word if files were changed since.
fn commit(homi: &Path) -> String {
    let Some(folder) = homi.parent() else {
        return "unknown".to_string();
    };
    let git = |words: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(words)
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success().then_some(text)
    };
    let Some(head) = git(&["rev-parse", "--short=7", "HEAD"]).filter(|head| !head.is_empty())
    else {
        return "unknown".to_string();
    };
    // The whole checkout, not the folder of the build alone.
    let changed = git(&["status", "--porcelain", "--untracked-files=no", ":/"]);
    if changed.is_some_and(|files| files.is_empty()) {
        head
    } else {
        format!("{head} with changes")
    }
}

/// The processor's model, how many there are, and the system.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model
        .and_then(|rest| rest.split_once(':'))
        .map_or("x86-64", |(_, name)| name.trim());
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{model}, {} processors, Linux {}",
        processors(),
        release.trim()
    )
}

/// How many processors jobs can use.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
