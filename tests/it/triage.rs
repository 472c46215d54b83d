//! Weaknesses of bugs, baselines, suppressions, and `homi.toml`.

use crate::support::{TestDir, summary, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

/// A fault for each value of `x`.
const FAULTS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int sum(int a, int b) { return a + b; }
int main(void) {
  int x = klee_range(0, 12, "x");
  char text[8] = "", other[4] = "abc", *heap = malloc(4);
  if (!heap) return 1;
  if (x == 1) text[8 + x] = 1;
  if (x == 2) return text[6 + x];
  if (x == 3) return *(volatile char *)(x - 3L);
  if (x == 4) { free(heap); return heap[0]; }
  if (x == 5) { free(heap); free(heap); }
  if (x == 6) free(heap + 1);
  if (x == 7) return 100 / (x - 7);
  if (x == 8) memcpy(other, text, x - 2);
  if (x == 9) memcpy(text, other, x - 2);
  if (x == 10) return sum(-2147483647, -x);
  if (x == 11) return sum(2147483647, x);
  free(heap);
  return 0;
}
"#;

/// Weakness and CWE number of the bugs of a summary, by line.
fn weaknesses(summary: &Value) -> BTreeMap<String, (String, u64)> {
    let errors = summary["errors"].as_array().expect("a list of bugs").iter();
    let bug = |error: &Value| {
        let location = error["location"].as_str().expect("a text");
        let (_, line) = location.rsplit_once(':').expect("file:line");
        let weakness = error["weakness"].as_str().expect("a text").to_string();
        (
            line.to_string(),
            (weakness, error["cwe"].as_u64().expect("a number")),
        )
    };
    errors.map(bug).collect()
}

#[test]
fn the_kind_of_access_decides_the_weakness() {
    let place = TestDir::new();
    place.compile("program", FAULTS);
    let arguments = [
        "program.bc",
        "--prune",
        "none",
        "--checks",
        "signed-integer-overflow",
    ];
    let found = weaknesses(&place.run_into("out", &arguments));
    let expected = [
        ("9", "out-of-bounds-write", 787),
        ("10", "out-of-bounds-read", 125),
        ("11", "null-dereference", 476),
        ("12", "use-after-free", 416),
        ("13", "double-free", 415),
        ("14", "free-inside-block", 761),
        ("15", "divide-by-zero", 369),
        ("16", "out-of-bounds-write", 787),
        ("17", "out-of-bounds-read", 125),
        ("4", "integer-underflow", 191),
    ];
    for (line, weakness, cwe) in expected {
        let one = found.get(line).expect(line);
        assert_eq!((one.0.as_str(), one.1), (weakness, cwe), "line {line}");
    }
}

const TWO: &str = r#"#include <klee/klee.h>
static int at(const int *table, int i) { return table[i]; }
int main(void) {
  int table[3] = {1, 2, 3}, x = klee_range(0, 9, "x");
  if (x == 7) return 3 / (x - 7);
  return at(table, x % 4);
}
"#;

fn status(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn a_baseline_makes_only_new_bugs_fail() {
    let place = TestDir::new();
    let run = |name: &str, options: &[&str]| {
        let fixed = [
            "run",
            "program.bc",
            "--prune",
            "none",
            "--error-exit-code",
            "--output-dir",
        ];
        let arguments = [&fixed[..], &[name], options].concat();
        place.output(&arguments)
    };
    let base = ["--baseline", "known.json"];
    place.compile("program", &TWO.replace("x == 7", "x == 77"));
    let missing = run("a", &base);
    assert_eq!(status(&missing), Some(2), "{}", text(&missing));
    let written = run("a", &[&base[..], &["--write-baseline"]].concat());
    assert_eq!(status(&written), Some(0), "{}", text(&written));
    assert!(
        text(&written).contains("known.json lists 1 bug\n"),
        "{}",
        text(&written)
    );
    assert_eq!(status(&run("b", &base)), Some(0));
    // Moved lines and another division.
    place.compile("program", &format!("\n/* moved */\n{TWO}"));
    let other = run("c", &base);
    assert_eq!(status(&other), Some(3), "{}", text(&other));
    let states: Vec<String> = summary(&place.path("c"))["errors"]
        .as_array()
        .expect("bugs")
        .iter()
        .map(|error| format!("{} {}", error["kind"], error["triage"]["baseline"]))
        .collect();
    assert!(
        states.contains(&"\"ptr\" \"unchanged\"".to_string()),
        "{states:?}"
    );
    assert!(
        states.contains(&"\"div\" \"new\"".to_string()),
        "{states:?}"
    );
    assert_eq!(
        status(&run("d", &[&base[..], &["--fail-on", "any"]].concat())),
        Some(3)
    );
    // Two suppressions: a comment, and a rule of homi.toml.
    let comment = "/* homi: ignore div -- x is never 7 */\n  if (x == 7)";
    place.compile("program", &TWO.replace("if (x == 7)", comment));
    let rule = "[[ignore]]\nfunction = \"a*\"\nreason = \"the caller checks\"\n";
    fs::write(place.path("homi.toml"), rule).expect("writable");
    let quiet = run("e", &["--export", "sarif"]);
    assert_eq!(status(&quiet), Some(0), "{}", text(&quiet));
    let sarif = fs::read(place.path("e/homi.sarif")).expect("a file");
    let sarif: Value = serde_json::from_slice(&sarif).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let kinds: Vec<&Value> = results
        .iter()
        .map(|one| &one["suppressions"][0]["kind"])
        .collect();
    assert!(kinds.contains(&&"inSource".into()) && kinds.contains(&&"external".into()));
    assert_eq!(sarif["runs"][0]["taxonomies"][0]["name"], "CWE");
}

#[test]
fn the_file_of_a_project_gives_what_the_line_does_not() {
    let place = TestDir::new();
    let source = "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n";
    fs::write(place.path("a.c"), source).expect("writable");
    let init = place.output(&["init", "--max-time", "5s", "a.c", "--", "--sym-arg", "1"]);
    assert_eq!(status(&init), Some(0), "{}", text(&init));
    assert_eq!(status(&place.output(&["init", "a.c"])), Some(2));
    let tested = place.output(&["test", "--output-dir", "out"]);
    assert_eq!(status(&tested), Some(0), "{}", text(&tested));
    let args = &summary(&place.path("out"))["args"];
    assert_eq!(*args, serde_json::json!(["--sym-arg", "1"]));
    let file = place.path("homi.toml");
    for (content, message) in [
        (
            "[run]\nmax-tme = \"5s\"\n",
            "homi.toml:2: unknown key `max-tme` in [run]; did you mean `max-time`?",
        ),
        (
            "[runs]\n",
            "homi.toml:1: unknown key `runs` in homi.toml; did you mean `run`?",
        ),
        (
            "homi-version = \"99.0\"\n",
            "homi.toml:1: the project needs homi 99.0",
        ),
        (
            "[[ignore]]\nkind = \"ptr\"\n",
            "a rule of `ignore` needs a `reason`",
        ),
        (
            "[build]\nfiles = [\"none*.c\"]\n",
            "homi.toml:2: no file matches `none*.c`",
        ),
        (
            "[run]\nquiet = 3\n",
            "homi.toml:2: `quiet` must be true or false",
        ),
    ] {
        fs::write(&file, content).expect("writable");
        let refused = place.output(&["test"]);
        assert_eq!(status(&refused), Some(2), "{content}");
        assert!(
            text(&refused).contains(message),
            "{content}: {}",
            text(&refused)
        );
    }
    fs::write(&file, "[run]\nseed = 1\n[job.ci]\nseed = 2\n").expect("writable");
    let absent = place.output(&["test", "a.c", "--job", "other"]);
    assert!(
        text(&absent).contains("there is no [job.other]"),
        "{}",
        text(&absent)
    );
    let jobs = place.output(&["test", "a.c", "--job=ci", "--output-dir", "jobs"]);
    assert_eq!(status(&jobs), Some(0), "{}", text(&jobs));
    assert_eq!(summary(&place.path("jobs"))["seed"], 2);
    let none = place.output(&["test", "a.c", "--no-config", "--output-dir", "none"]);
    assert_eq!(status(&none), Some(0), "{}", text(&none));
    assert_eq!(summary(&place.path("none"))["seed"], 5489);
}

/// Two bugs: an index that is not checked, and a divisor that may be zero.
const REFACTORED: &str = r#"#include <klee/klee.h>
struct table { int size; int values[4]; };
static int twice(int x) { return 2 * x; }
static int at(const struct table *t, int i) {
  return t->values[i];
}
int main(void) {
  struct table t = {4, {1, 2, 3, 4}};
  int x = klee_range(0, 9, "x");
  int sum = twice(x);
  if (x > 5)
    return 100 / (x - 6);
  sum += at(&t, x);
  return sum;
}
"#;

/// A name, a part of the program and its replacement.
type Refactoring = (&'static str, &'static str, &'static str);

/// Changes of the text after which the bugs are the same.
const KEEPING: [Refactoring; 18] = [
    ("blank lines", "struct table", "\n\n\nstruct table"),
    (
        "a comment",
        "static int at",
        "/* The value at an index. */\nstatic int at",
    ),
    (
        "another include",
        "#include <klee/klee.h>",
        "#include <stdio.h>\n#include <klee/klee.h>",
    ),
    (
        "indentation",
        "  return t->values[i];",
        "\treturn  t->values[ i ] ;",
    ),
    ("a brace on a line of its own", "int i) {\n", "int i)\n{\n"),
    (
        "a new function",
        "int main",
        "static int half(int x) { return x / 2; }\nint main",
    ),
    (
        "a prototype",
        "static int twice",
        "static int at(const struct table *t, int i);\nstatic int twice",
    ),
    ("a public function", "static int at", "int at"),
    (
        "another local's name",
        "int sum = twice(x);",
        "int total = twice(x), sum = total;",
    ),
    (
        "another member",
        "{ int size; int",
        "{ int size; unsigned flags; int",
    ),
    (
        "another initial value",
        "{4, {1, 2, 3, 4}}",
        "{.size = 4, .values = {5, 6, 7, 8}}",
    ),
    (
        "an assertion before",
        "  if (x > 5)",
        "  if (sum < 0) return 9;\n  if (x > 5)",
    ),
    (
        "braces around a statement",
        "  if (x > 5)\n    return 100 / (x - 6);",
        "  if (x > 5) {\n    return 100 / (x - 6);\n  }",
    ),
    ("a turned condition", "if (x > 5)", "if (!(x <= 5))"),
    (
        "another range of inputs",
        "klee_range(0, 9,",
        "klee_range(0, 12,",
    ),
    (
        "another name of a type",
        "int main(void) {\n  struct table t",
        "typedef struct table list;\nint main(void) {\n  list t",
    ),
    ("an inlined helper", "twice(x)", "2 * x"),
    (
        "a condition of its own",
        "  if (x > 5)",
        "  int is_large = x > 5;\n  if (is_large)",
    ),
];

/// Changes that make other bugs of them: a fingerprint has the text of the line and the functions.
const CHANGING: [Refactoring; 2] = [
    (
        "another name on the line",
        "t, int i) {\n  return t->values[i];",
        "t, int n) {\n  return t->values[n];",
    ),
    ("another name of the function", "at(", "value_at("),
];

#[test]
fn fingerprints_survive_eighteen_of_twenty_refactorings() {
    let place = TestDir::new();
    let known = ["--baseline", "known.json"];
    let run = |name: &str, options: &[&str]| {
        let fixed = [
            "run",
            "--prune",
            "none",
            "--error-exit-code",
            "--output-dir",
            name,
        ];
        place.output(&[&fixed[..], &known, options, &["program.bc"]].concat())
    };
    place.compile("program", REFACTORED);
    let listed = run("first", &["--write-baseline"]);
    assert!(text(&listed).contains("lists 2 bugs"), "{}", text(&listed));
    let refactorings = KEEPING.iter().chain(&CHANGING).enumerate();
    let survives = refactorings.filter(|(number, (name, from, to))| {
        assert!(REFACTORED.contains(from), "{name}");
        place.compile("program", &REFACTORED.replace(from, to));
        let ran = run(&format!("out{number}"), &[]);
        let is_same = status(&ran) == Some(0);
        assert_eq!(is_same, *number < KEEPING.len(), "{name}: {}", text(&ran));
        is_same
    });
    assert_eq!(survives.count(), 18);
}
