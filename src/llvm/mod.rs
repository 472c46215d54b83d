//! The only group that knows LLVM: reads bitcode, links the runtime, lowers to `program`.
//!
//! Owns: reading and linking modules, branch numbers, the choice of passes, lowering, and the
//! native build with counters (`homi instrument`). Never: execution, symbolic terms. Data come from
//! bitcode files and the runtime directory and go out as a `program::Program`. Users of homi meet
//! this group through a child process, so that a crash of LLVM on a damaged file is an error
//! message.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `read` | classification of input files, reading modules, numbering of branches | `.`, `c_api`, `embedded` |
//! | `link` | the program's modules and the runtime as one | `.`, `c_api`, `embedded`, `read` |
//! | `lower` | from LLVM to the IR | `.`, `c_api`, `link`, `read` |
//! | `c_api` | handles on LLVM's values | - |
//! | `embedded` | bitcode in sections of object files | - |
//! | `.` | a load from start to end, its child process and cache, passes, instrumented native programs | `c_api`, `link`, `lower`, `read` |

mod alias;
mod block_locals;
mod c_api;
mod cache;
mod child;
mod condition;
mod copies;
pub mod embedded;
mod image;
mod instrument;
mod kept_addresses;
mod link;
mod load;
mod lower;
mod passes;
mod print;
pub mod read;
mod sides;

pub use child::{child_main, load_in_child};
pub use image::{ImageOptions, build_image, image_child_main};
pub use instrument::{InstrumentOptions, InstrumentedBranch, instrument, instrument_at};
pub use load::{Event, LoadOptions, READING_TIME, load, load_reporting};
pub use print::{program_text, write_program};
pub use read::error::LoadError;
pub use read::inputs::{Inputs, ModuleSource, behind_libtool, find_modules, is_input};

/// The version of the LLVM in this homi: it reads what clang up to this version writes.
pub fn llvm_version() -> u32 {
    read::modules::LLVM_VERSION.parse().unwrap_or(u32::MAX)
}

/// The runtime's start-up function, called with the program's `main`.
pub const RUNTIME_ENTRY: &str = "__homi_entry";

#[cfg(test)]
mod tests;
