//! Lines of source files, for people who read a report.
//!
//! Invariant: a file that cannot be read has no lines; that is not an error of the report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that were read so far.
#[derive(Debug, Default)]
pub(super) struct SourceTexts {
    files: BTreeMap<PathBuf, Vec<String>>,
}

impl SourceTexts {
    /// A line, counted from 1, without its indentation.
    pub(super) fn line(&mut self, file: &Path, number: u32) -> Option<String> {
        let lines = self.files.entry(file.to_path_buf()).or_insert_with(|| {
            let bytes = std::fs::read(file).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        lines.get(index).filter(|line| !line.is_empty()).cloned()
    }
}

/// The file and line of `FILE:LINE`.
pub(super) fn place(location: &str) -> Option<(&Path, u32)> {
    let (file, line) = location.rsplit_once(':')?;
    Some((Path::new(file), line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a.c");
        std::fs::write(&file, "  first\n\nthird\n").expect("writable");
        let mut texts = SourceTexts::default();
        assert_eq!(texts.line(&file, 1).as_deref(), Some("first"));
        assert_eq!(texts.line(&file, 2), None);
        assert_eq!(texts.line(&file, 3).as_deref(), Some("third"));
        assert_eq!(texts.line(&file, 0), None);
        assert_eq!(texts.line(&directory.path().join("none"), 1), None);
        assert_eq!(place("a/b.c:12"), Some((Path::new("a/b.c"), 12)));
        assert_eq!(place("unknown in f"), None);
    }
}
