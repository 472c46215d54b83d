//! Facts about the start of a linked file in its machine code: the shared objects that it needs and
//! the order of its constructors.

use object::read::elf::{DynamicTable, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, elf};
use std::collections::HashMap;
use std::path::Path;

/// The shared objects that a linked file needs, by the names that its loader looks for, and its
/// own name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Needs {
    pub needed: Vec<String>,
    pub own: Option<String>,
}

impl Needs {
    /// Reads them; none where a file has no table for the loader.
    pub fn read(file: &object::File<'_>) -> Option<Needs> {
        match file {
            object::File::Elf64(file) => of(&file.elf_dynamic_table().ok()?),
            object::File::Elf32(file) => of(&file.elf_dynamic_table().ok()?),
            _ => None,
        }
    }

    /// True if the loader finds this shared object by one of the names; a link may leave one out
    /// that nothing refers to.
    pub fn have(&self, library: &Path) -> bool {
        let bytes = std::fs::read(library).unwrap_or_default();
        let file = object::File::parse(&*bytes).ok();
        let own = file.and_then(|file| Needs::read(&file)?.own);
        let file_name = library
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = own.or(file_name).unwrap_or_default();
        let last = |path: &String| Path::new(path).file_name() == Path::new(&name).file_name();
        self.needed
            .iter()
            .any(|needed| *needed == name || last(needed))
    }
}

fn of<Elf: FileHeader>(table: &DynamicTable<'_, Elf>) -> Option<Needs> {
    let mut needs = Needs::default();
    for entry in table {
        let name = table.string(entry);
        let name = || Some(String::from_utf8_lossy(name.ok()?).into_owned());
        if entry.tag == elf::DT_NEEDED {
            needs.needed.extend(name());
        } else if entry.tag == elf::DT_SONAME {
            needs.own = name();
        }
    }
    (!table.is_empty()).then_some(needs)
}

/// The names of the functions in `.init_array`, in the order in which they run; those without a
/// name are left out.
pub(super) fn constructors(file: &object::File<'_>) -> Vec<String> {
    let Some(section) = file.section_by_name(".init_array") else {
        return Vec::new();
    };
    let width = if file.is_64() { 8 } else { 4 };
    let relocations = file.dynamic_relocations().into_iter().flatten();
    let filled: HashMap<u64, u64> = relocations
        .filter(|(_, relocation)| relocation.target() == RelocationTarget::Absolute)
        .map(|(place, relocation)| (place, relocation.addend() as u64))
        .collect();
    let functions = file.symbols().filter(ObjectSymbol::is_definition);
    let names: HashMap<u64, &str> = functions
        .filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?)))
        .collect();
    let words = section.data().unwrap_or_default().chunks_exact(width);
    let addresses = words.enumerate().map(|(index, word)| {
        let bytes = word.iter().rev();
        let stored = bytes.fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let place = section.address() + (index * width) as u64;
        // Where the addend stands in the section it is no part of the relocation.
        let addend = filled.get(&place).copied();
        addend.filter(|addend| *addend != 0).unwrap_or(stored)
    });
    let found = addresses.filter_map(|address| names.get(&address));
    found.map(ToString::to_string).collect()
}
