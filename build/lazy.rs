//! Trampolines for the functions of a shared library, so that the library is loaded when one of
//! them is first called.
//!
//! Writes `STEM.names` (the library's own name, where it is on this machine, then one function a
//! line) and `STEM.s` (an entry for each function) to the build's directory; `src/ir/util/lazy.rs`
//! has the other half. The
//! linker finds the functions there and leaves the library out.

use object::{Object, ObjectSymbol, SymbolKind};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes both files and sets `cfg(lazy_STEM)`. If the library cannot be read (it is an archive,
/// say) or the processor is another one, it is linked as ever.
pub fn write(stem: &str, library: &Path, prefix: &str) {
    println!("cargo:rustc-check-cfg=cfg(lazy_{stem})");
    println!("cargo:rerun-if-changed={}", library.display());
    let x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    let functions = (x86_64 && linux)
        .then(|| functions(library, prefix))
        .flatten();
    let Some((name, functions)) = functions else {
        return;
    };
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let place = std::path::absolute(library).unwrap_or_default();
    let names = format!("{name}\n{}\n{}\n", place.display(), functions.join("\n"));
    let written = std::fs::write(out.join(format!("{stem}.names")), names)
        .and_then(|()| std::fs::write(out.join(format!("{stem}.s")), assembly(stem, &functions)));
    if written.is_ok() {
        println!("cargo:rustc-cfg=lazy_{stem}");
    }
}

/// The name that programs ask the loader for, and the C functions that start with the prefix,
/// sorted.
fn functions(library: &Path, prefix: &str) -> Option<(String, Vec<String>)> {
    let bytes = std::fs::read(library).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let mut names: Vec<String> = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text)
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| name.starts_with(prefix))
        .map(str::to_string)
        .collect();
    names.sort();
    names.dedup();
    let name = soname(&bytes).or_else(|| {
        let real = library.canonicalize().ok()?;
        Some(real.file_name()?.to_string_lossy().into_owned())
    })?;
    (!names.is_empty()).then_some((name, names))
}

fn soname(bytes: &[u8]) -> Option<String> {
    use object::read::elf::{ElfFile64, FileHeader};
    let file = ElfFile64::<object::Endianness>::parse(bytes).ok()?;
    let endian = file.elf_header().endian().ok()?;
    let sections = file.elf_header().sections(endian, bytes).ok()?;
    let table = sections.dynamic_table(endian, bytes).ok()?;
    let entry = table
        .iter()
        .find(|entry| entry.tag == object::elf::DT_SONAME)?;
    let name = table.string(entry).ok()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// Each entry jumps to what its slot holds. While that is nothing, it pushes its number for the
/// common part, which keeps all registers that can hold arguments (System V ABI), asks `resolve`
/// for the address and goes on there.
fn assembly(stem: &str, functions: &[String]) -> String {
    let mut text = String::from(".pushsection .text.homi_lazy,\"ax\",@progbits\n");
    let enter = format!("homi_lazy_{stem}");
    for (index, name) in functions.iter().enumerate() {
        let _ = write!(
            text,
            ".globl {name}\n.type {name},@function\n.p2align 4\n{name}:\n\
             mov r11, qword ptr [rip + {{slots}} + {offset}]\ntest r11, r11\nje 2f\njmp r11\n\
             2: push {index}\njmp {enter}\n.size {name}, . - {name}\n",
            offset = index * 8,
        );
    }
    let integers = ["rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9"];
    let _ = writeln!(text, ".p2align 4\n{enter}:");
    for register in integers {
        let _ = writeln!(text, "push {register}");
    }
    // Seven words, the number and the return address: eight more bytes align the stack to 16.
    text.push_str("sub rsp, 136\n");
    for number in 0..8 {
        let _ = writeln!(
            text,
            "movups xmmword ptr [rsp + {}], xmm{number}",
            number * 16
        );
    }
    text.push_str("mov edi, dword ptr [rsp + 192]\ncall {resolve}\nmov r11, rax\n");
    for number in 0..8 {
        let _ = writeln!(
            text,
            "movups xmm{number}, xmmword ptr [rsp + {}]",
            number * 16
        );
    }
    text.push_str("add rsp, 136\n");
    for register in integers.iter().rev() {
        let _ = writeln!(text, "pop {register}");
    }
    text.push_str("add rsp, 8\njmp r11\n.popsection\n");
    text
}
