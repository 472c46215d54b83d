//! Facts that are known when a program is linked and not later: parts without bitcode, and the
//! locations of the build's shared objects and archives.
//!
//! Invariant: only files that the command names are read, and libraries in directories that it
//! names (`-L`); the system's libraries are not part of the build. A member of an archive counts if
//! the output has a symbol that it defines.

use super::invocation::{Invocation, Item};
use crate::llvm::embedded::{Head, carries_bitcode};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, ReadCache};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Symbol of the library that feeds tests to native harnesses.
const ENGINE: &[u8] = b"klee_make_symbolic";

/// The record of a link; `None` if there is nothing to say.
pub fn record(invocation: &Invocation, directory: &Path, output: &Path) -> Option<Head> {
    let mut found = Found::default();
    for file in files(invocation, directory) {
        found.look_at(&file, output);
    }
    let Found {
        without,
        libraries,
        archives,
        ..
    } = found;
    let nothing = without.is_empty() && libraries.is_empty() && archives.is_empty();
    (!nothing).then_some(Head::Linked {
        without,
        libraries,
        archives,
    })
}

/// True if the output is an object again, to be linked further.
pub fn is_partial(invocation: &Invocation) -> bool {
    let partial = ["-r", "-Wl,-r", "-Wl,--relocatable", "--relocatable"];
    partial.iter().any(|option| invocation.has(option))
}

/// The objects, archives and shared objects that the command names.
fn files(invocation: &Invocation, directory: &Path) -> Vec<PathBuf> {
    let values = |option| {
        let items = invocation.options();
        items.filter_map(move |item: &Item| item.value(option))
    };
    let places: Vec<PathBuf> = values("-L").map(|place| directory.join(place)).collect();
    let named = invocation
        .inputs()
        .map(|(name, _)| directory.join(name))
        .filter(|path| path.extension().is_some());
    let library = |name: &OsStr| {
        let name = name.to_string_lossy();
        let file = |place: &PathBuf| {
            let shared = place.join(format!("lib{name}.so"));
            let archive = place.join(format!("lib{name}.a"));
            [shared, archive].into_iter().find(|file| file.is_file())
        };
        places.iter().find_map(file)
    };
    named.chain(values("-l").filter_map(library)).collect()
}

#[derive(Default)]
struct Found {
    without: Vec<String>,
    libraries: Vec<String>,
    archives: Vec<String>,
    /// Names that the output defines, read when first needed.
    defined: Option<HashSet<Vec<u8>>>,
}

impl Found {
    fn look_at(&mut self, path: &Path, output: &Path) {
        let Ok(file) = File::open(path) else {
            return;
        };
        let shown = path.to_string_lossy().into_owned();
        let cache = ReadCache::new(file);
        if let Ok(archive) = ArchiveFile::parse(&cache) {
            self.look_into(&shown, &archive, &cache, output);
            return;
        }
        let object = path.extension().is_some_and(|ending| ending == "o");
        match carries_bitcode(&cache) {
            Some(true) if !object => self.libraries.push(shown),
            Some(false) if object => self.without.push(shown),
            _ => {}
        }
    }

    fn look_into<'data>(
        &mut self,
        shown: &str,
        archive: &ArchiveFile<'data, &'data ReadCache<File>>,
        cache: &'data ReadCache<File>,
        output: &Path,
    ) {
        let mut carries = false;
        for member in archive.members().filter_map(Result::ok) {
            let name = String::from_utf8_lossy(member.name()).into_owned();
            // A thin archive's members are separate files.
            let (embedded, defined) = if archive.is_thin() {
                let directory = Path::new(shown).parent().unwrap_or(Path::new(""));
                let bytes = std::fs::read(directory.join(&name)).unwrap_or_default();
                (carries_bitcode(&*bytes), definitions(&*bytes))
            } else {
                let (offset, size) = member.file_range();
                let data = cache.range(offset, size);
                (carries_bitcode(data), definitions(data))
            };
            carries |= embedded == Some(true);
            // This library replaces the engine in a native program.
            let stands_for_engine = defined.contains(ENGINE);
            if embedded == Some(false) && !stands_for_engine && self.is_taken(&defined, output) {
                self.without.push(format!("{shown}({name})"));
            }
        }
        if carries {
            self.archives.push(shown.to_string());
        }
    }

    fn is_taken(&mut self, names: &HashSet<Vec<u8>>, output: &Path) -> bool {
        let defined = self.defined.get_or_insert_with(|| {
            let bytes = std::fs::read(output).unwrap_or_default();
            definitions(&*bytes)
        });
        names.iter().any(|name| defined.contains(name))
    }
}

/// Names that an ELF file defines for others.
fn definitions<'data>(data: impl object::ReadRef<'data>) -> HashSet<Vec<u8>> {
    let Ok(file) = object::File::parse(data) else {
        return HashSet::new();
    };
    let symbols = file.symbols();
    symbols
        .filter(|symbol| symbol.is_global() && symbol.is_definition())
        .filter_map(|symbol| symbol.name_bytes().ok().map(<[u8]>::to_vec))
        .collect()
}
