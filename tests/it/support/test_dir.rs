//! A temporary directory with programs in it, in which `homi` runs.

use super::{bitcode, homi, summary, text};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A temporary directory with a program in it.
pub(crate) struct TestDir {
    pub(crate) directory: tempfile::TempDir,
}

impl TestDir {
    pub(crate) fn new() -> Self {
        Self {
            directory: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Compiles C to `NAME.bc`, as the guide recommends.
    pub(crate) fn compile(&self, name: &str, source: &str) -> PathBuf {
        let file = self.path(&format!("{name}.c"));
        fs::write(&file, source).expect("write the source");
        bitcode(&["-g", "-O0", "-Xclang", "-disable-O0-optnone"], &file)
    }

    /// `homi` in this place, with a cache of its own.
    pub(crate) fn homi(&self) -> Command {
        let mut command = Command::new(homi());
        command
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// `homi` with these arguments.
    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.homi().args(arguments).output().expect("homi runs")
    }

    /// `homi` with these arguments; succeeds.
    pub(crate) fn succeeds(&self, arguments: &[&str]) -> Output {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
        output
    }

    /// `homi run` with these arguments; succeeds. The summary.
    pub(crate) fn run(&self, arguments: &[&str]) -> Value {
        self.succeeds(&[&["run"], arguments].concat());
        summary(&self.path("homi-last"))
    }

    /// `homi run` with these arguments into an output directory; succeeds. The summary.
    pub(crate) fn run_into(&self, directory: &str, arguments: &[&str]) -> Value {
        self.succeeds(&[&["run", "--output-dir", directory], arguments].concat());
        summary(&self.path(directory))
    }

    /// A command that must fail: its status and what it says.
    pub(crate) fn fails(&self, arguments: &[&str], status: i32, parts: &[&str]) {
        let output = self.output(arguments);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        for part in parts {
            assert!(
                said.contains(part),
                "{arguments:?} does not say {part:?}: {said}"
            );
        }
        for trace in [
            "panicked",
            "internal error",
            "RUST_BACKTRACE",
            "stack backtrace",
        ] {
            assert!(!said.contains(trace), "{arguments:?}: {said}");
        }
    }
}

/// Forks without end.
pub(crate) const ENDLESS: &str = r#"
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
