//! Tests made and changed by hand: `homi ktest make` and `homi ktest edit`.
//!
//! Invariant: an object that the program's arguments make keeps the size that they give it, so the
//! test stays one that replays and runs accept.

use super::ktest::KTest;
use super::layout::{Layout, LayoutError};
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// Reason why a test cannot be made or changed as asked.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("{0:?} is not NAME=VALUE")]
    NoValue(String),
    #[error("{0:?} is not an even number of hexadecimal digits")]
    Hexadecimal(String),
    #[error("{text:?}: \\{escape} is not an escape; use \\n \\t \\r \\0 \\\\ or \\xHH")]
    Escape { text: String, escape: String },
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("object {name:?} has {size} bytes, and {given} were given")]
    TooLong {
        name: String,
        size: usize,
        given: usize,
    },
    #[error("no object {name:?}; there are: {known}")]
    Unknown { name: String, known: String },
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// An object's name and bytes, typed as `NAME=TEXT` with escapes, `NAME=0xHEX` or `NAME=@FILE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl FromStr for Assignment {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(EditError::NoValue(text.to_string()));
        };
        let bytes = match (value.strip_prefix("0x"), value.strip_prefix('@')) {
            (Some(digits), _) => {
                hexadecimal(digits).ok_or_else(|| EditError::Hexadecimal(digits.to_string()))?
            }
            (None, Some(path)) => {
                let path = PathBuf::from(path);
                fs::read(&path).map_err(|source| EditError::Read { path, source })?
            }
            (None, None) => unescape(value)?,
        };
        Ok(Self {
            name: name.to_string(),
            bytes,
        })
    }
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits?;
    let pairs = digits.chunks_exact(2);
    match pairs.remainder() {
        [] => Some(pairs.map(|pair| (16 * pair[0] + pair[1]) as u8).collect()),
        _ => None,
    }
}

fn unescape(text: &str) -> Result<Vec<u8>, EditError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        let failed = || EditError::Escape {
            text: text.to_string(),
            escape: after.chars().next().map(String::from).unwrap_or_default(),
        };
        let (byte, length) = match after.as_bytes().first() {
            Some(b'n') => (b'\n', 1),
            Some(b't') => (b'\t', 1),
            Some(b'r') => (b'\r', 1),
            Some(b'0') => (0, 1),
            Some(b'\\') => (b'\\', 1),
            Some(b'x') => {
                let digits = after.get(1..3).and_then(hexadecimal).ok_or_else(failed)?;
                (digits[0], 3)
            }
            _ => return Err(failed()),
        };
        bytes.push(byte);
        rest = &after[length..];
    }
    bytes.extend(rest.bytes());
    Ok(bytes)
}

/// Returns a test for a program's name and arguments as typed. Symbolic inputs are zero unless
/// assigned; other assignments become additional objects at the end.
pub fn make(arguments: &[Vec<u8>], assignments: &[Assignment]) -> Result<KTest, EditError> {
    let layout = Layout::of(arguments.get(1..).unwrap_or_default())?;
    let mut test = layout.zeros(arguments);
    for assignment in assignments {
        match test.object(&assignment.name) {
            Some(_) => set(&mut test, assignment)?,
            None => test.push(assignment.name.clone(), assignment.bytes.clone()),
        }
    }
    Ok(test)
}

/// Gives an object other bytes; what is missing to its size is zero.
pub fn set(test: &mut KTest, assignment: &Assignment) -> Result<(), EditError> {
    let name = &assignment.name;
    let unknown = unknown(test, name);
    let mut objects = test.objects.iter_mut();
    let Some(object) = objects.find(|object| object.name == name.as_bytes()) else {
        return Err(unknown);
    };
    let (size, given) = (object.bytes.len(), assignment.bytes.len());
    if given > size {
        let name = name.clone();
        return Err(EditError::TooLong { name, size, given });
    }
    object.bytes.clone_from(&assignment.bytes);
    object.bytes.resize(size, 0);
    Ok(())
}

/// Takes the first object of a name out.
pub fn remove(test: &mut KTest, name: &str) -> Result<(), EditError> {
    let mut objects = test.objects.iter();
    match objects.position(|object| object.name == name.as_bytes()) {
        Some(index) => {
            test.objects.remove(index);
            Ok(())
        }
        None => Err(unknown(test, name)),
    }
}

fn unknown(test: &KTest, name: &str) -> EditError {
    let names: Vec<String> = test.objects.iter().map(|one| one.name_text()).collect();
    EditError::Unknown {
        name: name.to_string(),
        known: names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Result<Vec<u8>, String> {
        let assignment = Assignment::from_str(text);
        assignment
            .map(|one| one.bytes)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_text_digits_or_files() {
        assert_eq!(bytes(r"a=x\n\x00\\=").unwrap(), b"x\n\0\\=");
        assert_eq!(bytes("a=0x00ff").unwrap(), [0, 255]);
        assert_eq!(bytes("a=").unwrap(), b"");
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), b"\0raw").unwrap();
        assert_eq!(
            bytes(&format!("a=@{}", file.path().display())).unwrap(),
            b"\0raw"
        );
        assert!(bytes("a").unwrap_err().contains("is not NAME=VALUE"));
        assert!(bytes("a=0x123").unwrap_err().contains("not an even number"));
        assert!(bytes(r"a=\q").unwrap_err().contains(r"\q is not an escape"));
        assert!(
            bytes(r"a=\x1")
                .unwrap_err()
                .contains(r"\x is not an escape")
        );
        assert!(
            bytes("a=@/no/such/file")
                .unwrap_err()
                .contains("/no/such/file")
        );
    }

    #[test]
    fn objects_keep_the_sizes_that_the_arguments_give_them() {
        let arguments = ["p.bc", "--sym-arg", "3"].map(|argument| argument.as_bytes().to_vec());
        let of = |text: &str| Assignment::from_str(text).unwrap();
        let mut test = make(&arguments, &[of("arg00=a"), of("own=xy")]).unwrap();
        assert_eq!(test.object("arg00").unwrap().bytes, b"a\0\0\0");
        assert_eq!(test.object("own").unwrap().bytes, b"xy");
        set(&mut test, &of("own=z")).unwrap();
        assert_eq!(test.object("own").unwrap().bytes, b"z\0");
        let error = set(&mut test, &of("arg00=abcde")).unwrap_err().to_string();
        assert_eq!(error, "object \"arg00\" has 4 bytes, and 5 were given");
        let error = set(&mut test, &of("arg01=a")).unwrap_err().to_string();
        assert_eq!(error, "no object \"arg01\"; there are: arg00, own");
        remove(&mut test, "own").unwrap();
        assert!(test.object("own").is_none());
    }
}
