//! The source files of a program, found by the names that its compiler used.
//!
//! Invariant: names are relative to an unknown directory, so files are searched: a file counts if
//! it has as many lines as its branches need.

use homi_native::testcase::BranchEntry;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Folders above a program that are looked through.
const ABOVE: usize = 6;
/// A larger file is not a readable source.
const MOST_BYTES: u64 = 32 << 20;

/// Directories in which source files may be.
#[derive(Clone, Debug, Default)]
pub struct SourceRoots(Vec<PathBuf>);

/// Source files by their names in the table of branches.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// Text of each file; `None` if it was not found.
    files: BTreeMap<String, Option<SourceText>>,
}

/// A source file.
#[derive(Debug)]
pub(super) struct SourceText {
    pub(super) lines: Vec<String>,
}

impl SourceRoots {
    /// Directories that are looked through in this order.
    pub fn new(directories: &[PathBuf]) -> Self {
        Self(directories.to_vec())
    }

    pub(super) fn add(&mut self, directory: &Path) {
        if !self.0.iter().any(|known| known == directory) {
            self.0.push(directory.to_path_buf());
        }
    }

    /// The folder of a file and those above it.
    pub(super) fn add_above(&mut self, file: &Path) {
        for folder in file.ancestors().skip(1).take(ABOVE) {
            if !folder.as_os_str().is_empty() && folder != Path::new("/") {
                self.add(folder);
            }
        }
    }

    /// The places where a file with a name may be.
    fn places(&self, name: &str) -> Vec<PathBuf> {
        let named = Path::new(name);
        let inner: PathBuf = named
            .components()
            .filter(|part| matches!(part, Component::Normal(_)))
            .collect();
        let mut places = Vec::new();
        if named.is_absolute() {
            places.push(named.to_path_buf());
        }
        for root in &self.0 {
            for place in [root.join(named), root.join(&inner)] {
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        places
    }
}

impl Sources {
    /// The files of all branches.
    pub(super) fn find(branches: &[BranchEntry], roots: &SourceRoots) -> Self {
        let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
        for branch in branches.iter().filter(|branch| !branch.file.is_empty()) {
            let last = lines.entry(&branch.file).or_default();
            *last = (*last).max(branch.line);
        }
        let found = lines.into_iter().map(|(name, last)| {
            let places = roots.places(name);
            let text = places
                .iter()
                .find_map(|place| SourceText::read(place, last));
            (name.to_string(), text)
        });
        Self {
            files: found.collect(),
        }
    }

    pub(super) fn text(&self, file: &str) -> Option<&SourceText> {
        self.files.get(file)?.as_ref()
    }

    /// Returns the names of files that were not found.
    pub(super) fn missing(&self) -> Vec<&str> {
        let missing = self.files.iter().filter(|(_, text)| text.is_none());
        missing.map(|(name, _)| name.as_str()).collect()
    }
}

impl SourceText {
    fn read(path: &Path, lines: u32) -> Option<Self> {
        let data = std::fs::metadata(path).ok()?;
        if !data.is_file() || data.len() > MOST_BYTES {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text: Vec<String> = text.lines().map(super::text).collect();
        (text.len() >= lines as usize).then_some(Self { lines: text })
    }

    /// Some lines around one, each with its number.
    pub(super) fn around(&self, line: u32, lines: u32) -> Vec<(u32, &str)> {
        let wanted = line.saturating_sub(lines).max(1)..=line.saturating_add(lines);
        let numbered = (1..).zip(&self.lines);
        let near = numbered.filter(|(number, _)| wanted.contains(number));
        near.map(|(number, text)| (number, text.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_from_the_programs_folder_and_must_fit() {
        let bench = tempfile::tempdir().unwrap();
        let source = bench.path().join("source/src");
        std::fs::create_dir_all(&source).unwrap();
        std::fs::create_dir_all(bench.path().join("bc")).unwrap();
        std::fs::write(source.join("a.c"), b"one\ntwo\nthr\xffee\n").unwrap();
        let branch = |file: &str, line| BranchEntry {
            branch: 0,
            sides: 2,
            function: "f".to_string(),
            file: file.to_string(),
            line,
        };
        let mut roots = SourceRoots::default();
        roots.add_above(&bench.path().join("bc/a.bc"));
        let sources = Sources::find(&[branch("../source/src/a.c", 3)], &roots);
        let text = sources.text("../source/src/a.c").expect("it is there");
        assert_eq!(text.lines, ["one", "two", "thr\u{fffd}ee"]);
        assert_eq!(text.around(1, 1), [(1, "one"), (2, "two")]);
        let sources = Sources::find(&[branch("../source/src/a.c", 4)], &roots);
        assert_eq!(sources.missing(), ["../source/src/a.c"]);
        // In a checkout that was moved, what is above is left out.
        roots = SourceRoots::new(&[bench.path().join("source")]);
        let sources = Sources::find(&[branch("../../src/a.c", 3), branch("", 9)], &roots);
        assert!(sources.missing().is_empty());
    }
}
