//! Sections with bitcode, and the records of a file.
//!
//! Invariant: a file that is not ELF has none, which is not an error.

use super::record::{Head, SECTION, decode};
use object::{Object, ObjectSection};
use std::path::Path;

/// The sections that carry bitcode, the best first: records of `homi cc`, paths of wllvm and gllvm,
/// clang's `-fembed-bitcode`, clang's `-ffat-lto-objects`.
pub const SECTIONS: [&str; 4] = [SECTION, ".llvm_bc", ".llvmbc", ".llvm.lto"];

/// Returns whether an ELF file embeds bitcode, by the names of its sections; `None` for other
/// files.
pub fn carries_bitcode<'data>(data: impl object::ReadRef<'data>) -> Option<bool> {
    let file = object::File::parse(data).ok()?;
    let mut sections = file.sections();
    Some(sections.any(|section| section.name().is_ok_and(|name| SECTIONS.contains(&name))))
}

/// The heads of the records in a file; none where there are none. Err: a file that cannot be read
/// or is damaged, and why.
pub fn records_of(path: &Path) -> Result<Vec<Head>, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let Ok(file) = object::File::parse(&*bytes) else {
        return Ok(Vec::new());
    };
    let mut heads = Vec::new();
    for section in file.sections().filter(|found| found.name() == Ok(SECTION)) {
        let data = section.data().map_err(|error| error.to_string())?;
        heads.extend(decode(data)?.into_iter().map(|record| record.head));
    }
    Ok(heads)
}
