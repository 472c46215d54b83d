//! Reads a kept case from its directory.
//!
//! Invariant: a file that is not there is as good as an empty one where `directory` writes none for
//! that; edits are read as they are.

use super::case::{Case, CaseFile, USUAL_MODE};
use super::directory::{ABOUT, ANY_TREE, Bug, KeptCase, ONLY_SANITIZER, files_below, tree_of};
use super::escaped::from_lines;
use super::expectation::{End, Expectation, Tree};
use anyhow::{Context, bail};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Reads a case.
///
/// # Errors
/// Fails if the files are not a case.
pub fn read(directory: &Path) -> anyhow::Result<KeptCase> {
    let optional = |name: &str| fs::read(directory.join(name)).ok();
    let needed = |name: &str| {
        let path = directory.join(name);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let case = Case {
        arguments: from_lines(&needed("args")?),
        environment: from_lines(&optional("env").unwrap_or_default()),
        stdin: optional("stdin").unwrap_or_default(),
        files: files_of(directory)?,
    };
    let shown = directory.display();
    case.check()
        .map_err(|why| anyhow::anyhow!("{shown}: {why}"))?;
    let bug = optional("bug").map(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Bug {
            text: text.lines().next().unwrap_or_default().to_string(),
            only_sanitizer: text.lines().any(|line| line == ONLY_SANITIZER),
        }
    });
    let end = match (&bug, optional("status")) {
        (_, Some(status)) => End::read(&String::from_utf8_lossy(&status)),
        (Some(_), None) => Some(End::Exit(0)),
        (None, None) => None,
    };
    let Some(end) = end else {
        bail!("{shown}/status is not an exit status or \"signal N\"");
    };
    let files = files_expected(directory, &case)?;
    let about = String::from_utf8_lossy(&needed(ABOUT)?).into_owned();
    let is_text = |line: &&str| !line.starts_with("id: ") && !line.starts_with("text: ");
    Ok(KeptCase {
        expected: Expectation {
            end,
            stdout: optional("stdout"),
            stderr: optional("stderr"),
            files,
        },
        case,
        bug,
        about: about.lines().filter(is_text).map(str::to_string).collect(),
    })
}

fn files_of(directory: &Path) -> anyhow::Result<Vec<CaseFile>> {
    let modes = fs::read(directory.join("files.mode")).unwrap_or_default();
    let modes = String::from_utf8_lossy(&modes).into_owned();
    let mode_of = |path: &[u8]| {
        let lines = modes.lines().filter_map(|line| line.split_once(' '));
        let mut found = lines.filter(|(_, name)| name.as_bytes() == path);
        let bits = found.next().map(|(bits, _)| u32::from_str_radix(bits, 8));
        bits.and_then(Result::ok).unwrap_or(USUAL_MODE)
    };
    let contents = contents_below(&directory.join("files"))?;
    let files = contents.into_iter().map(|(path, content)| CaseFile {
        mode: mode_of(&path),
        path,
        content,
    });
    Ok(files.collect())
}

/// Relative paths and contents of the files below a directory, which need not be there.
fn contents_below(directory: &Path) -> anyhow::Result<Vec<(Vec<u8>, Vec<u8>)>> {
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let read = |path: PathBuf| {
        let content = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let below = path.strip_prefix(directory).unwrap_or(&path);
        Ok((below.as_os_str().as_bytes().to_vec(), content))
    };
    files_below(directory)?.into_iter().map(read).collect()
}

/// Returns the files that a run should leave; `None` if they are not compared.
fn files_expected(directory: &Path, case: &Case) -> anyhow::Result<Option<Tree>> {
    let listed = fs::read(directory.join("tree")).ok();
    if listed.as_deref() == Some(ANY_TREE) {
        return Ok(None);
    }
    let mut known = tree_of(case);
    for (path, content) in contents_below(&directory.join("after"))? {
        known.insert(path, Some(content));
    }
    let Some(listed) = listed else {
        return Ok(Some(known));
    };
    let lines = listed.split(|byte| *byte == b'\n');
    let paths = lines.filter_map(|line| line.strip_prefix(b"./"));
    let entry = |path: &[u8]| (path.to_vec(), known.get(path).cloned().flatten());
    Ok(Some(paths.map(entry).collect()))
}
