//! The files that `[build]` names.

use super::Taker;
use crate::bench::StudyError;
use crate::bench::source::Section;
use std::ffi::OsString;
use std::path::Path;

/// Returns the files of a command that names none.
pub(super) fn files(
    build: &Section<'_, '_>,
    taker: Taker,
    directory: &Path,
) -> Result<Vec<OsString>, StudyError> {
    let program = build.text("program")?;
    let listed = build.list("files")?;
    match (taker, program, listed) {
        (_, Some(program), _) => Ok(vec![directory.join(program).into()]),
        (Taker::Test, None, Some(patterns)) => {
            let mut found = Vec::new();
            for pattern in patterns {
                let matching = matching(directory, &pattern);
                if matching.is_empty() {
                    let text = format!("no file matches `{pattern}`");
                    return Err(build.wrong("files", &text));
                }
                found.extend(matching);
            }
            Ok(found)
        }
        _ => Ok(Vec::new()),
    }
}

/// Returns the files that a pattern names, in the order of their names; `*` stands for any
/// characters of the last part.
fn matching(directory: &Path, pattern: &str) -> Vec<OsString> {
    let whole = directory.join(pattern);
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let Some((start, end)) = name.split_once('*') else {
        return whole
            .is_file()
            .then(|| whole.clone().into())
            .into_iter()
            .collect();
    };
    let place = whole.parent().unwrap_or(Path::new(""));
    let shown = if place.as_os_str().is_empty() {
        Path::new(".")
    } else {
        place
    };
    let entries = std::fs::read_dir(shown).into_iter().flatten().flatten();
    let mut found: Vec<OsString> = entries
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        })
        .map(|entry| place.join(entry.file_name()).into())
        .collect();
    found.sort();
    found
}
