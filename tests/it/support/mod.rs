//! What the tests of the command line share: a temporary directory, clang, the binary.

// Each file of tests compiles this for itself, and none uses all of it.
#![allow(dead_code)]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary directory with a program in it.
pub struct Place {
    pub directory: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            directory: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Compiles C to bitcode.
    pub fn compile(&self, name: &str, source: &str) -> PathBuf {
        let c = self.path(&format!("{name}.c"));
        let bc = self.path(&format!("{name}.bc"));
        fs::write(&c, source).expect("write the source");
        let root = env!("CARGO_MANIFEST_DIR");
        let status = Command::new("clang-19")
            .args(["-c", "-emit-llvm", "-g", "-O0", "-Xclang"])
            .arg("-disable-O0-optnone")
            .arg(format!("-I{root}/runtime/include"))
            .arg(&c)
            .arg("-o")
            .arg(&bc)
            .status()
            .expect("clang-19 runs");
        assert!(status.success());
        bc
    }

    /// `homi` in this place, with a cache of its own.
    pub fn homi(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_homi"));
        command
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// A command that must fail: its status and what it says.
    pub fn fails(&self, words: &[&str], status: i32, parts: &[&str]) {
        let output = self.homi().args(words).output().expect("homi runs");
        let said = text(&output);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {said}");
        for part in parts {
            assert!(
                said.contains(part),
                "{words:?} does not say {part:?}: {said}"
            );
        }
        for trace in [
            "panicked",
            "internal error",
            "RUST_BACKTRACE",
            "stack backtrace",
        ] {
            assert!(!said.contains(trace), "{words:?}: {said}");
        }
    }
}

/// Forks without end.
pub const ENDLESS: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned n = 0;
  for (;;) {
    unsigned char in;
    klee_make_symbolic(&in, 1, "in");
    if (in == n % 256) n += 3;
    n++;
  }
}
"#;

/// What a command said on its standard error.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The `summary.json` of an output directory.
pub fn summary(directory: &Path) -> Value {
    let text = fs::read_to_string(directory.join("summary.json")).expect("summary.json exists");
    serde_json::from_str(&text).expect("summary.json is JSON")
}
