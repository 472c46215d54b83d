//! Reading bitcode files into modules and linking them; the first half of a load.
//!
//! Invariant: a module returned from here is verified and of a supported target. Messages that LLVM
//! would print, or exit over, are collected by a handler on the context.

use super::error::LoadError;
use super::llvm::{DataLayout, ModuleRef};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::path::Path;

/// The LLVM version linked in, as "19".
pub const LLVM_VERSION: &str = "19";

/// Reads and verifies one bitcode file.
pub fn read_module<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, LoadError> {
    let bytes = std::fs::read(path).map_err(|error| LoadError::Unreadable {
        path: path.to_path_buf(),
        reason: error.to_string(),
    })?;
    check_magic(path, &bytes)?;
    let name = path.to_string_lossy();
    let buffer = MemoryBuffer::create_from_memory_range_copy(&bytes, &name);
    let module = Module::parse_bitcode_from_buffer(&buffer, context)
        .map_err(|message| explain_parse_error(path, &message.to_string()))?;
    // Old debug information that the verifier finds broken is dropped by the reader itself.
    module.verify().map_err(|message| LoadError::Damaged {
        path: path.to_path_buf(),
        reason: first_line(&message.to_string()),
    })?;
    let handle = ModuleRef(module.as_mut_ptr());
    let layout = DataLayout(handle.data_layout());
    if layout.pointer_bytes() != 8 || !layout.is_little_endian() {
        return Err(LoadError::WrongTarget {
            path: path.to_path_buf(),
            target: handle.target_triple(),
        });
    }
    Ok(module)
}

/// Bitcode starts with `BC 0xC0DE`, or with a wrapper header around it.
fn check_magic(path: &Path, bytes: &[u8]) -> Result<(), LoadError> {
    let found = match bytes {
        [b'B', b'C', 0xC0, 0xDE, ..] | [0xDE, 0xC0, 0x17, 0x0B, ..] => return Ok(()),
        [] => "the file is empty",
        [0x7F, b'E', b'L', b'F', ..] => "it is an ELF object or executable",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "it is an archive",
        [b'#', b'!', ..] => "it is a script",
        _ if bytes.starts_with(b"; ModuleID") || bytes.starts_with(b"source_filename") => {
            "it is LLVM text; assemble it with llvm-as"
        }
        _ if bytes
            .iter()
            .take(512)
            .all(|byte| *byte >= 32 || byte.is_ascii_whitespace()) =>
        {
            "it is text"
        }
        _ => "unknown content",
    };
    Err(LoadError::NotBitcode {
        path: path.to_path_buf(),
        found: found.to_string(),
    })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or("").trim().to_string()
}

/// LLVM says `message (Producer: 'LLVM22.1.0' Reader: 'LLVM 19.1.7')` when the writer was another version.
fn explain_parse_error(path: &Path, message: &str) -> LoadError {
    let producer = message
        .split("Producer: '")
        .nth(1)
        .and_then(|rest| rest.split('\'').next());
    if let Some(producer) = producer {
        if is_newer(producer) {
            return LoadError::TooNew {
                path: path.to_path_buf(),
                producer: producer.to_string(),
                supported: LLVM_VERSION.to_string(),
            };
        }
    }
    LoadError::Damaged {
        path: path.to_path_buf(),
        reason: first_line(message),
    }
}

/// True if the first number in a producer's name is above our LLVM's.
pub fn is_newer(producer: &str) -> bool {
    let digits: String = producer
        .chars()
        .skip_while(|character| !character.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let supported: u32 = LLVM_VERSION.parse().unwrap_or(u32::MAX);
    digits
        .parse::<u32>()
        .is_ok_and(|version| version > supported)
}

/// Links `source` into `destination`; the error names the symbol.
pub fn link<'c>(
    destination: &Module<'c>,
    source: Module<'c>,
    path: &Path,
) -> Result<(), LoadError> {
    destination
        .link_in_module(source)
        .map_err(|message| LoadError::Link {
            path: path.to_path_buf(),
            reason: first_line(&message.to_string()),
        })
}
