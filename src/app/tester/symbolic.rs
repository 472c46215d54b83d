//! Finds out whether a program makes inputs symbolic, and chooses inputs if it does not.
//!
//! Idea: bitcode holds the names of the functions that it calls as plain bytes, in its table of
//! names. A name that is there and not called only costs the usual inputs.

use super::verifier;
use homi_ir::program::FUZZED;
use std::io;
use std::path::PathBuf;

/// Functions that make something symbolic.
const MAKERS: [&str; 4] = [
    "klee_make_symbolic",
    "klee_range",
    "klee_int",
    "klee_choose",
];

/// Prefix of the functions of klee/klee.h.
const PREFIX: &str = "klee_";

/// Harness functions that a program calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HarnessCalls {
    /// True if the program makes something symbolic.
    pub makes_symbolic: bool,
    /// True if the program calls any of them, so that it links natively only with their
    /// definitions.
    pub any: bool,
    /// True if the program calls a function of SV-COMP.
    pub verifier: bool,
    /// True if a call of `reach_error` is the error that the run looks for.
    pub is_about_error: bool,
    /// True if the program defines or calls the entry point of a fuzzer.
    pub is_fuzzed: bool,
}

/// Returns the harness functions that these bitcode files call.
pub fn harness_calls(files: &[PathBuf]) -> io::Result<HarnessCalls> {
    let mut calls = HarnessCalls::default();
    for file in files {
        let bytes = std::fs::read(file)?;
        calls.verifier |= names(&bytes, verifier::PREFIX);
        calls.makes_symbolic |= names(&bytes, verifier::MAKERS);
        calls.makes_symbolic |= MAKERS.iter().any(|name| names(&bytes, name));
        calls.any |= names(&bytes, PREFIX);
        calls.is_fuzzed |= names(&bytes, FUZZED);
    }
    Ok(calls)
}

fn names(bytes: &[u8], name: &str) -> bool {
    let mut windows = bytes.windows(name.len());
    windows.any(|window| window == name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_anywhere() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a.bc");
        let calls = |bytes: &[u8]| {
            std::fs::write(&file, bytes).expect("writable");
            let calls = harness_calls(std::slice::from_ref(&file)).expect("readable");
            (calls.makes_symbolic, calls.any)
        };
        assert_eq!(calls(b"\0mainklee_make_symbolicputs"), (true, true));
        assert_eq!(calls(b"klee_assume"), (false, true));
        assert_eq!(calls(b"mainklee/klee.h"), (false, false));
        assert_eq!(calls(b"__VERIFIER_nondet_int"), (true, false));
        assert_eq!(calls(b"__VERIFIER_error"), (false, false));
        assert!(harness_calls(&[directory.path().join("none.bc")]).is_err());
    }
}
