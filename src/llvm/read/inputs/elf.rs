//! The bitcode that ELF files carry, by whichever tool put it there.
//!
//! Invariant: of the kinds of sections that there are, a file's first one in the table counts, so
//! that nothing is taken twice. Offsets are those in the file that holds the ELF file, which may be
//! an archive.

use super::link::{Library, Link};
use super::native::{Needs, constructors};
use super::refusal::{no_bitcode, only_native};
use super::stream;
use super::{Inputs, LoadError, Role, shown, unreadable};
use crate::embedded::{Head, Part, Record, SECTIONS, SourceRecord, decode};
use object::{Object, ObjectKind, ObjectSection, ObjectSymbol};
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Bitcode and records in an ELF file.
#[derive(Clone, Debug, Default)]
pub(super) struct Embedded {
    /// Offset, length, and what names the record if it is one.
    pub modules: Vec<(u64, u64, Option<SourceRecord>)>,
    /// Files of bitcode elsewhere (wllvm and gllvm).
    pub files: Vec<PathBuf>,
    /// Sources without bitcode, and why.
    pub without: Vec<(String, String)>,
    /// Linked parts without records.
    pub without_records: Vec<String>,
    /// Shared objects with bitcode.
    pub libraries: Vec<PathBuf>,
    /// Archives with members that bitcode needs and the link may have omitted.
    pub archives: Vec<PathBuf>,
    /// Words of the linker.
    pub line: Vec<String>,
    /// Linked files, each with its part in the linker's output.
    pub parts: Vec<Part>,
    /// Names that its machine code defines for others.
    pub defines: BTreeSet<String>,
    /// Names of its constructors in the order in which they run.
    pub constructors: Vec<String>,
    /// Shared objects that its loader looks for; none if it is no file of a loader.
    needs: Option<Needs>,
}

/// Takes what a section has; its bytes and where they are in the file.
type Take = fn(&mut Embedded, &[u8], u64) -> Result<(), String>;

/// Treatment of each of [`SECTIONS`].
const TAKES: [Take; SECTIONS.len()] = [
    Embedded::take_records,
    Embedded::take_paths,
    Embedded::take_modules,
    Embedded::take_modules,
];

impl Embedded {
    /// Reads the bitcode and records of an ELF file in these bytes, which begin at `base` of the
    /// enclosing file.
    pub fn read(bytes: &[u8], base: u64) -> Result<Embedded, String> {
        let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
        let mut embedded = Embedded {
            defines: definitions(&file),
            constructors: constructors(&file),
            needs: Needs::read(&file),
            ..Embedded::default()
        };
        for (name, take) in SECTIONS.into_iter().zip(TAKES) {
            let mut found = false;
            for section in file.sections().filter(|found| found.name() == Ok(name)) {
                let data = section.data().map_err(|error| error.to_string())?;
                let offset = section.file_range().map_or(0, |(offset, _)| offset);
                take(&mut embedded, data, base + offset)?;
                found = true;
            }
            if found {
                break;
            }
        }
        Ok(embedded)
    }

    /// True if the file has neither bitcode nor a record that explains its absence.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty() && self.files.is_empty() && self.without.is_empty()
    }

    /// Records of `homi cc`. An object that was linked twice is one.
    fn take_records(&mut self, data: &[u8], offset: u64) -> Result<(), String> {
        let mut known = HashSet::new();
        for Record { head, whole, body } in decode(data)? {
            if !known.insert(&data[whole]) {
                continue;
            }
            match head {
                Head::Module { source, object, .. } => {
                    let (start, length) = (offset + body.start as u64, body.len() as u64);
                    let record = SourceRecord {
                        source,
                        object,
                        length,
                    };
                    self.modules.push((start, length, Some(record)));
                }
                Head::Without { source, reason, .. } => self.without.push((source, reason)),
                Head::Linked {
                    without,
                    libraries,
                    archives,
                    line,
                    parts,
                } => {
                    self.line.extend(line);
                    self.parts.extend(parts);
                    self.without_records.extend(without);
                    self.libraries
                        .extend(libraries.into_iter().map(PathBuf::from));
                    self.archives
                        .extend(archives.into_iter().map(PathBuf::from));
                }
                Head::Unknown => {}
            }
        }
        Ok(())
    }

    /// A path a line; linkers put zeros between the parts.
    fn take_paths(&mut self, data: &[u8], _: u64) -> Result<(), String> {
        for line in data.split(|byte| *byte == b'\n' || *byte == 0) {
            let path = PathBuf::from(OsStr::from_bytes(line));
            if !line.is_empty() && !self.files.contains(&path) {
                self.files.push(path);
            }
        }
        Ok(())
    }

    fn take_modules(&mut self, data: &[u8], offset: u64) -> Result<(), String> {
        for range in stream::modules(data) {
            let place = (offset + range.start as u64, range.len() as u64, None);
            self.modules.push(place);
        }
        Ok(())
    }
}

/// Returns the names that a file defines for others; for a shared object, the names that the loader
/// sees.
fn definitions(file: &object::File<'_>) -> BTreeSet<String> {
    let symbols = match file.kind() {
        ObjectKind::Dynamic => file.dynamic_symbols(),
        _ => file.symbols(),
    };
    symbols
        .filter(|symbol| symbol.is_global() && symbol.is_definition())
        .filter_map(|symbol| symbol.name().ok().map(str::to_string))
        .collect()
}

impl Inputs {
    /// Adds what an ELF file carries.
    pub(super) fn add_elf(
        &mut self,
        path: &Path,
        bytes: &[u8],
        role: Role,
    ) -> Result<(), LoadError> {
        let damaged = |reason| LoadError::Damaged {
            path: path.to_path_buf(),
            reason,
        };
        let embedded = Embedded::read(bytes, 0).map_err(damaged)?;
        let name = shown(path);
        if embedded.is_empty() {
            return Err(no_bitcode(path, bytes));
        }
        if embedded.modules.is_empty() && embedded.files.is_empty() {
            return Err(only_native(path, embedded.without.first()));
        }
        self.add_embedded(path, &name, &embedded, role)
    }

    /// Adds modules and warnings of a file, or of a member of an archive, called `name`.
    pub(super) fn add_embedded(
        &mut self,
        path: &Path,
        name: &str,
        embedded: &Embedded,
        role: Role,
    ) -> Result<(), LoadError> {
        self.add_link(name, embedded);
        for (offset, length, record) in &embedded.modules {
            let name = match record {
                Some(record) => format!("{name} ({})", record.source),
                None => name.to_string(),
            };
            self.push(path, Some((*offset, *length)), name, role);
            self.say_part(record.as_ref());
            // Of one module in an object, or of all in a shared object.
            let known = match role {
                Role::Program => false,
                Role::Member(_) | Role::Rest => embedded.modules.len() == 1,
                Role::Library(_) => true,
            };
            if known {
                self.say_defines(embedded.defines.clone());
            }
        }
        for file in &embedded.files {
            if !file.exists() {
                return Err(LoadError::Gone {
                    path: PathBuf::from(name),
                    bitcode: file.clone(),
                });
            }
            self.add(file, role)?;
        }
        for (source, reason) in &embedded.without {
            self.warnings.push(format!(
                "{name}: {source} is there as machine code only: {reason}"
            ));
        }
        if !embedded.without_records.is_empty() {
            let list = embedded.without_records.join(", ");
            self.warnings.push(format!(
                "{name}: linked from files without bitcode, since a compiler other than `homi cc` \
                 built them: {list}"
            ));
        }
        let number = match role {
            Role::Library(number) => Some(number),
            _ => None,
        };
        for library in &embedded.libraries {
            if embedded
                .needs
                .as_ref()
                .is_none_or(|needs| needs.have(library))
            {
                let waiting = (name.to_string(), number, library.clone());
                self.waiting.push_back(waiting);
            }
        }
        for archive in &embedded.archives {
            self.add_rest(archive)?;
        }
        Ok(())
    }

    /// Adds the link of a file, and warns of options that homi does not heed.
    fn add_link(&mut self, name: &str, embedded: &Embedded) {
        if embedded.line.is_empty() && embedded.parts.is_empty() {
            return;
        }
        let link = Link::new(&embedded.line, &embedded.parts, &embedded.constructors);
        if !link.options.unheeded.is_empty() {
            self.warnings.push(format!(
                "{name}: linked with what homi does not heed, so the native program may take \
                 other definitions or begin elsewhere: {}",
                link.options.unheeded.join(", ")
            ));
        }
        self.current_link = Some(self.links.len());
        self.links.push(link);
    }

    /// Adds the shared objects that were found. Shared objects of the program come before shared
    /// objects of others.
    pub(super) fn add_libraries(&mut self) -> Result<(), LoadError> {
        self.current_link = None;
        while let Some((user, number, library)) = self.waiting.pop_front() {
            self.add_library(&user, number, &library)?;
            self.current_link = None;
        }
        Ok(())
    }

    fn add_library(
        &mut self,
        user: &str,
        by: Option<usize>,
        library: &Path,
    ) -> Result<(), LoadError> {
        if !library.exists() {
            self.warnings.push(format!(
                "{user}: linked with {}, which is gone; the functions that it defined are undefined",
                library.display()
            ));
            return Ok(());
        }
        let failed = |error: std::io::Error| unreadable(library, &error);
        let path = library.canonicalize().map_err(failed)?;
        let known = self.libraries.iter().position(|known| known.path == path);
        if known.is_none() && self.seen.contains(&path) {
            return Ok(());
        }
        let number = known.unwrap_or(self.libraries.len());
        if let Some(by) = by {
            self.libraries[by].uses.push(number);
        }
        if known.is_some() {
            return Ok(());
        }
        self.libraries.push(Library {
            path,
            uses: Vec::new(),
        });
        self.add(library, Role::Library(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_that_was_linked_twice_is_one() {
        let head = Head::Module {
            source: "a.c".to_string(),
            object: "/build/a.o".to_string(),
            coverage: false,
        };
        let once = crate::embedded::encode(&head, b"bitcode");
        let mut embedded = Embedded::default();
        embedded.take_records(&once.repeat(2), 100).unwrap();
        assert_eq!(embedded.modules.len(), 1);
    }

    #[test]
    fn paths_are_lines_between_zeros() {
        let mut embedded = Embedded::default();
        embedded
            .take_paths(b"/a.bc\n\0\0/b c.bc\n/a.bc\n", 0)
            .unwrap();
        assert_eq!(
            embedded.files,
            [PathBuf::from("/a.bc"), PathBuf::from("/b c.bc")]
        );
    }
}
