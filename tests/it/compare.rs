//! `homi compare`: finds differences of two versions and reports only real ones.

use crate::support::{TestDir, text};
use std::fs;

/// Common beginning of both programs.
const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

fn compared(old: &str, new: &str, arguments: &[&str]) -> (TestDir, String, Option<i32>) {
    let place = TestDir::new();
    for (name, body) in [("old.c", old), ("new.c", new)] {
        fs::write(place.path(name), format!("{HEAD}{body}\n")).expect("a file");
    }
    let output = place
        .homi()
        .args([
            "compare",
            "old.c",
            "new.c",
            "--max-time",
            "6000000i",
            "--output-dir",
            "out",
        ])
        .args(arguments)
        .output()
        .expect("homi runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &text(&output);
    (place, said, output.status.code())
}

/// Old, new, what differs, a line of the report.
const DIFFERENT: [(&str, &str, &str, &str); 4] = [
    (
        "int main(int c, char **v) { return c > 1 && v[1][0] == 'q' ? 4 : 0; }",
        "int main(int c, char **v) { return c > 1 && v[1][0] == 'q' ? 5 : 0; }",
        "another exit status",
        "   new      exit 5",
    ),
    (
        "int main(int c, char **v) { if (c > 1 && !strcmp(v[1], \"-v\")) puts(\"one\"); return 0; }",
        "int main(int c, char **v) { if (c > 1 && !strcmp(v[1], \"-v\")) puts(\"two\"); return 0; }",
        "another output",
        "output   first at byte 1, line 1, column 1: old \"one\\n\", new \"two\\n\"",
    ),
    // No branch depends on it.
    (
        "int main(int c, char **v) { if (c > 1) printf(\"%d\\n\", v[1][0] * 2); return 0; }",
        "int main(int c, char **v) { if (c > 1) printf(\"%d\\n\", v[1][0] * 3); return 0; }",
        "another output",
        "output   first at byte ",
    ),
    (
        "int main(int c, char **v) { if (c > 1 && v[1][0] == 'z') fputs(\"bad\\n\", stderr); return 0; }",
        "int main(int c, char **v) { if (c > 1 && v[1][0] == 'z') abort(); return 0; }",
        "another exit status, error output",
        "errors   first at byte 1, line 1, column 1: old \"bad\\n\", new ends there",
    ),
];

#[test]
fn differences_are_found_and_shown_with_what_both_did() {
    for (old, new, what, exact) in DIFFERENT {
        let (place, said, status) = compared(old, new, &["--", "--sym-args", "0", "1", "2"]);
        assert_eq!(status, Some(3), "{said}");
        assert!(said.contains(what), "{what}: {said}");
        assert!(said.contains(exact), "{exact}: {said}");
        let json = fs::read_to_string(place.path("out/comparison.json")).expect("a report");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let first = &json["differences"][0];
        let kinds = first["what"].as_array().expect("a list");
        let kinds: Vec<_> = kinds.iter().filter_map(|one| one.as_str()).collect();
        assert_eq!(format!("another {}", kinds.join(", ")), what, "{json}");
        assert!(
            first["printed"].is_array() && first["ended"].is_array(),
            "{json}"
        );
    }
}

/// Only an input of the new version's tests shows it: both are explored, also by campaigns of
/// several threads, of which the first is over when the second begins.
#[test]
fn both_versions_are_explored() {
    let [old, new] = [5, 4].map(|limit| {
        format!(
            "int main(int c, char **v) {{ if (c < 2) return 1; int n = v[1][0] - '0';
             if (n > {limit}) {{ puts(\"big\"); return 2; }} puts(\"small\"); return 0; }}"
        )
    });
    for threads in ["1", "2"] {
        let arguments = [
            "--prune",
            "homi",
            "--threads",
            threads,
            "--",
            "--sym-arg",
            "2",
        ];
        let (_, said, status) = compared(&old, &new, &arguments);
        assert_eq!(status, Some(3), "{threads} threads: {said}");
        assert!(said.contains("new      exit 2"), "{said}");
        assert!(!said.contains("interrupted"), "{said}");
        let shown = said.matches("input    arguments: 5\n").count();
        assert!(shown <= 1, "the same input twice: {said}");
    }
}

#[test]
fn the_same_code_in_another_form_is_no_difference() {
    let old = "int main(int c, char **v) { if (c < 2) { fprintf(stderr, \"usage: %s WORD\\n\", v[0]); return 2; } return v[1][0] & 1 ? 1 : 0; }";
    let new = "int main(int c, char **v) { if (c != 1) return (unsigned char)*v[1] % 2; fprintf(stderr, \"usage: %s WORD\\n\", *v); return 2; }";
    let (_place, said, status) = compared(old, new, &["--", "--sym-args", "0", "1", "1"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("No difference between"), "{said}");
}

#[test]
fn a_program_that_does_not_do_the_same_twice_is_counted_apart() {
    let random = "int main(void) { int local; printf(\"%p\\n\", (void *)&local); return 0; }";
    let (_place, said, status) = compared(random, random, &[]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn bitcode_and_one_program_are_refused() {
    let place = TestDir::new();
    place.compile("a", "int main(void) { return 0; }\n");
    for (arguments, told) in [
        (&["compare", "a.bc", "a.bc"][..], "does not run natively"),
        (&["compare", "a.bc"], "expected two programs"),
    ] {
        let output = place.output(arguments);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(told), "{said}");
    }
}
