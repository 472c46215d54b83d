//! Record that `homi cc` puts into an object file, in a section that linkers keep and concatenate.
//!
//! Invariant: a record is found anywhere in the section, by its magic and its lengths, so padding
//! between records and their order are harmless. A record whose lengths lead out of the section is
//! damaged, which is an error. The head is JSON, so that a later homi may extend it; an older one
//! ignores unknown fields.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The section's name. No address: it is not loaded with the program.
pub const SECTION: &str = ".homi_bc";

/// Starts each record; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"\x7fHOMIBC1";

/// Size of the prefix in bytes: the magic, the length of the head (4 bytes) and the length of the
/// body (8 bytes), little-endian.
const PREFIX: usize = 20;

/// Content of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Head {
    /// The body is the bitcode of a source file.
    Module {
        /// The source as the compiler was given it.
        source: String,
        /// Absolute path of the file that was made of it.
        object: String,
        /// The object was compiled for gcov.
        #[serde(default)]
        coverage: bool,
    },
    /// A source file that has machine code only. No body.
    Without {
        /// The source as the compiler was given it.
        source: String,
        /// Absolute path of the file that was made of it.
        object: String,
        /// Reason: clang's first error, or that the source is assembler.
        reason: String,
    },
    /// Parts from which an executable or shared object was linked. No body.
    Linked {
        /// Objects, and members of archives, that carry no record.
        #[serde(default)]
        without: Vec<String>,
        /// Absolute paths of the shared objects with records.
        #[serde(default)]
        libraries: Vec<String>,
        /// Absolute paths of the archives with such members. What optimized machine code did not
        /// need of them, bitcode may.
        #[serde(default)]
        archives: Vec<String>,
        /// The words that the linker was given, in their order.
        #[serde(default)]
        line: Vec<String>,
        /// Linked objects, and members of archives, with what the output has of each.
        #[serde(default)]
        parts: Vec<Part>,
    },
    /// A record of a later homi.
    #[serde(other)]
    Unknown,
}

/// A linked object or member of an archive, and its part in the output.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Part {
    /// Absolute path of the object; of a member, the archive's with its name in parentheses.
    pub file: String,
    /// Records in the file; empty if another compiler than `homi cc` made it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<SourceRecord>,
    /// Names that the output defines for others and has from here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// Global names of the file that the output defines from another file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yields: Vec<String>,
    /// Names that are local here and that the output defines from another file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<String>,
}

/// Identity of a record of a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SourceRecord {
    /// The source as the compiler was given it.
    pub source: String,
    /// Absolute path of the file that was made of it.
    pub object: String,
    /// Size of its bitcode in bytes.
    pub length: u64,
}

/// A record in a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Content of the record.
    pub head: Head,
    /// Position of the whole record in the section, in bytes.
    pub whole: Range<usize>,
    /// Position of its bitcode in the section, in bytes.
    pub body: Range<usize>,
}

/// The bytes of a record.
pub fn encode(head: &Head, body: &[u8]) -> Vec<u8> {
    // Strings and lists of strings always have a JSON form.
    let head = serde_json::to_vec(head).unwrap_or_default();
    let mut bytes = Vec::with_capacity(PREFIX + head.len() + body.len());
    bytes.extend(MAGIC);
    bytes.extend((head.len() as u32).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(head);
    bytes.extend(body);
    bytes
}

/// All records of a section. Err: what is damaged.
pub fn decode(section: &[u8]) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let mut at = 0;
    while let Some(start) = find_magic(section, at) {
        let record = read(section, start)
            .ok_or_else(|| format!("the record at byte {start} of {SECTION} is truncated"))?;
        at = record.whole.end;
        records.push(record);
    }
    Ok(records)
}

fn find_magic(section: &[u8], from: usize) -> Option<usize> {
    let rest = section.get(from..)?;
    let found = rest.windows(MAGIC.len()).position(|word| word == MAGIC)?;
    Some(from + found)
}

fn read(section: &[u8], start: usize) -> Option<Record> {
    let prefix = section.get(start..start + PREFIX)?;
    let head_length = u32::from_le_bytes(prefix[8..12].try_into().ok()?) as usize;
    let body_length = u64::from_le_bytes(prefix[12..20].try_into().ok()?);
    let head_start = start + PREFIX;
    let body_start = head_start.checked_add(head_length)?;
    let end = body_start.checked_add(usize::try_from(body_length).ok()?)?;
    section.get(start..end)?;
    Some(Record {
        head: serde_json::from_slice(&section[head_start..body_start]).ok()?,
        whole: start..end,
        body: body_start..end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(source: &str) -> Head {
        Head::Module {
            source: source.to_string(),
            object: format!("/build/{source}.o"),
            coverage: false,
        }
    }

    #[test]
    fn records_are_found_between_padding() {
        let (first, second) = (
            encode(&module("a.c"), b"one"),
            encode(&module("b.c"), b"two"),
        );
        let section = [&[0; 5][..], &first, &[0; 3], &second, &[0]].concat();
        let records = decode(&section).unwrap();
        let heads: Vec<&Head> = records.iter().map(|record| &record.head).collect();
        assert_eq!(heads, [&module("a.c"), &module("b.c")]);
        assert_eq!(&section[records[0].body.clone()], b"one");
        assert_eq!(&section[records[1].body.clone()], b"two");
    }

    #[test]
    fn a_magic_in_a_body_is_no_record() {
        let inner = encode(&module("inner.c"), b"");
        let section = encode(&module("outer.c"), &inner);
        assert_eq!(decode(&section).unwrap().len(), 1);
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let whole = encode(&module("a.c"), b"bitcode");
        for length in MAGIC.len()..whole.len() {
            assert!(decode(&whole[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_later_kind_is_passed_over() {
        let mut later = encode(&module("a.c"), b"");
        let at = later.windows(8).position(|word| word == b"\"module\"");
        later[at.unwrap() + 1..][..6].copy_from_slice(b"latest");
        assert_eq!(decode(&later).unwrap()[0].head, Head::Unknown);
    }
}
