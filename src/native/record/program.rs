//! Checks whether a program can be recorded.

use object::elf::{EM_X86_64, FileHeader64, PT_INTERP};
use object::read::elf::{FileHeader, ProgramHeader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Reason why a program cannot be recorded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    #[error("{} is a script; name the executable that it starts (libtool keeps it in .libs/)", .0.display())]
    Script(PathBuf),
    #[error("{} is not an executable of x86-64 Linux", .0.display())]
    Foreign(PathBuf),
    #[error("{} is statically linked, so the recorder cannot be preloaded; link it without -static", .0.display())]
    Static(PathBuf),
    #[error("{} is setuid or setgid, so the loader preloads nothing; record a copy without these \
         bits", .0.display())]
    Privileged(PathBuf),
}

/// An error if the file can be read and its program cannot be recorded.
pub fn refuse_program(path: &Path) -> Result<(), ProgramError> {
    let (Ok(bytes), Ok(status)) = (std::fs::read(path), std::fs::metadata(path)) else {
        return Ok(());
    };
    let named = || path.to_path_buf();
    if bytes.starts_with(b"#!") {
        return Err(ProgramError::Script(named()));
    }
    match has_loader(&bytes) {
        None => return Err(ProgramError::Foreign(named())),
        Some(false) => return Err(ProgramError::Static(named())),
        Some(true) => {}
    }
    let bits = libc::S_ISUID | libc::S_ISGID;
    if status.mode() & bits != 0 {
        Err(ProgramError::Privileged(named()))
    } else {
        Ok(())
    }
}

/// Returns whether an executable asks for a loader; `None` if it is for another kind of machine.
fn has_loader(bytes: &[u8]) -> Option<bool> {
    let header = FileHeader64::<object::Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    if header.e_machine(endian) != EM_X86_64 {
        return None;
    }
    let mut segments = header.program_headers(endian, bytes).ok()?.iter();
    Some(segments.any(|segment| segment.p_type(endian) == PT_INTERP))
}
