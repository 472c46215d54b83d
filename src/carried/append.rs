//! Adds a section without an address to an ELF file, in place.
//!
//! Invariant: nothing of the file moves. The section's bytes, a longer table of section names and a
//! longer table of sections are written behind its end; then the header is made to point there. So
//! numbers of sections, offsets and what is loaded stay as the assembler or the linker made them.
//! Only 64-bit little-endian files are changed. Format: System V ABI, "Object Files".

use object::elf::{self, FileHeader64, SectionHeader64};
use object::{LittleEndian, U16, U32, U64, pod};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

type Header = FileHeader64<LittleEndian>;
type Section = SectionHeader64<LittleEndian>;

const E: LittleEndian = LittleEndian;

/// Adds a section of this name and content. False: the file is none that can have it (no ELF file
/// of 64 bits, or one without sections), and is as it was. Err: it cannot be read or written.
pub fn append_section(path: &Path, name: &str, content: &[u8]) -> std::io::Result<bool> {
    let mut file = File::options().read(true).write(true).open(path)?;
    append(&mut file, name, content)
}

fn append(file: &mut File, name: &str, content: &[u8]) -> std::io::Result<bool> {
    let length = file.metadata()?.len();
    let Some(mut header) = read_header(file, length)? else {
        return Ok(false);
    };
    let Some(mut sections) = read_sections(file, &header, length)? else {
        return Ok(false);
    };
    let names_at = usize::from(header.e_shstrndx.get(E).0);
    // Above 0xff00 sections the numbers stand elsewhere; no compiler makes so many without being
    // asked to.
    let full = sections.len() + 1 >= usize::from(elf::SHN_LORESERVE);
    let Some(names) = sections.get_mut(names_at).filter(|_| !full) else {
        return Ok(false);
    };
    let Some(mut strings) = read_range(file, names.sh_offset.get(E), names.sh_size.get(E), length)?
    else {
        return Ok(false);
    };
    let name_at = strings.len() as u32;
    strings.extend(name.as_bytes());
    strings.push(0);

    let content_at = length;
    let strings_at = content_at + content.len() as u64;
    let table_at = (strings_at + strings.len() as u64).next_multiple_of(8);
    names.sh_offset = U64::new(E, strings_at);
    names.sh_size = U64::new(E, strings.len() as u64);
    sections.push(new_section(name_at, content_at, content.len() as u64));

    file.seek(SeekFrom::End(0))?;
    file.write_all(content)?;
    file.write_all(&strings)?;
    let padding = table_at - strings_at - strings.len() as u64;
    file.write_all(&[0; 8][..padding as usize])?;
    file.write_all(pod::bytes_of_slice(&sections))?;
    header.e_shoff = U64::new(E, table_at);
    header.e_shnum = U16::new(E, sections.len() as u16);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(pod::bytes_of(&header))?;
    Ok(true)
}

fn read_header(file: &mut File, length: u64) -> std::io::Result<Option<Header>> {
    let Some(bytes) = read_range(file, 0, size_of::<Header>() as u64, length)? else {
        return Ok(None);
    };
    let Ok((header, _)) = pod::from_bytes::<Header>(&bytes) else {
        return Ok(None);
    };
    let ident = &header.e_ident;
    let fits = ident.magic == elf::ELFMAG
        && ident.class == elf::ELFCLASS64
        && ident.data == elf::ELFDATA2LSB
        && usize::from(header.e_shentsize.get(E)) == size_of::<Section>();
    Ok(fits.then_some(*header))
}

fn read_sections(
    file: &mut File,
    header: &Header,
    length: u64,
) -> std::io::Result<Option<Vec<Section>>> {
    let count = usize::from(header.e_shnum.get(E));
    let size = (count * size_of::<Section>()) as u64;
    let bytes = read_range(file, header.e_shoff.get(E), size, length)?;
    let sections = bytes.as_deref().map(|bytes| {
        let slice = pod::slice_from_bytes::<Section>(bytes, count);
        slice.map(|(sections, _)| sections.to_vec())
    });
    Ok(sections.and_then(Result::ok))
}

/// Bytes of a file; none if they are not all there.
fn read_range(
    file: &mut File,
    at: u64,
    size: u64,
    length: u64,
) -> std::io::Result<Option<Vec<u8>>> {
    if at.checked_add(size).is_none_or(|end| end > length) {
        return Ok(None);
    }
    let mut bytes = vec![0; size as usize];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

fn new_section(name: u32, offset: u64, size: u64) -> Section {
    Section {
        sh_name: U32::new(E, name),
        sh_type: U32::new(E, elf::SHT_PROGBITS),
        sh_flags: U64::new(E, elf::SectionFlags(0)),
        sh_addr: U64::new(E, 0),
        sh_offset: U64::new(E, offset),
        sh_size: U64::new(E, size),
        sh_link: U32::new(E, 0),
        sh_info: U32::new(E, 0),
        sh_addralign: U64::new(E, 1),
        sh_entsize: U64::new(E, 0),
    }
}
