//! Producer of a bitcode file, read without LLVM: the string in the identification block.
//!
//! Invariant: never fails and never reads outside the bytes; an unexpected block gives `None`.
//! Format: LLVM's "Bitcode File Format", sections on abbreviations and IDENTIFICATION_BLOCK.

use std::path::Path;

const IDENTIFICATION_BLOCK: u64 = 13;
const STRING_RECORD: u64 = 1;
const CHARACTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// The producer's name, such as "LLVM22.1.0".
pub fn producer_of_file(path: &Path) -> Option<String> {
    producer(&std::fs::read(path).ok()?)
}

/// The producer's name in a file's bytes.
pub fn producer(bytes: &[u8]) -> Option<String> {
    let bytes = match bytes {
        // The wrapper of some platforms: magic, version, offset, size, cputype.
        [0xDE, 0xC0, 0x17, 0x0B, ..] => {
            let offset = u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?);
            bytes.get(offset as usize..)?
        }
        _ => bytes,
    };
    if bytes.get(..4)? != [b'B', b'C', 0xC0, 0xDE] {
        return None;
    }
    let mut reader = Bits::new(bytes, 32);
    if reader.fixed(2)? != 1 || reader.variable(8)? != IDENTIFICATION_BLOCK {
        return None;
    }
    let width = reader.variable(4)?;
    reader.align();
    reader.fixed(32)?;
    read_block(&mut reader, u32::try_from(width).ok()?)
}

/// The string record of the block.
fn read_block(reader: &mut Bits<'_>, width: u32) -> Option<String> {
    let mut abbreviations: Vec<Vec<Encoding>> = Vec::new();
    loop {
        let id = reader.fixed(width)?;
        let record = match id {
            0 | 1 => return None,
            2 => {
                abbreviations.push(read_abbreviation(reader)?);
                continue;
            }
            3 => {
                let code = reader.variable(6)?;
                let count = reader.variable(6)?.min(1024);
                let mut record = vec![code];
                for _ in 0..count {
                    record.push(reader.variable(6)?);
                }
                record
            }
            other => {
                let index = usize::try_from(other - 4).ok()?;
                read_record(reader, abbreviations.get(index)?)?
            }
        };
        if let Some((&STRING_RECORD, text)) = record.split_first() {
            return Some(text.iter().map(|unit| *unit as u8 as char).collect());
        }
    }
}

/// Encoding of an operand of an abbreviated record.
#[derive(Clone, Copy)]
enum Encoding {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    Array,
    Character,
}

fn read_abbreviation(reader: &mut Bits<'_>) -> Option<Vec<Encoding>> {
    let count = reader.variable(5)?.min(64);
    let mut list = Vec::new();
    for _ in 0..count {
        let encoding = if reader.fixed(1)? == 1 {
            Encoding::Literal(reader.variable(8)?)
        } else {
            match reader.fixed(3)? {
                1 => Encoding::Fixed(u32::try_from(reader.variable(5)?).ok()?),
                2 => Encoding::Variable(u32::try_from(reader.variable(5)?).ok()?),
                3 => Encoding::Array,
                4 => Encoding::Character,
                _ => return None,
            }
        };
        list.push(encoding);
    }
    Some(list)
}

fn read_record(reader: &mut Bits<'_>, abbreviation: &[Encoding]) -> Option<Vec<u64>> {
    let mut record = Vec::new();
    let mut index = 0;
    while let Some(encoding) = abbreviation.get(index) {
        if let Encoding::Array = encoding {
            let element = *abbreviation.get(index + 1)?;
            let count = reader.variable(6)?.min(1024);
            for _ in 0..count {
                record.push(read_operand(reader, element)?);
            }
            return Some(record);
        }
        record.push(read_operand(reader, *encoding)?);
        index += 1;
    }
    Some(record)
}

fn read_operand(reader: &mut Bits<'_>, encoding: Encoding) -> Option<u64> {
    match encoding {
        Encoding::Literal(value) => Some(value),
        Encoding::Fixed(width) => reader.fixed(width),
        Encoding::Variable(width) => reader.variable(width),
        Encoding::Character => {
            let index = reader.fixed(6)? as usize;
            CHARACTERS.get(index).map(|byte| u64::from(*byte))
        }
        Encoding::Array => None,
    }
}

/// A reader of bits, lowest first.
pub(crate) struct Bits<'a> {
    bytes: &'a [u8],
    /// Index of the next bit.
    position: usize,
}

impl<'a> Bits<'a> {
    /// A reader that begins at a bit.
    pub(crate) fn new(bytes: &'a [u8], position: usize) -> Bits<'a> {
        Bits { bytes, position }
    }

    /// The number of the next bit.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn fixed(&mut self, width: u32) -> Option<u64> {
        if width > 64 {
            return None;
        }
        let mut value = 0u64;
        for bit in 0..width {
            let byte = *self.bytes.get(self.position / 8)?;
            value |= u64::from(byte >> (self.position % 8) & 1) << bit;
            self.position += 1;
        }
        Some(value)
    }

    /// Chunks of `width` bits whose highest bit says that more follow.
    pub(crate) fn variable(&mut self, width: u32) -> Option<u64> {
        if !(2..=32).contains(&width) {
            return None;
        }
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let chunk = self.fixed(width)?;
            let payload = chunk & ((1 << (width - 1)) - 1);
            value |= payload.checked_shl(shift)?;
            if chunk >> (width - 1) == 0 {
                return Some(value);
            }
            shift += width - 1;
        }
    }

    pub(crate) fn align(&mut self) {
        self.position = self.position.next_multiple_of(32);
    }
}
