//! The bitcode that object files carry: in which sections, and the form of what `homi cc` puts
//! there.
//!
//! Owns: records, the names of sections, adding a section to a file. Never: bitcode itself, LLVM.
//! `compiler` writes such sections, `bitcode` reads them, and neither needs the other.

mod append;
mod record;
mod section;

pub use append::append_section;
pub use record::{Head, Part, Record, SECTION, SourceRecord, decode, encode};
pub use section::{SECTIONS, carries_bitcode, records_of};
