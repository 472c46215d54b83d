//! `homi keep` for one function: plain C that compiles and passes without homi.

use crate::support::TestDir;
use homi::app::tester::TestedProgram;
use homi::native::testcase::ktest::KTest;
use std::fs;
use std::process::{Command, Output};

/// All that a command prints.
fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// A function with a structure and a text behind pointers.
const CLAMP: &str = "struct range { int low, high; unsigned hits; };\n\
static int clamp(struct range *r, const char *text) {\n\
  int value = *text == '-' ? -1 : *text - '0';\n\
  r->hits += 1;\n\
  if (value < r->low)\n\
    return r->low;\n\
  return value > r->high ? r->high : value;\n\
}\n\
int main(void) { return clamp(&(struct range){1, 2, 0}, \"3\"); }\n";

/// Output directory with three tests: below the range, within, and a null pointer.
fn prepare(place: &TestDir) {
    let out = place.path("out");
    fs::create_dir_all(&out).expect("a directory");
    let program = TestedProgram {
        directory: place.path("."),
        sources: vec!["clamp.c".into()],
        executable: None,
        entry: "clamp".to_string(),
        compile: Vec::new(),
        link: Vec::new(),
    };
    program.write(&out).expect("written");
    let words = |numbers: [i32; 3]| numbers.map(i32::to_le_bytes).concat();
    for (number, range) in [Some([5, 9, 0]), Some([0, 9, 7]), None]
        .into_iter()
        .enumerate()
    {
        let mut test = KTest::new(["clamp.bc"]);
        match range {
            Some(range) => {
                test.push("r:shape", [1]);
                test.push("r", words(range));
            }
            None => test.push("r:shape", [0]),
        }
        test.push("text:shape", [2]);
        test.push("text", *b"1\0\0\0\xff");
        let file = out.join(format!("test{:06}.ktest", number + 1));
        test.write(&file).expect("written");
    }
    let report = "Error: memory error: null page access\nFile: clamp.c\nLine: 4\n\
                  Stack: \n\t#0 00000000 in clamp(r=0) at clamp.c:4\n";
    fs::write(out.join("test000003.ptr.err"), report).expect("written");
    let branches =
        "[{\"branch\":0,\"sides\":2,\"function\":\"clamp\",\"file\":\"clamp.c\",\"line\":5}]";
    fs::write(out.join("branches.json"), branches).expect("written");
    let line = |number: u32, side: u32| {
        format!(
            "{{\"test\":\"test00000{number}\",\"ended\":true,\"sides\":[[0,{side}]],\"new\":[[0,{side}]]}}\n"
        )
    };
    fs::write(out.join("coverage.jsonl"), line(1, 0) + &line(2, 1)).expect("written");
}

/// Compiles the kept tests as a team does, without warnings, and runs them: status and output.
fn run(place: &TestDir, compiler: &str) -> (Option<i32>, String) {
    let status = Command::new(compiler)
        .current_dir(place.path("."))
        .args([
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            "tests/t",
            "tests/homi/test_clamp.c",
        ])
        .status();
    assert!(status.expect("a compiler").success(), "{compiler}");
    let output = Command::new(place.path("tests/t"))
        .output()
        .expect("it runs");
    (output.status.code(), text(&output))
}

#[test]
fn calls_are_plain_c_that_fails_when_the_function_changes() {
    let place = TestDir::new();
    let source = |text: &str| fs::write(place.path("clamp.c"), text).expect("written");
    source(CLAMP);
    prepare(&place);
    let said = text(&place.succeeds(&["keep", "out"]));
    assert!(said.contains("3 cases, 3 new, 1 of known bugs"), "{said}");
    let file = place.path("tests/homi/test_clamp.c");
    let first = fs::read_to_string(&file).expect("a file");
    for part in [
        "#include \"../../clamp.c\"",
        "struct range r = { .low = 5, .high = 9 };",
        "int result = clamp(&r, text);",
        "CHECK_INT(result, 5);",
        "CHECK_UINT(r.hits, 1);",
        "static void value_below_r_low(void) {",
        "covers: clamp.c:5 \"value < r->low\" true",
        "clamp(NULL, text);",
        "HOMI_BUG",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    for compiler in ["gcc", "clang-19"] {
        let (status, said) = run(&place, compiler);
        assert_eq!(status, Some(0), "{said}");
        assert!(
            said.contains("# TODO memory error: null page access"),
            "{said}"
        );
    }
    // Another layout changes no byte.
    source(&CLAMP.replace("  r->hits", "\n  /* one more */\n  r->hits"));
    place.succeeds(&["keep", "out"]);
    assert_eq!(fs::read_to_string(&file).expect("a file"), first);

    // Other behavior fails and waits; the null check turns the bug's line.
    source(&CLAMP.replace("r->hits += 1;", "if (!r) return 0;\n  r->hits += 2;"));
    let (status, said) = run(&place, "gcc");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("r.hits is 2, expected 1"), "{said}");
    assert_eq!(said.matches("\nnot ok").count(), 2, "{said}");
    let output = place.output(&["keep", "out"]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("changed  ") && said.contains("fixed    bug_"),
        "{said}"
    );
    place.succeeds(&["keep", "--accept"]);
    let (status, said) = run(&place, "gcc");
    assert_eq!(status, Some(0), "{said}");
    assert!(!said.contains("not ok") && !said.contains("TODO"), "{said}");
}

/// CMocka's header as far as the tests use it, where Debian's package is not installed: it runs
/// the tests in their order, and counts failures.
const CMOCKA_STUB: &str = r#"#include <stdio.h>
typedef void (*CMUnitTestFunction)(void **state);
struct CMUnitTest { const char *name; CMUnitTestFunction test_func; int (*setup_func)(void **);
  int (*teardown_func)(void **); void *initial_state; };
static jmp_buf stub_end;
#define skip() longjmp(stub_end, 2)
#define fail() longjmp(stub_end, 3)
static int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   int (*setup)(void **), int (*teardown)(void **)) {
  static const char *ends[] = {"OK", "", "SKIPPED", "FAILED"};
  volatile int failed = 0;
  (void)group, (void)setup, (void)teardown;
  for (volatile size_t i = 0; i < count; i++) {
    void *state = tests[i].initial_state;
    int end = setjmp(stub_end);
    if (end == 0) tests[i].test_func(&state);
    failed += end == 3;
    fprintf(stderr, "[ %s ] %s\n", ends[end], tests[i].name);
  }
  return failed;
}
"#;

/// Compiles the kept tests with CMocka, or with a stub of it, and runs them: status and output.
fn run_with_cmocka(place: &TestDir) -> (Option<i32>, String) {
    let include = place.path("include");
    let mut options = vec!["-Wall", "-Wextra", "-Werror", "-o", "tests/t"];
    options.push("tests/homi/test_clamp.c");
    if std::path::Path::new("/usr/include/cmocka.h").exists() {
        options.push("-lcmocka");
    } else {
        eprintln!("libcmocka-dev is not installed: a stub stands for it");
        fs::create_dir_all(&include).expect("a directory");
        fs::write(include.join("cmocka.h"), CMOCKA_STUB).expect("written");
        options.push("-Iinclude");
    }
    let mut gcc = Command::new("gcc");
    let compiled = gcc.current_dir(place.path(".")).args(options).output();
    let compiled = compiled.expect("a compiler");
    assert!(compiled.status.success(), "{}", text(&compiled));
    let output = Command::new(place.path("tests/t")).output();
    let output = output.expect("it runs");
    (output.status.code(), text(&output))
}

#[test]
fn cmocka_runs_the_same_cases() {
    let place = TestDir::new();
    let source = |text: &str| fs::write(place.path("clamp.c"), text).expect("written");
    source(CLAMP);
    prepare(&place);
    let register = ["keep", "out", "--as", "cmocka", "--register", "cmake"];
    let said = text(&place.succeeds(&register));
    assert!(said.contains("test_clamp.c -lcmocka"), "{said}");
    let file = fs::read_to_string(place.path("tests/homi/test_clamp.c")).expect("a file");
    assert!(file.contains("CHECK_INT(result, 5);") && file.contains("homi_cmocka.h"));
    let cmake = fs::read_to_string(place.path("tests/homi/homi.cmake")).expect("a file");
    assert!(
        cmake.contains("target_link_libraries(homi_test_clamp cmocka)"),
        "{cmake}"
    );
    let (status, said) = run_with_cmocka(&place);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("# known bug: memory error: null page access"),
        "{said}"
    );
    assert!(said.contains("SKIPPED ] clamp/bug_null"), "{said}");
    source(&CLAMP.replace("r->hits += 1;", "r->hits += 2;"));
    let (status, said) = run_with_cmocka(&place);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("r.hits is 2, expected 1"), "{said}");
}

#[test]
fn a_constant_result_and_a_stream_have_their_types() {
    let place = TestDir::new();
    let source = "#include <stdio.h>\n\
        typedef const char *text;\n\
        text name(FILE *from, unsigned number, const unsigned char *bytes) {\n\
        static const char *const names[] = { \"zero\", \"one\" };\n\
        return from && number < 2 && bytes ? names[number] : NULL;\n}\n";
    fs::write(place.path("clamp.c"), source).expect("written");
    let found = [
        "test",
        "clamp.c",
        "--entry-point",
        "name",
        "--fuzz",
        "off",
        "--output-dir",
        "out",
    ];
    place.succeeds(&found);
    place.succeeds(&["keep", "out"]);
    let kept = place.path("tests/homi/test_name.c");
    let text = fs::read_to_string(&kept).expect("a file");
    assert!(
        text.contains("const char *result = name(stdin, 0"),
        "{text}"
    );
    fs::rename(&kept, place.path("tests/homi/test_clamp.c")).expect("renamed");
    let (status, said) = run(&place, "gcc");
    assert_eq!(status, Some(0), "{said}");
}

/// A function with two boundaries on one path.
const DIGIT: &str =
    "int digit(char c) {\n  if (c >= '0' && c <= '9')\n    return 1;\n  return -1;\n}\n";

#[test]
fn a_changed_boundary_fails() {
    let place = TestDir::new();
    fs::write(place.path("digit.c"), DIGIT).expect("written");
    let fast = ["--fuzz", "off", "--compare", "off", "--quiet", "--keep"];
    let run = ["test", "digit.c", "--entry-point", "digit"];
    let said = text(&place.succeeds(&[&run[..], &fast].concat()));
    assert!(said.contains("4 cases, 4 new"), "{said}");
    let passes = |source: &str| {
        fs::write(place.path("digit.c"), source).expect("written");
        let built = Command::new("gcc")
            .current_dir(place.path("."))
            .args(["-o", "t", "tests/homi/test_digit.c"])
            .status();
        assert!(built.expect("gcc").success());
        let status = Command::new(place.path("t")).output().expect("it runs");
        status.status.success()
    };
    assert!(passes(DIGIT));
    for (old, new) in [
        (">=", ">"),
        ("<=", "<"),
        ("'9'", "':'"),
        ("'0' &&", "'/' &&"),
    ] {
        assert!(!passes(&DIGIT.replacen(old, new, 1)), "{old} to {new}");
    }
}
