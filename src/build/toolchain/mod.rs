//! The compilers on this machine: names, versions, abilities.
//!
//! Owns: names under which compilers are installed, how to ask for their version. Never: compiling,
//! or a compiler without a known name. Data come from the compilers and go to `tester`, `doctor`
//! and `homi cc`.

mod clang;
mod gcc;

pub use clang::{OLDEST_CLANG, clang_in, clangs, newest_clang};
pub use gcc::{gcc, has_sanitizers};

use std::path::PathBuf;
use std::process::Command;

/// A compiler that answered when it was asked for its version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    /// Command: a name on the `PATH`, or a path.
    pub program: PathBuf,
    /// The first number of its version.
    pub major: u32,
    /// The whole version, such as `19.1.7`.
    pub version: String,
}

impl std::fmt::Display for Compiler {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} ({})", self.program.display(), self.version)
    }
}

/// The first line that a program prints when called so; `None` if it is not there or fails.
pub fn first_line_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next()?.trim().to_string();
    (output.status.success() && !line.is_empty()).then_some(line)
}

/// The first number with a dot in it, and what it begins with: `19.1.7` and 19.
fn version_in(line: &str) -> Option<(u32, String)> {
    line.split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter(|argument| argument.contains('.'))
        .find_map(|argument| {
            let major = argument.split('.').next()?.parse().ok()?;
            Some((major, argument.trim_end_matches('.').to_string()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_compilers_print() {
        for (line, major, version) in [
            ("Debian clang version 19.1.7 (3+b1)", 19, "19.1.7"),
            ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0", 12, "12.2.0"),
            ("Ubuntu clang version 14.0.0-1ubuntu1.1", 14, "14.0.0"),
        ] {
            assert_eq!(version_in(line), Some((major, version.to_string())));
        }
        assert_eq!(version_in("no version at all"), None);
        assert_eq!(first_line_of("/nonexistent/cc", &["--version"]), None);
    }
}
