//! Reports of bugs: what was hit, where it was made, where it went, with what the functions on the
//! stack were called.

use crate::support::{TestDir, bitcode, files_with};
use serde_json::Value;
use std::fs;

/// Runs a program; the summary and the reports of its bugs, in the order of the tests.
fn reports(source: &str, flags: &[&str]) -> (Value, Vec<String>) {
    let place = TestDir::new();
    let file = place.path("p.c");
    fs::write(&file, source).expect("write the source");
    let plain = ["-O0", "-w", "-Xclang", "-disable-O0-optnone"];
    bitcode(&[&plain, flags].concat(), &file);
    let found = place.run(&["--quiet", "p.bc"]);
    let errors = files_with("err", &place.path("homi-last"));
    // Files are named by their place in the temporary directory.
    let directory = format!("{}/", place.path("").display()).replace("//", "/");
    let read = |path| {
        let text = fs::read_to_string(path).expect("a report");
        text.replace(&directory, "")
    };
    (found, errors.iter().map(read).collect())
}

/// One bug, whose report has these parts.
fn reports_one(source: &str, flags: &[&str], parts: &[&str]) {
    let (_, all) = reports(source, flags);
    let [report] = &all[..] else {
        panic!("{} reports of {source}: {all:?}", all.len());
    };
    for part in parts {
        assert!(report.contains(part), "{part:?} is not in {report}");
    }
}

/// Programs with one memory error each, and parts of its report.
const ERRORS: &[(&str, &[&str])] = &[
    (
        "#include <stdlib.h>
char *make(int n) {
  return malloc(n); }
int main(void) { char *p = make(6);
  return p[8]; }
",
        &[
            "out of bound pointer",
            "offset 8 in object at",
            "of size 6 in heap memory (make at p.c:3)",
        ],
    ),
    (
        "int look(int *p) { return p[5]; }
int main(void) {
  int row[5] = {0};
  return look(row); }
",
        &[
            "offset 20 in",
            "of size 20 in stack memory (local row of main at p.c:2)",
        ],
    ),
    (
        "int other;
int table[3];
int main(void) { int *p = table; return p[3]; }
",
        &[
            "offset 12 in",
            "of size 12 in global memory (global table at p.c:2)",
        ],
    ),
    (
        "int main(void) { const char *p = \"hello\"; return p[7]; }
",
        &[
            "offset 7 in",
            "of size 6 in global memory (string literal \"hello\")",
        ],
    ),
    (
        "#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  free(p);
  return *p; }
",
        &[
            "use after free",
            "of size 4 in heap memory (main at p.c:3)",
            "freed at main at p.c:4",
        ],
    ),
    (
        "#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  free(p);
  free(p);
  return 0; }
",
        &[
            "double free",
            "of size 4 in heap memory (main at p.c:3)",
            "freed at main at p.c:4",
        ],
    ),
    (
        "int *leak(void) {
  int first = 1, last = 2;
  int *volatile p = &first;
  p = &last;
  return p; }
int main(void) { return *leak(); }
",
        &[
            "use after return",
            "stack memory of a function that has returned (local last of leak at p.c:1)",
        ],
    ),
    (
        "int main(void) { int *volatile p = 0; return *p; }
",
        &["null page access", "address: 0x0", "Line: 1"],
    ),
];

#[test]
fn a_report_names_the_object_and_where_it_was_made() {
    for (source, parts) in ERRORS {
        reports_one(source, &["-g"], parts);
    }
}

/// Parameters in registers, in memory, and a structure in parts.
const DEEP: &str = "#include <klee/klee.h>
struct pair { long a, b; };
int deep(int n, int *p, struct pair both) { return *p + n + both.a; }
int middle(int count, int chosen) {
  struct pair both = {1, 2};
  int *address = &count;
  return deep(*address, 0, both) + chosen; }
int main(void) { return middle(3, klee_int(\"x\")); }
";

#[test]
fn the_stack_names_parameters_where_the_bitcode_does() {
    let named = [
        "in deep(n=3, p=0, ",
        "in middle(count=3, chosen=symbolic) at p.c:7",
    ];
    reports_one(DEEP, &["-g"], &named);
    reports_one(DEEP, &[], &["in middle(3, symbolic)\n"]);
    // Without debug information, names come from the bitcode.
    let kept = ["in middle(count=3, chosen=symbolic)\n"];
    reports_one(DEEP, &["-fno-discard-value-names"], &kept);
}

#[test]
fn bugs_at_two_columns_of_a_line_are_two() {
    let source = "#include <klee/klee.h>
int a[2];
int main(void) { unsigned char i = klee_int(\"i\"), j = klee_int(\"j\");
  if (j) a[i] = 1; else a[i] = 2;
  return 0; }
";
    for flags in [&["-g"][..], &[]] {
        let (found, _) = reports(source, flags);
        let errors = found["errors"].as_array().map_or(0, Vec::len);
        assert_eq!(errors, 2, "{flags:?}: {found}");
    }
}
