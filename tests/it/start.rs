//! What starting homi costs: LLVM and Z3 are loaded by the processes that call them, not by every
//! start.

use crate::support::homi;
use object::read::elf::{ElfFile64, FileHeader};

/// The libraries that the loader must find before homi's first instruction.
fn needed(bytes: &[u8]) -> Vec<String> {
    let file = ElfFile64::<object::Endianness>::parse(bytes).expect("homi is an ELF file");
    let endian = file.elf_header().endian().expect("an endianness");
    let sections = file.elf_header().sections(endian, bytes).expect("sections");
    let table = sections
        .dynamic_table(endian, bytes)
        .expect("a dynamic table");
    table
        .iter()
        .filter(|entry| entry.tag == object::elf::DT_NEEDED)
        .map(|entry| String::from_utf8_lossy(table.string(entry).expect("a name")).into_owned())
        .collect()
}

#[test]
fn a_start_loads_neither_llvm_nor_z3() {
    let bytes = std::fs::read(homi()).expect("homi can be read");
    let names = needed(&bytes);
    assert!(
        names.iter().any(|name| name.starts_with("libc.so")),
        "{names:?}"
    );
    let lazy = [(cfg!(lazy_llvm), "libLLVM"), (cfg!(lazy_z3), "libz3")];
    for (_, library) in lazy.iter().filter(|(lazy, _)| *lazy) {
        assert!(
            !names.iter().any(|name| name.starts_with(library)),
            "{names:?}"
        );
    }
}
