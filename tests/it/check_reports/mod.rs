//! Reports of checks: operands, types and columns, as UBSan's on the native program; one finding is
//! one bug, two checks in one line are two.

mod constants;
mod numbers;
mod pointers;

use crate::support::{TestDir, bitcode_into, root, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

fn text_of(error: &Value, name: &str) -> String {
    error[name].as_str().unwrap_or_default().to_string()
}

/// Kind, column and values of each bug, in order.
fn reports(summary: &Value) -> Vec<(String, u64, String)> {
    let errors = summary["errors"].as_array().expect("a list of bugs").iter();
    let report = |error: &Value| {
        let column = error["column"].as_u64().expect("a column");
        (text_of(error, "kind"), column, text_of(error, "values"))
    };
    let mut all: Vec<_> = errors.map(report).collect();
    all.sort();
    all
}

/// Compiles with these sanitizers, and runs with these arguments of homi.
fn explored(source: &str, sanitizers: &str, arguments: &[&str]) -> (TestDir, Value) {
    let place = TestDir::new();
    let (file, bitcode) = (place.path("program.c"), place.path("program.bc"));
    fs::write(&file, source).expect("the source");
    let include = format!("-I{}", root().join("runtime/include").display());
    let flags = ["-g", "-O0", "-w", &include, sanitizers];
    bitcode_into("clang-19", &flags, &file, &bitcode);
    let found = place.run_into(
        "out",
        &[&["program.bc", "--prune", "none"], arguments].concat(),
    );
    (place, found)
}

/// Each check with operands that are symbolic, of several widths and signs.
const OPERANDS: &str = r#"#include <klee/klee.h>
enum color { RED } shade;
volatile int sink;
volatile long wide;
volatile unsigned char narrow;
volatile double quotient;
struct s { int first, second; };
int main(void) {
  int which = klee_int("which"), x = klee_int("x");
  long l = x;
  unsigned u = (unsigned)x;
  static int row[3];
  switch (which) {
  case 0: sink = x + 2147483600; break;
  case 1: sink = x - 2147483600; break;
  case 2: if (x > 1000) sink = x * 1000000; break;
  case 3: if (x == -2147483647 - 1) sink = -x; break;
  case 4: if (x == 0) sink = 5 / x; break;
  case 5: if (x == -2147483647 - 1) sink = x / -1; break;
  case 6: if (x > 40) sink = 3 << x; break;
  case 7: if (x < 0 && x > -9) sink = 3 << x; break;
  case 8: if (x < -5) sink = x << 2; break;
  case 9: if (x > 1610612736) sink = x << 1; break;
  case 10: if (x == 5) wide = 9223372036854775803L + l; break;
  case 11: if (x == 7) u = u - 8u, sink = (int)u; break;
  case 12: if (x == 300) narrow = x; break;
  case 13: if (x > 2 && x < 9) sink = row[x]; break;
  case 14: if (x == 3) { double d = x * 1e9; sink = d; } break;
  case 15: if (x == 9) quotient = x / (double)(x - 9); break;
  case 16: if (x == 2) { struct s *p = x == 2 ? 0 : (struct s *)row; sink = p->second; } break;
  case 17: if (x == 6) { __int128 big = (__int128)1 << 126; big = big * x; sink = big == 0; } break;
  case 18: if (x == -4) { int vla[x]; vla[0] = 1; } break;
  }
  return 0;
}
"#;

const SANITIZERS: &str = "-fsanitize=undefined,unsigned-integer-overflow,implicit-conversion,\
                          float-divide-by-zero";

/// gcc's own program says each bug's values natively, of the test that shows it, at the line.
#[test]
fn operands_are_those_that_the_sanitizer_prints_for_the_test() {
    let (place, found) = explored(OPERANDS, SANITIZERS, &[]);
    let executable = place.path("native");
    run(Command::new("gcc")
        .args(["-g", "-O0", "-w"])
        .arg("-fsanitize=undefined,float-divide-by-zero,float-cast-overflow")
        .arg("-I")
        .arg(root().join("runtime/include"))
        .arg("-o")
        .arg(&executable)
        .arg(place.path("program.c"))
        .arg(root().join("runtime/replay/klee_runtime.c")));
    let errors = found["errors"].as_array().expect("a list of bugs");
    let mut lines = BTreeSet::new();
    for error in errors {
        let (location, values) = (text_of(error, "location"), text_of(error, "values"));
        let (_, line) = location.rsplit_once(':').expect("file:line");
        lines.insert(line.parse::<u32>().expect("a number"));
        let test = place.path("out").join(text_of(error, "test") + ".ktest");
        let output = Command::new(&executable)
            .env("KTEST_FILE", test)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let at = format!("program.c:{line}:");
        let told = said
            .lines()
            .filter(|said| said.contains(&at))
            .collect::<Vec<_>>()
            .join("\n");
        assert!(!values.is_empty(), "{error}");
        if let Some((_, expected)) = ONLY_CLANG
            .iter()
            .find(|(start, _)| values.starts_with(start))
        {
            assert_eq!(values, *expected);
            continue;
        }
        assert!(!told.is_empty(), "{error}: {said}");
        for part in shown_natively(&values) {
            assert!(told.contains(part), "{error} {part}: {said}");
        }
    }
    let cases: BTreeSet<u32> = (14..33).collect();
    assert_eq!(lines, cases, "{found}");
    // A fault that the engine finds behind a report is no further bug.
    assert_eq!(errors.len(), 19, "{found}");
}

/// Explanations of checks that gcc has not: how they begin, and all of them.
const ONLY_CLANG: [(&str, &str); 2] = [
    (
        "7 - 8",
        "7 - 8 cannot be represented in type 'unsigned int'",
    ),
    (
        "from type",
        "from type 'int' of value 300 to type 'unsigned char' changed the value to 44",
    ),
];

/// The values of an explanation that gcc's message has, too: of a division by zero it has none, and
/// of 128 bits it has others.
fn shown_natively(values: &str) -> Vec<&str> {
    if values.contains("by zero") {
        return vec!["division by zero"];
    }
    let is_number = |word: &&str| {
        let digits = word.trim_start_matches('-');
        digits.starts_with(|first: char| first.is_ascii_digit()) && !word.contains("-bit")
    };
    let words = values.split(' ').filter(|_| !values.contains("__int128"));
    words.filter(is_number).collect()
}

#[test]
fn two_checks_in_one_line_are_two_bugs() {
    let source = r#"#include <stdio.h>
int main(void) {
  int byte = getchar();
  if (byte == EOF) return 2;
  unsigned place = 4294960000u + (unsigned)byte * 16909320u;
  return place == 5;
}
"#;
    let sanitizers = "-fsanitize=unsigned-integer-overflow";
    let (place, found) = explored(source, sanitizers, &["--", "--sym-stdin", "1"]);
    let does_not_fit = "cannot be represented in type 'unsigned int'";
    let expected = |column: u64, values: &str| {
        (
            "overflow".to_string(),
            column,
            format!("{values} {does_not_fit}"),
        )
    };
    let sum = expected(32, "4294960000 + 16909320");
    let product = expected(49, "254 * 16909320");
    let reports = reports(&found);
    assert_eq!(reports.len(), 2, "{found}");
    assert_eq!(reports[0], sum);
    assert_eq!((&reports[1].0, reports[1].1), (&product.0, 49), "{found}");
    let message = fs::read_to_string(place.path("out/messages.txt")).expect("messages");
    assert!(message.contains(&format!(
        "program.c:5:32: unsigned-integer-overflow: {}",
        sum.2
    )));
}

/// A check of the engine and the compiler's at the same place are one bug, whichever path shows it
/// first; the engine alone says the same.
#[test]
fn one_finding_is_one_bug() {
    let source = r#"#include <klee/klee.h>
struct row { int cells[4], guard; };
int main(void) {
  struct row row = {{0}, 9}, *gone = 0;
  int x = klee_int("x"), y = klee_int("y");
  switch (y) {
  case 0: if (x >= 0 && x < 9) row.cells[x] = 1; break;
  case 1: return 7 / x;
  case 2: return 1 << x;
  case 3: if (x) gone = &row; return gone->guard;
  }
  return 0;
}
"#;
    let (_, both) = explored(
        source,
        "-fsanitize=array-bounds,null,shift-exponent,integer-divide-by-zero",
        &[],
    );
    let messages = |found: &Value| -> BTreeSet<String> {
        let errors = found["errors"].as_array().expect("a list of bugs").iter();
        errors.map(|error| text_of(error, "message")).collect()
    };
    let names = |names: [&str; 4]| names.map(str::to_string).into();
    let compiled = [
        "out-of-bounds-index",
        "divide by zero",
        "overshift error",
        "null-pointer-use",
    ];
    assert_eq!(messages(&both), names(compiled), "{both}");
    assert_eq!(both["errors"].as_array().map(Vec::len), Some(4), "{both}");
    let (_, engine) = explored(source, "-fno-sanitize=all", &[]);
    let own = [
        "memory error: out of bound pointer",
        "divide by zero",
        "overshift error",
        "memory error: null pointer exception",
    ];
    let found = messages(&engine);
    assert!(found.contains(own[1]) && found.contains(own[2]), "{engine}");
    assert_eq!(
        engine["errors"].as_array().map(Vec::len),
        Some(4),
        "{engine}"
    );
}

#[test]
fn a_trap_names_its_check() {
    let source = r#"#include <klee/klee.h>
int main(void) {
  int cells[4] = {0}, x = klee_int("x");
  if (x == 7) return x + 2147483641;
  if (x == 5) return cells[x - 1];
  if (x == 0) return 1 / x;
  return 0;
}
"#;
    let sanitizers = "-fsanitize=undefined";
    let place = TestDir::new();
    let (file, bitcode) = (place.path("program.c"), place.path("program.bc"));
    fs::write(&file, source).expect("the source");
    let include = format!("-I{}", root().join("runtime/include").display());
    let flags = ["-g", "-O0", &include, sanitizers, "-fsanitize-trap=all"];
    bitcode_into("clang-19", &flags, &file, &bitcode);
    let found = place.run_into("out", &["program.bc"]);
    let errors = found["errors"].as_array().expect("a list of bugs").iter();
    let bug = |error: &Value| (text_of(error, "kind"), text_of(error, "message"));
    let bugs: BTreeSet<(String, String)> = errors.map(bug).collect();
    let expected = [
        ("overflow", "trap of a check: add-overflow"),
        ("ptr", "trap of a check: out-of-bounds-index"),
        ("div", "trap of a check: divrem-overflow"),
    ];
    let expected = expected.map(|(kind, text)| (kind.to_string(), text.to_string()));
    assert_eq!(bugs, BTreeSet::from(expected), "{found}");
}
