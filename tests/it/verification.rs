//! Tasks of SV-COMP and Test-Comp: their functions, properties, verdicts and test suites.

use crate::support::{TestDir, bitcode, summary, text};
use std::fs;

/// Property, task, what the verdict begins with.
const TASKS: [(&str, &str, &str); 24] = [
    (
        "unreach-call",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 77) reach_error(); return 0; }",
        "FALSE (unreach-call): unreach-call: reach_error was called",
    ),
    (
        "unreach-call",
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); if (x == 2) reach_error(); return 0; }",
        "TRUE (unreach-call)",
    ),
    (
        "unreach-call",
        "void my_end(void) { __assert_fail(\"0\", \"a.c\", 3, \"my_end\"); }
int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); if (x > 250) my_end(); if (x > 255) reach_error(); return 0; }",
        "TRUE (unreach-call)",
    ),
    (
        "unreach-call",
        "int main(void) { int a[2], x = __VERIFIER_nondet_int(); if (x == 5) return a[x]; return 0; }",
        "UNKNOWN (unreach-call): a path ended otherwise: memory error",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i != n) reach_error(); return 0; }",
        "TRUE (unreach-call)",
    ),
    (
        "unreach-call",
        "void missing(int);\nint main(void) { missing(__VERIFIER_nondet_int()); return 0; }",
        "UNKNOWN (unreach-call)",
    ),
    (
        "unreach-call",
        "#include <pthread.h>
static void *run(void *p) { return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }",
        "UNKNOWN (unreach-call): the program met a model limitation: thread-order",
    ),
    (
        "no-overflow",
        "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > 0; }",
        "FALSE (no-overflow): no-overflow: ",
    ),
    (
        "no-overflow",
        "int main(void) { short x = __VERIFIER_nondet_short(); return x + 1 > 0; }",
        "TRUE (no-overflow)",
    ),
    (
        "valid-memsafety",
        "int main(void) { char *p = malloc(4); free(p); if (__VERIFIER_nondet_bool()) free(p); return 0; }",
        "FALSE (valid-memsafety): valid-free: ",
    ),
    (
        "valid-memsafety",
        "int main(void) { char *p = malloc(4); char c = p[__VERIFIER_nondet_uchar()]; free(p); return c; }",
        "FALSE (valid-memsafety): valid-deref: ",
    ),
    (
        "valid-memsafety",
        "int main(void) { char *p = malloc(4); p = 0; return __VERIFIER_nondet_char() == 3; }",
        "FALSE (valid-memsafety): valid-memtrack: ",
    ),
    (
        "valid-memcleanup",
        "int main(void) { char *p = malloc(4); free(p); return 0; }",
        "TRUE (valid-memcleanup)",
    ),
    (
        "termination",
        "int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); while (n > 3) n--; return 0; }",
        "TRUE (termination)",
    ),
    (
        "unreach-call",
        "int main(void) { int x; if (x == 5) reach_error(); return 0; }",
        "FALSE (unreach-call)",
    ),
    (
        "unreach-call",
        "int main(void) { int *p = malloc(8); if (p && p[1] == 5) reach_error(); free(p); return 0; }",
        "FALSE (unreach-call)",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (__builtin_ctz(x) > 32) reach_error(); return 0; }",
        "UNKNOWN (unreach-call): a path ended otherwise: branch on an undefined value",
    ),
    (
        "unreach-call",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x); if (__builtin_ctz(x) > 31) reach_error(); return 0; }",
        "TRUE (unreach-call)",
    ),
    (
        "unreach-call",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0 && x + 1 < 0 && x != 2147483647) reach_error(); return 0; }",
        "TRUE (unreach-call)",
    ),
    (
        "no-overflow",
        "int main(void) { int x; int y = x + 1; return y != 0; }",
        "FALSE (no-overflow): ",
    ),
    (
        "no-overflow",
        "int main(void) { int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 1024 && n >= 0 && n <= 21); return (x << n) != 0; }",
        "UNKNOWN (no-overflow): the run is an under-approximation: shift",
    ),
    (
        "no-overflow",
        "int main(void) { int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 1024 && n >= 0 && n <= 20); return (x << n) != 0; }",
        "TRUE (no-overflow)",
    ),
    (
        "valid-memsafety",
        "int main(void) { int a[4], i; if (__VERIFIER_nondet_bool()) i = 2; a[1] = 0; return a[i & 3] ? 1 : 0; }",
        "TRUE (valid-memsafety)",
    ),
    (
        "valid-memsafety",
        "int main(void) { int a[4], i; if (__VERIFIER_nondet_bool()) i = 2; a[1] = 0; return a[i & 7] ? 1 : 0; }",
        "FALSE (valid-memsafety): valid-deref: ",
    ),
];

const HEAD: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void); extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int); extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) {}
";

const PLAIN: [&str; 4] = ["-g", "-O0", "-Xclang", "-disable-O0-optnone"];
/// The compiler checks sums before it folds the sums of constants.
const CHECKED: [&str; 2] = [
    "-fsanitize=signed-integer-overflow",
    "-frecord-command-line",
];

#[test]
fn verdicts_are_right_or_unknown() {
    for (property, task, expected) in TASKS {
        let place = TestDir::new();
        let source = place.path("task.c");
        fs::write(&source, format!("{HEAD}{task}\n")).expect("a file");
        let checked = if property == "no-overflow" {
            &CHECKED[..]
        } else {
            &[]
        };
        bitcode(&[&PLAIN[..], checked].concat(), &source);
        let arguments = [
            "run",
            "task.bc",
            "--property",
            property,
            "--max-time",
            "3000000i",
            "--output-dir",
            "out",
        ];
        let output = place.output(&arguments);
        let said = text(&output);
        let verdict = said
            .lines()
            .find_map(|line| line.strip_prefix("homi: verdict: "));
        let verdict = verdict.unwrap_or_else(|| panic!("no verdict on {task}: {said}"));
        assert!(verdict.starts_with(expected), "{task}: {verdict}");
        let kept = &summary(&place.path("out"))["verdict"];
        assert_eq!(kept["property"], property);
    }
}

#[test]
fn every_input_function_gives_values_of_its_type() {
    let types = [
        ("bool", "_Bool"),
        ("char", "char"),
        ("uchar", "unsigned char"),
        ("short", "short"),
        ("ushort", "unsigned short"),
        ("int", "int"),
        ("uint", "unsigned"),
        ("long", "long"),
        ("ulong", "unsigned long"),
        ("longlong", "long long"),
        ("ulonglong", "unsigned long long"),
        ("int128", "__int128"),
        ("size_t", "unsigned long"),
        ("loff_t", "long long"),
        ("sector_t", "unsigned long"),
        ("float", "float"),
        ("double", "double"),
        ("pointer", "void *"),
        ("pchar", "char *"),
    ];
    let mut task = String::new();
    let mut body = String::new();
    for (name, of) in types {
        task += &format!("extern {of} __VERIFIER_nondet_{name}(void);\n");
        body += &format!("  if (!__VERIFIER_nondet_{name}()) return 1;\n");
    }
    task += "extern void __VERIFIER_nondet_memory(void *, unsigned long);\n";
    task += "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n";
    body += "  char m[2]; __VERIFIER_atomic_begin(); __VERIFIER_nondet_memory(m, 2); __VERIFIER_atomic_end();\n";
    task += &format!("int main(void) {{\n{body}  return m[1] == 'x' ? 2 : 3;\n}}\n");
    let place = TestDir::new();
    fs::write(place.path("t.c"), task).expect("a file");
    let arguments = [
        "test",
        "t.c",
        "--max-time",
        "3000000i",
        "--output-dir",
        "out",
        "--export",
        "test-comp",
    ];
    let output = place.output(&arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &text(&output);
    assert!(said.contains("No bug found"), "{said}");
    let kept = summary(&place.path("out"));
    // One path for each function that returns zero, and two at the end.
    assert_eq!(kept["exit_statuses"]["1"], types.len(), "{said}");
    assert_eq!(
        (&kept["exit_statuses"]["2"], &kept["exit_statuses"]["3"]),
        (&1.into(), &1.into())
    );
    let suite = fs::read_dir(place.path("out/test-suite"))
        .expect("a suite")
        .count();
    assert_eq!(suite as u64, kept["tests"].as_u64().expect("a number") + 1);
}

#[test]
fn a_suite_has_the_values_in_order_and_no_test_of_a_cut_path() {
    let place = TestDir::new();
    let task = "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == -5);
  if (__VERIFIER_nondet_uchar() == 200) reach_error(); return 0; }\n";
    fs::write(place.path("t.c"), format!("{HEAD}{task}")).expect("a file");
    let property = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n";
    fs::write(place.path("p.prp"), property).expect("a file");
    let arguments = [
        "test",
        "t.c",
        "--property",
        "p.prp",
        "--output-dir",
        "out",
        "--all-tests",
    ];
    let output = place.output(&arguments);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("verdict: DONE (coverage-error-call): the call is covered"),
        "{said}"
    );
    let suite = place.path("out/test-suite");
    let files = fs::read_dir(&suite).expect("a suite");
    let texts: Vec<String> = files
        .map(|file| fs::read_to_string(file.expect("a file").path()).expect("text"))
        .collect();
    let cases: Vec<&String> = texts
        .iter()
        .filter(|text| text.contains("<testcase"))
        .collect();
    let covering = "<testcase coversError=\"true\">\n  <input type=\"int\">-5</input>\n  <input \
                    type=\"unsigned char\">200</input>\n";
    assert!(
        cases.iter().any(|text| text.contains(covering)),
        "{texts:?}"
    );
    assert!(cases.iter().all(|text| text.contains(">-5<")), "{texts:?}");
    let metadata = texts
        .iter()
        .find(|text| text.contains("<test-metadata>"))
        .expect("metadata");
    assert!(
        metadata.contains("<programfile>t.c</programfile>"),
        "{metadata}"
    );
    assert!(
        metadata.contains("COVER EDGES(@CALL(reach_error))"),
        "{metadata}"
    );
}

#[test]
fn an_unknown_property_is_refused_with_the_known() {
    let place = TestDir::new();
    place.compile("t", "int main(void) { return 0; }\n");
    fs::write(place.path("p.prp"), "CHECK( init(main()), LTL(G nice) )\n").expect("a file");
    let output = place.output(&["run", "t.bc", "--property", "p.prp"]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("LTL(G nice)") && said.contains("valid-memsafety"),
        "{said}"
    );
}
