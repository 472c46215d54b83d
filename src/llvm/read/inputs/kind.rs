//! Kind of a file, by its first bytes.
//!
//! Invariant: a file's name affects only the wording of a refusal.

use std::path::Path;

/// The content of a file, as far as it matters here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Bitcode, or bitcode in the wrapper of some platforms.
    Bitcode,
    /// LLVM's IR as text.
    Text,
    /// An ELF object, executable or shared object.
    Elf,
    /// An archive of objects.
    Archive,
    /// A file that libtool makes in addition to a program, a library or an object.
    Libtool,
    /// A file that homi does not read.
    Other {
        /// Description of its content, as a sentence without its end.
        found: &'static str,
        /// Remedy for the user.
        remedy: String,
    },
}

/// Number of bytes that determine a file's kind.
pub const BEGINNING: u64 = 512;

/// Default remedy.
const COMPILE: &str =
    "compile the program with `homi cc` (CC=\"homi cc\" in its build) and give homi the executable";

/// Looks at a file's first bytes, [`BEGINNING`] or all there are.
pub fn kind_of(path: &Path, bytes: &[u8]) -> FileKind {
    let other = |found, remedy: &str| FileKind::Other {
        found,
        remedy: remedy.to_string(),
    };
    match bytes {
        [b'B', b'C', 0xC0, 0xDE, ..] | [0xDE, 0xC0, 0x17, 0x0B, ..] => FileKind::Bitcode,
        [] => other("the file is empty", COMPILE),
        [0x7F, b'E', b'L', b'F', ..] => FileKind::Elf,
        _ if bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n") => {
            FileKind::Archive
        }
        _ if is_libtool(bytes) => FileKind::Libtool,
        [b'#', b'!', ..] => other(
            "it is a script",
            "give homi the program that the script starts, compiled with `homi cc`",
        ),
        _ if is_ir(path, bytes) => FileKind::Text,
        [b'M', b'Z', ..] => other("it is a program for Windows", COMPILE),
        [0xCF | 0xCE, 0xFA, 0xED, 0xFE, ..] => other("it is a program for macOS", COMPILE),
        _ if is_text(bytes) => text(path),
        _ => other("unknown content", COMPILE),
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let mut start = bytes.iter().take(512);
    start.all(|byte| *byte >= 32 || byte.is_ascii_whitespace())
}

/// The comment that LLVM writes first, or the name and what only IR begins with.
fn is_ir(path: &Path, bytes: &[u8]) -> bool {
    let begins = |text: &str| bytes.starts_with(text.as_bytes());
    begins("; ModuleID")
        || begins("source_filename = ")
        || begins("target datalayout")
        || begins("target triple")
        || begins("define ")
        || is_text(bytes) && path.extension().is_some_and(|extension| extension == "ll")
}

fn is_libtool(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]).into_owned();
    start.starts_with('#')
        && [
            "wrapper script for ",
            "a libtool library file",
            "a libtool object file",
        ]
        .iter()
        .any(|words| start.contains(words))
}

/// Text that is no IR; most likely a source file.
fn text(path: &Path) -> FileKind {
    let shown = path.display();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (found, compiler) = match &*extension {
        "c" | "i" => ("it is C source", "cc"),
        "cc" | "cpp" | "cxx" | "C" | "ii" => ("it is C++ source", "c++"),
        "h" | "hpp" => ("it is a header", "cc"),
        "s" | "S" | "asm" => {
            return FileKind::Other {
                found: "it is assembler source",
                remedy: format!("it has no bitcode, C and C++ have: {COMPILE}"),
            };
        }
        _ => {
            return FileKind::Other {
                found: "it is text",
                remedy: COMPILE.to_string(),
            };
        }
    };
    FileKind::Other {
        found,
        remedy: format!(
            "compile it with `homi {compiler} -g -o {stem} {shown}`, then `homi run ./{stem}`"
        ),
    }
}
