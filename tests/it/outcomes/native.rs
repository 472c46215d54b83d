//! The native side of a case: one executable, one process that forks for each input.

use super::case::Case;
use crate::support::{TestDir, data, root, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Inputs of a case whose input is longer than one byte.
const INPUTS: usize = 400;

/// The program with tests/data/outcomes/native.h in front of it.
pub(super) fn compile(case: &Case, place: &TestDir) -> PathBuf {
    let executable = place.path("native");
    // The packaged clang has no sanitizer of its own.
    let (compiler, sanitizer): (&str, &[&str]) = if case.is_sanitized {
        ("gcc", &["-fsanitize=address"])
    } else {
        ("clang-19", &[])
    };
    let object = place.path("native.o");
    run(Command::new(compiler)
        .args(["-O0", "-g", "-w", "-c"])
        .args(sanitizer)
        .args(&case.flags)
        .arg("-I")
        .arg(root().join("runtime/include"))
        .arg("-include")
        .arg(data("outcomes").join("native.h"))
        .arg(&case.source)
        .arg("-o")
        .arg(&object));
    // Clang's checks call what gcc's library has, too.
    let checks: &[&str] = if case.flags.iter().any(|flag| flag.starts_with("-fsanitize")) {
        &["-lubsan"]
    } else {
        &[]
    };
    run(Command::new("gcc")
        .args(sanitizer)
        .arg(&object)
        .args(checks)
        .args(["-lm", "-o"])
        .arg(&executable));
    executable
}

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    /// One below `count`.
    fn below(&mut self, count: usize) -> usize {
        // Marsaglia's xorshift of 64 bits.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % count
    }
}

/// All inputs of one byte; otherwise a third of uniform bytes, a third of the alphabet, and a third
/// of both.
fn inputs(case: &Case) -> Vec<u8> {
    if case.input == 1 {
        return (0..=u8::MAX).collect();
    }
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut bytes = Vec::with_capacity(INPUTS * case.input);
    for _ in 0..INPUTS {
        let form = numbers.below(3);
        for _ in 0..case.input {
            let is_uniform = form == 0 || form == 1 && numbers.below(2) == 0;
            bytes.push(if is_uniform || case.alphabet.is_empty() {
                numbers.below(256) as u8
            } else {
                case.alphabet[numbers.below(case.alphabet.len())]
            });
        }
    }
    bytes
}

/// How the program ends, over all inputs.
pub(super) fn outcomes(case: &Case, place: &TestDir, executable: &Path) -> BTreeSet<String> {
    let file = place.path("inputs");
    fs::write(&file, inputs(case)).expect("the inputs are written");
    let size = case.input.to_string();
    let said = run(Command::new(executable).arg(&file).arg(&size));
    let said = String::from_utf8(said).expect("text");
    let expected = if case.input == 1 { 256 } else { INPUTS };
    assert_eq!(said.lines().count(), expected, "{}", case.name);
    said.lines().map(String::from).collect()
}
