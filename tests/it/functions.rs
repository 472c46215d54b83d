//! `--entry-point` with functions other than `main`: the values of their parameters, and that their
//! tests do natively what they do in homi.

use crate::support::{TestDir, summary, text};
use std::fs;

/// An end that does not depend on a clock.
const END: [&str; 2] = ["--max-time", "30000000i"];

/// `homi test` of one function of a file: what it prints, and its status.
fn tested(text: &str, arguments: &[&str]) -> (TestDir, String, i32) {
    let place = TestDir::new();
    fs::write(place.path("f.c"), text).expect("a file");
    let output = place
        .homi()
        .args(["test", "f.c", "--output-dir", "out", "--quiet"])
        .args(END)
        .args(arguments)
        .output()
        .expect("homi runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    let status = output.status.code().expect("no signal ended homi");
    (place, said + &errors, status)
}

/// A function whose only bug needs a shape: the word that makes it possible, and the bug.
const SHAPES: [(&str, &str, &str); 6] = [
    (
        "null",
        "int f(int *p) { return *p; }\nint main(void) { return 0; }\n",
        "confirmed",
    ),
    (
        "many",
        "int f(int *p) { if (!p) return 0; int s = 0; for (int i = 0; i < 4; i++) s += p[i] == 7; return s == 4 ? 9 / (s - 4) : 0; }\n",
        "divide by zero",
    ),
    (
        "string",
        "int f(const char *s) { if (!s) return 0; return s[0] == 'o' && s[1] == 'k' && !s[2] ? 9 / s[2] : 0; }\n",
        "divide by zero",
    ),
    (
        "cyclic",
        "struct n { int v; struct n *next; };\nint f(struct n *l) { return l && l->next == l ? 9 / (l->v * 0) : 0; }\n",
        "divide by zero",
    ),
    (
        "shared",
        "struct n { int v; };\nint f(struct n *a, struct n *b) { return a && a == b ? 9 / (b->v * 0) : 0; }\n",
        "divide by zero",
    ),
    (
        "one",
        "struct n { int v; struct n *next; };\nint f(struct n *l) { return l && l->next && l->next->v == 9 && l->v == 8 ? 9 / (l->v - 8) : 0; }\n",
        "divide by zero",
    ),
];

#[test]
fn each_shape_finds_what_needs_it_and_the_native_program_confirms() {
    for (word, text, bug) in SHAPES {
        let others = match word {
            "cyclic" | "shared" => format!("one,{word}"),
            _ => word.to_string(),
        };
        let arguments = ["--entry-point", "f", "--pointer-shapes", &others];
        let (_place, said, status) = tested(text, &arguments);
        assert_eq!(status, 3, "{word}: {said}");
        assert!(said.contains("1 bug:"), "{word}: {said}");
        assert!(
            said.contains(bug) && said.contains("confirmed "),
            "{word}: {said}"
        );
    }
}

#[test]
fn without_its_shape_a_bug_is_not_there() {
    for (word, text, _) in SHAPES.into_iter().filter(|(word, ..)| *word != "one") {
        let others = match word {
            "string" => "null,one",
            "null" | "cyclic" | "shared" => "one",
            _ => "null,one",
        };
        // One element in place of four is read beyond its end.
        if word == "many" || word == "string" {
            continue;
        }
        let arguments = ["--entry-point", "f", "--pointer-shapes", others];
        let (_place, said, status) = tested(text, &arguments);
        assert_eq!(status, 0, "{word}: {said}");
    }
}

const TYPES: &str = "#include <stdbool.h>
enum color { RED, GREEN };
typedef struct { short a; bool b; enum color c; char name[4]; double d; } record;
struct packed { char a; int b; } __attribute__((packed));
struct bits { unsigned a : 3; signed b : 5; };
union either { int i; float f; };
static int hidden;
static int f(record r, struct packed *p, struct bits b, union either e, unsigned long long n,
             int (*callback)(int), bool truth) {
  if (r.a == -3 && r.b && r.name[1] == 'q' && p && p->b == 77 && b.a == 5 && e.i == 12 && n == 1ull << 40)
    if (callback && callback(3) == 8 && truth && hidden == 6) return 9 / (r.a + 3);
  return r.b + truth > 2 ? 9 / hidden : 0;
}
int main(int argc, char **argv) { return f((record){0}, 0, (struct bits){0}, (union either){0}, 0, 0, 0); }
";

#[test]
fn types_are_laid_out_as_the_program_has_them() {
    let arguments = ["--entry-point", "f", "--symbolic-globals", "hidden"];
    let (_place, said, status) = tested(TYPES, &arguments);
    assert_eq!(status, 3, "{said}");
    assert!(
        said.contains("1 bug:") && said.contains("divide by zero"),
        "{said}"
    );
    assert!(said.contains("confirmed "), "{said}");
}

#[test]
fn variables_keep_their_values_unless_they_are_named() {
    let (_place, said, status) = tested(TYPES, &["--entry-point", "f"]);
    assert_eq!(status, 0, "{said}");
    let (_place, said, status) = tested(TYPES, &["--entry-point", "f", "--symbolic-globals", "x"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("there are: hidden"), "{said}");
}

/// A fuzz driver without `main` starts as fuzzers call it, unless an option says otherwise.
#[test]
fn a_fuzz_driver_needs_no_entry_point() {
    let place = TestDir::new();
    place.compile(
        "fuzz",
        "int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) {
  if (n > 2 && d[0] == 'F' && d[1] == 'U') __builtin_trap();
  return 0;
}
",
    );
    let said = text(&place.succeeds(&["run", "--libc", "none", "fuzz.bc"]));
    assert!(said.contains("abort failure"), "{said}");
    assert!(said.contains("all paths explored"), "{said}");
}

/// `homi test` knows it, too: its bug is seen natively through the harness that is made for it.
#[test]
fn a_fuzz_driver_is_tested_without_options() {
    let text = "#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 3 && data[0] == 'F' && data[1] == 'U') return data[3];
  return 0;
}
";
    let (_place, said, status) = tested(text, &[]);
    assert_eq!(status, 3, "{said}");
    for part in ["memory error", "confirmed ", "by hand "] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_fuzz_driver_gets_bytes_of_every_length() {
    let text = "#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 3 && data[0] == 'F' && data[1] == 'U') return data[3];
  return 0;
}
";
    let arguments = [
        "--entry-point",
        "LLVMFuzzerTestOneInput",
        "--pointer-elements",
        "5",
    ];
    let (_place, said, status) = tested(text, &arguments);
    assert_eq!(status, 3, "{said}");
    assert!(
        said.contains("memory error") && said.contains("confirmed "),
        "{said}"
    );
}

#[test]
fn a_run_leaves_its_harness_and_needs_no_main() {
    let place = TestDir::new();
    place.compile(
        "g",
        "int g(int a, int b) { return a == 4 && b > a ? 1 : 0; }\n",
    );
    let out = place.output(&[
        "run",
        "g.bc",
        "--entry-point",
        "g",
        "--all-tests",
        "--output-dir",
        "out",
    ]);
    let summary = summary(&place.path("out"));
    assert_eq!(summary["stop_reason"], "exhausted", "{}", text(&out));
    // Clang chooses the second side without a branch.
    assert_eq!(summary["paths"]["completed"], 2);
    let harness = fs::read_to_string(place.path("out/homi-harness.c")).expect("a harness");
    assert!(harness.contains("g(p_a, p_b);"), "{harness}");
}

#[test]
fn a_name_that_is_not_there_is_answered_with_the_nearest() {
    let place = TestDir::new();
    place.compile(
        "n",
        "int _ZN4shop4Cart3addEi(int n) { return n; }\nint parse_line(void) { return 0; }\n",
    );
    for (wanted, offered) in [
        ("parse_lime", "did you mean parse_line?"),
        (
            "shop::Cart::ad",
            "did you mean _ZN4shop4Cart3addEi (shop::Cart::add)?",
        ),
    ] {
        let output = place.output(&["run", "n.bc", "--entry-point", wanted]);
        let said = text(&output);
        assert!(said.contains(offered), "{said}");
        assert!(!place.path("homi-out-0").exists());
    }
}
