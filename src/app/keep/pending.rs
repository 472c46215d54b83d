//! Cases and files of cases that wait: `NAME.new` beside `NAME`, until someone accepts or rejects
//! the new one.

use anyhow::{Context, bail};
use homi_native::kept::kept_in;
use std::fs;
use std::path::{Path, PathBuf};

/// Ending of the name of a waiting case.
pub(super) const NEW: &str = ".new";

/// Makes waiting cases the kept ones: the cases of the given names, or all. Returns their number.
///
/// # Errors
/// Fails if a name has no waiting case, or if a directory cannot be renamed.
pub fn accept(directory: &Path, names: &[String]) -> anyhow::Result<usize> {
    let waiting = waiting(directory, names)?;
    for (old, new) in &waiting {
        let failed = || format!("cannot replace {}", old.display());
        if old.is_dir() {
            fs::remove_dir_all(old).with_context(failed)?;
        }
        fs::rename(new, old).with_context(failed)?;
    }
    Ok(waiting.len())
}

/// Removes waiting cases: the cases of the given names, or all. Returns their number.
///
/// # Errors
/// Fails if a name has no waiting case, or if a directory cannot be removed.
pub fn reject(directory: &Path, names: &[String]) -> anyhow::Result<usize> {
    let waiting = waiting(directory, names)?;
    for (_, new) in &waiting {
        let failed = || format!("cannot remove {}", new.display());
        if new.is_dir() {
            fs::remove_dir_all(new).with_context(failed)?;
        } else {
            fs::remove_file(new).with_context(failed)?;
        }
    }
    Ok(waiting.len())
}

/// The kept cases with a waiting one, and the waiting ones.
fn waiting(directory: &Path, names: &[String]) -> anyhow::Result<Vec<(PathBuf, PathBuf)>> {
    let failed = || format!("cannot read {}", directory.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).with_context(failed)? {
        let program = entry.with_context(failed)?.path();
        if !program.is_dir() {
            let name = program
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let old = name.strip_suffix(NEW).filter(|old| old.ends_with(".c"));
            if let Some(old) =
                old.filter(|old| names.is_empty() || names.iter().any(|one| one == old))
            {
                found.push((program.with_file_name(old), program.clone()));
            }
            continue;
        }
        let suite = program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for name in kept_in(&program)? {
            let Some(old) = name.strip_suffix(NEW) else {
                continue;
            };
            let whole = format!("{suite}/{old}");
            if names.is_empty() || names.iter().any(|one| one == old || *one == whole) {
                found.push((program.join(old), program.join(&name)));
            }
        }
    }
    let ends = |name: &&String| !found.iter().any(|(old, _)| old.ends_with(name.as_str()));
    if let Some(name) = names.iter().find(ends) {
        bail!("no changed case {name} waits in {}", directory.display());
    }
    found.sort();
    Ok(found)
}
