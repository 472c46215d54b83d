//! Facts that are known when a program is linked and not later: parts without bitcode, the
//! locations of the build's shared objects and archives, the linker's arguments, and which part
//! each definition of the output comes from.
//!
//! Invariant: only files that the command names are read, and libraries in directories that it
//! names (`-L`); the system's libraries are not part of the build. A member of an archive counts if
//! the output has a symbol that it defines.

use super::invocation::{Invocation, Item};
use super::line;
use super::parts::{Files, Output};
use homi_llvm::embedded::{Head, carries_bitcode};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, ReadCache};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Symbol of the library that feeds tests to native harnesses.
const ENGINE: &[u8] = b"klee_make_symbolic";

/// The record of a link.
pub fn record(invocation: &Invocation, directory: &Path, output: &Path) -> Head {
    let mut found = Found::new(output);
    for file in files(invocation, directory) {
        found.look_at(&file);
    }
    Head::Linked {
        without: found.without,
        libraries: found.libraries,
        archives: found.archives,
        line: line::arguments(invocation, directory),
        parts: found.files.resolve(),
    }
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

struct Found {
    without: Vec<String>,
    libraries: Vec<String>,
    archives: Vec<String>,
    files: Files,
    output: Output,
}

impl Found {
    fn new(output: &Path) -> Found {
        Found {
            without: Vec::new(),
            libraries: Vec::new(),
            archives: Vec::new(),
            files: Files::default(),
            output: Output::read(output),
        }
    }

    fn look_at(&mut self, path: &Path) {
        let Ok(file) = File::open(path) else {
            return;
        };
        let shown = path.to_string_lossy().into_owned();
        let cache = ReadCache::new(file);
        if let Ok(archive) = ArchiveFile::parse(&cache) {
            self.look_into(&shown, &archive, &cache);
            return;
        }
        let object = path.extension().is_some_and(|ending| ending == "o");
        match carries_bitcode(&cache) {
            Some(true) if !object => self.libraries.push(shown),
            Some(false) if object => {
                self.files.add(&shown, &cache, &self.output);
                self.without.push(shown);
            }
            Some(_) if object => self.files.add(&shown, &cache, &self.output),
            _ => {}
        }
    }

    fn look_into<'data>(
        &mut self,
        shown: &str,
        archive: &ArchiveFile<'data, &'data ReadCache<File>>,
        cache: &'data ReadCache<File>,
    ) {
        let mut carries = false;
        for member in archive.members().filter_map(Result::ok) {
            let name = String::from_utf8_lossy(member.name()).into_owned();
            let file = format!("{shown}({name})");
            // A thin archive's members are separate files.
            let embedded = if archive.is_thin() {
                let directory = Path::new(shown).parent().unwrap_or(Path::new(""));
                let bytes = std::fs::read(directory.join(&name)).unwrap_or_default();
                self.look_at_member(&file, &*bytes)
            } else {
                let (offset, size) = member.file_range();
                self.look_at_member(&file, cache.range(offset, size))
            };
            carries |= embedded == Some(true);
        }
        if carries {
            self.archives.push(shown.to_string());
        }
    }

    /// Returns whether a member carries bitcode, if it is an object.
    fn look_at_member<'data>(
        &mut self,
        file: &str,
        data: impl object::ReadRef<'data>,
    ) -> Option<bool> {
        let (embedded, defined) = (carries_bitcode(data), definitions(data));
        let is_taken = self.output.has_one_of(defined.iter());
        // This library replaces the engine in a native program.
        let stands_for_engine = defined.contains(ENGINE);
        if embedded == Some(false) && !stands_for_engine && is_taken {
            self.without.push(file.to_string());
        }
        if is_taken && !stands_for_engine {
            self.files.add(file, data, &self.output);
        }
        embedded
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
