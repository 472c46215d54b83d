//! The only room that knows LLVM: reads bitcode, links the runtime, lowers to `program`.
//!
//! Owns: reading and linking modules, branch numbers, the choice of passes, lowering, and the
//! native build with counters (`homi instrument`). Never: execution, symbolic terms. Data come from
//! bitcode files and the runtime directory and go out as a `program::Program`. Users of homi meet
//! this room through a child process, so that a crash of LLVM on a damaged file is an error
//! message.

mod alias;
mod cache;
mod child;
mod condition;
mod cxx;
mod error;
mod identification;
mod indirect;
mod inputs;
mod instrument;
mod join;
#[cfg(lazy_llvm)]
mod library;
mod llvm;
mod load;
mod lower;
mod nearest;
mod passes;
mod print;
mod read;
mod tag;

pub use child::{child_main, load_in_child};
pub use error::LoadError;
pub use inputs::{Inputs, ModuleSource, behind_libtool, find_modules};
pub use instrument::{InstrumentOptions, instrument};
pub use load::{Event, LoadOptions, READING_TIME, load, load_reporting};
pub use print::{program_text, write_program};

/// The version of the LLVM in this homi: it reads what clang up to this version writes.
pub fn llvm_version() -> u32 {
    read::LLVM_VERSION.parse().unwrap_or(u32::MAX)
}

/// The runtime's start-up function, called with the program's `main`.
pub const RUNTIME_ENTRY: &str = "__homi_entry";

#[cfg(test)]
mod tests;
