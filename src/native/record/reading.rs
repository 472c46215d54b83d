//! Records of processes, as `runtime/record/recorder.c` writes them.
//!
//! Invariant: nothing is trusted. A process may be killed at any time, so a record may be cut off
//! anywhere; what was whole before counts.

use std::io;
use std::path::{Path, PathBuf};

/// Input of one process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Record {
    /// The program's name first.
    pub(super) arguments: Vec<Vec<u8>>,
    /// Name as the program said it, and content when it was first opened.
    pub(super) files: Vec<(Vec<u8>, Vec<u8>)>,
    /// Name and value.
    pub(super) variables: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) stdin: Option<Vec<u8>>,
    /// Something was longer than the limit.
    pub(super) is_cut: bool,
    /// True if the program has begun, which is all that is known before `main`.
    pub(super) has_begun: bool,
}

/// The files of records in the order in which the processes began.
pub(super) fn records_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory)?;
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    found.sort();
    Ok(found)
}

/// A first part of the bytes, and the rest.
fn split(bytes: &[u8], at: u8) -> Option<(Vec<u8>, Vec<u8>)> {
    let position = bytes.iter().position(|byte| *byte == at)?;
    Some((bytes[..position].to_vec(), bytes[position + 1..].to_vec()))
}

/// Adds what is named, unless the name is known.
fn add(known: &mut Vec<(Vec<u8>, Vec<u8>)>, found: Option<(Vec<u8>, Vec<u8>)>) {
    if let Some((name, value)) = found
        && known.iter().all(|(other, _)| *other != name)
    {
        known.push((name, value));
    }
}

impl Record {
    pub(super) fn read(mut bytes: &[u8]) -> Self {
        let mut record = Self::default();
        let (mut file, mut was_read) = (None, false);
        while let Some((tag, content, rest)) = event(bytes) {
            bytes = rest;
            match tag {
                b'A' => record.arguments.push(content.to_vec()),
                b'F' => add(&mut record.files, split(content, 0)),
                b'E' => add(&mut record.variables, split(content, b'=')),
                b'S' => record
                    .stdin
                    .get_or_insert_default()
                    .extend_from_slice(content),
                b'R' => file = Some(content.to_vec()),
                b'U' => was_read = true,
                b'C' => record.is_cut = true,
                b'.' => record.has_begun = true,
                _ => {}
            }
        }
        record.stdin = record.stdin.or(file.filter(|_| was_read));
        record
    }
}

/// The first event, and what follows it.
fn event(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(5)?;
    let size = u32::from_le_bytes(head[1..].try_into().ok()?);
    let (content, rest) = rest.split_at_checked(usize::try_from(size).ok()?)?;
    Some((head[0], content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(events: &[(u8, &[u8])]) -> Vec<u8> {
        let each = events.iter().flat_map(|(tag, content)| {
            let mut bytes = vec![*tag];
            bytes.extend((content.len() as u32).to_le_bytes());
            bytes.extend_from_slice(content);
            bytes
        });
        each.collect()
    }

    #[test]
    fn what_is_whole_of_a_record_counts() {
        let events: [(u8, &[u8]); 9] = [
            (b'A', b"prog"),
            (b'A', b""),
            (b'R', b"in"),
            (b'.', b""),
            (b'F', b"a\0one"),
            (b'F', b"a\0two"),
            (b'E', b"X=1=2"),
            (b'?', b"later"),
            (b'U', b""),
        ];
        let whole = bytes(&events);
        let record = Record::read(&whole);
        assert_eq!(record.arguments, [b"prog".to_vec(), Vec::new()]);
        assert_eq!(record.files, [(b"a".to_vec(), b"one".to_vec())]);
        assert_eq!(record.variables, [(b"X".to_vec(), b"1=2".to_vec())]);
        assert_eq!(record.stdin.as_deref(), Some(b"in".as_slice()));
        assert!(record.has_begun && !record.is_cut);
        // The file on standard input was not read.
        assert_eq!(Record::read(&whole[..whole.len() - 5]).stdin, None);
        for end in 0..whole.len() {
            Record::read(&whole[..end]);
        }
        assert!(!Record::read(&whole[..8]).has_begun);
        let flow = bytes(&[(b'S', b"a"), (b'S', b"b"), (b'C', b"stdin")]);
        let record = Record::read(&flow);
        assert_eq!((record.stdin, record.is_cut), (Some(b"ab".to_vec()), true));
    }
}
