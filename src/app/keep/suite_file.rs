//! `keep.toml`: digests of the inputs of the cases that homi wrote, and of deleted ones.

use anyhow::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const FILE: &str = "keep.toml";

const HEAD: &str = "\
# What homi keep knows of these tests: digests of inputs. A case that is deleted moves from
# `cases` to `never` and does not return.
";

/// The lists of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) cases: BTreeSet<String>,
    pub(super) never: BTreeSet<String>,
}

/// The file, with the lists of all programs.
pub(super) struct SuiteFile {
    path: PathBuf,
    pub(super) programs: BTreeMap<String, Known>,
}

impl SuiteFile {
    /// Reads the file of a directory; without it all lists are empty.
    pub(super) fn read(directory: &Path) -> anyhow::Result<Self> {
        let path = directory.join(FILE);
        let mut programs = BTreeMap::new();
        if path.exists() {
            let failed = || format!("cannot read {}", path.display());
            let text = fs::read_to_string(&path).with_context(failed)?;
            let table = DeTable::parse(&text).map_err(|error| {
                anyhow::anyhow!("cannot read {}: {}", path.display(), error.message())
            })?;
            for (name, value) in table.get_ref() {
                let known = Known {
                    cases: list(value.get_ref(), "cases"),
                    never: list(value.get_ref(), "never"),
                };
                programs.insert(name.get_ref().to_string(), known);
            }
        }
        Ok(Self { path, programs })
    }

    /// Writes the file, if its text changed.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        let text = self.text();
        if fs::read_to_string(&self.path).is_ok_and(|before| before == text) {
            return Ok(());
        }
        fs::write(&self.path, text).with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_string();
        for (name, known) in &self.programs {
            text += &format!("\n[{}]\n", serde_json::Value::from(name.as_str()));
            for (key, list) in [("cases", &known.cases), ("never", &known.never)] {
                let lines: String = list.iter().map(|id| format!("  \"{id}\",\n")).collect();
                if lines.is_empty() {
                    text += &format!("{key} = []\n");
                } else {
                    text += &format!("{key} = [\n{lines}]\n");
                }
            }
        }
        text
    }
}

/// The texts of a list in a table; none if there is no such list.
fn list(table: &DeValue<'_>, key: &str) -> BTreeSet<String> {
    let list = match table {
        DeValue::Table(table) => table.get(key).map(|value| value.get_ref()),
        _ => None,
    };
    let Some(DeValue::Array(list)) = list else {
        return BTreeSet::new();
    };
    let text = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    list.iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let place = tempfile::tempdir().expect("a directory");
        let mut file = SuiteFile::read(place.path()).expect("no file is an empty one");
        let known = Known {
            cases: BTreeSet::from(["4f1c0000".to_string()]),
            never: BTreeSet::new(),
        };
        file.programs.insert("a.out".to_string(), known);
        file.write().expect("written");
        let read = SuiteFile::read(place.path()).expect("read");
        assert_eq!(read.programs, file.programs);
    }
}
