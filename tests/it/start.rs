//! Start-up cost of homi: only the processes that call LLVM and Z3 load them. Also tests how homi
//! starts itself.

use crate::support::{bitcode, homi, summary};
use object::read::elf::{ElfFile64, FileHeader};
use std::process::Command;

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
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return;
    }
    for library in ["libLLVM", "libz3"] {
        assert!(
            !names.iter().any(|name| name.starts_with(library)),
            "{names:?}"
        );
    }
}

#[test]
fn a_run_goes_on_when_another_build_took_the_place_of_its_own() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("program.c");
    std::fs::write(
        &source,
        "int main(int c, char **v) { return v[1][0] == 7; }",
    )
    .expect("writable");
    let program = bitcode(&[], &source);
    // Beside homi itself, where it looks for the runtime.
    let name = format!("homi-{}", std::process::id());
    let copy = homi().with_file_name(name);
    std::fs::hard_link(homi(), &copy).expect("a second name");
    let script = "exec 3<\"$0\"; rm \"$0\"; exec /proc/self/fd/3 run --quiet --output-dir out \"$1\" -- --sym-arg 1";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(&copy).arg(&program);
    let done = shell.current_dir(&directory).output();
    let done = done.expect("a shell");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let paths = &summary(&directory.path().join("out"))["paths"];
    assert_eq!(paths["completed"], 2, "{said}");
}
