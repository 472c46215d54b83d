//! Programs of tests/data/links: linked with `homi cc` they end as the ones that gcc and GNU's
//! linker make, and print the same.
//!
//! A file begins with what it is about; a line `warns: TEXT` says what homi must warn of, and that
//! outcomes are not compared. Behind `-- NAME` stands a file, behind `-- link` the commands, in
//! which `cc` is the compiler and the last makes `prog`.

use crate::support::{TestDir, data, files_with, run, text};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// A program that is linked in a way of its own.
struct Case {
    name: String,
    warns: Option<String>,
    files: Vec<(String, String)>,
    steps: Vec<String>,
}

impl Case {
    fn read(path: &Path) -> Case {
        let content = std::fs::read_to_string(path).expect("read a case");
        let mut parts = content.split("\n-- ");
        let about = parts.next().unwrap_or_default();
        let warns = about.lines().find_map(|line| line.strip_prefix("warns: "));
        let mut files: Vec<(String, String)> = parts
            .filter_map(|part| part.split_once('\n'))
            .map(|(name, content)| (name.to_string(), format!("{content}\n")))
            .collect();
        let (last, steps) = files.pop().expect("commands");
        assert_eq!(last, "link", "{}", path.display());
        Case {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            warns: warns.map(str::to_string),
            files,
            steps: steps
                .lines()
                .filter(|line| !line.is_empty())
                .map(str::to_string)
                .collect(),
        }
    }

    /// Makes the program in a new directory; `cc` stands for this command.
    fn build(&self, compiler: &[&str]) -> TestDir {
        let place = TestDir::new();
        for (name, content) in &self.files {
            place.write(name, content);
        }
        for step in &self.steps {
            let mut arguments: Vec<&str> = step.split_whitespace().collect();
            if arguments[0] == "cc" {
                arguments.splice(..1, compiler.iter().copied());
            }
            let mut command = Command::new(arguments[0]);
            run(command
                .args(&arguments[1..])
                .current_dir(place.directory.path()));
        }
        place
    }

    /// Exit status and output of the program that gcc makes.
    fn natively(&self) -> (i64, String) {
        let place = self.build(&["gcc", "-w"]);
        let mut command = Command::new("./prog");
        let output = command
            .current_dir(place.directory.path())
            .output()
            .expect("it runs");
        let status = output.status.code().unwrap_or(-1);
        (i64::from(status), super::said(&output))
    }

    /// Returns how homi's outcome differs; `None` if it is right.
    fn complaint(&self) -> Option<String> {
        let homi = crate::support::homi();
        let homi = homi.to_string_lossy();
        let place = self.build(&[&homi, "cc", "-w"]);
        let output = text(&place.output(&["run", "./prog", "--output-dir", "out"]));
        if let Some(warning) = &self.warns {
            let warned = output.contains(warning.as_str());
            return (!warned).then(|| format!("{}: no warning of {warning}: {output}", self.name));
        }
        let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap_or_default();
        let first = read("out/coverage.jsonl");
        let first: serde_json::Value =
            serde_json::from_str(first.lines().next().unwrap_or("{}")).unwrap_or_default();
        let found = (first["exit"].as_i64().unwrap_or(-1), read("out/stdout.txt"));
        let natively = self.natively();
        let warns = output.contains("warning");
        (found != natively || warns)
            .then(|| format!("{}: {found:?}, natively {natively:?}: {output}", self.name))
    }
}

#[test]
fn definitions_are_those_that_the_native_linker_takes() {
    let cases = files_with("txt", &data("links"));
    assert!(cases.len() >= 45, "too few cases: {}", cases.len());
    let (open, wrong) = (Mutex::new(cases), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = open.lock().expect("no panic").pop();
                    let Some(path) = next else { break };
                    let complaint = Case::read(&path).complaint();
                    wrong.lock().expect("no panic").extend(complaint);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
