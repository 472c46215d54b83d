//! `--input-generator`: inputs that a command proposes. Whatever it does, the run goes on.

use crate::support::{TestDir, json_lines, root, summary, text};
use std::fs;

/// The door is behind a digest that no solver inverts; the word stands in the text of the usage.
const GATE: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static const char usage[] = "try xyz2 or plugh";
static uint64_t digest(const char *text) {
  uint64_t value = 0x9e3779b97f4a7c15u;
  for (int round = 0; round < 6; round++)
    for (const char *at = text; *at; at++) {
      value = (value ^ (unsigned char)*at) * 0xd6e8feb86659fd93u;
      value ^= (value >> 29) ^ (value << 17 | value >> 47);
    }
  return value;
}
int main(int argc, char **argv) {
  if (argc < 2) {
    puts(usage);
    return 1;
  }
  if (digest(argv[1]) == DIGEST) return 42;
  return 2;
}
"#;

/// Value that the program compares with, as the native build computes it.
fn gate(place: &TestDir) -> String {
    let main =
        "int main(void) { printf(\"0x%llxu\", (unsigned long long)digest(\"xyz2\")); return 0; }";
    let head = GATE.split("int main").next().expect("a head");
    fs::write(place.path("digest.c"), format!("{head}{main}")).expect("a source");
    let mut compiler = std::process::Command::new("cc");
    compiler
        .arg("-o")
        .args([place.path("digest"), place.path("digest.c")]);
    crate::support::run(&mut compiler);
    let number = crate::support::run(&mut std::process::Command::new(place.path("digest")));
    GATE.replace("DIGEST", &String::from_utf8(number).expect("a number"))
}

/// The few paths end long before; what a question may cost is small.
const BUDGET: [&str; 4] = ["--max-time", "120s", "--max-solver-time", "50ms"];

/// Runs with an argument of this length and this input generator. Returns the output and the
/// summary.
fn ask(
    place: &TestDir,
    directory: &str,
    command: &str,
    bytes: &str,
) -> (String, serde_json::Value) {
    let mut arguments = vec![
        "run",
        "--output-dir",
        directory,
        "--input-generator",
        command,
    ];
    arguments.extend(["gate.bc", "--prune", "none", "--fuzz-ratio", "0"]);
    arguments.extend(BUDGET);
    arguments.extend(["--", "--sym-arg", bytes]);
    let output = place.succeeds(&arguments);
    (text(&output), summary(&place.path(directory)))
}

/// True if a test of the run passes the comparison of the native program.
fn opened(place: &TestDir, directory: &str) -> bool {
    let mut compiler = std::process::Command::new("cc");
    compiler
        .args(["-w", "-o"])
        .args([place.path("gate"), place.path("gate.c")]);
    crate::support::run(&mut compiler);
    let replay = place.succeeds(&["replay", "gate", directory]);
    String::from_utf8_lossy(&replay.stdout).contains("exit 42")
}

#[test]
fn the_example_passes_a_check_that_the_search_does_not() {
    let place = TestDir::new();
    place.compile("gate", &gate(&place));
    let (_, without) = ask(&place, "without", "cat > questions.jsonl", "4");
    assert!(!opened(&place, "without"), "{without}");
    let requests = json_lines(&place.path("questions.jsonl"));
    let door = requests
        .iter()
        .find(|one| {
            one["source"]
                .as_str()
                .is_some_and(|line| line.contains("42"))
        })
        .expect("a question about the door");
    assert_eq!(
        (&door["wanted"], &door["function"]),
        (&"true".into(), &"main".into())
    );
    assert!(
        door["file"]
            .as_str()
            .is_some_and(|file| file.ends_with("gate.c"))
    );
    assert!(
        door["input"]["arguments"]
            .as_array()
            .is_some_and(|all| all.len() == 1)
    );
    let example = root().join("examples/input_generator.py");
    let (said, with) = ask(
        &place,
        "with",
        &format!("python3 {}", example.display()),
        "4",
    );
    assert!(opened(&place, "with"), "{said} {with}");
    assert!(said.contains("became tests"), "{said}");
}

#[test]
fn a_command_that_fails_or_talks_nonsense_is_warned_of_once_and_stops_nothing() {
    let place = TestDir::new();
    place.compile("gate", &gate(&place));
    for (name, command, warning) in [
        ("absent", "/nonexistent/command", "--input-generator ended"),
        (
            "garbage",
            "while read line; do echo nonsense; done",
            "printed an invalid line",
        ),
        ("flood", "yes nonsense", "stopping the command"),
        (
            "failing",
            "read line; exit 3",
            "--input-generator ended: exit status: 3",
        ),
    ] {
        let (said, summary) = ask(&place, name, command, "1");
        assert_eq!(said.matches(warning).count(), 1, "{name}: {said}");
        assert_eq!(
            summary["exit_statuses"]["2"]
                .as_u64()
                .map(|count| count > 0),
            Some(true)
        );
    }
    // A command that never reads or responds costs only the wait at the end, and the children of
    // its shell end with it.
    let (said, _) = ask(&place, "silent", "sleep 1000 & echo $! > pid; wait", "1");
    assert!(!said.contains("WARNING"), "{said}");
    let left = fs::read_to_string(place.path("pid")).expect("a number");
    // A zombie has no command line.
    let command = fs::read(format!("/proc/{}/cmdline", left.trim())).unwrap_or_default();
    assert!(command.is_empty(), "{left}");
}

#[test]
fn answers_may_be_bytes_and_name_no_request() {
    let place = TestDir::new();
    place.compile("gate", &gate(&place));
    let hex: String = b"xyz2".iter().map(|byte| format!("{byte:02x}")).collect();
    let line = format!(r#"{{"arguments": [{{"hex": "{hex}"}}]}}"#);
    let (said, summary) = ask(
        &place,
        "bytes",
        &format!("echo '{line}'; cat > /dev/null"),
        "4",
    );
    assert!(opened(&place, "bytes"), "{said} {summary}");
}
