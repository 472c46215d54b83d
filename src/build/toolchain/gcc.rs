//! gcc: compiles programs natively, with counts for gcov and with sanitizers.
//!
//! Invariant: each reported ability was tried.

use super::{Compiler, first_line_of, version_in};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// gcc, if there is one. clang under the name gcc is none: its counts are not gcov's.
pub fn gcc() -> Option<Compiler> {
    let line = first_line_of("gcc", &["--version"])?;
    if line.contains("clang") {
        return None;
    }
    let (major, version) = version_in(&line)?;
    Some(Compiler {
        program: PathBuf::from("gcc"),
        major,
        version,
    })
}

/// True if the compiler links programs with AddressSanitizer and UndefinedBehaviorSanitizer.
pub fn has_sanitizers(compiler: &Compiler) -> bool {
    let linked = || -> std::io::Result<bool> {
        let directory = tempfile::tempdir()?;
        let mut child = Command::new(&compiler.program)
            .args(["-x", "c", "-fsanitize=address,undefined", "-", "-o"])
            .arg(directory.path().join("tried"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(b"int main(void) { return 0; }\n")?;
        }
        Ok(child.wait()?.success())
    };
    linked().unwrap_or(false)
}
