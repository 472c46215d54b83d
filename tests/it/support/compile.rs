//! Compilers. Each call panics with what the compiler said unless it succeeds.

use super::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the standard output of a tool.
pub(crate) fn run(command: &mut Command) -> Vec<u8> {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    output.stdout
}

/// Compiles a C source (or LLVM IR in text form) to bitcode beside it, by clang 19.
pub(crate) fn bitcode(flags: &[&str], source: &Path) -> PathBuf {
    let output = source.with_extension("bc");
    bitcode_into("clang-19", flags, source, &output);
    output
}

/// Compiles a source to a file of bitcode, with homi's own headers within reach.
pub(crate) fn bitcode_into(clang: &str, flags: &[&str], source: &Path, output: &Path) {
    run(Command::new(clang)
        .args(["-c", "-emit-llvm", "-I"])
        .arg(root().join("runtime/include"))
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(output));
}
