//! The directory in which fuzzers such as AFL++ exchange inputs: `NAME/queue/id:000123,...` of each
//! fuzzer.
//!
//! Invariant: an input is read once, in the order of its fuzzer's numbers; one that is written is
//! whole when others see it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folder of a fuzzer with its inputs.
const QUEUE: &str = "queue";

/// Reads what the other fuzzers of a directory find.
#[derive(Debug)]
pub struct QueueReader {
    directory: PathBuf,
    /// Name of the own folder, which is not read.
    own: OsString,
    /// The next number of each fuzzer.
    next: BTreeMap<OsString, u64>,
}

impl QueueReader {
    /// Creates a reader that has read nothing.
    pub fn new(directory: &Path, own: &str) -> Self {
        Self {
            directory: directory.to_path_buf(),
            own: own.into(),
            next: BTreeMap::new(),
        }
    }

    /// Returns the inputs that were added since the last call. An empty file is being written; it
    /// and those after it come with a later call.
    pub fn poll(&mut self) -> io::Result<Vec<Vec<u8>>> {
        let mut inputs = Vec::new();
        for fuzzer in sorted(&self.directory)? {
            let queue = self.directory.join(&fuzzer).join(QUEUE);
            if fuzzer == self.own || !queue.is_dir() {
                continue;
            }
            let next = self.next.entry(fuzzer).or_insert(0);
            for name in sorted(&queue)? {
                let Some(number) = number_of(&name).filter(|number| number >= next) else {
                    continue;
                };
                // A fuzzer may remove an input at any time.
                let Ok(bytes) = fs::read(queue.join(&name)) else {
                    continue;
                };
                if bytes.is_empty() {
                    break;
                }
                *next = number + 1;
                inputs.push(bytes);
            }
        }
        Ok(inputs)
    }
}

/// Adds inputs to a fuzzer's own queue.
#[derive(Debug)]
pub struct QueueWriter {
    folder: PathBuf,
    next: u64,
}

impl QueueWriter {
    /// Creates the queue, or continues after the last input in it.
    pub fn create(directory: &Path, own: &str) -> io::Result<Self> {
        let folder = directory.join(own);
        let queue = folder.join(QUEUE);
        fs::create_dir_all(&queue)?;
        let last = sorted(&queue)?
            .iter()
            .filter_map(|name| number_of(name))
            .max();
        Ok(Self {
            folder,
            next: last.map_or(0, |last| last + 1),
        })
    }

    /// Adds an input; `origin` tells where it comes from.
    pub fn add(&mut self, bytes: &[u8], origin: &str) -> io::Result<()> {
        let unfinished = self.folder.join(".unfinished");
        fs::write(&unfinished, bytes)?;
        let name = format!("id:{:06},time:0,execs:0,orig:{origin}", self.next);
        self.next += 1;
        fs::rename(unfinished, self.folder.join(QUEUE).join(name))
    }
}

/// The number in a name such as `id:000123,src:000001`.
fn number_of(name: &OsStr) -> Option<u64> {
    let digits = name.to_str()?.strip_prefix("id:")?;
    let end = digits.find(|c: char| !c.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
}

/// The names in a directory, in order.
fn sorted(directory: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(directory)?;
    let mut names = entries
        .map(|entry| Ok(entry?.file_name()))
        .collect::<io::Result<Vec<OsString>>>()?;
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_once_and_in_order_from_all_but_the_own_queue() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path();
        let mut reader = QueueReader::new(place, "homi");
        assert!(reader.poll().expect("a directory").is_empty());
        let mut writer = QueueWriter::create(place, "homi").expect("a queue");
        writer.add(b"own", "t").expect("written");
        for fuzzer in ["a", "b"] {
            fs::create_dir_all(place.join(fuzzer).join(QUEUE)).expect("a queue");
        }
        let add = |name: &str, bytes: &str| fs::write(place.join(name), bytes).expect("written");
        add("b/queue/id:000000,x", "b0");
        add("a/queue/id:000001", "a1");
        add("a/queue/id:000000,src:000001,op:havoc", "a0");
        add("a/queue/README.txt", "no");
        assert_eq!(
            reader.poll().expect("inputs"),
            ["a0", "a1", "b0"].map(str::as_bytes)
        );
        assert!(reader.poll().expect("inputs").is_empty());
        add("a/queue/id:000002", "");
        assert!(
            reader.poll().expect("inputs").is_empty(),
            "it is being written"
        );
        add("a/queue/id:000002", "a2");
        assert_eq!(reader.poll().expect("inputs"), ["a2".as_bytes()]);
        let mut again = QueueWriter::create(place, "homi").expect("a queue");
        again.add(b"second", "t").expect("written");
        let names = sorted(&place.join("homi/queue")).expect("a queue");
        assert_eq!(
            names,
            [
                "id:000000,time:0,execs:0,orig:t",
                "id:000001,time:0,execs:0,orig:t"
            ]
        );
        assert!(
            QueueReader::new(&place.join("none"), "homi")
                .poll()
                .is_err()
        );
    }
}
