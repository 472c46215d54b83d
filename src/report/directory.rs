//! The output directory: `homi-out-N` with the link `homi-last` (or `klee-out-N` and `klee-last`),
//! or the one that the user named.
//!
//! Invariant: a run never writes into a directory that existed before it, unless it resumes a
//! campaign or run there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why there is no output directory.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    #[error("output directory {} exists already; name another with --output-dir or remove it", path.display())]
    Exists { path: PathBuf },
    #[error("cannot create output directory {}: {source}; name another with --output-dir", path.display())]
    Create { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// A fresh output directory.
#[derive(Clone, Debug)]
pub struct OutputDirectory {
    path: PathBuf,
    /// Name prefix and number of a directory that the user did not name.
    given: Option<(&'static str, u64)>,
}

impl OutputDirectory {
    /// Makes the directory `named`, or the first free `STEM-out-N` in `parent` with the link
    /// `STEM-last`.
    pub fn create(
        named: Option<&Path>,
        parent: &Path,
        stem: &'static str,
    ) -> Result<Self, DirectoryError> {
        let directory = Self::reserve(named, parent, stem)?;
        directory.link();
        Ok(directory)
    }

    /// Reserves a directory without making the link.
    pub fn reserve(
        named: Option<&Path>,
        parent: &Path,
        stem: &'static str,
    ) -> Result<Self, DirectoryError> {
        if let Some(path) = named {
            return match fs::create_dir(path) {
                Ok(()) => Ok(Self::open(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Err(DirectoryError::Exists {
                        path: path.to_path_buf(),
                    })
                }
                Err(source) => Err(DirectoryError::Create {
                    path: path.to_path_buf(),
                    source,
                }),
            };
        }
        let mut number = 0u64;
        loop {
            let path = parent.join(format!("{stem}-out-{number}"));
            match fs::create_dir(&path) {
                Ok(()) => {
                    let given = Some((stem, number));
                    return Ok(Self { path, given });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(source) => return Err(DirectoryError::Create { path, source }),
            }
        }
    }

    /// Makes `STEM-last` lead to the directory, unless the user named it. The link is a
    /// convenience: a directory of that name, or a race with another run, is not an error.
    pub fn link(&self) {
        let (Some((stem, number)), Some(parent)) = (self.given, self.path.parent()) else {
            return;
        };
        let link = parent.join(format!("{stem}-last"));
        let fresh = parent.join(format!(".{stem}-last-{number}"));
        if std::os::unix::fs::symlink(format!("{stem}-out-{number}"), &fresh).is_ok()
            && fs::rename(&fresh, &link).is_err()
        {
            let _ = fs::remove_file(&fresh);
        }
    }

    /// Removes the directory, if no run has begun in it: nothing is lost with it.
    pub fn remove_unused(&self) {
        if !self.file("messages.txt").exists() {
            // Left over files do no harm.
            let _ = fs::remove_dir_all(&self.path);
        }
    }

    /// Opens the directory of an earlier session that is resumed.
    pub fn open(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            given: None,
        }
    }

    /// Number of the last test in the directory, 0 if there is none.
    pub fn last_test(&self) -> u64 {
        let names = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let numbers = names.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.strip_prefix("test")?.split('.').next()?.parse().ok()
        });
        numbers.max().unwrap_or(0)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, contents: &str) -> Result<(), DirectoryError> {
        let path = self.file(name);
        fs::write(&path, contents).map_err(|source| DirectoryError::Write { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_up_and_the_link_follows() {
        let parent = tempfile::tempdir().unwrap();
        for number in 0..3 {
            let directory = OutputDirectory::create(None, parent.path(), "homi").unwrap();
            let name = format!("homi-out-{number}");
            assert_eq!(directory.path(), parent.path().join(&name));
            let target = fs::read_link(parent.path().join("homi-last")).unwrap();
            assert_eq!(target, Path::new(&name));
        }
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 4);
    }

    #[test]
    fn what_was_reserved_for_nothing_goes_again() {
        let parent = tempfile::tempdir().unwrap();
        let kept = OutputDirectory::create(None, parent.path(), "homi").unwrap();
        let unused = OutputDirectory::reserve(None, parent.path(), "homi").unwrap();
        fs::create_dir(unused.file("build")).unwrap();
        unused.remove_unused();
        assert!(!unused.path().exists());
        let target = fs::read_link(parent.path().join("homi-last")).unwrap();
        assert_eq!(parent.path().join(target), kept.path());
        kept.write("messages.txt", "").unwrap();
        kept.remove_unused();
        assert!(kept.path().exists());
    }

    #[test]
    fn a_named_directory_must_be_new() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("mine");
        OutputDirectory::create(Some(&path), parent.path(), "homi").unwrap();
        let error = OutputDirectory::create(Some(&path), parent.path(), "homi").unwrap_err();
        assert!(error.to_string().contains("exists already"), "{error}");
        let inside_file = parent.path().join("file");
        fs::write(&inside_file, "").unwrap();
        let error = OutputDirectory::create(Some(&inside_file.join("x")), parent.path(), "homi")
            .unwrap_err();
        assert!(error.to_string().contains("cannot create"), "{error}");
    }
}
