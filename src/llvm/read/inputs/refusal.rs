//! Messages about ELF files without bitcode.
//!
//! Invariant: each message names the kind of file and the remedy.

use super::LoadError;
use object::{Object, ObjectKind};
use std::path::Path;

/// An ELF file that carries nothing.
pub(super) fn no_bitcode(path: &Path, bytes: &[u8]) -> LoadError {
    let shown = path.display();
    let file = object::File::parse(bytes);
    let kind = file.as_ref().map(Object::kind);
    let stripped = file
        .as_ref()
        .is_ok_and(|file| file.symbols().next().is_none());
    let kind = match kind {
        Ok(ObjectKind::Relocatable) => "an object",
        Ok(ObjectKind::Core) => "a core file",
        Ok(ObjectKind::Dynamic) if is_library(path) => "a shared object",
        _ => "an executable",
    };
    let state = if stripped { ", stripped," } else { "" };
    LoadError::NotBitcode {
        path: path.to_path_buf(),
        found: format!("it is {kind}{state} that carries no bitcode"),
        remedy: format!(
            "build it with `homi cc` (CC=\"homi cc\"), which puts the bitcode in; if wllvm or gllvm made it, and it was stripped, run `extract-bc {shown}` on the file from before"
        ),
    }
}

/// True for a shared library, by its name; position-independent executables are of the same kind.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

/// Error for an ELF file whose sources all have machine code only; `first` is the first source,
/// with the reason.
pub(super) fn only_native(path: &Path, first: Option<&(String, String)>) -> LoadError {
    let (source, reason) = first.cloned().unwrap_or_default();
    LoadError::NotBitcode {
        path: path.to_path_buf(),
        found: format!("`homi cc` could not compile {source} to bitcode: {reason}"),
        remedy: "change the source so that clang compiles it, or install the clang that homi names in `homi cc --help`".to_string(),
    }
}
