//! Positions in the text of source files.
//!
//! Idea: line markers of a preprocessor (`# 12 "a.c"`) say where the following lines come from, and
//! the compiler names positions so. A position of a witness is the line of the file itself.
//!
//! Invariant: lines and columns are from 1, columns in bytes.

use homi_report::SourceLocation;
use std::path::{Path, PathBuf};

/// The files of a task, by lines.
pub(super) struct SourceFiles {
    files: Vec<SourceFile>,
}

/// A file of a task.
struct SourceFile {
    /// Name, as it was given.
    name: String,
    lines: Vec<String>,
    /// File and line that the compiler names, for each line.
    named: Vec<(String, u32)>,
}

impl SourceFile {
    /// Reads a file; one that cannot be read has no lines.
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let name = path.display().to_string();
        let (mut file, mut number) = (name.clone(), 0);
        let mut named = Vec::new();
        for line in text.lines() {
            number += 1;
            named.push((file.clone(), number));
            if let Some((next, marked)) = marker(line) {
                (file, number) = (marked, next - 1);
            }
        }
        Self {
            name,
            lines: text.lines().map(str::to_string).collect(),
            named,
        }
    }
}

/// Returns the number of the next line, and its file, of a line marker of a preprocessor.
fn marker(line: &str) -> Option<(u32, String)> {
    let rest = line.strip_prefix("#line ").or(line.strip_prefix("# "))?;
    let (number, rest) = rest.split_once(' ')?;
    let (file, _) = rest.strip_prefix('"')?.split_once('"')?;
    let number = number.parse().ok().filter(|number| *number > 0)?;
    Some((number, file.to_string()))
}

fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (Path::new(one), Path::new(other));
    one.ends_with(other) || other.ends_with(one)
}

impl SourceFiles {
    pub(super) fn read(files: &[PathBuf]) -> Self {
        let files = files.iter().map(|file| SourceFile::read(file));
        Self {
            files: files.collect(),
        }
    }

    /// Returns the position in the task's files that the compiler names so; `None` if there is
    /// none, or more than one.
    pub(super) fn resolve(&self, at: &SourceLocation) -> Option<SourceLocation> {
        let mut found = self.files.iter().flat_map(|file| {
            let lines = file.named.iter().zip(1..);
            let is_named = |((name, number), _): &(&(String, u32), u32)| {
                *number == at.line && is_same_file(name, &at.file)
            };
            let lines = lines.filter(is_named);
            lines.map(|(_, line)| SourceLocation {
                file: file.name.clone(),
                line,
                column: at.column,
            })
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// Returns a position of the task's files as the compiler names it.
    pub(super) fn named(&self, at: &SourceLocation) -> Option<SourceLocation> {
        let file = self.files.iter().find(|known| known.name == at.file)?;
        let index = usize::try_from(at.line).ok()?.checked_sub(1)?;
        let (file, line) = file.named.get(index)?;
        Some(SourceLocation {
            file: file.clone(),
            line: *line,
            column: at.column,
        })
    }

    /// Returns the name, as it was given, of a file of the task.
    pub(super) fn given_name(&self, file: &str) -> Option<String> {
        let found = self
            .files
            .iter()
            .find(|known| is_same_file(&known.name, file));
        found.map(|file| file.name.clone())
    }

    /// Returns the lines of a file of the task.
    pub(super) fn lines(&self, file: &str) -> &[String] {
        let found = self.files.iter().find(|known| known.name == file);
        found.map_or(&[], |file| &file.lines)
    }

    /// Returns the text of a line.
    pub(super) fn line(&self, file: &str, line: u32) -> Option<&str> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.lines(file).get(index).map(String::as_str)
    }

    /// Returns the text of a position's line before the position and from it on.
    pub(super) fn around(&self, at: &SourceLocation) -> Option<(&str, &str)> {
        let column = usize::try_from(at.column).ok()?.checked_sub(1)?;
        self.line(&at.file, at.line)?.split_at_checked(column)
    }

    /// Returns the position of the parenthesis that closes a call whose function's name is at a
    /// position; `None` if the name is not there, as in a macro.
    pub(super) fn end_of_call(
        &self,
        function: &str,
        at: &SourceLocation,
    ) -> Option<SourceLocation> {
        let (_, rest) = self.around(at)?;
        if !rest.starts_with(function) {
            return None;
        }
        let first = at.line as usize - 1;
        let mut skipped = at.column as usize - 1 + function.len();
        let mut depth = 0;
        for (index, line) in self.lines(&at.file).iter().enumerate().skip(first) {
            for (column, byte) in line.bytes().enumerate().skip(skipped) {
                match byte {
                    b'(' => depth += 1,
                    b')' if depth == 1 => {
                        return Some(SourceLocation {
                            file: at.file.clone(),
                            line: index as u32 + 1,
                            column: column as u32 + 1,
                        });
                    }
                    b')' => depth -= 1,
                    b' ' | b'\t' => {}
                    // Only blanks are between a name and its parenthesis.
                    _ if depth == 0 => return None,
                    b'"' | b'\'' | b'/' | b'#' => return None,
                    _ => {}
                }
            }
            skipped = 0;
        }
        None
    }
}
