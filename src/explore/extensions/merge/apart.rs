//! Why two states stay two.

use crate::machine::memory::Unlike;
use std::fmt;

/// What two states differ in so that they cannot become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// They have other symbolic objects.
    Inputs,
    /// They stand at different places, or their calls are not the same.
    Calls,
    /// A register whose value is used later has no common width.
    Registers,
    /// A mode of theirs differs: rounding, flags, jump targets, ticks, threads.
    Modes,
    /// They are in the midst of different merges, or never were at the opening.
    Merges,
    /// Nobody could tell that no input belongs to both.
    Overlap,
    /// Their memory.
    Memory(Unlike),
}

impl fmt::Display for Apart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Apart::Inputs => "their symbolic objects differ",
            Apart::Calls | Apart::Memory(Unlike::Frames) => "their calls differ",
            Apart::Registers => "a register of theirs has no common width",
            Apart::Modes => "a mode of theirs differs",
            Apart::Merges => "they are in the midst of different merges",
            Apart::Overlap => "an input may belong to both",
            Apart::Memory(Unlike::Objects) => "an object lives in one of them only",
            Apart::Memory(Unlike::Object) => "an object of theirs differs in size or kind",
            Apart::Memory(Unlike::Bytes) => "too many bytes of theirs differ",
        })
    }
}
