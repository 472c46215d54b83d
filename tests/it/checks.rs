//! Checks by option and stubs: leaks as LeakSanitizer sees them, overflows as UBSan does, failing
//! allocations, functions that were not linked.

use crate::support::{TestDir, bitcode_into, files, root, run, summary};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The lines of the bugs of a kind.
fn lines(summary: &Value, kind: &str) -> BTreeSet<u64> {
    let errors = summary["errors"].as_array().expect("a list of bugs").iter();
    let errors = errors.filter(|error| error["kind"] == kind);
    let line = |error: &Value| {
        let location = error["location"].as_str().expect("a location");
        let (_, line) = location.rsplit_once(':').expect("file:line");
        line.parse().expect("a line")
    };
    errors.map(line).collect()
}

fn statuses(summary: &Value) -> BTreeSet<u8> {
    let counts = summary["exit_statuses"].as_object().into_iter().flatten();
    counts
        .map(|(status, _)| status.parse().expect("a number"))
        .collect()
}

/// Lines of a source that a comment marks.
fn marked(source: &str, mark: &str) -> BTreeSet<u64> {
    let lines = (1..).zip(source.lines());
    lines
        .filter(|(_, line)| line.contains(mark))
        .map(|(number, _)| number)
        .collect()
}

/// Compiles a harness natively, with the reader of tests.
fn native(place: &TestDir, source: &str, flags: &[&str]) -> std::path::PathBuf {
    let (file, executable) = (place.path("native.c"), place.path("native"));
    fs::write(&file, source).expect("the source");
    run(Command::new("gcc")
        .args(["-g", "-O0", "-w"])
        .args(flags)
        .arg("-I")
        .arg(root().join("runtime/include"))
        .arg("-o")
        .arg(&executable)
        .arg(&file)
        .arg(root().join("runtime/replay/klee_runtime.c")));
    executable
}

const OVERFLOWS: &str = r#"#include <klee/klee.h>
int sink;
int main(void) {
  int x = klee_int("x");
  int y = klee_int("y");
  sink = x + 1; // overflow
  sink = -x; // overflow
  sink = x * 3; // overflow
  long wide = (long)x + y;
  unsigned u = (unsigned)x + (unsigned)y;
  if (x > 0 && x < 100) sink = x + 5;
  if (y > 2147483000) sink = y - -700; // overflow
  short s = x;
  s++;
  return wide == 3 && u == 4 ? 1 : 0;
}
"#;

#[test]
fn overflows_are_those_that_the_sanitizer_reports() {
    let place = TestDir::new();
    place.compile("program", OVERFLOWS);
    let arguments = ["program.bc", "--prune", "none"];
    let plain = place.run_into("plain", &arguments);
    assert_eq!(lines(&plain, "overflow"), BTreeSet::new());
    let found = place.run_into(
        "out",
        &[&arguments[..], &["--checks", "signed-integer-overflow"]].concat(),
    );
    let expected = marked(OVERFLOWS, "// overflow");
    assert_eq!(lines(&found, "overflow"), expected, "{found}");
    assert_eq!(found["stop_reason"], "exhausted");
    // Each test shows its overflow natively, at the same line.
    let executable = native(&place, OVERFLOWS, &["-fsanitize=signed-integer-overflow"]);
    let mut shown = BTreeSet::new();
    for report in files(&place.path("out")) {
        let name = report.to_string_lossy().into_owned();
        let Some(test) = name.strip_suffix(".overflow.err") else {
            continue;
        };
        let output = Command::new(&executable)
            .env("KTEST_FILE", format!("{test}.ktest"))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = fs::read_to_string(&report).expect("a report");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("Line: "))
            .expect("a line");
        assert!(said.contains(&format!("native.c:{line}:")), "{text} {said}");
        shown.insert(line.parse::<u64>().expect("a number"));
    }
    assert_eq!(shown, expected);
}

/// Fates of blocks; the comment of each case says if LeakSanitizer reports the location.
const LEAKS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char text[24]; };
static char *kept;
static struct node *list;
static void *volatile hidden;
static struct node *node(struct node *next) {
  struct node *made = malloc(sizeof *made); // node
  made->next = next;
  return made;
}
__attribute__((noinline)) static void act(int c) {
  if (c == 0) hidden = malloc(10), hidden = 0; // lost
  if (c == 1) kept = malloc(11);
  if (c == 2) kept = (char *)malloc(12) + 5;
  if (c == 3) free(malloc(13));
  if (c == 4) list = node(node(node(0)));
  if (c == 5) { struct node *own = node(node(0)); own->text[0] = 1; own = 0; }
  if (c == 6) kept = strdup("text"), kept = 0; // copied
  if (c == 7) { kept = calloc(4, 4); kept = realloc(kept, 40); kept = 0; } // grown
}
int main(int argc, char **argv) {
  unsigned char c = 0;
  if (argc > 1) c = atoi(argv[1]);
  else klee_make_symbolic(&c, 1, "c");
  if (c > 8) return 1;
  act(c);
  return 0;
}
"#;

#[test]
fn leaks_are_those_that_the_leak_sanitizer_reports() {
    let place = TestDir::new();
    place.compile("program", LEAKS);
    let arguments = ["program.bc", "--all-tests"];
    let plain = place.run_into("plain", &arguments);
    assert_eq!(plain["errors"].as_array().map(Vec::len), Some(0));
    let found = place.run_into("out", &[&arguments[..], &["--checks", "leak"]].concat());
    let expected: BTreeSet<u64> = ["// lost", "// node", "// copied", "// grown"]
        .iter()
        .flat_map(|mark| marked(LEAKS, mark))
        .collect();
    assert_eq!(lines(&found, "leak"), expected, "{found}");
    assert_eq!(statuses(&found), statuses(&plain));
    let reports = files(&place.path("out"));
    let mut reports = reports
        .iter()
        .filter(|path| path.to_string_lossy().ends_with(".leak.err"));
    let text = fs::read_to_string(reports.next().expect("a report")).expect("text");
    assert!(
        text.contains("memory leak: ") && text.contains(" in act"),
        "{text}"
    );
    let executable = native(&place, LEAKS, &["-fsanitize=address"]);
    let leaks = |case: u8| {
        let output = Command::new(&executable)
            .arg(case.to_string())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.contains("detected memory leaks")
    };
    let natively: Vec<u8> = (0..9).filter(|case| leaks(*case)).collect();
    assert_eq!(natively, [0, 5, 6, 7]);
}

const FAILING: &str = r#"
#include <klee/klee.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *a = malloc(4), *b, *c, *d;
  if (!a) return errno == ENOMEM ? 1 : 20;
  b = calloc(3, 3);
  if (!b) return 2;
  a[0] = 9;
  c = realloc(a, 100);
  if (!c) return a[0] == 9 ? 3 : 20;
  d = strdup("x");
  if (!d) return 4;
  return 0;
}
"#;

#[test]
fn each_allocation_may_fail_up_to_the_limit() {
    let place = TestDir::new();
    place.compile("program", FAILING);
    let arguments = ["program.bc", "--all-tests"];
    let plain = place.run_into("plain", &arguments);
    assert_eq!(statuses(&plain), [0].into());
    let one = place.run_into(
        "one",
        &[&arguments[..], &["--max-malloc-fail", "1"]].concat(),
    );
    assert_eq!(statuses(&one), [0, 1, 2, 3, 4].into(), "{one}");
    assert_eq!(
        (&one["stop_reason"], &one["tests"]),
        (&"exhausted".into(), &5.into())
    );
    let source = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int failed = 0;
  for (int i = 0; i < 4; i++) failed += malloc(8) == 0;
  return failed;
}
"#;
    place.compile("count", source);
    let arguments = ["count.bc", "--all-tests", "--max-malloc-fail", "2"];
    let two = place.run_into("two", &arguments);
    assert_eq!(statuses(&two), [0, 1, 2].into());
    // None, one of four, two of four.
    assert_eq!(two["tests"], 1 + 4 + 6);
    // A replay runs, and says what does not happen.
    native(&place, FAILING, &[]);
    let said = place.succeeds(&["replay", "native", "one"]);
    let said = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
    assert!(
        said.contains("failing allocations (--max-malloc-fail)"),
        "{said}"
    );
    assert!(!said.contains("mismatch"), "{said}");
}

const MISSING: &str = r#"
#include <klee/klee.h>
#include <errno.h>
int look_up(const char *name, char *to);
int main(void) {
  static char buffer[8] = "abc";
  int found;
  errno = 0;
  found = look_up("name", buffer);
  if (found == -1) return errno == EINVAL ? 1 : 2;
  if (found == 0) return buffer[0] == 'a' && buffer[7] == 0 ? 3 : 4;
  return 5;
}
"#;

#[test]
fn a_stub_stands_for_a_function_that_was_not_linked() {
    let place = TestDir::new();
    place.compile("program", MISSING);
    let run = |name: &str, more: &[&str]| {
        let arguments = [&["program.bc", "--all-tests"], more].concat();
        place.run_into(name, &arguments)
    };
    let plain = run("plain", &[]);
    assert_eq!(
        (statuses(&plain), &plain["paths"]["unsupported"]),
        ([].into(), &1.into())
    );
    for (name, expected) in [
        ("any", &[1, 2, 3, 4, 5][..]),
        ("zero", &[3]),
        ("errno", &[1]),
    ] {
        let found = run(name, &["--stub", &format!("look_up={name}")]);
        let mut expected: BTreeSet<u8> = expected.iter().copied().collect();
        // Nothing sets errno where any value is returned.
        if name == "any" {
            expected.remove(&1);
        }
        assert_eq!(statuses(&found), expected, "{name}: {found}");
        assert_ne!(found["stop_reason"], "exhausted", "{name}");
        let underapproximations = &found["underapproximations"][0];
        assert_eq!(underapproximations["kind"], "stub", "{name}: {found}");
    }
    let all = run("missing", &["--stub-missing"]);
    assert_eq!(statuses(&all), [2, 3, 4, 5].into(), "{all}");
    place.fails(
        &["run", "program.bc", "--stub", "look_up=some"],
        2,
        &["NAME=any"],
    );
    let said = place.succeeds(&["run", "program.bc", "--stub", "main=zero"]);
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(
        said.contains("not call an undefined function of this name"),
        "{said}"
    );
    assert!(summary(&place.path("homi-last"))["paths"]["unsupported"] == 1);
}

#[test]
fn no_stub_stands_for_a_variable() {
    let place = TestDir::new();
    place.compile(
        "program",
        "extern int limit; int main(void) { return limit > 10; }",
    );
    for (name, stub) in [
        ("named", &["--stub", "limit=any"][..]),
        ("all", &["--stub-missing"]),
    ] {
        let run = [&["run", "program.bc", "--output-dir", name], stub].concat();
        let said = place.output(&run);
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(!said.contains("replaced by stubs"), "{said}");
        assert!(
            said.contains("a path that uses it ends there: limit"),
            "{said}"
        );
    }
}

#[test]
fn none_of_them_goes_with_subsumption() {
    let place = TestDir::new();
    place.compile("program", FAILING);
    for more in [
        &["--checks", "leak"][..],
        &["--checks", "signed-integer-overflow"],
        &["--max-malloc-fail", "1"],
        &["--stub-missing"],
        &["--stub", "f=any"],
    ] {
        let arguments = [&["run", "program.bc", "--subsume"], more].concat();
        place.fails(&arguments, 2, &["cannot be combined with --subsume"]);
    }
}

const OBJECTS: &str = r#"extern "C" long read(int, void *, unsigned long);
struct Base { virtual int f() { return 1; } virtual ~Base() {} int x = 0; };
struct Derived : Base { int f() override { return 2; } };
struct Other { virtual int g() { return 4; } long y = 0; };
struct Both : Other, Base { int f() override { return 3; } };
static int call(Base *object) { return object->f(); } // a type
int main() {
  unsigned char in;
  if (read(0, &in, 1) != 1) return 50;
  Base base; Derived derived; Other other; Both both;
  Base *which[4] = {&base, &derived, (Base *)&other, &both};
  return call(which[in & 3]);
}
"#;

/// The sanitizer's query for an object's type is answered by what the object says of itself,
/// also where the part that is meant does not come first.
#[test]
fn calls_of_objects_of_other_types_are_found() {
    let place = TestDir::new();
    fs::write(place.path("objects.cpp"), OBJECTS).expect("the source");
    let flags = ["-g", "-O0", "-fsanitize=vptr", "-fno-exceptions"];
    let (source, program) = (place.path("objects.cpp"), place.path("objects.bc"));
    bitcode_into("clang++-19", &flags, &source, &program);
    place.succeeds(&["run", "objects.bc", "--all-tests", "--", "--sym-stdin", "1"]);
    let said = summary(&place.path("homi-last"));
    assert_eq!(lines(&said, "ptr"), marked(OBJECTS, "// a type"), "{said}");
    assert_eq!(statuses(&said), BTreeSet::from([1, 2, 3, 4]));
}

/// Five places, two on one line, one in a function that the optimizer copies into its callers, one
/// in a loop that it unrolls.
const PLACES: &str = r#"#include <klee/klee.h>
static int sum(int a, int b) { return a + b; } // here
int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  volatile int sink = x - y; // here
  sink = x * 3 + y; // here twice
  sink = sum(x, 1);
  sink = sum(y, 2);
  for (int i = 1; i < 4; i++) sink = y << i; // here
  return 0;
}
"#;

/// Each check at a place of the source is one bug, whatever copies the compiler made and whether
/// debug information tells them; a shift has two. For KLEE all is in the handlers, which say two
/// things.
#[test]
fn what_sanitizers_report_is_one_bug_for_each_place() {
    let place = TestDir::new();
    fs::write(place.path("places.c"), PLACES).expect("the source");
    let checks = "-fsanitize=signed-integer-overflow,shift";
    for (number, flags) in [&["-O0"][..], &["-O0", "-g"], &["-O2"], &["-O2", "-g"]]
        .iter()
        .enumerate()
    {
        let include = format!("-I{}", root().join("runtime/include").display());
        let arguments = [&[checks, include.as_str()][..], flags].concat();
        let (source, program) = (place.path("places.c"), place.path("places.bc"));
        bitcode_into("clang-19", &arguments, &source, &program);
        let found = place.run_into(&format!("out{number}"), &["places.bc"]);
        assert_eq!(found["stop_reason"], "exhausted");
        let bugs = found["errors"].as_array().expect("a list of bugs").len();
        assert_eq!(bugs, 6, "{flags:?}: {found}");
        assert_eq!(lines(&found, "shift"), BTreeSet::from([11]), "{flags:?}");
        assert_eq!(
            lines(&found, "overflow"),
            marked(PLACES, "// here"),
            "{flags:?}"
        );
        let directory = format!("--output-dir=klee{number}");
        place.succeeds(&["klee", &directory, "places.bc"]);
        let errors = files(&place.path(&format!("klee{number}")));
        let errors = errors
            .iter()
            .filter(|file| file.extension() == Some("err".as_ref()));
        assert_eq!(errors.count(), 2, "{flags:?}");
    }
}
