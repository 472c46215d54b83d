//! A kept case as a directory of plain files, which people review and edit.
//!
//! Invariant: the files are a function of the case alone: no date, no version, no absolute path. A
//! directory is written aside and renamed, so that an interruption leaves no half of one.

use super::case::{Case, USUAL_MODE};
use super::escaped::to_lines;
use super::expectation::{Expectation, Tree};
use anyhow::Context;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The script that runs the cases.
pub const RUN_SCRIPT: &str = include_str!("../../../runtime/keep/run.sh");

/// Content of the file `tree` when the files that a program leaves are not compared.
pub(super) const ANY_TREE: &[u8] = b"*\n";

/// Line of the file `bug` about a bug without a signal.
pub(super) const ONLY_SANITIZER: &str = "sanitizer";

/// A known bug that a case shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// One line about it.
    pub text: String,
    /// The program goes on natively; a sanitizer ends it.
    pub only_sanitizer: bool,
}

/// A case with what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCase {
    pub case: Case,
    /// Expectation; for a bug only that there is none is meant.
    pub expected: Expectation,
    pub bug: Option<Bug>,
    /// Lines about what the case covers.
    pub about: Vec<String>,
}

/// Returns the names of the kept cases of a directory in order; `None` stands for no directory.
///
/// # Errors
/// Fails if the directory cannot be read.
pub fn kept_in(directory: &Path) -> anyhow::Result<Vec<String>> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let failed = || format!("cannot read {}", directory.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && entry.path().join(ABOUT).is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

pub(super) const ABOUT: &str = "about";

/// Writes a case as a directory, which replaces one of that name.
///
/// # Errors
/// Fails if a file cannot be written; the directory is then as before.
pub fn write(directory: &Path, kept: &KeptCase) -> anyhow::Result<()> {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let aside = directory.with_file_name(format!(".{name}.part"));
    let written = fill(&aside, kept).and_then(|()| {
        remove(directory)?;
        fs::rename(&aside, directory)
            .with_context(|| format!("cannot rename to {}", directory.display()))
    });
    if written.is_err() {
        // The first error says what is wrong.
        let _ = remove(&aside);
    }
    written
}

fn remove(directory: &Path) -> anyhow::Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    Ok(())
}

fn fill(place: &Path, kept: &KeptCase) -> anyhow::Result<()> {
    remove(place)?;
    let put = |name: &str, bytes: &[u8]| put(&place.join(name), bytes);
    let case = &kept.case;
    put("args", &to_lines(&case.arguments))?;
    if !case.environment.is_empty() {
        put("env", &to_lines(&case.environment))?;
    }
    if !case.stdin.is_empty() {
        put("stdin", &case.stdin)?;
    }
    let mut modes = String::new();
    for file in &case.files {
        let target = place.join("files").join(OsStr::from_bytes(&file.path));
        self::put(&target, &file.content)?;
        if file.mode != USUAL_MODE {
            let path = String::from_utf8_lossy(&file.path);
            modes += &format!("{:04o} {path}\n", file.mode);
        }
    }
    if !modes.is_empty() {
        put("files.mode", modes.as_bytes())?;
    }
    match &kept.bug {
        Some(bug) => {
            let more = if bug.only_sanitizer {
                format!("{ONLY_SANITIZER}\n")
            } else {
                String::new()
            };
            put("bug", format!("{}\n{more}", bug.text).as_bytes())?;
        }
        None => put_expectation(place, case, &kept.expected)?,
    }
    let mut about: String = kept.about.iter().map(|line| format!("{line}\n")).collect();
    about += &format!("id: {}\n", case.identity());
    about += &format!("text: {}\n", digest_of(place)?);
    put(ABOUT, about.as_bytes())
}

fn put_expectation(place: &Path, case: &Case, expected: &Expectation) -> anyhow::Result<()> {
    put(
        &place.join("status"),
        format!("{}\n", expected.end).as_bytes(),
    )?;
    for (name, bytes) in [("stdout", &expected.stdout), ("stderr", &expected.stderr)] {
        if let Some(bytes) = bytes {
            put(&place.join(name), bytes)?;
        }
    }
    let Some(after) = &expected.files else {
        return put(&place.join("tree"), ANY_TREE);
    };
    let before = tree_of(case);
    if !before.keys().eq(after.keys()) {
        put(&place.join("tree"), &listing(after))?;
    }
    for (path, content) in after {
        if let (Some(bytes), true) = (content, before.get(path) != Some(content)) {
            put(&place.join("after").join(OsStr::from_bytes(path)), bytes)?;
        }
    }
    Ok(())
}

/// Writes a file and the directories above it.
fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    if let Some(above) = path.parent() {
        fs::create_dir_all(above).with_context(failed)?;
    }
    fs::write(path, bytes).with_context(failed)
}

/// Returns the files of a case before its run.
pub(super) fn tree_of(case: &Case) -> Tree {
    let mut tree = Tree::new();
    for file in &case.files {
        let path = Path::new(OsStr::from_bytes(&file.path));
        let above = path.ancestors().skip(1);
        for directory in above.filter(|path| !path.as_os_str().is_empty()) {
            tree.insert(directory.as_os_str().as_bytes().to_vec(), None);
        }
        tree.insert(file.path.clone(), Some(file.content.clone()));
    }
    tree
}

/// Returns the lines of `find . | LC_ALL=C sort`.
fn listing(tree: &Tree) -> Vec<u8> {
    let mut paths: Vec<Vec<u8>> = tree
        .keys()
        .map(|path| [b"./", &path[..]].concat())
        .collect();
    paths.push(b".".to_vec());
    paths.sort();
    let lines = paths.into_iter().map(|path| [&path[..], b"\n"].concat());
    lines.flatten().collect()
}

/// Returns the digest of all files of a case except `about`.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn digest_of(directory: &Path) -> anyhow::Result<String> {
    let mut digest = Sha256::new();
    for path in files_below(directory)? {
        let below = path.strip_prefix(directory).unwrap_or(&path);
        if below != Path::new(ABOUT) {
            let bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = below.as_os_str().as_bytes();
            for part in [name, &bytes] {
                digest.update((part.len() as u64).to_le_bytes());
                digest.update(part);
            }
        }
    }
    let bytes = digest.finalize();
    Ok(bytes[..4]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// Returns true if a case is as homi wrote it.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn is_unchanged(directory: &Path) -> anyhow::Result<bool> {
    let about = fs::read(directory.join(ABOUT)).unwrap_or_default();
    let about = String::from_utf8_lossy(&about).into_owned();
    let written = about.lines().find_map(|line| line.strip_prefix("text: "));
    Ok(written == Some(&digest_of(directory)?))
}

/// All regular files below a directory, by path. Links are not followed.
pub(super) fn files_below(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let failed = || format!("cannot read {}", directory.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let kind = entry.file_type().with_context(failed)?;
        if kind.is_dir() {
            found.extend(files_below(&entry.path())?);
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::case::CaseFile;
    use super::super::expectation::{End, Expectation};
    use super::super::reading::read;
    use super::*;

    fn sample() -> KeptCase {
        let file = |path: &str, content: &str, mode| CaseFile {
            path: path.into(),
            content: content.into(),
            mode,
        };
        let case = Case {
            arguments: vec![b"".to_vec(), b"\x01\n".to_vec()],
            environment: vec![b"LANG=de".to_vec()],
            stdin: b"x".to_vec(),
            files: vec![file("A", "a", 0o600), file("d/B", "b", 0o644)],
        };
        let files = [
            (&b"d"[..], None),
            (b"d/B", Some(b"c".to_vec())),
            (b"e", None),
        ];
        KeptCase {
            case,
            expected: Expectation {
                end: End::Signal(6),
                stdout: Some(Vec::new()),
                stderr: None,
                files: Some(files.map(|(path, content)| (path.to_vec(), content)).into()),
            },
            bug: None,
            about: vec!["covers: a.c:4 \"x\" true".to_string()],
        }
    }

    #[test]
    fn what_is_written_is_read_and_edits_are_noticed() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = place.path().join("one");
        write(&directory, &sample()).expect("written");
        assert_eq!(read(&directory).expect("read"), sample());
        assert_eq!(kept_in(place.path()).expect("read"), ["one"]);
        assert!(is_unchanged(&directory).expect("read"));
        let tree = fs::read(directory.join("tree")).expect("a tree");
        assert_eq!(tree, b".\n./d\n./d/B\n./e\n");
        fs::write(directory.join("stdout"), "edited").expect("written");
        assert!(!is_unchanged(&directory).expect("read"));
        write(&directory, &sample()).expect("written");
        assert!(is_unchanged(&directory).expect("read"));
        fs::write(directory.join("args"), "../x\n").expect("written");
        let refused = read(&directory).expect_err("it goes up").to_string();
        assert!(refused.contains("outside"), "{refused}");
    }

    #[test]
    fn files_that_vary_and_bugs_are_kept() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = place.path().join("one");
        let mut kept = sample();
        kept.expected.files = None;
        write(&directory, &kept).expect("written");
        assert_eq!(read(&directory).expect("read"), kept);
        kept.bug = Some(Bug {
            text: "division by zero at a.c:9".to_string(),
            only_sanitizer: true,
        });
        write(&directory, &kept).expect("written");
        assert_eq!(read(&directory).expect("read").bug, kept.bug);
        assert!(!directory.join("status").exists());
    }
}
