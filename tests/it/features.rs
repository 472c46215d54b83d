//! The features of branches that the code alone decides, on programs made for them: what holds of
//! each side is written beside the branch. Whole runs by weights.

use crate::support::{TestDir, summary, text};
use homi::ir::program::{BranchId, Program};
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::Segments;
use homi::strategies::concolic::BranchCode;
use homi::strategies::weights::features::{BRANCH, CodeFacts, ProgramMark, Weights, WeightsFile};
use std::fs;
use std::process::Command;

/// `// TRUE | FALSE`: what holds of the true side and of the false side; what holds of both stands
/// before `:`. A switch has its sides in the order default, cases.
const PLAIN: &str = r#"
#include <string.h>
int total;
struct pair { int first; struct pair *second; };
int helper(int x) {
  if (x > 3) return 1;                    // integer local
  return 0;
}
int other(int n, char *p, struct pair *q, double d) {
  char room[8] = "1234567";
  if (total) total = 2;                   // integer
  if (p) total = 3;                       // pointer local
  if (*p == 'x') total = 4;               // integer pointer local
  if (q->second) total = 5;               // pointer local
  if (room[total & 7] == 'y') total = 6;  // integer local
  if (strcmp(p, "abc") == 0) total = 7;   // external integer string pointer local
  if (helper(n) == 0) total = 8;          // integer local
  if (d > 1.5) total = 9;                 // local
  if ("0123"[total & 3] == '1') total = 9; // integer string
  if (n && p)                             // integer local : pointer local nested
    total = 10;
  total = (n && q)                        // integer local
      ? 1 : 2;
  return 0;
}
"#;

const LOOPS: &str = r#"
#include <stdlib.h>
int total;
int main(int argc, char **argv) {
  if (argc > 7) exit(1);                  // main
  if (argc > 6)                           // main
    if (total) total = 1;                 // main nested
  for (int i = 0; i < argc; i++) {        // main : stays | leaves
    if (argv[i][0] == 'x') break;         // main nested body
    while (i < 3                          // main nested body : stays | leaves
           && total) i += total;          // main nested body
    do i++; while (i & 1);                // main nested body : stays | leaves
  }
  while (1) {
    total--;
    if (total < 5) break;                 // main : leaves | stays
  }
  switch (argc) {                         // main : default | case | case
  case 1: total = 3; break;
  case 2: case 3: total = 4; break;
  default: total = 5;
  }
  if (argc == 4) return 1;                // main
  if (total) total = 9;                   // main nested
  return 0;
}
"#;

fn compile(flags: &[&str], text: &str) -> Program {
    let place = TestDir::new();
    let source = place.path("program.c");
    fs::write(&source, text).unwrap();
    let output = place.path("program.bc");
    let status = Command::new("clang-19")
        .args(["-c", "-emit-llvm", "-g", "-w"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&output)
        .status();
    assert!(status.unwrap().success());
    let mut options = LoadOptions::new(output);
    if !text.contains("int main") {
        options.entry = "other".to_string();
    }
    load(&options).unwrap()
}

/// The facts of every side, as words; by line, in the order of branches and sides.
fn sides(program: &Program, words: fn(CodeFacts) -> String) -> Vec<(u32, Vec<String>)> {
    let code = BranchCode::of(program);
    let segments = Segments::new(program);
    let branches = program.branches.iter().enumerate();
    let of_branch = branches.map(|(index, site)| {
        let facts = |side| code.facts(Some(segments.side(BranchId::new(index), side)));
        let sides = (0..site.sides).map(|side| words(facts(side)));
        (program.location(site.location).line, sides.collect())
    });
    let mut all: Vec<(u32, Vec<String>)> = of_branch.collect();
    all.sort_by_key(|(line, _)| *line);
    all
}

fn said(words: &[(&str, bool)]) -> String {
    let held = words.iter().filter(|(_, holds)| *holds);
    let words: Vec<&str> = held.map(|(word, _)| *word).collect();
    words.join(" ")
}

/// 5 to 9, and 4.
fn condition(facts: CodeFacts) -> String {
    said(&[
        ("external", facts.external_call),
        ("integer", facts.integer),
        ("string", facts.string),
        ("pointer", facts.pointer),
        ("local", facts.local),
        ("nested", facts.nested),
    ])
}

/// 1 to 4 and 10 to 12.
fn place_in_function(facts: CodeFacts) -> String {
    said(&[
        ("main", facts.in_main),
        ("nested", facts.nested),
        ("body", facts.in_loop_body),
        ("stays", facts.stays_in_loop),
        ("leaves", facts.leaves_loop),
        ("default", facts.takes_default),
        ("case", facts.takes_case),
    ])
}

#[test]
fn conditions_are_read_from_unoptimised_bitcode() {
    let program = compile(&["-O0"], PLAIN);
    let found = sides(&program, condition);
    let mut expected = Vec::new();
    for (index, line) in PLAIN.lines().enumerate() {
        if let Some((_, words)) = line.split_once("// ") {
            for words in words.split(" : ") {
                let sides = vec![words.to_string(); 2];
                expected.push((index as u32 + 1, sides));
            }
        }
    }
    assert_eq!(found, expected);
}

/// Expectations in the comments for the sides of each branch.
fn loops_expected() -> Vec<(u32, Vec<String>)> {
    let mut expected = Vec::new();
    for (index, line) in LOOPS.lines().enumerate() {
        let Some((_, words)) = line.split_once("// ") else {
            continue;
        };
        let (both, sides) = words.split_once(" : ").unwrap_or((words, " | "));
        let side = |own: &str| format!("{both} {}", own.trim()).trim().to_string();
        expected.push((index as u32 + 1, sides.split('|').map(side).collect()));
    }
    expected
}

#[test]
fn loops_and_nesting_are_read_from_unoptimised_bitcode() {
    let program = compile(&["-O0"], LOOPS);
    // Of the `&&` the branch that decides has the line of the `while`, the first half its own.
    assert_eq!(sides(&program, place_in_function), loops_expected());
}

/// At `-O1` the condition of a loop stands at its end, with a copy before the loop; what was
/// computed in another block is a local variable.
#[test]
fn optimised_bitcode_has_the_loops_that_are_left_of_the_source() {
    let program = compile(
        &["-O1", "-fno-unroll-loops"],
        "extern int next(void), use(int);\n\
         int main(int argc, char **argv) {\n\
         int n = next();\n\
         for (int i = 0; i < argc; i++)\n\
         use(i);\n\
         while (next() > 3) use(4);\n\
         if (n == 7) use(7);\n\
         return 0; }\n",
    );
    let both = |facts| format!("{}, {}", place_in_function(facts), condition(facts));
    let of_line = |line: u32| -> Vec<Vec<String>> {
        let all = sides(&program, both).into_iter();
        all.filter(|(at, _)| *at == line)
            .map(|(_, sides)| sides)
            .collect()
    };
    assert_eq!(
        of_line(4),
        [
            vec!["main, integer local"; 2],
            vec![
                "main nested leaves, integer local nested",
                "main nested stays, integer local nested"
            ]
        ]
    );
    assert_eq!(
        of_line(7),
        [vec!["main, integer local"; 2]],
        "a value of another block is a variable"
    );
}

/// Forks in a loop in a loop, called from a loop.
const FORKS: &str = r#"
#include <klee/klee.h>
static int larger(unsigned x) {
  for (unsigned i = 0; i < 2; i++)
    for (unsigned j = 0; j < 2; j++)
      if (x > 200 - 40 * i - 20 * j) return 1;
  return 0;
}
int main(void) {
  unsigned char in[4];
  int count = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int k = 0; k < 4; k++) count += larger(in[k]);
  return count;
}
"#;

#[test]
fn a_strategy_by_weights_follows_every_path() {
    let place = TestDir::new();
    place.compile("program", FORKS);
    let values = (0..BRANCH.len()).map(|index| (index * 5 % 13) as f64 - 6.0);
    let weights = Weights::new(&BRANCH, values.collect()).unwrap();
    let mut file = WeightsFile::of(&weights);
    file.program = Some(ProgramMark {
        name: "older.bc".to_string(),
        hash: "00".to_string(),
    });
    file.write(&place.path("branches.json")).unwrap();
    let words = [
        "concolic",
        "program.bc",
        "--libc",
        "none",
        "--strategy",
        "param:branches.json",
    ];
    let said = text(&place.succeeds(&words));
    let summary = summary(&place.path("homi-last"));
    assert_eq!(summary["concolic"]["executions"], 625);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert!(
        said.contains("learned for another program") && said.contains("older.bc"),
        "{said}"
    );
    assert!(said.contains("the weights prefer "), "{said}");
    let printed = |words: &[&str]| String::from_utf8(place.succeeds(words).stdout).unwrap();
    let said = printed(&["weights", "branches.json"]);
    assert!(said.contains("branches.json: prefers ") && said.contains("learned for older.bc"));
    assert!(!said.contains("over "), "one file: {said}");
    let said = printed(&["weights", "branches.json", "branches.json"]);
    assert!(said.contains("over 2 weight files:\n"), "{said}");
    let said = printed(&["weights"]);
    assert!(said.contains("features of branches") && said.contains("in the body of a loop"));
}

#[test]
fn weights_that_cannot_be_used_are_refused_with_their_file() {
    let place = TestDir::new();
    place.compile("program", FORKS);
    let other = "{\"feature_set\":\"state\",\"weights\":{}}";
    fs::write(place.path("states.json"), other).unwrap();
    let concolic = |file: &str, parts: &[&str]| {
        let strategy = format!("param:{file}");
        let words = [
            "concolic",
            "program.bc",
            "--libc",
            "none",
            "--strategy",
            &strategy,
        ];
        place.fails(&words, 1, parts);
    };
    concolic("none.json", &["cannot read the weights none.json"]);
    concolic("states.json", &["states.json", "`state`, not to `branch`"]);
    fs::write(place.path("torn.json"), "{\"feature_set\": \"bra").unwrap();
    concolic(
        "torn.json",
        &["torn.json is not a weight file", "learn-search"],
    );
    place.fails(
        &["weights", "torn.json"],
        1,
        &["torn.json is not a weight file"],
    );
    let words = ["concolic", "program.bc", "--strategy", "param:"];
    place.fails(&words, 2, &["`param:` needs a weight file"]);
}
