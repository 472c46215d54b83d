//! `--windows`: runs free a few bytes of earlier tests, and what they write are whole inputs that
//! the native program takes as the engine did.

use super::lines_of;
use crate::support::{Place, run};
use std::collections::BTreeMap;
use std::process::Command;

/// The first bytes and the number decide how the program ends, so a byte of the input that a test
/// does not have shows; the ways through the loop are many.
const FORMAT: &str = r#"
#include <klee/klee.h>
int main(void) {
  char in[14];
  int level;
  klee_make_symbolic(in, sizeof in, "in");
  klee_make_symbolic(&level, sizeof level, "level");
  int kind = 0, depth = 0;
  if (level < 0) return 7;
  for (int i = 0; i < 14 && in[i]; i++) {
    switch (in[i]) {
      case '(': depth++; kind += 1; break;
      case ')': if (depth > 0) { depth--; kind += 4; } else return 1; break;
      case '*': if (i == 0 || in[i - 1] == '(') return 2; kind += 16; break;
      case '|': kind ^= 32; break;
      case '[': if (in[i + 1] == '^' && in[i + 2] == ']') return 3; break;
      default: kind *= 3;
    }
  }
  if (depth) return 4;
  if (kind == 5 && level > 41) return 5;
  return kind % 100 + 10;
}
"#;

const MAIN: &str = r#"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static FILE *given;
static void klee_make_symbolic(void *to, size_t size, const char *name) {
  (void)name;
  if (fread(to, 1, size, given) != size) abort();
}
"#;

/// How the native program ends with the bytes of a test.
fn native_status(place: &Place, bytes: &[u8]) -> i64 {
    std::fs::write(place.path("given"), bytes).expect("bytes");
    let mut native = Command::new(place.path("native"));
    let status = native.current_dir(place.path("")).status().expect("runs");
    i64::from(status.code().expect("an exit status"))
}

fn build_native(place: &Place) {
    let opened = FORMAT.replace("#include <klee/klee.h>", MAIN).replace(
        "int main(void) {",
        "int main(void) {\n  given = fopen(\"given\", \"rb\");",
    );
    std::fs::write(place.path("native.c"), opened).expect("a source");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-o"]);
    run(compiler.args([place.path("native"), place.path("native.c")]));
}

fn explore(place: &Place, directory: &str) {
    let words = [
        "run",
        "--quiet",
        "--output-dir",
        directory,
        "--prune",
        "homi",
        "--windows",
        "--seed",
        "1",
        "--max-time",
        "4000000w",
        "--libc",
        "none",
        "format.bc",
    ];
    place.succeeds(&words);
}

#[test]
fn tests_of_windows_are_whole_and_equal_seeds_are_equal() {
    let place = Place::new();
    place.compile("format", FORMAT);
    build_native(&place);
    for directory in ["one", "other"] {
        explore(&place, directory);
    }
    let runs = lines_of(&place, "one", "learning.jsonl");
    let of_windows = |run: &&serde_json::Value| run["policy"] == "window";
    let windows: Vec<_> = runs.iter().filter(of_windows).collect();
    assert!(windows.len() >= 3, "{runs:?}");
    let free = |run: &&&serde_json::Value| {
        run["window"]
            .as_str()
            .is_some_and(|text| text.contains(".."))
    };
    assert!(windows.iter().all(|run| free(&run)));
    let line = |run: &serde_json::Value| (run["window"].clone(), run["branches"].clone());
    let same = lines_of(&place, "other", "learning.jsonl");
    assert!(runs.iter().map(line).eq(same.iter().map(line)));
    let ended: BTreeMap<String, i64> = lines_of(&place, "one", "coverage.jsonl")
        .iter()
        .filter_map(|test| Some((test["test"].as_str()?.to_string(), test["exit"].as_i64()?)))
        .collect();
    assert!(ended.len() > 5, "{ended:?}");
    for (test, status) in ended {
        let file = place.path("one").join(format!("{test}.ktest"));
        let test = homi::testcase::ktest::KTest::read(&file).expect("a test");
        let bytes: Vec<u8> = test
            .objects
            .iter()
            .flat_map(|one| one.bytes.clone())
            .collect();
        assert_eq!(native_status(&place, &bytes), status, "{file:?}");
    }
}
