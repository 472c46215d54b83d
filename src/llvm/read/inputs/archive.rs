//! Archives: each member that is bitcode or carries it.
//!
//! Invariant: a member takes part as a linker would take it, only if it defines what is missing;
//! which ones that are is decided when the modules are linked. A thin archive's members are
//! separate files.

use super::elf::Embedded;
use super::kind::{FileKind, kind_of};
use super::{Inputs, LoadError, Role, shown, unreadable};
use object::read::archive::ArchiveFile;
use std::path::{Path, PathBuf};

impl Inputs {
    /// Adds the members that a link may have left out of an archive. Members without bitcode and
    /// missing archives are mostly harmless here, so they cause no warning.
    pub(super) fn add_rest(&mut self, path: &Path) -> Result<(), LoadError> {
        let Ok(real) = path.canonicalize() else {
            return Ok(());
        };
        if !self.seen.insert(real) {
            return Ok(());
        }
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let warnings = self.warnings.len();
        self.add_members(path, &bytes, Role::Rest)?;
        self.warnings.truncate(warnings);
        Ok(())
    }

    /// Adds the members of an archive.
    pub(super) fn add_archive(&mut self, path: &Path, bytes: &[u8]) -> Result<(), LoadError> {
        let before = self.modules.len();
        let number = self.archives;
        self.archives += 1;
        let without = self.add_members(path, bytes, Role::Member(number))?;
        if self.modules.len() == before {
            return Err(nothing(path, &without));
        }
        if !without.is_empty() {
            self.warnings.push(format!(
                "{}: members without bitcode: {}",
                path.display(),
                without.join(", ")
            ));
        }
        Ok(())
    }

    /// The names of the members that carry nothing.
    fn add_members(
        &mut self,
        path: &Path,
        bytes: &[u8],
        role: Role,
    ) -> Result<Vec<String>, LoadError> {
        let damaged = |error: object::Error| LoadError::Damaged {
            path: path.to_path_buf(),
            reason: error.to_string(),
        };
        let archive = ArchiveFile::parse(bytes).map_err(damaged)?;
        let mut without = Vec::new();
        for member in archive.members() {
            let member = member.map_err(damaged)?;
            let name = String::from_utf8_lossy(member.name()).into_owned();
            let embedded = if archive.is_thin() {
                self.add_thin_member(path, &name, role)?
            } else {
                let (offset, _) = member.file_range();
                let data = member.data(bytes).map_err(damaged)?;
                self.add_member(path, &name, (data, offset), role)?
            };
            if !embedded {
                without.push(name);
            }
        }
        Ok(without)
    }

    /// False if the member carries nothing.
    fn add_member(
        &mut self,
        path: &Path,
        member: &str,
        (data, offset): (&[u8], u64),
        role: Role,
    ) -> Result<bool, LoadError> {
        let name = format!("{}({member})", path.display());
        match kind_of(Path::new(member), data) {
            FileKind::Bitcode => {
                let range = Some((offset, data.len() as u64));
                self.push(path, range, name, role);
                Ok(true)
            }
            FileKind::Elf => {
                let embedded =
                    Embedded::read(data, offset).map_err(|reason| LoadError::Damaged {
                        path: PathBuf::from(&name),
                        reason,
                    })?;
                self.add_embedded(path, &name, &embedded, role)?;
                Ok(!embedded.is_empty())
            }
            _ => Ok(false),
        }
    }

    fn add_thin_member(
        &mut self,
        archive: &Path,
        member: &str,
        role: Role,
    ) -> Result<bool, LoadError> {
        let directory = archive.parent().unwrap_or(Path::new(""));
        let path = directory.join(member);
        let data = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        self.add_member(&path, &shown(Path::new(member)), (&data, 0), role)
    }
}

/// An archive that brings nothing.
fn nothing(path: &Path, members: &[String]) -> LoadError {
    LoadError::NotBitcode {
        path: path.to_path_buf(),
        found: match members.len() {
            0 => "it is an empty archive".to_string(),
            count => format!("it is an archive, and none of its {count} members carries bitcode"),
        },
        remedy: "build it with `homi cc` (CC=\"homi cc\")".to_string(),
    }
}
