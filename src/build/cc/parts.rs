//! The linked file from which each definition of a linker's output comes.
//!
//! Idea: a linker does not tell, but the bytes of a definition stay except where an address was
//! filled in; so of the files that define a name the one with the output's size and bytes is its
//! origin. Invariant: a name of which no file has the output's bytes is attributed to none.

use homi_llvm::embedded::{Head, Part, SECTION, SourceRecord, decode};
use object::{Object, ObjectSection, ObjectSymbol, ReadRef, SectionIndex};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

/// Bytes before a relocation that the linker may change with it: it may choose a shorter
/// instruction.
const BEFORE: u64 = 4;

/// The linker's output, and the names that it defines for others.
#[derive(Default)]
pub struct Output {
    bytes: Vec<u8>,
    /// Sizes, and positions in the file of what lies there.
    symbols: HashMap<Vec<u8>, (u64, Option<Range<usize>>)>,
}

impl Output {
    /// Reads an executable or shared object; one without symbols if it cannot be read.
    pub fn read(path: &Path) -> Output {
        let bytes = std::fs::read(path).unwrap_or_default();
        let symbols = object::File::parse(&*bytes).map(|file| definitions_of(&file));
        let symbols = symbols.unwrap_or_default();
        Output { bytes, symbols }
    }

    /// True if the output defines one of these names.
    pub fn has_one_of<'n>(&self, mut names: impl Iterator<Item = &'n Vec<u8>>) -> bool {
        names.any(|name| self.symbols.contains_key(name))
    }
}

fn definitions_of(file: &object::File<'_>) -> HashMap<Vec<u8>, (u64, Option<Range<usize>>)> {
    let mut found = HashMap::new();
    for symbol in file
        .symbols()
        .filter(|one| one.is_global() && one.is_definition())
    {
        let section = symbol.section_index();
        let section = section.and_then(|index| file.section_by_index(index).ok());
        let place = section.and_then(|section| {
            let start =
                section.file_range()?.0 + symbol.address().checked_sub(section.address())?;
            Some(start as usize..(start + symbol.size()) as usize)
        });
        if let Ok(name) = symbol.name_bytes() {
            found.insert(name.to_vec(), (symbol.size(), place));
        }
    }
    found
}

/// A definition in a linked file of a name that the output has.
struct Candidate {
    file: usize,
    is_local: bool,
    is_strong: bool,
    /// Size and bytes are the output's.
    fits: bool,
}

/// The linked files, and their definitions of the output's names.
#[derive(Default)]
pub struct Files {
    parts: Vec<Part>,
    candidates: BTreeMap<String, Vec<Candidate>>,
}

impl Files {
    /// Adds an object, or a member of an archive.
    pub fn add<'data>(&mut self, file: &str, data: impl ReadRef<'data>, output: &Output) {
        let Ok(object) = object::File::parse(data) else {
            return;
        };
        let number = self.parts.len();
        self.parts.push(Part {
            file: file.to_string(),
            records: records(&object),
            ..Part::default()
        });
        let mut changed = HashMap::new();
        for symbol in object.symbols() {
            let Ok(name) = symbol.name_bytes() else {
                continue;
            };
            let defines = symbol.is_definition() || symbol.is_common();
            let Some((size, place)) = output.symbols.get(name).filter(|_| defines) else {
                continue;
            };
            let own = bytes_of(&object, &symbol, &mut changed);
            let theirs = place.clone().and_then(|place| output.bytes.get(place));
            let fits = symbol.size() == *size
                && match (own, theirs) {
                    (Some(own), Some(theirs)) => agree(&own, theirs),
                    (own, _) => own.is_none(),
                };
            let candidate = Candidate {
                file: number,
                is_local: symbol.is_local(),
                is_strong: !symbol.is_weak() && !symbol.is_common(),
                fits,
            };
            let name = String::from_utf8_lossy(name).into_owned();
            self.candidates.entry(name).or_default().push(candidate);
        }
    }

    /// The files with what the output has of each.
    pub fn resolve(self) -> Vec<Part> {
        let mut parts = self.parts;
        for (name, candidates) in self.candidates {
            let globals = || candidates.iter().filter(|one| !one.is_local);
            let fitting = || globals().filter(|one| one.fits);
            let taken = fitting()
                .find(|one| one.is_strong)
                .or_else(|| fitting().next());
            let Some(taken) = taken else { continue };
            parts[taken.file].defines.push(name.clone());
            for other in candidates.iter().filter(|other| other.file != taken.file) {
                let part = &mut parts[other.file];
                if other.is_local {
                    part.locals.push(name.clone());
                } else if other.is_strong || taken.is_strong || other.file < taken.file {
                    part.yields.push(name.clone());
                }
            }
        }
        parts.retain(|part| !part.defines.is_empty() || !part.records.is_empty());
        parts
    }
}

/// Bytes of a definition; `None` for a byte that the linker changes.
type Masked = Vec<Option<u8>>;

/// Returns the bytes of a symbol; none where a file has none of it.
fn bytes_of<'data, 'file, R: ReadRef<'data>>(
    object: &'file object::File<'data, R>,
    symbol: &impl ObjectSymbol<'data>,
    changed: &mut HashMap<SectionIndex, BTreeSet<u64>>,
) -> Option<Masked> {
    let index = symbol.section_index()?;
    let section = object.section_by_index(index).ok()?;
    section.file_range()?;
    let start = symbol.address();
    let data = section.data_range(start, symbol.size()).ok()??;
    let relocations = changed
        .entry(index)
        .or_insert_with(|| section.relocations().map(|(offset, _)| offset).collect());
    let mut bytes: Masked = data.iter().copied().map(Some).collect();
    for offset in relocations.range(start..start + symbol.size() + BEFORE) {
        let first = offset.saturating_sub(BEFORE).max(start) - start;
        // A word of data is an address of eight bytes; one of code has four.
        let width = if section.kind() == object::SectionKind::Text {
            4
        } else {
            8
        };
        let last = (offset + width - start).min(symbol.size());
        bytes[first as usize..last as usize].fill(None);
    }
    Some(bytes)
}

fn agree(own: &Masked, theirs: &[u8]) -> bool {
    let mut pairs = own.iter().zip(theirs);
    own.len() == theirs.len() && pairs.all(|(own, byte)| own.is_none_or(|own| own == *byte))
}

/// Returns what names the records of `homi cc` in an object.
fn records<'data, R: ReadRef<'data>>(object: &object::File<'data, R>) -> Vec<SourceRecord> {
    let sections = object
        .sections()
        .filter(|found| found.name() == Ok(SECTION));
    let data = sections.filter_map(|section| section.data().ok());
    let records = data.flat_map(|data| decode(data).unwrap_or_default());
    let named = records.filter_map(|record| match record.head {
        Head::Module { source, object, .. } => Some(SourceRecord {
            source,
            object,
            length: record.body.len() as u64,
        }),
        _ => None,
    });
    named.collect()
}
