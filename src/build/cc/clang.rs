//! clang as a process that makes bitcode of one source and prints it.
//!
//! Invariant: nothing is written to the disk and nothing reaches the build's terminal; what clang
//! says is the reason why there is no bitcode.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Number of attempts, each without the flags that clang refused by name before.
const ATTEMPTS: usize = 4;

/// Compiles one source. Err: why there is no bitcode, in one line.
pub fn compile(
    clang: &Path,
    flags: &[OsString],
    language: &str,
    source: &OsStr,
    input: Option<&[u8]>,
) -> Result<Vec<u8>, String> {
    let mut flags = flags.to_vec();
    for _ in 0..ATTEMPTS {
        let output = run(clang, &flags, language, source, input)
            .map_err(|error| format!("{}: {error}", clang.display()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if !drop_refused(&mut flags, &messages) {
            return Err(first_error(&messages, &output));
        }
    }
    Err(format!("{} refuses its flags", clang.display()))
}

fn run(
    clang: &Path,
    flags: &[OsString],
    language: &str,
    source: &OsStr,
    input: Option<&[u8]>,
) -> std::io::Result<Output> {
    let mut child = Command::new(clang)
        .args(flags)
        .args(["-fno-color-diagnostics", "-fno-caret-diagnostics"])
        .args(["-c", "-emit-llvm", "-o", "-", "-x", language])
        .arg(source)
        .stdin(match input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // clang reads all of a source before it writes anything.
    if let (Some(bytes), Some(mut pipe)) = (input, child.stdin.take()) {
        // A compiler that has seen enough closes the pipe.
        let _ = pipe.write_all(bytes);
    }
    child.wait_with_output()
}

/// Removes the flags that clang says it does not know; false if it says so of none.
fn drop_refused(flags: &mut Vec<OsString>, messages: &str) -> bool {
    let before = flags.len();
    for line in messages.lines() {
        let refusal = [
            "unknown argument",
            "unsupported option",
            "unsupported argument",
        ];
        if !refusal.iter().any(|part| line.contains(part)) {
            continue;
        }
        let quoted: Vec<&str> = line.split('\'').skip(1).step_by(2).collect();
        flags.retain(|flag| {
            let flag = flag.to_str().unwrap_or_default();
            let named =
                |name: &&str| flag == *name || name.ends_with('=') && flag.starts_with(*name);
            !quoted.iter().any(|name| !name.is_empty() && named(name))
        });
    }
    flags.len() < before
}

/// clang's first error, as `FILE:LINE: error: WHAT`.
fn first_error(messages: &str, output: &Output) -> String {
    let mut lines = messages.lines();
    let error = lines.find(|line| line.contains("error:"));
    let line = error
        .or_else(|| messages.lines().next())
        .unwrap_or_default();
    match line.trim() {
        "" => format!("clang ended with {}", output.status),
        line => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_flags_go() {
        let mut flags: Vec<OsString> = ["-mfoo", "-mtune=x", "-DX"].map(OsString::from).into();
        let messages = "clang: error: unknown argument: '-mfoo'\n\
                    clang: error: unsupported argument 'x' to option '-mtune='\n";
        assert!(drop_refused(&mut flags, messages));
        assert_eq!(flags, ["-DX"]);
        assert!(!drop_refused(
            &mut flags,
            "a.c:1:1: error: unknown type name 'x'"
        ));
    }
}
