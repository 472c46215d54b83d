//! Origin of a study's statistics: the build of homi, the machine, the program's files.

use super::error::{Result, failed};
use super::subjects::{Program, Recipe};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of hexadecimal digits kept of a digest.
const DIGITS: usize = 12;

/// Executable of homi that explores, and the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) homi: PathBuf,
    pub(super) build: String,
    pub(super) commit: String,
    pub(super) machine: String,
    /// Device, inode and modification time of the executable; they detect a new build.
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

    /// True if the executable has not changed since the study started.
    pub(super) fn is_same(&self) -> bool {
        identity(&self.homi).is_ok_and(|file| file == self.file)
    }
}

fn identity(file: &Path) -> std::io::Result<(u64, u64, i64)> {
    let data = std::fs::metadata(file)?;
    Ok((data.dev(), data.ino(), data.mtime()))
}

/// Returns a prefix of the SHA-256 of the contents of files.
pub(super) fn digest(files: &[impl AsRef<Path>]) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    for file in files {
        std::io::copy(&mut File::open(file)?, &mut hash)?;
    }
    Ok(in_digits(hash))
}

/// Returns the SHA-256 of a file.
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

/// Returns the digest of a recipe, for a program that could not be built.
pub(super) fn digest_of_recipe(recipe: &Recipe) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{recipe:?}"));
    in_digits(hash)
}

/// Returns the files of an existing program.
pub(super) fn files(program: &Program) -> Vec<PathBuf> {
    match program {
        Program::Files(files) => files.clone(),
        Program::Built(_) => Vec::new(),
    }
}

/// Returns the commit of the checkout that contains the executable, and marks changed files.
fn commit(homi: &Path) -> String {
    let Some(folder) = homi.parent() else {
        return "unknown".to_string();
    };
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(arguments)
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success().then_some(text)
    };
    let Some(head) = git(&["rev-parse", "--short=7", "HEAD"]).filter(|head| !head.is_empty())
    else {
        return "unknown".to_string();
    };
    // `:/` covers the whole checkout, not only the build's directory.
    let changed = git(&["status", "--porcelain", "--untracked-files=no", ":/"]);
    if changed.is_some_and(|files| files.is_empty()) {
        head
    } else {
        format!("{head} with changes")
    }
}

/// Returns the CPU model, the number of CPUs and the operating system.
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

/// Returns the number of CPUs available for jobs.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
