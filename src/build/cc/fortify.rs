//! Fortified calls (`_FORTIFY_SOURCE`) in bitcode.
//!
//! glibc's headers make them only if the compiler optimizes. Bitcode is made without, and glibc's
//! inline functions hide from clang which part of an object a call writes to. So headers with
//! functions of homi come first where the native program is optimized; they heed the macro.

use super::harness::HarnessParts;
use super::invocation::Invocation;
use std::ffi::OsString;

/// The folder of these headers, below the ones of harnesses.
const FOLDER: &str = "fortified";

/// The arguments for clang.
pub(super) fn arguments(parts: Option<&HarnessParts>, invocation: &Invocation) -> Vec<OsString> {
    let Some(parts) = parts.filter(|_| is_optimized(invocation)) else {
        return Vec::new();
    };
    vec!["-isystem".into(), parts.headers().join(FOLDER).into()]
}

/// True if the native program is optimized: the last of the options counts.
fn is_optimized(invocation: &Invocation) -> bool {
    let levels = invocation.options().filter_map(|item| {
        let level = item.text().strip_prefix("-O")?;
        Some(level != "0")
    });
    levels.last().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::super::language::Driver;
    use super::*;

    #[test]
    fn the_last_level_decides() {
        let optimized = |line: &str| {
            let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            is_optimized(&Invocation::parse(&arguments, Driver::C))
        };
        assert!(optimized("-O2 a.c") && optimized("-O0 -O a.c") && optimized("-Os a.c"));
        assert!(!optimized("a.c") && !optimized("-O2 -O0 a.c"));
    }
}
