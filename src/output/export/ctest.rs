//! CTest: a `CTestTestfile.cmake` in which each test is a replay.
//! <https://cmake.org/cmake/help/latest/manual/ctest.1.html>
//!
//! Invariant: `ctest` in the directory of the file replays each test once and passes where
//! `homi replay --error-exit-code` does.

use super::row::{ExporterRow, Occasion};
use homi_report::{Event, Listener, OutputFailure, Prediction, TestEnding};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "ctest",
    help: "a file for CMake's ctest that replays each test",
    output: "CTestTestfile.cmake",
    occasions: &[Occasion::Run, Occasion::Replay],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(CTest {
            file: place.join(ROW.output),
            homi: "homi".to_string(),
            program: String::new(),
            tests: Vec::new(),
        })
    },
};

/// Collects tests, and writes them when all is over.
struct CTest {
    file: PathBuf,
    homi: String,
    /// The native program.
    program: String,
    tests: Vec<Test>,
}

struct Test {
    name: String,
    /// Absolute path, or a file in the directory of the written one.
    file: String,
    labels: Vec<String>,
}

impl Listener for CTest {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                self.homi = started.homi.clone().unwrap_or_else(|| "homi".to_string());
                let directory = Path::new(&started.working_directory);
                let input = started
                    .inputs
                    .first()
                    .map(String::as_str)
                    .unwrap_or_default();
                self.program = native(&directory.join(input));
            }
            Event::TestWritten(test) => self.tests.push(Test {
                name: test.test.clone(),
                file: format!("{}.ktest", test.test),
                labels: match &test.ending {
                    TestEnding::Bug { bug, .. } => vec!["bug".to_string(), bug.clone()],
                    _ => Vec::new(),
                },
            }),
            Event::ReplayStarted(started) => {
                self.homi = started.homi.clone().unwrap_or_else(|| "homi".to_string());
                self.program.clone_from(&started.exe);
            }
            Event::TestReplayed(test) => {
                let path = Path::new(&test.test);
                let file = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                let name = path.file_stem().unwrap_or_default();
                self.tests.push(Test {
                    name: name.to_string_lossy().into_owned(),
                    file: file.display().to_string(),
                    labels: match &test.prediction {
                        Prediction::Bug { bug, .. } => vec!["bug".to_string(), bug.clone()],
                        _ => Vec::new(),
                    },
                });
            }
            Event::Finished(_) | Event::ReplayFinished(_) => {
                return std::fs::write(&self.file, self.text());
            }
            _ => {}
        }
        Ok(())
    }
}

/// The native program of bitcode: the same name without `.bc`. An executable that carries its
/// bitcode is itself.
fn native(input: &Path) -> String {
    let has_suffix = input.extension().is_some_and(|suffix| suffix == "bc");
    let program = if has_suffix {
        input.with_extension("")
    } else {
        input.to_path_buf()
    };
    program.display().to_string()
}

impl CTest {
    fn text(&self) -> String {
        let (homi, program) = (quote(&self.homi), quote(&self.program));
        let mut out = format!(
            "# Made by homi. `ctest` in this directory replays each test; HOMI and HOMI_PROGRAM name\n\
             # another homi and another build of the program, by absolute paths.\n\
             set(homi \"$ENV{{HOMI}}\")\n\
             if(homi STREQUAL \"\")\n  set(homi {homi})\nendif()\n\
             set(program \"$ENV{{HOMI_PROGRAM}}\")\n\
             if(program STREQUAL \"\")\n  set(program {program})\nendif()\n"
        );
        for test in &self.tests {
            // ctest runs each test in the directory of the file.
            let (name, file) = (quote(&test.name), quote(&test.file));
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "add_test({name} \"${{homi}}\" \"replay\" \"--quiet\" \"--error-exit-code\" \
                 \"${{program}}\" {file})"
            );
            if !test.labels.is_empty() {
                let labels = quote(&test.labels.join(";"));
                let _ = writeln!(
                    out,
                    "set_tests_properties({name} PROPERTIES LABELS {labels})"
                );
            }
        }
        out
    }
}

/// Returns a bracket argument of CMake, in which nothing is replaced.
fn quote(argument: &str) -> String {
    let mut fence = "=".to_string();
    while argument.contains(&format!("]{fence}]")) {
        fence.push('=');
    }
    format!("[{fence}[{argument}]{fence}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_cannot_leave_their_fence() {
        assert_eq!(quote("a b"), "[=[a b]=]");
        assert_eq!(quote("a]=]b"), "[==[a]=]b]==]");
        assert_eq!(native(Path::new("/d/p.bc")), "/d/p");
        assert_eq!(native(Path::new("/d/p")), "/d/p");
    }
}
