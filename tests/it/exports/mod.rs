//! Exports of a run and a replay for other tools, compared with the run's bugs and branches.

mod events;
mod fuzzers;
mod junit;
mod replays;
mod resumed;
mod sarif;

use crate::support::{TestDir, json_lines, summary, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Three bugs, one of them below a call, and exits.
const BUGS: &str = "#include <stdlib.h>
static int look(const int *table, int at) {
  return table[at];
}
int main(int argc, char **argv) {
  int table[4] = {1, 2, 3, 4};
  if (argc < 2) return 2;
  int n = argv[1][0] - 'a';
  if (n > 20) abort();
  if (n < 0) return 1;
  if (look(table, n) > 3 && argv[1][1] == 'x') {
    return 100 / (argv[1][2] - 'y');
  }
  return 0;
}
";

/// A run of `BUGS` with all that a run can export.
struct Exported {
    place: TestDir,
    summary: Value,
    /// The lines of `--events`, the first line without its kind checked.
    events: Vec<Value>,
}

impl Exported {
    fn make() -> Self {
        let place = TestDir::new();
        place.compile("bugs", BUGS);
        let arguments = ["run", "bugs.bc", "--output-dir", "out", "--events"];
        let arguments = [
            &arguments[..],
            &["--export", FORMATS, "--", "--sym-arg", "3"],
        ]
        .concat();
        let output = place.succeeds(&arguments);
        fs::write(place.path("events.jsonl"), &output.stdout).expect("write the events");
        Self {
            summary: summary(&place.path("out")),
            events: json_lines(&place.path("events.jsonl")),
            place,
        }
    }

    /// A file of the output directory.
    fn file(&self, name: &str) -> PathBuf {
        self.place.path("out").join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect("an exported file")
    }

    /// Bugs of `summary.json` as (kind, message, location, test).
    fn bugs(&self) -> Vec<[String; 4]> {
        let errors = self.summary["errors"].as_array().expect("a list").iter();
        let field = |error: &Value, name: &str| error[name].as_str().expect("a text").to_string();
        errors
            .map(|error| ["kind", "message", "location", "test"].map(|name| field(error, name)))
            .collect()
    }

    /// The bugs, whose messages have the values of checks.
    fn bugs_with_values(&self) -> Vec<[String; 4]> {
        let errors = self.summary["errors"].as_array().expect("a list").iter();
        let with_values = |([kind, message, place, test], error): ([String; 4], &Value)| {
            let message = match error["values"].as_str() {
                Some(values) => format!("{message}: {values}"),
                None => message,
            };
            [kind, message, place, test]
        };
        self.bugs()
            .into_iter()
            .zip(errors)
            .map(with_values)
            .collect()
    }

    /// Events of a kind.
    fn events(&self, kind: &str) -> Vec<&Value> {
        let events = self.events.iter();
        events.filter(|event| event["event"] == kind).collect()
    }
}

/// All formats that a run can write.
const FORMATS: &str = "sarif,junit,ctest,afl,dict";

static EXPORTED: LazyLock<Exported> = LazyLock::new(Exported::make);

#[test]
fn the_program_has_its_three_bugs() {
    let kinds: Vec<String> = EXPORTED.bugs().into_iter().map(|[kind, ..]| kind).collect();
    let mut sorted = kinds.clone();
    sorted.sort();
    assert_eq!(sorted, ["abort", "div", "ptr"], "{kinds:?}");
}

#[test]
fn an_unknown_format_is_refused_with_the_known_ones() {
    let place = TestDir::new();
    place.compile("p", "int main(void) { return 0; }\n");
    place.fails(
        &["run", "p.bc", "--export", "sarif,xls"],
        2,
        &["xls", "it is not one of sarif, junit"],
    );
    place.fails(
        &["run", "p.bc", "--export", "lcov"],
        2,
        &["it is a format of homi replay"],
    );
    place.fails(
        &["run", "p.bc", "--events", "--show-output"],
        2,
        &["both write to the standard output"],
    );
}

#[test]
fn a_failed_export_fails_the_command_and_keeps_all_other_files() {
    let place = TestDir::new();
    place.compile("p", "int main(void) { for (;;) {} }\n");
    // A directory in the place of the file, made while the run is under way.
    let run = place
        .homi()
        .args([
            "run",
            "p.bc",
            "--output-dir",
            "out",
            "--export",
            "sarif,junit",
        ])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("homi runs");
    let directory = place.path("out");
    wait_until("it is under way", || {
        directory.join("branches.json").exists()
    });
    fs::create_dir(directory.join("homi.sarif")).expect("a directory");
    kill(Pid::from_raw(run.id() as i32), Signal::SIGINT).expect("it runs");
    let output = run.wait_with_output().expect("homi ends");
    let said = crate::support::text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write out/homi.sarif"), "{said}");
    assert!(directory.join("junit.xml").is_file());
    assert_eq!(summary(&directory)["stop_reason"], "interrupted");
}
