//! `homi cc` in builds, and what `homi run` makes of the files that come out and of others.

mod build_systems;
mod builds;
mod embedded;
mod links;
mod refused;

use crate::support::{TestDir, text};
use std::process::Output;

/// Takes 'x' as its argument, and calls what another file defines.
const MAIN: &str = r#"
#include <stdio.h>
int twice(int);
int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'x') { puts("x"); return twice(2); }
  return 1;
}
"#;

const TWICE: &str = "int twice(int x) { if (x == 2) return 4; return 2 * x; }\n";

/// Returns the standard output of a command.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl TestDir {
    /// Writes a file.
    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).expect("write a file");
    }

    /// The two files of the program.
    fn sources() -> Self {
        let place = TestDir::new();
        place.write("main.c", MAIN);
        place.write("twice.c", TWICE);
        place
    }

    /// `homi cc` with the arguments of a line; succeeds and says nothing.
    fn cc(&self, line: &str) {
        let output = self.cc_output(line);
        assert!(output.status.success(), "{line}: {}", text(&output));
        assert_eq!(text(&output), "", "{line}");
    }

    fn cc_output(&self, line: &str) -> Output {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        self.output(&[&["cc"], &arguments[..]].concat())
    }

    /// A tool of the system; succeeds.
    fn tool(&self, line: &str) {
        let mut arguments = line.split_whitespace();
        let mut command = std::process::Command::new(arguments.next().expect("a tool"));
        crate::support::run(command.args(arguments).current_dir(self.directory.path()));
    }

    /// Explores the program with one symbolic byte as its argument: both of its ends are found.
    fn explores(&self, files: &[&str]) -> Output {
        let options = ["run", "--output-dir", "out", "--max-time", "60s"];
        let arguments = ["--", "--sym-arg", "1"];
        let output = self.succeeds(&[&options, files, &arguments].concat());
        let said = text(&output);
        assert!(said.contains("completed paths = 2\n"), "{said}");
        std::fs::remove_dir_all(self.path("out")).expect("remove the output");
        output
    }
}
