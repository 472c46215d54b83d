//! Proofs of loops without a bound, and the invariants that they rest on.

use crate::support::{TestDir, text};
use std::fs;
use std::process::Command;

const HEAD: &str = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n\
    unsigned char __VERIFIER_nondet_uchar(void);\nvoid __VERIFIER_assume(int);\n\
    void reach_error(void);\n";

/// Programs that no exploration of their rounds proves.
const PROVEN: &[(&str, &str)] = &[
    (
        "unreach-call",
        "int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } if (x != y) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); if (n < 0) return 0; while (i < n) i++;
           if (i != n) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { int lock = 0; while (__VERIFIER_nondet_int()) { if (lock) reach_error(); lock = 1;
           if (__VERIFIER_nondet_int()) { lock = 0; continue; } lock = 0; } if (lock) reach_error(); }",
    ),
    (
        "unreach-call",
        "static int state = 1; int main(void) { while (1) { int in = __VERIFIER_nondet_int();
           if (state == 1 && in > 4) state = 2; else if (state == 2) state = 3; else if (state == 3 && in < 0) state = 1;
           if (state < 1 || state > 3) reach_error(); } }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2; if (x % 2) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = 10, y = 0; while (__VERIFIER_nondet_int()) { x--; y++; } if (x + y != 10) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { while (__VERIFIER_nondet_int()) { x++; y++; }
           x += 2; y += 2; } if (x != y) reach_error(); }",
    ),
    (
        "unreach-call",
        "static void step(int *a, int *b) { if (*a < 1000) { ++*a; ++*b; } }
         int main(void) { int a = 0, b = 0; while (__VERIFIER_nondet_int()) step(&a, &b); if (a != b || a > 1000) reach_error(); }",
    ),
    (
        "no-overflow",
        "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) i++; return 0; }",
    ),
    (
        "valid-memsafety",
        "int main(void) { int row[10] = {0}, i = 0; while (__VERIFIER_nondet_int()) { row[0] = i; i = i < 9 ? i + 1 : 0; }
           return row[i] == 77; }",
    ),
];

/// Programs whose property holds after a round only if it held in the rounds before.
const PROVEN_OVER_ROUNDS: &[(&str, &str)] = &[
    (
        "unreach-call",
        "int main(void) { int y = 0; while (__VERIFIER_nondet_int()) { if (y == 7) reach_error(); y = __VERIFIER_nondet_int();
           if (y == 7) y = 8; } return 0; }",
    ),
    (
        "unreach-call",
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { if (y == 7) reach_error(); y = x;
           x = __VERIFIER_nondet_int(); if (x == 7) x = 8; } return 0; }",
    ),
    (
        "no-overflow",
        "int main(void) { int y = 0, big = 0; while (__VERIFIER_nondet_int()) { int z = big ? 0 : y + 1;
           big = __VERIFIER_nondet_int() > 0; y = big ? 2147483647 : 3; } return 0; }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = 3, y = 0; while (__VERIFIER_nondet_int()) { x += 12; y += 4; } if (x != 3 * y + 3) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = 1; while (__VERIFIER_nondet_int()) x += 8; if (x % 8 != 1) reach_error(); }",
    ),
];

/// Programs that an induction over two or three rounds proves unless their first rounds are
/// followed as well.
const FALSE_IN_FIRST_ROUNDS: &[&str] = &[
    "int main(void) { int y = 0, first = 1; while (__VERIFIER_nondet_int()) { if (y == 7) reach_error();
       y = __VERIFIER_nondet_int(); if (y == 7 && !first) y = 8; first = 0; } return 0; }",
    "int main(void) { int x = 0, y = 0, n = 0; while (__VERIFIER_nondet_int()) { if (y == 7) reach_error(); y = x;
       x = __VERIFIER_nondet_int(); if (x == 7 && n > 1) x = 8; if (n < 3) n++; } return 0; }",
    // A further round meets the loops within it anew.
    "int main(void) { int x = 0, phase = 0; while (__VERIFIER_nondet_int()) { int z = 0;
       while (z < 3) { z++; if (phase == 5) reach_error(); } phase++; } return 0; }",
    "int main(void) { int phase = 0, k; for (;;) { for (k = 0; k < 2; k++) if (phase == 30 && k == 1) reach_error();
       phase++; if (__VERIFIER_nondet_int()) break; } return 0; }",
    "static int g; static void body(void) { for (int k = 0; k < 2; k++) if (g == 25) reach_error(); }
     int main(void) { while (__VERIFIER_nondet_int()) { body(); g++; } return 0; }",
];

/// Programs whose errors need many rounds, or whose loops write what is not followed.
const NOT_PROVEN: &[(&str, &str)] = &[
    (
        "unreach-call",
        "int main(void) { int z = 0; while (__VERIFIER_nondet_int()) { if (z == 400) reach_error(); z++; } return 0; }",
    ),
    (
        "unreach-call",
        "int main(void) { int n = 0, y = 0; while (__VERIFIER_nondet_int()) { if (y == 7) reach_error(); if (n < 400) n++; y = n > 399 ? __VERIFIER_nondet_int() : 0; } }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) x++; if (x == 3000) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; if (x > 900) y = 1; } if (y) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned char row[9] = {0}, i = 0; while (__VERIFIER_nondet_int()) { row[i % 9]++; i++; }
           if (row[4] == 200) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { int *last = 0; unsigned n = 0; while (__VERIFIER_nondet_int()) { last = malloc(4); n++; if (n > 800) reach_error(); } }",
    ),
    (
        "no-overflow",
        "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x++; return 0; }",
    ),
    (
        "valid-memsafety",
        "int main(void) { char row[500]; int i = 0; while (__VERIFIER_nondet_int()) row[i++] = 1; return 0; }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned n = 0, m = 0; again: while (n % 5 != 4) { n++; if (m > 900) reach_error(); }
           m++; n++; if (__VERIFIER_nondet_int()) goto again; return 0; }",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned a = 0, b = 0; if (__VERIFIER_nondet_int()) goto middle;
           top: a++; if (b > 700) reach_error(); middle: b++; if (__VERIFIER_nondet_int()) goto top;
           if (__VERIFIER_nondet_int()) goto middle; return 0; }",
    ),
];

/// Returns the verdict of `homi run`; `witness` is the file of a witness.
fn judged(place: &TestDir, property: &str, witness: &str) -> String {
    let words = [
        "run",
        "task.bc",
        "--property",
        property,
        "--max-time",
        "20000i",
    ];
    let output = place.output(&[&words[..], &["--witness", witness]].concat());
    let said = text(&output) + &String::from_utf8_lossy(&output.stdout);
    let verdict = said.lines().find_map(|line| line.split_once("verdict: "));
    verdict
        .unwrap_or_else(|| panic!("no verdict: {said}"))
        .1
        .to_string()
}

fn compiled(property: &str, program: &str) -> TestDir {
    let place = TestDir::new();
    let source = format!("{HEAD}{program}\n");
    place.compile("task", &source);
    if property == "no-overflow" {
        let flags = [
            "-g",
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-emit-llvm",
            "-c",
            "task.c",
        ];
        let checks = [
            "-fsanitize=signed-integer-overflow,shift",
            "-frecord-command-line",
        ];
        let mut clang = Command::new("clang-19");
        let clang = clang.args(flags).args(checks).args(["-o", "task.bc"]);
        assert!(
            clang
                .current_dir(place.path("."))
                .status()
                .expect("clang-19")
                .success()
        );
    }
    place
}

#[test]
fn loops_without_a_bound_are_proven_by_invariants() {
    for (property, program) in PROVEN {
        let verdict = judged(&compiled(property, program), property, "witness.yml");
        assert!(verdict.starts_with("TRUE"), "{program}: {verdict}");
    }
}

#[test]
fn loops_are_proven_by_an_induction_over_several_rounds() {
    for (property, program) in PROVEN_OVER_ROUNDS {
        let verdict = judged(&compiled(property, program), property, "witness.yml");
        assert!(verdict.starts_with("TRUE"), "{program}: {verdict}");
    }
}

#[test]
fn errors_of_the_first_rounds_are_found() {
    for program in FALSE_IN_FIRST_ROUNDS {
        let verdict = judged(&compiled("unreach-call", program), "unreach-call", "w.yml");
        assert!(verdict.starts_with("FALSE"), "{program}: {verdict}");
    }
}

#[test]
fn loops_whose_errors_are_deep_are_not_proven() {
    for (property, program) in NOT_PROVEN {
        let verdict = judged(&compiled(property, program), property, "witness.yml");
        assert!(!verdict.starts_with("TRUE"), "{program}: {verdict}");
    }
}

/// A task whose loops have invariants; each `while` is on a line of its own.
const STATED: &str = "int main(void) {
  int i = 0, n = __VERIFIER_nondet_uchar();
  int flag = 0;
  while (i < n) {
    i++;
    flag = !flag;
  }
  int left = n;
  while (left > 0) {
    left--;
  }
  if (i != n || left != 0) reach_error();
  return flag;
}";

/// Native definitions that take the input from an environment variable.
const NATIVE: &str = "unsigned char __VERIFIER_nondet_uchar(void) { return atoi(getenv(\"GIVEN\")); }\n\
    void reach_error(void) { abort(); }\n\
    static int check(int holds) { if (!holds) abort(); return 1; }\n";

#[test]
fn invariants_of_a_witness_hold_in_native_runs() {
    let place = compiled("unreach-call", STATED);
    let verdict = judged(&place, "unreach-call", "witness.yml");
    assert!(verdict.starts_with("TRUE"), "{verdict}");
    let witness = fs::read_to_string(place.path("witness.yml")).expect("a witness");
    let witness: serde_json::Value = serde_saphyr::from_str(&witness).expect("YAML");
    let stated = witness[0]["content"].as_array().expect("invariants");
    let source = format!("{HEAD}{STATED}\n");
    let mut lines: Vec<String> = source.lines().map(str::to_string).collect();
    for one in stated {
        let at = &one["invariant"]["location"];
        let number = |key: &str| at[key].as_u64().expect("a number") as usize - 1;
        let (line, column) = (number("line"), number("column"));
        let value = one["invariant"]["value"].as_str().expect("an expression");
        let rest = lines[line].split_off(column);
        let condition = rest.strip_prefix("while (").expect("the keyword");
        lines[line] += &format!("while (check({value}), {condition}");
    }
    assert_eq!(stated.len(), 2, "{stated:?}");
    lines.insert(HEAD.lines().count(), NATIVE.to_string());
    fs::write(place.path("checked.c"), lines.join("\n")).expect("a file");
    let mut gcc = Command::new("gcc");
    let gcc = gcc.args(["-w", "checked.c", "-o", "checked"]);
    assert!(
        gcc.current_dir(place.path("."))
            .status()
            .expect("gcc")
            .success()
    );
    for given in 0..=255 {
        let mut run = Command::new(place.path("checked"));
        let status = run.env("GIVEN", given.to_string()).status().expect("a run");
        assert!(
            status.code().is_some_and(|code| code < 2),
            "{given}: {stated:?}"
        );
    }
}
