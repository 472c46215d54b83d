//! The files that a user gives become modules of bitcode: bitcode itself, LLVM's text, what
//! executables, shared objects, objects and archives carry.
//!
//! Invariant: only files are read here, by Rust; LLVM sees the modules later. A file is looked at
//! once, however it is reached. A missing part of a file is a warning that names it, and an error
//! if nothing is left of the file.

mod archive;
mod elf;
mod kind;
mod libtool;
mod link;
mod native;
mod refusal;
mod stream;

use super::error::LoadError;
use crate::embedded::SourceRecord;
use kind::{FileKind, kind_of};
pub use link::{Library, Link};
use std::collections::{BTreeSet, VecDeque};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Usual endings of the names of files that homi reads.
const ENDINGS: [&str; 6] = ["bc", "ll", "o", "a", "so", "lo"];

/// Role of a module in the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A part of the program.
    Program,
    /// A member of the archive of this number: a part of the program if it defines what is missing.
    Member(usize),
    /// A member of an archive that the native link may not have taken, considered last.
    Rest,
    /// A part of the shared object of this number: definitions of the program come before its own.
    Library(usize),
}

/// A module of bitcode, or of IR as text, and where its bytes are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleSource {
    /// The file that holds it.
    pub path: PathBuf,
    /// Offset and length in the file, in bytes; all of the file if there are none.
    pub range: Option<(u64, u64)>,
    /// Name in messages: the file, with the source or member in parentheses.
    pub name: String,
    /// Role of the module in the link.
    pub role: Role,
    /// Names that it defines for others, if known without reading it; for a part of a shared
    /// object, the names of the whole.
    pub defines: Option<BTreeSet<String>>,
    /// The link that it took part in, if known, by its number in the inputs.
    pub link: Option<usize>,
    /// The link's part that carries it.
    pub part: Option<usize>,
}

impl ModuleSource {
    /// A file that is a module.
    pub fn whole(path: &Path) -> ModuleSource {
        ModuleSource {
            path: path.to_path_buf(),
            range: None,
            name: shown(path),
            role: Role::Program,
            defines: None,
            link: None,
            part: None,
        }
    }

    /// The source or member, or the file without its directories.
    pub fn short_name(&self) -> String {
        let inner = self.name.split_once(" (").map(|(_, inner)| inner);
        let inner = inner.and_then(|inner| inner.strip_suffix(')'));
        let file = || self.path.file_name().unwrap_or_default().to_string_lossy();
        inner.map_or_else(|| file().into_owned(), str::to_string)
    }

    /// The module's bytes.
    pub fn read(&self) -> Result<Vec<u8>, LoadError> {
        let failed = |error: std::io::Error| unreadable(&self.path, &error);
        let Some((offset, length)) = self.range else {
            return std::fs::read(&self.path).map_err(failed);
        };
        let mut file = std::fs::File::open(&self.path).map_err(failed)?;
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// Modules in the files of a user.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// In the order in which they were given and found.
    pub modules: Vec<ModuleSource>,
    /// Warnings about missing parts.
    pub warnings: Vec<String>,
    /// Notes on unexpected treatment of a file.
    pub notes: Vec<String>,
    /// Recorded links of executables and shared objects.
    pub links: Vec<Link>,
    /// The program's shared objects, in the order in which a loader looks names up in them.
    libraries: Vec<Library>,
    /// Number of archives.
    archives: usize,
    /// Shared objects to be looked at, with the file that needs each and its number if it is one.
    waiting: VecDeque<(String, Option<usize>, PathBuf)>,
    /// Link of the file that is being added.
    current_link: Option<usize>,
    /// The real paths of the files that were looked at.
    seen: BTreeSet<PathBuf>,
}

impl Inputs {
    /// Returns the number of shared objects; they are numbered from 0.
    pub fn libraries(&self) -> usize {
        self.libraries.len()
    }

    /// Returns the number of archives; they are numbered from 0.
    pub fn archives(&self) -> usize {
        self.archives
    }

    /// Returns each shared object's place in the order in which their constructors run.
    pub fn starting_order(&self) -> Vec<usize> {
        link::starting_order(&self.libraries)
    }
}

/// Finds the modules in files of all kinds.
pub fn find_modules(files: &[PathBuf]) -> Result<Inputs, LoadError> {
    let mut inputs = Inputs::default();
    for file in files {
        inputs.add(file, Role::Program)?;
        inputs.add_libraries()?;
    }
    if inputs.modules.is_empty() {
        Err(LoadError::NoInput)
    } else {
        Ok(inputs)
    }
}

/// True if homi reads files of this kind. A file that cannot be read counts by its name.
pub fn is_input(path: &Path) -> bool {
    match beginning(path) {
        Ok(bytes) => !matches!(kind_of(path, &bytes), FileKind::Other { .. }),
        Err(_) => {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| ENDINGS.contains(&ending))
        }
    }
}

/// The program behind libtool's script; none if the file is not such a script.
pub fn behind_libtool(path: &Path) -> Option<PathBuf> {
    let bytes = beginning(path).ok()?;
    let script = kind_of(path, &bytes) == FileKind::Libtool;
    script.then(|| libtool::real_file(path, &bytes)).flatten()
}

impl Inputs {
    /// Looks at a file unless that was done.
    fn add(&mut self, path: &Path, role: Role) -> Result<(), LoadError> {
        let real = path
            .canonicalize()
            .map_err(|error| unreadable(path, &error))?;
        if !self.seen.insert(real) {
            return Ok(());
        }
        let failed = |error: std::io::Error| unreadable(path, &error);
        let whole = || std::fs::read(path).map_err(failed);
        match kind_of(path, &beginning(path).map_err(failed)?) {
            FileKind::Bitcode | FileKind::Text => {
                self.push(path, None, shown(path), role);
                Ok(())
            }
            FileKind::Elf => self.add_elf(path, &whole()?, role),
            FileKind::Archive => self.add_archive(path, &whole()?),
            FileKind::Libtool => self.add_libtool(path, &whole()?, role),
            FileKind::Other { found, remedy } => Err(LoadError::NotBitcode {
                path: path.to_path_buf(),
                found: found.to_string(),
                remedy,
            }),
        }
    }

    fn add_libtool(&mut self, path: &Path, bytes: &[u8], role: Role) -> Result<(), LoadError> {
        let Some(real) = libtool::real_file(path, bytes) else {
            return Err(LoadError::NotBitcode {
                path: path.to_path_buf(),
                found: "it is a libtool file, but the file that it refers to is missing"
                    .to_string(),
                remedy: "build the program again".to_string(),
            });
        };
        self.notes.push(format!(
            "{} is a libtool file; using the file that it refers to: {}",
            path.display(),
            real.display()
        ));
        self.add(&real, role)
    }

    fn push(&mut self, path: &Path, range: Option<(u64, u64)>, name: String, role: Role) {
        self.modules.push(ModuleSource {
            path: path.to_path_buf(),
            range,
            name,
            role,
            defines: None,
            link: self.current_link,
            part: None,
        });
    }

    /// Sets the names that the last module defines.
    fn say_defines(&mut self, names: BTreeSet<String>) {
        if let Some(last) = self.modules.last_mut() {
            last.defines = Some(names);
        }
    }

    /// Sets the part of the link that carries the last module.
    fn say_part(&mut self, record: Option<&SourceRecord>) {
        let link = self.current_link.and_then(|link| self.links.get(link));
        let part = link
            .zip(record)
            .and_then(|(link, record)| link.part_with(record));
        if let Some(last) = self.modules.last_mut() {
            last.part = part;
        }
    }
}

/// Reads as much of a file as its kind needs.
fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(kind::BEGINNING).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
    LoadError::Unreadable {
        path: path.to_path_buf(),
        reason: error.to_string(),
    }
}
