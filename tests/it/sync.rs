//! `--sync`: inputs of fuzzers come in while a run goes on, and tests go out.

use crate::support::{TestDir, summary, tests};
use homi::native::testcase::ktest::KTest;
use std::collections::BTreeSet;
use std::fs;

/// The door is behind a product that no edit and no query in time finds.
const GATE: &str = "#include <stdio.h>
#include <string.h>
static unsigned long digest(const char *text) {
  unsigned long value = 0x9e3779b97f4a7c15u;
  for (int round = 0; round < 6; round++)
    for (const char *at = text; *at; at++) {
      value = (value ^ (unsigned char)*at) * 0xd6e8feb86659fd93u;
      value ^= (value >> 29) ^ (value << 17 | value >> 47);
    }
  return value;
}
int main(void) {
  char text[9] = {0};
  fread(text, 1, 8, stdin);
  if (text[0] == 'a') return 1;
  if (text[0] == 'x' && digest(text) == digest(\"xyz2door\")) return 42;
  return 2;
}
";

fn inputs(place: &TestDir, directory: &str) -> BTreeSet<Vec<u8>> {
    let entries = fs::read_dir(place.path(directory))
        .expect("a queue")
        .flatten();
    entries
        .map(|entry| fs::read(entry.path()).expect("a file"))
        .collect()
}

#[test]
fn inputs_of_a_fuzzer_become_tests_and_tests_become_inputs() {
    let place = TestDir::new();
    place.compile("p", GATE);
    let queue = place.path("sync/main/queue");
    fs::create_dir_all(&queue).expect("a queue");
    for (name, bytes) in [
        ("id:000000,time:0,orig:seed", "q"),
        ("id:000001,src:000000", "xyz2door"),
    ] {
        fs::write(queue.join(name), bytes).expect("written");
    }
    let arguments = ["p.bc", "--quiet", "--sync", "sync", "--max-time", "10s"];
    let options = [
        "--max-solver-time",
        "1s",
        "--prune",
        "none",
        "--",
        "--sym-stdin",
        "8",
    ];
    place.run_into("out", &[&arguments[..], &options[..]].concat());
    let found = tests(&place.path("out")).into_iter().any(|(_, bytes)| {
        let test = KTest::from_bytes(&bytes).expect("a test");
        test.object("stdin")
            .is_some_and(|object| object.bytes == b"xyz2door")
    });
    assert!(found, "{:?}", summary(&place.path("out")));
    let own = inputs(&place, "sync/homi/queue");
    assert!(own.iter().any(|bytes| bytes.starts_with(b"a")), "{own:?}");
    assert!(
        !own.contains(b"xyz2door".as_slice()),
        "it came from the fuzzer"
    );
    let log = fs::read_to_string(place.path("out/messages.txt")).expect("a log");
    assert!(log.contains("--sync: 2 inputs read, 2 run"), "{log}");
}

/// Takes the door for a text that is longer than the run's symbolic input.
const LONG: &str = "#include <stdio.h>
#include <string.h>
int main(void) {
  char text[65] = {0};
  size_t size = fread(text, 1, 64, stdin);
  if (size > 30 && !strcmp(text + 24, \"door behind\")) return 42;
  int depth = 0;
  for (size = 0; text[size]; size++) {
    if (text[size] == '(') depth++;
    if (text[size] == ')') depth--;
  }
  return depth > 2;
}
";

#[test]
fn inputs_longer_than_the_symbolic_one_are_executed_whole() {
    let place = TestDir::new();
    place.compile("p", LONG);
    let queue = place.path("sync/main/queue");
    fs::create_dir_all(&queue).expect("a queue");
    let whole = format!("{:24}door behind", "long");
    fs::write(queue.join("id:000000,orig:seed"), &whole).expect("written");
    let arguments = ["p.bc", "--quiet", "--sync", "sync", "--max-time", "120s"];
    let options = [
        "--prune",
        "none",
        "--tuning",
        "native_after=0",
        "--",
        "--sym-stdin",
        "8",
    ];
    place.run_into("out", &[&arguments[..], &options[..]].concat());
    let out = place.path("out");
    let statuses = summary(&out)["exit_statuses"].clone();
    let found = tests(&out).into_iter().any(|(_, bytes)| {
        let test = KTest::from_bytes(&bytes).expect("a test");
        test.object("stdin")
            .is_some_and(|object| object.bytes.starts_with(whole.as_bytes()))
    });
    assert!(found, "{statuses}: {:?}", summary(&out));
    let log = fs::read_to_string(out.join("coverage.jsonl")).expect("a log");
    assert!(log.contains(r#""found_by":"sync""#), "{log}");
}

#[test]
fn a_directory_or_program_that_cannot_take_part_is_refused() {
    let place = TestDir::new();
    place.compile("p", "int main(void) { return 0; }\n");
    fs::write(place.path("file"), "").expect("written");
    let line = ["run", "p.bc", "--sync", "file", "--", "--sym-stdin", "8"];
    place.fails(&line, 1, &["--sync", "file"]);
    place.fails(
        &["run", "p.bc", "--sync", "d"],
        2,
        &["--sync d", "--sym-stdin"],
    );
}
