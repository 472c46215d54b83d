//! One input: the bytes of each symbolic object, in the order in which the path made them.

use homi_machine::state::{GivenObjects, SymbolicObject};
use homi_native::testcase::ktest::KTest;
use homi_solver::term::{ArrayId, Byte, Model};
use std::sync::Arc;

/// Padding of text that is not an argument.
const LINE_END: u8 = b'\n';

/// Purpose of a symbolic object, which decides its mutations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Text or other contents: arguments, files, memory.
    Contents,
    /// A number of 1 to 8 bytes, such as how many arguments there are.
    Number,
    /// `struct stat` of a symbolic file, which has hardly any other feasible value.
    Status,
}

/// The bytes of one object.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Part {
    array: ArrayId,
    pub(super) name: Arc<str>,
    pub(super) bytes: Vec<u8>,
}

impl Part {
    pub(super) fn purpose(&self) -> Purpose {
        if self.name.ends_with("_stat") || self.name.ends_with("-stat") {
            Purpose::Status
        } else if self.bytes.len() <= 8
            && &*self.name != "stdin"
            && !self.name.starts_with("arg")
            && !self.name.ends_with("_data")
            && !self.name.ends_with("-data")
        {
            Purpose::Number
        } else {
            Purpose::Contents
        }
    }
}

impl Part {
    /// The bytes that mean something: an argument up to its NUL; contents without the NULs or ends
    /// of lines that fill them up.
    pub(super) fn written(&self) -> &[u8] {
        let end = if self.is_argument() {
            self.bytes.iter().position(|byte| *byte == 0)
        } else {
            let padding = self.padding();
            let last = self.bytes.iter().rposition(|byte| *byte != padding);
            Some(last.map_or(0, |last| last + 1))
        };
        &self.bytes[..end.unwrap_or(self.bytes.len())]
    }

    /// Most bytes that `write` can put here: an argument keeps its last byte as the string's end.
    pub(super) fn room(&self) -> usize {
        let end = usize::from(self.is_argument());
        self.bytes.len().saturating_sub(end)
    }

    /// Puts other bytes here, as far as there is room, and fills the rest up.
    pub(super) fn write(&mut self, new: &[u8]) {
        let padding = if self.is_argument() || new.contains(&0) {
            0
        } else {
            self.padding()
        };
        let length = new.len().min(self.room());
        self.bytes[..length].copy_from_slice(&new[..length]);
        self.bytes[length..].fill(padding);
    }

    /// The byte that fills the object up: the last one if it is NUL or the end of a line, else NUL
    /// in contents that have some, and the end of a line in text.
    fn padding(&self) -> u8 {
        match self.bytes.last().copied() {
            Some(last @ (0 | LINE_END)) => last,
            _ if self.bytes.contains(&0) => 0,
            _ => LINE_END,
        }
    }

    /// An argument of the command line.
    pub(super) fn is_argument(&self) -> bool {
        self.name.starts_with("arg")
    }

    /// The name of the symbolic file whose contents these are.
    pub(super) fn file_name(&self) -> Option<&[u8]> {
        let name = self.name.strip_suffix("_data");
        let name = name.or_else(|| self.name.strip_suffix("-data"))?;
        Some(name.as_bytes())
    }
}

/// An input of the program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    pub(super) parts: Vec<Part>,
}

impl Input {
    /// The bytes that a model gives to the objects of a path.
    pub fn new(objects: &[SymbolicObject], model: &Model) -> Self {
        let parts = objects.iter().map(|object| Part {
            array: object.array,
            name: Arc::clone(&object.name),
            bytes: object.bytes(model),
        });
        Self {
            parts: parts.collect(),
        }
    }

    /// The input with these objects, by name and bytes.
    pub fn of_objects(objects: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let objects = objects.into_iter().enumerate();
        let parts = objects.map(|(number, (name, bytes))| Part {
            array: ArrayId::new(number),
            name: name.into(),
            bytes,
        });
        Self {
            parts: parts.collect(),
        }
    }

    /// The objects of a test, for execution without a path. `standard_input` replaces its standard
    /// input.
    pub fn of_test(test: &KTest, standard_input: Option<&[u8]>) -> Self {
        let parts = test.objects.iter().map(|object| Part {
            array: ArrayId::new(0),
            name: object.name_text().into(),
            bytes: object.bytes.clone(),
        });
        let mut input = Self {
            parts: parts.collect(),
        };
        if let (Some(part), Some(whole)) = (input.part_named("stdin"), standard_input) {
            input.parts[part].bytes = whole.to_vec();
        }
        input
    }

    /// True if the path had no symbolic object.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Names and bytes, in the order in which the path made the objects.
    pub fn objects(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let parts = self.parts.iter();
        parts.map(|part| (&*part.name, part.bytes.as_slice()))
    }

    /// The objects as a path follows them.
    pub fn given(&self) -> GivenObjects {
        let objects = self.objects();
        GivenObjects::new(objects.map(|(name, bytes)| (name.to_string(), bytes.to_vec())))
    }

    /// Bytes of all objects.
    pub(super) fn size(&self) -> usize {
        self.parts.iter().map(|part| part.bytes.len()).sum()
    }

    /// Bytes of all contents without what fills them up.
    pub(super) fn written_size(&self) -> usize {
        let parts = self.parts.iter();
        let contents = parts.filter(|part| part.purpose() == Purpose::Contents);
        contents.map(|part| part.written().len()).sum()
    }

    /// The number of the part of this name.
    pub(super) fn part_named(&self, name: &str) -> Option<usize> {
        self.parts.iter().position(|part| *part.name == *name)
    }

    /// True if the path had a symbolic argument on its command line.
    pub(super) fn has_argument(&self) -> bool {
        self.parts.iter().any(Part::is_argument)
    }

    /// The model that gives the objects these bytes; objects that the input does not know are zero.
    pub fn model(&self) -> Model {
        let mut model = Model::new();
        for part in &self.parts {
            // From the end: the first byte set decides how many are stored.
            for (index, byte) in part.bytes.iter().enumerate().rev() {
                let index = index as u32;
                let array = part.array;
                model.set(Byte { array, index }, *byte);
            }
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, bytes: &[u8]) -> Part {
        Part {
            array: ArrayId::new(0),
            name: name.into(),
            bytes: bytes.to_vec(),
        }
    }

    #[test]
    fn contents_end_before_what_fills_them_up() {
        for (name, bytes, written) in [
            ("arg00", &b"ab\0c\0"[..], &b"ab"[..]),
            ("arg00", b"abc", b"abc"),
            ("stdin", b"a\0b\0\0", b"a\0b"),
            ("stdin", b"a\nb\n\n", b"a\nb"),
            ("stdin", b"\0\0\0", b""),
            ("stdin", b"", b""),
        ] {
            assert_eq!(part(name, bytes).written(), written, "{name} {bytes:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_back_as_far_as_there_is_room() {
        let mut argument = part("arg00", b"abcde\0");
        argument.write(b"x");
        assert_eq!(argument.bytes, b"x\0\0\0\0\0");
        argument.write(b"longer than it");
        assert_eq!(argument.bytes, b"longe\0");
        let mut text = part("stdin", b"a = 1\n\n");
        text.write(b"b");
        assert_eq!(text.bytes, b"b\n\n\n\n\n\n");
        text.write(b"b\0c");
        assert_eq!(text.bytes, b"b\0c\0\0\0\0");
    }
}
