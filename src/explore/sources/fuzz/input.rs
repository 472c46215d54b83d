//! One input: the bytes of each symbolic object, in the order in which the path made them.

use crate::machine::state::SymbolicObject;
use crate::solver::term::{ArrayId, Byte, Model};
use std::sync::Arc;

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

    /// True if the path had no symbolic object.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Names and bytes, in the order in which the path made the objects.
    pub fn objects(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let parts = self.parts.iter();
        parts.map(|part| (&*part.name, part.bytes.as_slice()))
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
