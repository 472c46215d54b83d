//! The harness as bitcode.

use super::source::EXPRESSIONS;
use super::{FILE, HarnessError};
use crate::toolchain::newest_clang;
use std::path::PathBuf;
use std::process::Command;

/// Name of the harness's `main` in bitcode; the program keeps its `main`.
pub const MAIN: &str = "homi_harness_main";

/// A harness in a temporary directory.
#[derive(Debug)]
pub struct Harness {
    directory: tempfile::TempDir,
    pub source: String,
}

impl Harness {
    /// Compiles the source for an LLVM of version `newest`. No name of the place gets into the
    /// bitcode, so that equal harnesses are equal files.
    pub fn compile(source: String, entry: &str, newest: u32) -> Result<Self, HarnessError> {
        let failed = |what: &str| {
            let what = what.to_string();
            move |source| HarnessError::Io { what, source }
        };
        let clang = newest_clang(newest).ok_or_else(|| HarnessError::NoClang {
            entry: entry.to_string(),
            newest,
        })?;
        let directory = tempfile::tempdir().map_err(failed("no temporary directory"))?;
        let harness = Self { directory, source };
        std::fs::write(harness.directory.path().join(FILE), &harness.source)
            .map_err(failed("cannot write the harness"))?;
        let output = Command::new(&clang.program)
            .args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w"])
            .args(["-fno-builtin", "-fdebug-compilation-dir", "."])
            .arg(format!("-Dmain={MAIN}"))
            .args(["-c", "-emit-llvm", FILE, "-o", "harness.bc"])
            .current_dir(harness.directory.path())
            .output()
            .map_err(failed("cannot run clang"))?;
        if output.status.success() {
            return Ok(harness);
        }
        let entry = entry.to_string();
        let output = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(if output.contains(EXPRESSIONS) {
            HarnessError::Requires { entry, output }
        } else {
            HarnessError::Compiler { entry, output }
        })
    }

    /// The bitcode; it is there as long as the harness is.
    pub fn bitcode(&self) -> PathBuf {
        self.directory.path().join("harness.bc")
    }
}
