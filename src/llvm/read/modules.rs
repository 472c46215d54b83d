//! Reading bitcode files into modules and linking them; the first half of a load.
//!
//! Invariant: a module returned from here is verified and of a supported target. Messages that LLVM
//! would print, or exit over, are collected by a handler on the context.

use super::super::c_api::ModuleRef;
use super::error::LoadError;
use super::inputs::ModuleSource;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::path::Path;

/// The LLVM version linked in, as "19".
pub const LLVM_VERSION: &str = if cfg!(feature = "llvm23") {
    "23"
} else if cfg!(feature = "llvm22") {
    "22"
} else if cfg!(feature = "llvm21") {
    "21"
} else if cfg!(feature = "llvm20") {
    "20"
} else {
    "19"
};

/// Reads and verifies one module, of bitcode or of IR as text.
pub fn read_module<'c>(
    context: &'c Context,
    source: &ModuleSource,
) -> Result<Module<'c>, LoadError> {
    let bytes = source.read()?;
    let path = Path::new(&source.name);
    let module = parse(context, path, &bytes)?;
    // Old debug information that the verifier finds broken is dropped by the reader itself.
    module.verify().map_err(|message| LoadError::Damaged {
        path: path.to_path_buf(),
        reason: first_line(&message.to_string()),
    })?;
    // SAFETY: the module lives to the end of this function, and the handle does not leave it.
    let handle = unsafe { ModuleRef::from_raw(module.as_mut_ptr()) };
    let layout = handle.data_layout();
    let target = handle.target_triple();
    let is_known = is_supported(&target, layout.pointer_bytes());
    if !layout.is_little_endian() || !is_known {
        let path = path.to_path_buf();
        return Err(LoadError::WrongTarget { path, target });
    }
    Ok(module)
}

/// True for x86-64 and i386: assembly in the code and variadic calls depend on the architecture.
/// Handwritten text may omit the triple.
fn is_supported(triple: &str, pointer_bytes: u32) -> bool {
    let architecture = triple.split('-').next().unwrap_or_default();
    matches!(
        (architecture, pointer_bytes),
        ("unknown" | "", 4 | 8)
            | ("x86_64" | "x86_64h" | "amd64", 8)
            | ("i386" | "i486" | "i586" | "i686", 4)
    )
}

fn parse<'c>(context: &'c Context, path: &Path, bytes: &[u8]) -> Result<Module<'c>, LoadError> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, &path.to_string_lossy());
    if matches!(
        bytes,
        [b'B', b'C', 0xC0, 0xDE, ..] | [0xDE, 0xC0, 0x17, 0x0B, ..]
    ) {
        return Module::parse_bitcode_from_buffer(&buffer, context)
            .map_err(|message| explain_parse_error(path, bytes, &message.to_string()));
    }
    context
        .create_module_from_ir(buffer)
        .map_err(|message| LoadError::Text {
            path: path.to_path_buf(),
            reason: first_line(&message.to_string()),
            supported: LLVM_VERSION.to_string(),
        })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or("").trim().to_string()
}

/// The file names its writer, as does most of what LLVM says:
/// `message (Producer: 'LLVM22.1.0' Reader: 'LLVM 19.1.7')`.
fn explain_parse_error(path: &Path, bytes: &[u8], message: &str) -> LoadError {
    let said = message
        .split("Producer: '")
        .nth(1)
        .and_then(|rest| rest.split('\'').next());
    let producer = said.map(str::to_string).or_else(|| producer_of(bytes));
    if let Some(producer) = producer.filter(|producer| is_newer(producer)) {
        return LoadError::TooNew {
            path: path.to_path_buf(),
            producer,
            supported: LLVM_VERSION.to_string(),
        };
    }
    LoadError::Damaged {
        path: path.to_path_buf(),
        reason: first_line(message),
    }
}

/// Bytes of a file that contain the identification block.
const IDENTIFICATION_WITHIN: usize = 512;

/// The writer's name in the identification block, as far as its version: LLVM and digits in the
/// bitstream's alphabet of six bits (LLVM's bitcode file format, "Char6"), at any bit.
fn producer_of(bytes: &[u8]) -> Option<String> {
    let bytes = &bytes[..bytes.len().min(IDENTIFICATION_WITHIN)];
    let character = |bit: usize| {
        let word = u16::from(*bytes.get(bit / 8)?)
            | u16::from(bytes.get(bit / 8 + 1).copied().unwrap_or(0)) << 8;
        Some(match (word >> (bit % 8) & 63) as u8 {
            lower @ 0..26 => b'a' + lower,
            upper @ 26..52 => b'A' + (upper - 26),
            digit @ 52..62 => b'0' + (digit - 52),
            62 => b'.',
            _ => b'_',
        })
    };
    let text = |bit: usize| (0..).map_while(move |index| character(bit + 6 * index));
    let start = (0..bytes.len() * 8).find(|bit| {
        let mut name = text(*bit);
        b"LLVM".iter().all(|letter| name.next() == Some(*letter))
            && name.next().is_some_and(|digit| digit.is_ascii_digit())
    })?;
    let version = text(start)
        .skip(4)
        .take_while(|character| character.is_ascii_digit() || *character == b'.');
    Some(format!(
        "LLVM{}",
        version.map(char::from).collect::<String>()
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of six-bit characters after some others, lowest bit first.
    fn stream(before: &[bool], text: &str) -> Vec<u8> {
        let mut bits = before.to_vec();
        for byte in text.bytes() {
            let code = match byte {
                b'a'..=b'z' => byte - b'a',
                b'A'..=b'Z' => byte - b'A' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                _ => 62,
            };
            bits.extend((0..6).map(|bit| code >> bit & 1 == 1));
        }
        bits.chunks(8)
            .map(|bits| {
                let bits = bits.iter().enumerate();
                bits.fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at)
            })
            .collect()
    }

    #[test]
    fn the_writer_is_found_at_any_bit() {
        for shift in 0..9 {
            let before = vec![true; 32 + shift];
            let bytes = stream(&before, "LLVM22.1.8aa");
            assert_eq!(producer_of(&bytes).as_deref(), Some("LLVM22.1.8"));
        }
        assert_eq!(producer_of(b"BC\xc0\xde and nothing else"), None);
        assert_eq!(producer_of(&[]), None);
    }

    #[test]
    fn only_newer_writers_are_too_new() {
        assert!(is_newer("LLVM99.1.0") && !is_newer("LLVM14.0.6") && !is_newer("rustc"));
    }
}
