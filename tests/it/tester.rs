//! `homi test` from the outside: what people read, what they are refused, and the exit status.
//!
//! Each is a snapshot in `tests/data/tester`. After a change on purpose, `INSTA_UPDATE=always cargo
//! test --test it tester` writes them anew.

use crate::support::{TestDir, data};
use std::fs;

/// Writes these files and runs `homi test` with these arguments: all that it says, and its status.
fn session(files: &[(&str, &str)], arguments: &[&str]) -> (TestDir, String) {
    let place = TestDir::new();
    for (name, text) in files {
        let path = place.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    let said = again(&place, arguments);
    (place, said)
}

fn again(place: &TestDir, arguments: &[&str]) -> String {
    let output = place
        .homi()
        .arg("test")
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("homi runs");
    let status = output.status.code().expect("no signal ended homi");
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    let shown = arguments.join(" ");
    let said = format!("$ homi test {shown}\n{err}---- report ----\n{out}[exit status {status}]\n");
    said.replace(&place.directory.path().display().to_string(), "DIR")
}

/// Compilers say their version.
fn without_versions(text: &str) -> String {
    let is_version = |word: &str| {
        let inner = word
            .strip_prefix('(')
            .and_then(|word| word.strip_suffix(')'));
        inner.is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut shown = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let mut kept: Vec<&str> = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let next = words.get(place + 1).is_some_and(|next| is_version(next));
            kept.push(match word {
                word if is_version(word) => "(VERSION)",
                word if next && word.contains("clang") => "CLANG",
                word => word,
            });
        }
        shown.push_str(&kept.join(" "));
        shown.push('\n');
    }
    shown
}

fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(data("tester"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, without_versions(text)));
}

/// An end that does not depend on a clock.
const END: [&str; 2] = ["--max-time", "20000000i"];

const OVERFLOWS: &str = "#include <stdio.h>
#include <string.h>

static void keep(const char *word) {
  char name[4];
  strcpy(name, word);
  puts(name);
}

int main(int argc, char **argv) {
  int big = 2147483647;
  if (argc == 2 && argv[1][0] == 'x') keep(argv[1]);
  if (argc == 3 && argv[2][0] == 'y') big += argc;
  if (argc == 7) puts(\"never\");
  return big == 5;
}
";

#[test]
fn a_bug_is_reported_with_line_input_command_and_confirmation() {
    let arguments = [&["over.c"], END.as_slice()].concat();
    let (place, said) = session(&[("over.c", OVERFLOWS)], &arguments);
    assert_snapshot("bug", &said);
    // The command that is named shows the bug.
    let command = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("replay "))
        .expect("a command");
    let replay: Vec<&str> = command.split_whitespace().skip(1).collect();
    let output = place.output(&replay);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("stack-buffer-overflow"), "{shown}");
}

#[test]
fn a_branch_that_a_crashing_test_took_counts_as_taken() {
    let text = "#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc > 1) {
    if (argv[1][0] == 'A') abort();
  }
  return 0;
}
";
    let arguments = [
        &["a.c"],
        END.as_slice(),
        &["--", "--sym-args", "0", "1", "1"],
    ]
    .concat();
    let (_place, said) = session(&[("a.c", text)], &arguments);
    assert!(said.contains("4 of 4 branches covered"), "{said}");
    assert!(!said.contains("never went one way"), "{said}");
}

const ADDER: &str = "#include \"adder.h\"
int add(int a, int b) { return a + b * FACTOR; }
";

const USES_ADDER: &str = "#include <stdlib.h>
#include \"adder.h\"
int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '7') return add(1, 2) == 5;
  return 0;
}
";

#[test]
fn two_files_without_a_bug_are_clean() {
    let files = [
        ("lib/add.c", ADDER),
        ("main.c", USES_ADDER),
        ("inc/adder.h", "int add(int a, int b);\n"),
    ];
    let arguments = ["main.c", "lib/add.c", "-Iinc", "-D", "FACTOR=2"];
    let arguments = [&arguments, END.as_slice(), &["--", "--sym-arg", "1"]].concat();
    let (_place, said) = session(&files, &arguments);
    assert_snapshot("clean", &said);
}

const HARNESS: &str = "#include <assert.h>
#include <klee/klee.h>
int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, \"n\");
  assert(n != 77);
  return 0;
}
";

#[test]
fn a_harness_keeps_its_own_inputs() {
    let arguments = [&["h.c"], END.as_slice()].concat();
    let (_place, said) = session(&[("h.c", HARNESS)], &arguments);
    assert_snapshot("harness", &said);
}

const COMPETES: &str = "extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 3 && n < 9);
  if (__VERIFIER_nondet_bool() && n * n == 49) __VERIFIER_error();
  return 0;
}
";

#[test]
fn a_program_of_the_verification_competition_gets_its_functions() {
    let arguments = [&["v.c"], END.as_slice()].concat();
    let (_place, said) = session(&[("v.c", COMPETES)], &arguments);
    // While it runs, the file that homi added is named with its temporary place.
    let (_, report) = said.split_once("---- report ----").expect("a report");
    assert_snapshot("competition", report);
}

#[test]
fn bitcode_is_explored_and_not_replayed() {
    let place = TestDir::new();
    place.compile(
        "h",
        "int main(int argc, char **argv) { return 7 / (argc - 2); }\n",
    );
    let arguments = [
        &["h.bc"],
        END.as_slice(),
        &["--", "--sym-args", "0", "1", "1"],
    ]
    .concat();
    assert_snapshot("bitcode", &again(&place, &arguments));
}

#[test]
fn an_executable_with_embedded_bitcode_runs_its_tests() {
    let place = TestDir::new();
    let text = "#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc > 1) return 100 / atoi(argv[1]);
  return 0;
}
";
    fs::write(place.path("h.c"), text).expect("a file");
    for word in ["-O0", "--coverage"] {
        place.succeeds(&["cc", "-g", "-O0", word, "h.c", "-o", "h"]);
    }
    let arguments = [&["h"], END.as_slice(), &["--", "--sym-args", "0", "1", "2"]].concat();
    assert_snapshot("executable", &again(&place, &arguments));
}

#[test]
fn an_executable_without_bitcode_is_refused() {
    let place = TestDir::new();
    fs::write(place.path("h.c"), OVERFLOWS).expect("a file");
    let output = std::process::Command::new("gcc")
        .args(["h.c", "-o", "h"])
        .current_dir(place.directory.path())
        .output();
    assert!(output.expect("gcc runs").status.success());
    assert_snapshot("no_bitcode", &again(&place, &["h"]));
    assert!(!place.path("homi-out-0").exists(), "nothing is left behind");
}

#[test]
fn what_gcc_cannot_link_is_explored_all_the_same() {
    let text = "int mystery(int);
int main(int argc, char **argv) { return argc > 1 ? mystery(argc) : 0; }
";
    let arguments = [&["m.c"], END.as_slice()].concat();
    let (_place, said) = session(&[("m.c", text)], &arguments);
    assert_snapshot("unlinkable", &said);
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let broken = "int main(void) { return nothing; }\n";
    let (place, said) = session(&[("broken.c", broken), ("notes.txt", "x")], &["broken.c"]);
    let mut all = said;
    fs::write(place.path("a.bc"), "BC").expect("a file");
    fs::write(place.path("good.c"), "int main(void) { return 0; }\n").expect("a file");
    for arguments in [
        vec!["none.c"],
        vec!["notes.txt"],
        vec!["a.bc", "broken.c"],
        vec![],
        vec!["broken.c", "--cflags", "'open"],
        vec!["broken.c", "--resume", "x"],
        vec!["broken.c", "--max-time", "soon"],
        vec!["good.c", "--target", "good.c:7"],
    ] {
        all += &format!("\n{}", again(&place, &arguments));
    }
    assert_snapshot("refused", &all);
    let left = fs::read_dir(place.directory.path())
        .expect("readable")
        .flatten();
    let made = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("homi-"));
    assert_eq!(made.count(), 0, "nothing is left behind");
}
