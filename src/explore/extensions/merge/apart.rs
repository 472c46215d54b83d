//! Reasons why two states cannot be merged.

use homi_machine::memory::Unlike;
use std::fmt;

/// Difference that prevents the merge of two states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// The symbolic objects differ.
    Inputs,
    /// The program points or the calls differ.
    Calls,
    /// A live register has no common width.
    Registers,
    /// A mode differs: rounding, exception flags, jump targets, ticks or threads.
    Modes,
    /// The states are in different merges, or one never passed the opening.
    Merges,
    /// The solver did not prove that no input belongs to both.
    Overlap,
    /// The memory differs.
    Memory(Unlike),
}

impl fmt::Display for Apart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Apart::Inputs => "their symbolic objects differ",
            Apart::Calls | Apart::Memory(Unlike::Frames) => "their calls differ",
            Apart::Registers => "a register has no common width",
            Apart::Modes => "their execution modes differ",
            Apart::Merges => "they are in different merges",
            Apart::Overlap => "an input may belong to both",
            Apart::Memory(Unlike::Objects) => "an object exists in only one of them",
            Apart::Memory(Unlike::Object) => "an object differs in size or kind",
            Apart::Memory(Unlike::Bytes) => "too many bytes of memory differ",
        })
    }
}
