//! The baseline: a file that lists known bugs.
//!
//! Invariant: equal bugs write equal bytes; entries are in the order of place and fingerprint. A
//! bug that stays listed keeps the day on which it was listed first.

use homi_report::{Described, described, document};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Version of the file's layout.
const SCHEMA: u32 = 1;

described! {
    /// A known bug.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct KnownBug {
        /// Identity of the bug.
        pub fingerprint: String,
        /// Kind of the bug, as in `summary.json`.
        pub kind: String,
        /// Message of the bug.
        pub message: String,
        /// `file:line` when the list was written.
        pub location: String,
        /// Innermost function of the program; empty if it is not known.
        #[serde(default)]
        pub function: String,
        /// Day on which the bug was listed first, `2026-11-30`.
        pub since: String,
    }
}

described! {
    #[derive(Serialize, Deserialize)]
    struct Content {
        /// Version of the schema: 1.
        schema: u32,
        /// Known bugs, by location.
        bugs: Vec<KnownBug>,
    }
}

/// Returns the JSON Schema of a baseline.
pub fn baseline_schema() -> serde_json::Value {
    document("A baseline of homi: known bugs", Content::schema())
}

/// A file that cannot be used as a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("--baseline {}: {source}; --write-baseline makes it", .file.display())]
    Read {
        file: PathBuf,
        source: std::io::Error,
    },
    #[error("--baseline {}: no baseline of homi: {source}", .file.display())]
    Content {
        file: PathBuf,
        source: serde_json::Error,
    },
    #[error("--baseline {}: made by a newer homi (schema {schema})", .file.display())]
    Schema { file: PathBuf, schema: u32 },
    #[error("cannot write the baseline {}: {source}", .file.display())]
    Write {
        file: PathBuf,
        source: std::io::Error,
    },
}

/// The known bugs, by fingerprint.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Baseline {
    bugs: BTreeMap<String, KnownBug>,
}

impl Baseline {
    /// Reads a baseline.
    pub fn read(file: &Path) -> Result<Self, BaselineError> {
        let bytes = std::fs::read(file).map_err(|source| BaselineError::Read {
            file: file.to_path_buf(),
            source,
        })?;
        let content: Content =
            serde_json::from_slice(&bytes).map_err(|source| BaselineError::Content {
                file: file.to_path_buf(),
                source,
            })?;
        if content.schema > SCHEMA {
            return Err(BaselineError::Schema {
                file: file.to_path_buf(),
                schema: content.schema,
            });
        }
        let bugs = content.bugs.into_iter();
        Ok(Self {
            bugs: bugs.map(|bug| (bug.fingerprint.clone(), bug)).collect(),
        })
    }

    /// True if a bug is listed.
    pub fn knows(&self, fingerprint: &str) -> bool {
        self.bugs.contains_key(fingerprint)
    }

    /// Writes these bugs in place of the listed ones.
    pub fn write(&self, file: &Path, bugs: Vec<KnownBug>) -> Result<(), BaselineError> {
        let mut bugs = bugs;
        for bug in &mut bugs {
            if let Some(known) = self.bugs.get(&bug.fingerprint) {
                bug.since.clone_from(&known.since);
            }
        }
        bugs.sort_by(|a, b| (&a.location, &a.fingerprint).cmp(&(&b.location, &b.fingerprint)));
        let content = Content {
            schema: SCHEMA,
            bugs,
        };
        let failed = |source| BaselineError::Write {
            file: file.to_path_buf(),
            source,
        };
        let text = serde_json::to_string_pretty(&content).map_err(|error| failed(error.into()))?;
        // A full disk must not cost the list that is there.
        let beside = file.with_extension("new");
        std::fs::write(&beside, text + "\n")
            .and_then(|()| std::fs::rename(&beside, file))
            .inspect_err(|_| {
                let _absent = std::fs::remove_file(&beside);
            })
            .map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bug(fingerprint: &str, since: &str) -> KnownBug {
        KnownBug {
            fingerprint: fingerprint.to_string(),
            kind: "ptr".to_string(),
            message: "m".to_string(),
            location: "a.c:1".to_string(),
            function: "f".to_string(),
            since: since.to_string(),
        }
    }

    #[test]
    fn what_is_written_is_read_and_keeps_its_first_day() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("baseline.json");
        assert!(matches!(
            Baseline::read(&file),
            Err(BaselineError::Read { .. })
        ));
        let first = Baseline::default();
        let day = |text: &str| vec![bug("b", text), bug("a", text)];
        first.write(&file, day("2026-01-01")).expect("writable");
        let read = Baseline::read(&file).expect("a baseline");
        assert!(read.knows("a") && read.knows("b") && !read.knows("c"));
        let bytes = std::fs::read(&file).expect("a file");
        read.write(&file, day("2026-02-02")).expect("writable");
        assert_eq!(bytes, std::fs::read(&file).expect("a file"));
        std::fs::write(&file, "{}").expect("writable");
        assert!(matches!(
            Baseline::read(&file),
            Err(BaselineError::Content { .. })
        ));
    }
}
