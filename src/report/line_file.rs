//! Files of JSON lines that grow: one line for each thing that happened.
//!
//! Invariant: a line is written with one call, so a file holds whole lines and at most one cut-off
//! line at its end (full disk), which readers ignore and which the next session drops: what it adds
//! would be unreadable behind it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// A file to which lines are added.
#[derive(Debug)]
pub struct LineFile {
    file: File,
}

impl LineFile {
    /// Goes on with a file, which may be new.
    pub fn append_to(path: &Path) -> io::Result<Self> {
        let options = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut file = options?;
        let whole = whole_lines(&file)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file })
    }

    /// Adds a line.
    pub fn append(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

/// Bytes up to the end of the last whole line.
fn whole_lines(file: &File) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    let (mut whole, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            return Ok(whole);
        }
        whole += read as u64;
    }
}

/// Returns the lines of a file, up to the first invalid one.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let mut lines = Vec::new();
    for line in BufReader::new(File::open(path)?).lines() {
        match serde_json::from_str(&line?) {
            Ok(line) => lines.push(line),
            Err(_) => break,
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_off_line_is_ignored_and_goes_when_the_file_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("numbers.jsonl");
        let mut file = LineFile::append_to(&path).unwrap();
        file.append(&[1, 2]).unwrap();
        file.file.write_all(b"[3,").unwrap();
        assert_eq!(read_lines::<[u32; 2]>(&path).unwrap(), [[1, 2]]);
        let mut file = LineFile::append_to(&path).unwrap();
        file.append(&[4, 5]).unwrap();
        assert_eq!(read_lines::<[u32; 2]>(&path).unwrap(), [[1, 2], [4, 5]]);
    }
}
