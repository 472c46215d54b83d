//! Fuzzing runs: mutated inputs, run as concrete code. Budgets are in instructions, so
//! runs repeat.

use crate::support::{TestDir, json_lines, summary, tests};
use std::collections::BTreeSet;

/// Four ways for each of sixteen bytes, and strings far down that the search alone does not reach
/// within the budget.
const WORDS: &str = r#"
#include <string.h>
int main(int count, char **argv) {
  static const char first[] = "alpha", second[] = "omega";
  int digits = 0, letters = 0, signs = 0;
  if (count != 2 || strlen(argv[1]) < 12) return 1;
  for (char *in = argv[1]; *in; in++) {
    if (*in >= '0' && *in <= '9') digits++;
    else if (*in >= 'a' && *in <= 'z') letters++;
    else if (*in == '-') signs++;
  }
  if (digits > 6) return signs > 2 ? 2 : 3;
  if (letters > 9) {
    if (strstr(argv[1], first)) return 4;
    if (strstr(argv[1], second)) return 5;
    return 6;
  }
  return 7;
}
"#;

/// Most values of its number are none that it assumes.
const LIMITED: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char in[24], limit;
  int small = 0;
  klee_make_symbolic(in, sizeof in, "in");
  klee_make_symbolic(&limit, sizeof limit, "limit");
  klee_assume(limit > 2 & limit < 9);
  for (int i = 0; i < 24; i++)
    if (in[i] < limit) small++;
  if (limit <= 2 || limit >= 9) return 1;
  return small > 10 ? 2 : 3;
}
"#;

const BUDGET: [&str; 6] = [
    "--quiet",
    "--max-time",
    "0",
    "--max-instructions",
    "12000000",
    "--seed",
];

fn run(place: &TestDir, directory: &str, arguments: &[&str]) {
    let all = [&["program.bc"], &BUDGET[..], &["1"], arguments].concat();
    place.run_into(directory, &all);
}

#[test]
fn fuzzing_finds_more_and_its_tests_replay() {
    let place = TestDir::new();
    place.compile("program", WORDS);
    let input = ["--", "--sym-arg", "16"];
    run(&place, "with", &input);
    run(&place, "again", &input);
    run(
        &place,
        "without",
        &["--fuzz-ratio", "0", "--", "--sym-arg", "16"],
    );
    let (with, without) = (
        summary(&place.path("with")),
        summary(&place.path("without")),
    );
    assert!(with["fuzzing"]["runs"].as_u64() > Some(100), "{with}");
    assert!(with["fuzzing"]["tests"].as_u64() > Some(0), "{with}");
    assert_eq!(without["fuzzing"], serde_json::Value::Null);
    let branches = |summary: &serde_json::Value| summary["coverage"]["branches"].as_u64();
    assert!(branches(&with) > branches(&without), "{with} {without}");
    assert_eq!(tests(&place.path("with")), tests(&place.path("again")));
    // A test that a fuzzing run wrote covers natively what homi says.
    place.succeeds(&["instrument", "program.bc", "-o", "instrumented"]);
    place.succeeds(&["replay", "--check-coverage", "instrumented", "with"]);
}

/// Calls of functions that a table names, with one to three numbers, such as `maximum(1,2)`. Five
/// ways for each byte come before, among which the search alone is lost within the budget.
const CALLS: &str = r#"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
struct entry { const char *name; int least, most; };
static const struct entry table[] = {
  {"increment", 1, 1}, {"difference", 2, 2}, {"clamped", 3, 3}, {"maximum", 2, 3},
  {"negated", 1, 1}};
int main(int count, char **argv) {
  if (count != 2 || strlen(argv[1]) < 10) return 1;
  const char *text = argv[1];
  int letters = 0, digits = 0, blanks = 0, signs = 0, others = 0;
  for (const char *in = text; *in; in++) {
    if (*in >= 'a' && *in <= 'z') letters++;
    else if (*in >= '0' && *in <= '9') digits++;
    else if (*in == ' ') blanks++;
    else if (*in == '(' || *in == ')' || *in == ',' || *in == '-') signs++;
    else others++;
  }
  if (blanks || others || letters < 5 || digits > letters) return 7;
  size_t length = 0, known = sizeof table / sizeof *table, found = known;
  while (isalpha((unsigned char)text[length])) length++;
  for (size_t i = 0; i < known; i++)
    if (strlen(table[i].name) == length && !memcmp(table[i].name, text, length)) found = i;
  if (found == known) return 2;
  if (text[length++] != '(') return 3;
  int given = 0;
  while (given < 4) {
    char *end;
    strtol(text + length, &end, 10);
    if (end == text + length) return 4;
    given++, length = end - text;
    if (text[length] != ',') break;
    length++;
  }
  if (text[length] != ')' || text[length + 1]) return 5;
  if (given < table[found].least || given > table[found].most) return 6;
  switch (found) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    default: return 14;
  }
}
"#;

#[test]
fn token_mutations_call_functions_by_the_names_in_a_table() {
    let place = TestDir::new();
    place.compile("program", CALLS);
    let many = ["--fuzz-ratio", "10", "--", "--sym-arg", "20"];
    run(&place, "out", &many);
    place.succeeds(&["instrument", "program.bc", "-o", "instrumented"]);
    place.succeeds(&["replay", "--json", "replay.json", "instrumented", "out"]);
    let text = std::fs::read_to_string(place.path("replay.json")).expect("written");
    let replayed: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let results = replayed["tests"].as_array().expect("tests").iter();
    let statuses: BTreeSet<_> = results.filter_map(|test| test["status"].as_str()).collect();
    let called = ["exit 10", "exit 11", "exit 12", "exit 13", "exit 14"];
    let found = called.iter().filter(|status| statuses.contains(*status));
    assert!(found.count() >= 3, "{statuses:?}");
}

#[test]
fn a_wrong_assumption_of_fuzzing_is_neither_a_bug_nor_a_test() {
    let place = TestDir::new();
    place.compile("program", LIMITED);
    run(&place, "out", &[]);
    let found = summary(&place.path("out"));
    assert!(found["fuzzing"]["runs"].as_u64() > Some(100), "{found}");
    assert_eq!(found["errors"].as_array().map(Vec::len), Some(0));
    for (name, bytes) in tests(&place.path("out")) {
        // The last object of the file is one byte.
        let limit = bytes.last().copied().expect("a byte");
        assert!((3..9).contains(&limit), "{name}: {limit}");
    }
}

#[test]
fn the_search_of_klee_is_left_alone() {
    let place = TestDir::new();
    place.compile("program", LIMITED);
    let klee = ["--profile", "klee", "--search", "md2u"];
    let budget = ["--quiet", "--max-instructions", "100000", "program.bc"];
    place.run_into("plain", &[&klee[..], &budget].concat());
    let found = summary(&place.path("plain"));
    assert_eq!(found["fuzzing"], serde_json::Value::Null);
    run(&place, "named", &["--search", "md2u"]);
    let found = summary(&place.path("named"));
    assert_ne!(found["fuzzing"], serde_json::Value::Null);
    let wrong = ["run", "program.bc", "--fuzz-ratio=-1"];
    place.fails(&wrong, 2, &["--fuzz-ratio", "ratio"]);
}

#[test]
fn fuzzing_continues_from_run_to_run_of_a_campaign() {
    let place = TestDir::new();
    place.compile("program", WORDS);
    let campaign = |directory: &str, search: &[&str]| {
        let mut arguments = vec!["program.bc", "--quiet", "--prune", "homi"];
        arguments.extend([
            "--max-time",
            "12000000i",
            "--tuning run-time-max",
            "3000000i",
        ]);
        arguments.extend(search);
        arguments.extend(["--", "--sym-arg", "16"]);
        place.run_into(directory, &arguments);
    };
    campaign("one", &[]);
    campaign("two", &[]);
    campaign("paper", &["--profile", "paper", "--search", "md2u,cpicnt"]);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    let found = summary(&place.path("one"));
    assert!(found["fuzzing"]["tests"].as_u64() > Some(0), "{found}");
    let paper = summary(&place.path("paper"));
    assert_eq!(paper["fuzzing"], serde_json::Value::Null);
    let branches = |summary: &serde_json::Value| summary["coverage"]["branches"].as_u64();
    assert!(branches(&found) >= branches(&paper), "{found} {paper}");

    let lines = |file: &str| json_lines(&place.path(file));
    let runs = lines("one/learning.jsonl");
    assert!(runs.len() > 2, "{runs:?}");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    // The run in reserve and the one of single paths go on where they were.
    let fresh = |run: &&serde_json::Value| {
        let policy = run["policy"].as_str();
        policy.is_some_and(|policy| ["explore", "exploit", "reverse"].contains(&policy))
    };
    let mut others = runs.iter().filter(fresh);
    assert!(others.all(|run| number(&run["seeds"]["given"]) > 0));
    assert!(lines("paper/learning.jsonl")[1]["seeds"].is_null());
    // What a fuzzing run found has no path condition, so it is not in D; a later run that follows
    // it is.
    let stored = lines("one/learning-data.jsonl");
    let of_runs = stored[1..].iter();
    let all: Vec<&serde_json::Value> = of_runs
        .flat_map(|run| run["tests"].as_array().expect("a list"))
        .collect();
    let fuzzing = all
        .iter()
        .filter(|test| test["fuzzing_run"] == true)
        .count() as u64;
    assert_eq!(fuzzing, number(&found["fuzzing"]["tests"]));
    let in_data = number(&runs[runs.len() - 1]["data_tests"]);
    assert_eq!(in_data, all.len() as u64 - fuzzing);
}

#[test]
fn fuzzing_that_catches_up_keeps_a_campaigns_runs() {
    let place = TestDir::new();
    place.compile("program", WORDS);
    let budget = ["--prune", "homi", "--seed", "1", "--max-time", "60000000w"];
    let arguments = [
        &["program.bc", "--quiet"],
        &budget[..],
        &["--", "--sym-arg", "24"],
    ]
    .concat();
    place.run_into("out", &arguments);
    let summary = summary(&place.path("out"));
    assert_eq!(summary["stop_reason"], "max-time", "{summary}");
    let runs = json_lines(&place.path("out/learning.jsonl"));
    let fuzzed = |run: &&serde_json::Value| run["fuzzing"]["runs"].as_u64() > Some(0);
    assert!(runs.iter().filter(fuzzed).count() > 10, "{runs:?}");
    for run in &runs {
        assert!(run["instructions"].as_u64() > Some(0), "{run}");
    }
}
