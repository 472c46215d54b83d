//! Adds a section without an address to an ELF file, in place.
//!
//! Invariant: nothing of the file moves. The section's bytes, a longer table of section names and a
//! longer table of sections are written behind its end; then the header is made to point there. So
//! numbers of sections, offsets and what is loaded stay as the assembler or the linker made them.
//! Only little-endian files are changed. Format: System V ABI, "Object Files".

use object::elf::{self, FileHeader32, FileHeader64, Ident, SectionHeader32, SectionHeader64};
use object::{LittleEndian, U16, U32, U64, pod};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

const E: LittleEndian = LittleEndian;

/// Differences between 32-bit and 64-bit files.
trait Class {
    const NUMBER: elf::FileClass;
    type Header: pod::Pod;
    type Section: pod::Pod;

    fn ident(header: &Self::Header) -> &Ident;
    fn table(header: &Self::Header) -> Table;
    /// Moves the section table. `None` if the offset does not fit into a file of this class.
    fn move_table(header: &mut Self::Header, start: u64, count: u16) -> Option<()>;
    fn place(section: &Self::Section) -> Range;
    fn move_to(section: &mut Self::Section, place: Range) -> Option<()>;
    fn new_section(name: u32, place: Range) -> Option<Self::Section>;
}

/// Position of a file's section table.
struct Table {
    start: u64,
    entry_size: usize,
    count: usize,
    /// Number of the section with their names.
    names: usize,
}

#[derive(Clone, Copy)]
struct Range {
    start: u64,
    size: u64,
}

/// Implements the trait for a class; both have the same fields with words of another width.
macro_rules! class {
    ($class:ident, $number:ident, $header:ident, $section:ident, $word:ident) => {
        struct $class;

        impl Class for $class {
            const NUMBER: elf::FileClass = elf::$number;
            type Header = $header<LittleEndian>;
            type Section = $section<LittleEndian>;

            fn ident(header: &Self::Header) -> &Ident {
                &header.e_ident
            }

            #[allow(clippy::useless_conversion)] // of one width only
            fn table(header: &Self::Header) -> Table {
                Table {
                    start: header.e_shoff.get(E).into(),
                    entry_size: header.e_shentsize.get(E).into(),
                    count: header.e_shnum.get(E).into(),
                    names: header.e_shstrndx.get(E).0.into(),
                }
            }

            fn move_table(header: &mut Self::Header, start: u64, count: u16) -> Option<()> {
                header.e_shoff = $word::new(E, start.try_into().ok()?);
                header.e_shnum = U16::new(E, count);
                Some(())
            }

            #[allow(clippy::useless_conversion)] // of one width only
            fn place(section: &Self::Section) -> Range {
                Range {
                    start: section.sh_offset.get(E).into(),
                    size: section.sh_size.get(E).into(),
                }
            }

            fn move_to(section: &mut Self::Section, place: Range) -> Option<()> {
                section.sh_offset = $word::new(E, place.start.try_into().ok()?);
                section.sh_size = $word::new(E, place.size.try_into().ok()?);
                Some(())
            }

            fn new_section(name: u32, place: Range) -> Option<Self::Section> {
                let zeros = [0; size_of::<Self::Section>()];
                let (zeroed, _) = pod::from_bytes::<Self::Section>(&zeros).ok()?;
                let mut section = *zeroed;
                section.sh_name = U32::new(E, name);
                section.sh_type = U32::new(E, elf::SHT_PROGBITS);
                section.sh_addralign = $word::new(E, 1);
                Self::move_to(&mut section, place)?;
                Some(section)
            }
        }
    };
}

class!(Class32, ELFCLASS32, FileHeader32, SectionHeader32, U32);
class!(Class64, ELFCLASS64, FileHeader64, SectionHeader64, U64);

/// Adds a section of this name and content. Returns false, without a change, if the file cannot
/// have it (not an ELF file, or without sections). Fails if the file cannot be read or written.
pub fn append_section(path: &Path, name: &str, content: &[u8]) -> std::io::Result<bool> {
    let mut file = File::options().read(true).write(true).open(path)?;
    Ok(
        append::<Class64>(&mut file, name, content)?
            || append::<Class32>(&mut file, name, content)?,
    )
}

fn append<C: Class>(file: &mut File, name: &str, content: &[u8]) -> std::io::Result<bool> {
    let length = file.metadata()?.len();
    let Some(mut header) = read_header::<C>(file, length)? else {
        return Ok(false);
    };
    let table = C::table(&header);
    let Some(mut sections) = read_sections::<C>(file, &table, length)? else {
        return Ok(false);
    };
    // Above 0xff00 sections the count is elsewhere; no compiler makes so large a table by default.
    let full = sections.len() + 1 >= usize::from(elf::SHN_LORESERVE);
    let Some(names) = sections.get_mut(table.names).filter(|_| !full) else {
        return Ok(false);
    };
    let Some(mut strings) = read_range(file, C::place(names), length)? else {
        return Ok(false);
    };
    let name_at = strings.len() as u32;
    strings.extend(name.as_bytes());
    strings.push(0);

    let content_place = Range {
        start: length,
        size: content.len() as u64,
    };
    let strings_place = Range {
        start: length + content_place.size,
        size: strings.len() as u64,
    };
    let strings_end = strings_place.start + strings_place.size;
    let table_at = strings_end.next_multiple_of(8);
    let added = C::new_section(name_at, content_place);
    let moved = C::move_to(names, strings_place);
    let (Some(added), Some(())) = (added, moved) else {
        return Ok(false);
    };
    sections.push(added);
    if C::move_table(&mut header, table_at, sections.len() as u16).is_none() {
        return Ok(false);
    }

    file.seek(SeekFrom::End(0))?;
    file.write_all(content)?;
    file.write_all(&strings)?;
    file.write_all(&[0; 8][..(table_at - strings_end) as usize])?;
    file.write_all(pod::bytes_of_slice(&sections))?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(pod::bytes_of(&header))?;
    Ok(true)
}

fn read_header<C: Class>(file: &mut File, length: u64) -> std::io::Result<Option<C::Header>> {
    let whole = Range {
        start: 0,
        size: size_of::<C::Header>() as u64,
    };
    let Some(bytes) = read_range(file, whole, length)? else {
        return Ok(None);
    };
    let Ok((header, _)) = pod::from_bytes::<C::Header>(&bytes) else {
        return Ok(None);
    };
    let ident = C::ident(header);
    let fits = ident.magic == elf::ELFMAG
        && ident.class == C::NUMBER
        && ident.data == elf::ELFDATA2LSB
        && C::table(header).entry_size == size_of::<C::Section>();
    Ok(fits.then_some(*header))
}

fn read_sections<C: Class>(
    file: &mut File,
    table: &Table,
    length: u64,
) -> std::io::Result<Option<Vec<C::Section>>> {
    let place = Range {
        start: table.start,
        size: (table.count * size_of::<C::Section>()) as u64,
    };
    let bytes = read_range(file, place, length)?;
    let sections = bytes.as_deref().map(|bytes| {
        let slice = pod::slice_from_bytes::<C::Section>(bytes, table.count);
        slice.map(|(sections, _)| sections.to_vec())
    });
    Ok(sections.and_then(Result::ok))
}

/// Bytes of a file; none if they are not all there.
fn read_range(file: &mut File, place: Range, length: u64) -> std::io::Result<Option<Vec<u8>>> {
    let Range { start, size } = place;
    if start.checked_add(size).is_none_or(|end| end > length) {
        return Ok(None);
    }
    let mut bytes = vec![0; size as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}
