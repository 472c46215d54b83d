//! A test made of raw bytes, such as a fuzzer's input.
//!
//! Invariant: the objects of a test that is made here have the names and sizes that the modeled
//! kernel gives them (`runtime/kernel/start.c`), so that a run follows it and a replay accepts it.

use super::ktest::KTest;
use super::layout::{Layout, LayoutError, Slot, Target};

/// Bytes of a `struct stat` on x86-64 Linux.
const STAT_SIZE: usize = 144;
/// Bytes of the object of a symbolic standard output.
pub(super) const STDOUT_SIZE: usize = 1024;
/// Objects that `--max-fail` makes, 4 bytes each.
pub(super) const FAILURES: [&str; 5] = [
    "read_fail",
    "write_fail",
    "close_fail",
    "ftruncate_fail",
    "getcwd_fail",
];

/// Byte that represents an empty argument among zero-terminated ones.
const EMPTY: u8 = 2;

/// A program's name and its arguments as one input: each argument ends in a zero byte, and an empty
/// argument is the end. AFL++'s `argv-fuzz-inl.h` reads it, for which a lone byte 2 is an empty
/// argument.
pub fn argv_input(name: &[u8], arguments: &[Vec<u8>]) -> Vec<u8> {
    let arguments = std::iter::once(name).chain(arguments.iter().map(Vec::as_slice));
    let mut bytes = Vec::new();
    for argument in arguments {
        match argument {
            [] => bytes.push(EMPTY),
            argument => bytes.extend(argument),
        }
        bytes.push(0);
    }
    bytes.push(0);
    bytes
}

/// The arguments in such an input, without the program's name.
fn arguments_in(bytes: &[u8]) -> Vec<&[u8]> {
    let arguments = bytes.split(|byte| *byte == 0);
    let arguments = arguments
        .take_while(|argument| !argument.is_empty())
        .skip(1);
    let is_empty = |argument: &[u8]| argument == [EMPTY];
    arguments
        .map(|argument| if is_empty(argument) { &[] } else { argument })
        .collect()
}

/// A test made of raw bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeTest {
    pub test: KTest,
    /// Number of bytes that did not fit.
    pub cut: usize,
}

impl Layout {
    /// A test with these bytes in the target, or in the usual one; all else is zero, and files are
    /// ordinary ones. `arguments` are the program's name and its arguments as typed.
    pub fn test(
        &self,
        arguments: &[Vec<u8>],
        bytes: &[u8],
        target: Option<&Target>,
    ) -> Result<MadeTest, LayoutError> {
        let target = self.target(target)?;
        Ok(self.fill(arguments, bytes, Some(&target)))
    }

    /// Returns a test whose symbolic bytes are zero, and whose files are ordinary ones.
    pub fn zeros(&self, arguments: &[Vec<u8>]) -> KTest {
        self.fill(arguments, &[], None).test
    }

    fn fill(&self, arguments: &[Vec<u8>], bytes: &[u8], target: Option<&Target>) -> MadeTest {
        let mut made = MadeTest {
            test: KTest::new(arguments.iter().cloned()),
            cut: 0,
        };
        let of = |wanted: &Target| if target == Some(wanted) { bytes } else { &[] };
        self.push_arguments(&mut made, of(&Target::Arguments));
        for (name, size) in &self.variables {
            made.test.push(name.clone(), vec![0; size + 1]);
        }
        for (path, size) in &self.files {
            let content = of(&Target::File(path.clone()));
            made.push_file(path, b"_data", *size, content);
        }
        if let Some(size) = self.stdin {
            made.push_file(b"stdin", b"", size, of(&Target::Stdin));
        }
        for name in FAILURES.iter().filter(|_| self.failures) {
            made.test.push(*name, vec![0; 4]);
        }
        if self.stdout {
            made.push_file(b"stdout", b"", STDOUT_SIZE, &[]);
        }
        made
    }

    /// The objects of arguments. The input may repeat the
    /// program's fixed arguments.
    fn push_arguments(&self, made: &mut MadeTest, bytes: &[u8]) {
        let mut given = arguments_in(bytes);
        given.reverse();
        let mut number = 0;
        for (index, slot) in self.slots.iter().enumerate() {
            let (count, size) = match slot {
                Slot::Fixed(argument) => {
                    if given.last() == Some(&argument.as_slice()) {
                        given.pop();
                    }
                    continue;
                }
                Slot::One(size) => (1, *size),
                Slot::Several(least, most, size) => {
                    let later = self.slots[index + 1..].iter();
                    let later = later.filter(|slot| matches!(slot, Slot::One(_))).count();
                    let left = given.len().saturating_sub(later);
                    let count = left.clamp(*least, (*most).max(*least));
                    if least != most {
                        made.test.push("n_args", (count as u32).to_le_bytes());
                    }
                    (count, *size)
                }
            };
            for _ in 0..count {
                let name = format!("arg{number:02}");
                made.push(name.as_bytes(), size, given.pop().unwrap_or_default(), 1);
                number += 1;
            }
        }
        made.cut += given.iter().map(|argument| argument.len()).sum::<usize>();
    }
}

impl MadeTest {
    /// An object of `size` bytes and `end` zero bytes.
    pub(super) fn push(&mut self, name: &[u8], size: usize, content: &[u8], end: usize) {
        let kept = content.len().min(size);
        self.cut += content.len() - kept;
        let mut bytes = content[..kept].to_vec();
        bytes.resize(size + end, 0);
        self.test.push(name, bytes);
    }

    fn push_file(&mut self, name: &[u8], suffix: &[u8], size: usize, content: &[u8]) {
        let name = [name, suffix].concat();
        self.push(&name, size, content, 0);
        self.test
            .push([&name, b"_stat".as_slice()].concat(), ordinary_file());
    }
}

/// The `struct stat` of a regular file that anyone may read: what the modeled kernel prefers.
pub(super) fn ordinary_file() -> Vec<u8> {
    let mut bytes = vec![0; STAT_SIZE];
    let mut set = |offset: usize, value: &[u8]| {
        bytes[offset..offset + value.len()].copy_from_slice(value);
    };
    // st_ino, st_nlink, st_mode, st_blksize.
    set(8, &1u64.to_le_bytes());
    set(16, &1u64.to_le_bytes());
    set(24, &(libc::S_IFREG | 0o644).to_le_bytes());
    set(56, &4096u64.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<Vec<u8>> {
        let arguments = text.split_whitespace();
        arguments
            .map(|argument| argument.as_bytes().to_vec())
            .collect()
    }

    /// Returns name and content of each object, without the objects of `struct stat`.
    fn objects(arguments: &str, bytes: &[u8], target: Option<&str>) -> Vec<(String, Vec<u8>)> {
        let arguments = split(arguments);
        let layout = Layout::of(&arguments[1..]).unwrap();
        let target = target.map(Target::named);
        let made = layout.test(&arguments, bytes, target.as_ref()).unwrap();
        let objects = made.test.objects.into_iter();
        objects
            .map(|object| (object.name_text(), object.bytes))
            .filter(|(name, _)| !name.ends_with("_stat"))
            .collect()
    }

    fn object(name: &str, bytes: &[u8]) -> (String, Vec<u8>) {
        (name.to_string(), bytes.to_vec())
    }

    #[test]
    fn bytes_go_where_they_are_wanted() {
        let arguments = "p --sym-stdin 4 --sym-files 1 2 --sym-arg 2";
        let with = |arg: &[u8], file: &[u8], stdin: &[u8]| {
            vec![
                object("arg00", arg),
                object("A_data", file),
                object("stdin", stdin),
            ]
        };
        let usual = objects(arguments, b"ab", None);
        assert_eq!(usual, with(b"\0\0\0", b"\0\0", b"ab\0\0"));
        let file = objects(arguments, b"abc", Some("A"));
        assert_eq!(file, with(b"\0\0\0", b"ab", b"\0\0\0\0"));
        let argument = objects(arguments, b"p\0x\0\0", Some("arguments"));
        assert_eq!(argument, with(b"x\0\0", b"\0\0", b"\0\0\0\0"));
    }

    #[test]
    fn bytes_become_symbolic_arguments_after_the_fixed_ones() {
        let arguments = "p -n --sym-args 1 3 2 end --sym-arg 1";
        let made = objects(arguments, b"p\0-n\0ab\0c\0z\0\0", None);
        let expected = [
            object("n_args", &2u32.to_le_bytes()),
            object("arg00", b"ab\0"),
            object("arg01", b"c\0\0"),
            object("arg02", b"z\0"),
        ];
        assert_eq!(made, expected);
    }

    #[test]
    fn empty_arguments_survive() {
        let arguments = [b"a".to_vec(), Vec::new(), b"b".to_vec(), Vec::new()];
        let input = argv_input(b"p", &arguments);
        assert_eq!(input, b"p\0a\0\x02\0b\0\x02\0\0");
        assert_eq!(arguments_in(&input), arguments);
        assert!(arguments_in(b"").is_empty());
    }

    #[test]
    fn what_has_no_place_is_counted_or_refused() {
        let arguments = split("p --sym-file d/x 2");
        let layout = Layout::of(&arguments[1..]).unwrap();
        assert_eq!(layout.test(&arguments, b"abcde", None).unwrap().cut, 3);
        let error = layout
            .test(&arguments, b"a", Some(&Target::Stdin))
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("no stdin symbolic; they make: file d/x")
        );
        let nothing = Layout::of(&arguments[..1]).unwrap();
        assert_eq!(
            nothing.test(&arguments[..1], b"a", None),
            Err(LayoutError::Nothing)
        );
        let error = Layout::of(&[b"--sym-stdin".to_vec(), b"x".to_vec()]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("--sym-stdin \"x\" is not a number")
        );
    }
}
