//! Seeds: earlier tests that a run follows first. Budgets are in instructions, so runs repeat.

use crate::support::{TestDir, json_lines};
use homi::native::testcase::ktest::KTest;
use std::fs;

/// Four ways at each of 24 steps; only one way leads to the door, and it opens for one key.
const MAZE: &str = r#"
#include <klee/klee.h>
int main(void) {
  static const char way[] = "nesswennesewwnsenwssenwe";
  unsigned char steps[24], key;
  int lost = 0, noise = 0;
  klee_make_symbolic(steps, sizeof steps, "steps");
  klee_make_symbolic(&key, sizeof key, "key");
  for (int i = 0; i < 24; i++) {
    switch (steps[i]) {
    case 'n': noise += 1; break;
    case 'e': noise += 2; break;
    case 's': noise += 3; break;
    default: noise += 4; break;
    }
    if (steps[i] != way[i]) lost = 1;
  }
  if (lost) return 1;
  if (key == 99) return 42;
  return 2;
}
"#;

const WAY: &[u8] = b"nesswennesewwnsenwssenwe";

fn run(place: &TestDir, directory: &str, arguments: &[&str]) -> serde_json::Value {
    let mut all = vec![
        "program.bc",
        "--quiet",
        "--profile",
        "klee",
        "--search",
        "bfs",
    ];
    all.extend(["--max-time", "0", "--max-instructions", "200000"]);
    all.extend(arguments);
    place.run_into(directory, &all)
}

/// Knows the way but not the key, which is missing.
fn write_seed(place: &TestDir, name: &str) {
    let mut seed = KTest::new(["program.bc"]);
    seed.push("steps", WAY);
    seed.write(&place.path(name)).expect("the seed is written");
}

fn messages(place: &TestDir, directory: &str) -> String {
    let file = place.path(directory).join("messages.txt");
    fs::read_to_string(file).expect("messages")
}

/// Expected statistics of `count` seeds that are followed.
fn followed_without_the_key(count: u64) -> serde_json::Value {
    serde_json::json!({
        "given": count,
        "followed": count,
        "dropped": 0,
        "unfinished": 0,
        "size_mismatches": count,
    })
}

#[test]
fn the_search_begins_where_a_seed_leads() {
    let place = TestDir::new();
    place.compile("program", MAZE);
    write_seed(&place, "way.ktest");
    let without = run(&place, "without", &[]);
    let with = run(&place, "with", &["--seed-file", "way.ktest"]);
    let messages = messages(&place, "with");
    assert!(
        messages.contains("seed way.ktest: it has no object key"),
        "{messages}"
    );
    assert_eq!(without["exit_statuses"]["42"], serde_json::Value::Null);
    assert_eq!(with["exit_statuses"]["2"], 1, "{with}");
    assert_eq!(with["exit_statuses"]["42"], 1, "{with}");
    assert_eq!(with["seeds"], followed_without_the_key(1));
    assert_eq!(without["seeds"], serde_json::Value::Null);
}

#[test]
fn what_earlier_tests_cover_is_covered_again_and_shared_paths_run_once() {
    let place = TestDir::new();
    place.compile("program", MAZE);
    write_seed(&place, "way.ktest");
    let first = run(&place, "first", &["--seed-file", "way.ktest"]);
    let second = run(&place, "second", &["--seed-dir", "first"]);
    let branches = |summary: &serde_json::Value| summary["coverage"]["branches"].as_u64();
    assert!(branches(&second) >= branches(&first), "{first} {second}");
    assert_eq!(second["seeds"]["followed"], first["tests"]);
    let threads = ["--seed-dir", "first", "--threads", "2"];
    let threads = run(&place, "threads", &threads);
    assert_eq!(threads["seeds"]["followed"], first["tests"]);
    // Two seeds with the same bytes are one path.
    fs::copy(place.path("way.ktest"), place.path("same.ktest")).expect("a copy");
    let twice = ["--seed-file", "way.ktest", "--seed-file", "same.ktest"];
    let twice = run(&place, "twice", &twice);
    assert_eq!(twice["seeds"]["followed"], 2);
    assert_eq!(twice["exit_statuses"]["2"], 1, "{twice}");
}

#[test]
fn the_first_run_of_a_campaign_follows_seeds() {
    let place = TestDir::new();
    place.compile("program", MAZE);
    write_seed(&place, "way.ktest");
    let campaign = |directory: &str, arguments: &[&str]| {
        let mut all = vec!["program.bc", "--quiet"];
        all.extend(["--profile", "paper", "--prune", "random", "--search", "bfs"]);
        all.extend(["--max-time", "600000i", "--tuning run-time-max", "200000i"]);
        all.extend(arguments);
        place.run_into(directory, &all)
    };
    let without = campaign("without", &[]);
    let with = campaign("with", &["--seed-file", "way.ktest"]);
    let branches = |summary: &serde_json::Value| summary["coverage"]["branches"].as_u64();
    assert!(branches(&without) < branches(&with), "{without} {with}");
    assert_eq!(branches(&with), with["coverage"]["branches_total"].as_u64());
    assert_eq!(without["seeds"], serde_json::Value::Null);
    assert_eq!(with["seeds"], followed_without_the_key(1));
}

#[test]
fn seeds_that_a_run_does_not_get_to_are_left_to_the_next() {
    let place = TestDir::new();
    place.compile("program", MAZE);
    fs::create_dir(place.path("seeds")).expect("a directory");
    for number in 0..96 {
        let (step, other) = (number / 4, b"nesx"[number % 4]);
        let mut way = WAY.to_vec();
        way[step] = other;
        let mut seed = KTest::new(["program.bc"]);
        seed.push("steps", way);
        let name = format!("seeds/way{number}.ktest");
        seed.write(&place.path(&name)).expect("the seed is written");
    }
    let mut arguments = vec!["program.bc", "--quiet", "--seed-dir", "seeds"];
    arguments.extend(["--profile", "paper", "--prune", "random", "--search", "bfs"]);
    arguments.extend(["--max-time", "600000i", "--tuning run-time-max", "40000i"]);
    arguments.extend(["--tuning run-time-steps", "1"]);
    let seeds = &place.run_into("out", &arguments)["seeds"];
    assert_eq!(*seeds, followed_without_the_key(96));
    let runs = json_lines(&place.path("out/learning.jsonl"));
    let given: Vec<u64> = runs
        .iter()
        .filter_map(|run| run["seeds"]["given"].as_u64())
        .collect();
    assert!(given.len() > 1 && given[0] == 96, "{given:?}");
    assert!(given.windows(2).all(|pair| pair[1] < pair[0]), "{given:?}");
}

#[test]
fn an_exhausted_program_has_the_same_paths_with_and_without_seeds() {
    let place = TestDir::new();
    place.compile("program", &MAZE.replace("24", "4"));
    write_seed(&place, "way.ktest");
    for search in ["dfs", "md2u", "random-path"] {
        let without = run(&place, &format!("{search}-0"), &["--search", search]);
        let arguments = ["--search", search, "--seed-file", "way.ktest"];
        let with = run(&place, &format!("{search}-1"), &arguments);
        assert_eq!(with["stop_reason"], "exhausted");
        assert_eq!(with["paths"], without["paths"]);
        assert_eq!(with["exit_statuses"], without["exit_statuses"]);
    }
}

#[test]
fn seeds_that_cannot_be_used_end_the_command_before_it_begins() {
    let place = TestDir::new();
    place.compile("program", MAZE);
    write_seed(&place, "way.ktest");
    fs::write(place.path("text.ktest"), "no test").expect("a file");
    fs::create_dir(place.path("empty")).expect("a directory");
    let with = |arguments: &[&'static str]| {
        let mut all = vec!["run", "program.bc"];
        all.extend(arguments);
        all
    };
    place.fails(
        &with(&["--seed-file", "text.ktest"]),
        1,
        &["text.ktest", "seed"],
    );
    place.fails(
        &with(&["--seed-file", "missing.ktest"]),
        1,
        &["missing.ktest"],
    );
    place.fails(&with(&["--seed-dir", "empty"]), 2, &["empty", ".ktest"]);
    place.fails(&with(&["--seed-dir", "nowhere"]), 2, &["nowhere"]);
    assert!(!place.path("homi-out-0").exists());
}

/// A size that becomes concrete where the object is large, and an address that does where a system
/// call takes it.
const SIZES: &str = r#"
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  unsigned n;
  if (read(0, &n, sizeof n) != sizeof n) return 1;
  if (n == 0) return 2;
  char *bytes = malloc(n);
  if (!bytes) return 3;
  if (read(0, bytes + n - 1, 1) == 1 && bytes[n - 1] == 'x') return 42;
  return 4;
}
"#;

#[test]
fn sizes_and_addresses_become_what_the_seed_has_and_missing_objects_what_the_path_has() {
    let place = TestDir::new();
    place.compile("program", SIZES);
    let mut seed = KTest::new(["program.bc"]);
    let mut bytes = 100_000u32.to_le_bytes().to_vec();
    bytes.extend(*b"x\0\0\0");
    // Without an object for what stat says of the standard input.
    seed.push("stdin", bytes.clone());
    seed.write(&place.path("large.ktest"))
        .expect("the seed is written");
    let arguments = [
        "--only-seed",
        "--seed-file",
        "large.ktest",
        "--",
        "--sym-stdin",
        "8",
    ];
    let with = run(&place, "with", &arguments);
    assert_eq!(with["seeds"]["followed"], 1, "{with}");
    assert_eq!(with["exit_statuses"]["42"], 1, "{with}");
    let tests = fs::read_dir(place.path("with")).expect("a directory");
    let tests = tests.map(|entry| entry.expect("an entry").path());
    let mut tests = tests.filter(|path| path.extension().is_some_and(|ending| ending == "ktest"));
    let is_seeds = |path: std::path::PathBuf| {
        let test = KTest::read(&path).expect("a test");
        test.objects.iter().any(|object| object.bytes == bytes)
    };
    assert!(tests.any(is_seeds), "the seed's own path has its bytes");
}

const TWO_BYTES: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned short number;
  klee_make_symbolic(&number, sizeof number, "number");
  return number == 0x201 ? 42 : 0;
}
"#;

#[test]
fn seeds_of_other_sizes_are_resized_and_reported_or_refused() {
    let place = TestDir::new();
    place.compile("program", TWO_BYTES);
    for (name, bytes) in [("one", &[1][..]), ("two", &[1, 2]), ("four", &[1, 2, 3, 4])] {
        let mut seed = KTest::new(["program.bc"]);
        seed.push("number", bytes);
        let file = format!("{name}.ktest");
        seed.write(&place.path(&file)).expect("the seed is written");
    }
    let run = |name: &str, sizes: &str| {
        let directory = format!("{name}-{sizes}");
        let file = format!("{name}.ktest");
        let arguments = [
            "--only-replay-seeds",
            "--seed-sizes",
            sizes,
            "--seed-file",
            &file,
        ];
        let summary = run(&place, &directory, &arguments);
        let counts =
            ["size_mismatches", "followed"].map(|figure| summary["seeds"][figure].as_u64());
        let entries = fs::read_dir(place.path(&directory)).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let is_error = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".user.err");
        let errors = names.filter(is_error).count();
        let messages = messages(&place, &directory);
        (counts.map(Option::unwrap_or_default), errors, messages)
    };
    let (counts, errors, messages) = run("four", "resize");
    assert_eq!((counts, errors), ([1, 1], 0));
    let told = "seed four.ktest: its object number has 4 bytes where the program asks for 2: the \
                rest is left out";
    assert!(messages.contains(told), "{messages}");
    let (counts, errors, messages) = run("one", "resize");
    assert_eq!((counts, errors), ([1, 1], 0));
    assert!(
        messages.contains("has 1 byte where the program asks for 2: the missing ones are zero")
    );
    let (counts, errors, messages) = run("two", "exact");
    assert_eq!((counts, errors), ([0, 1], 0), "{messages}");
    for (name, sizes, refused) in [
        ("four", "exact", 1),
        ("four", "extend", 1),
        ("four", "truncate", 0),
        ("one", "exact", 1),
        ("one", "truncate", 1),
        ("one", "extend", 0),
    ] {
        let (_, errors, messages) = run(name, sizes);
        assert_eq!(errors, refused, "{name} {sizes}: {messages}");
        let says_all = messages.contains("all paths explored");
        assert!(!says_all, "only the seed's path was followed: {messages}");
    }
}
