//! `runtime/replay/klee_runtime.c`: a natively compiled harness gets its inputs from a .ktest file,
//! and a file that does not belong to it is refused with a message that says why.

use crate::support;
use homi::native::testcase::ktest::KTest;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn build(directory: &Path) -> PathBuf {
    let root = support::root();
    let executable = directory.join("harness");
    support::run(
        Command::new("cc")
            .args(["-Wall", "-Wextra", "-Werror", "-I"])
            .arg(root.join("runtime/include"))
            .arg(support::data("runtime/replay_harness.c"))
            .arg(root.join("runtime/replay/klee_runtime.c"))
            .arg("-o")
            .arg(&executable),
    );
    executable
}

/// The inputs of the harness, in its order, some replaced.
fn inputs(replaced: &[(usize, &str, &[u8])]) -> KTest {
    let mut objects: Vec<(&str, &[u8])> = vec![
        ("text", b"abcd"),
        ("unnamed", &[7, 0, 0, 0]),
        ("small", &[4, 0, 0, 0]),
        ("any", &[255, 255, 255, 255]),
        ("klee_choose", &[2, 0, 0, 0, 0, 0, 0, 0]),
    ];
    for (index, name, bytes) in replaced {
        if bytes.is_empty() {
            objects.truncate(*index);
        } else {
            objects[*index] = (name, bytes);
        }
    }
    let mut test = KTest::new(["harness.bc"]);
    for (name, bytes) in objects {
        test.push(name, bytes);
    }
    test
}

fn run(executable: &Path, bytes: &[u8], environment: &[(&str, &str)]) -> Output {
    let file = executable.with_extension("ktest");
    fs::write(&file, bytes).expect("the test is written");
    Command::new(executable)
        .env_remove("KLEE_RUN_TEST_ERRORS_NON_FATAL")
        .env("KTEST_FILE", &file)
        .envs(environment.iter().copied())
        .output()
        .expect("the harness runs")
}

#[test]
fn a_harness_reads_its_inputs_and_refuses_foreign_ones() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let executable = build(directory.path());

    let output = run(&executable, &inputs(&[]).to_bytes(), &[]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "abcd 7 3 4 -1 2 1 0 7\n"
    );
    assert_eq!(output.status.code(), Some(4));

    let cut_off = {
        let bytes = inputs(&[]).to_bytes();
        bytes[..bytes.len() - 3].to_vec()
    };
    let refused: [(Vec<u8>, &str); 8] = [
        (
            inputs(&[(0, "other", b"abcd")]).to_bytes(),
            "object name mismatch. Requesting \"text\" but returning \"other\"",
        ),
        (
            inputs(&[(0, "text", b"abc")]).to_bytes(),
            "object sizes differ. Expected 4 but got 3",
        ),
        (
            inputs(&[(3, "", b"")]).to_bytes(),
            "out of inputs. Will use zero if continuing.",
        ),
        (
            inputs(&[(1, "unnamed", &[0, 0, 0, 0])]).to_bytes(),
            "invalid klee_assume",
        ),
        (
            inputs(&[(2, "small", &[10, 0, 0, 0])]).to_bytes(),
            "invalid klee_range(0,10,small) value, got: 10",
        ),
        (
            inputs(&[(4, "klee_choose", &[5, 0, 0, 0, 0, 0, 0, 0])]).to_bytes(),
            "klee_choose failure. max = 5, got = 5",
        ),
        (cut_off, "the file is cut off"),
        (b"KTESX".to_vec(), "not a .ktest file"),
    ];
    for (bytes, message) in refused {
        let output = run(&executable, &bytes, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}: {stderr}");
        assert!(stderr.contains(message), "{message}: {stderr}");
    }

    let output = run(
        &executable,
        &inputs(&[(3, "", b"")]).to_bytes(),
        &[("KLEE_RUN_TEST_ERRORS_NON_FATAL", "1")],
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "abcd 7 3 4 0 0 1 0 7\n"
    );

    let output = run(
        &executable,
        &inputs(&[(2, "small", &[9, 0, 0, 0])]).to_bytes(),
        &[],
    );
    assert_eq!(output.status.code(), None, "klee_assert aborts");
}

/// A harness whose exit status is the path that it took.
const HARNESS: &str = r#"#include <klee/klee.h>
int main(void) {
  int x = klee_range(0, 100, "x");
  unsigned char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[2] == 0);
  if (x > 50) return text[0] == 'a' ? 1 : 2;
  if (text[1] == 'b') return 3;
  return x == 9 ? 4 : 5;
}
"#;

/// Every test of a run takes its own path natively, with the library under KLEE's name.
#[test]
fn each_test_of_a_run_replays_with_the_library() {
    let place = support::TestDir::new();
    let root = support::root();
    place.compile("harness", HARNESS);
    place.succeeds(&["klee", "--output-dir=out", "harness.bc"]);
    let library = place.path("libkleeRuntest.so");
    support::run(
        Command::new("cc")
            .args(["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I"])
            .arg(root.join("runtime/include"))
            .arg(root.join("runtime/replay/klee_runtime.c"))
            .arg("-o")
            .arg(&library),
    );
    let harness = place.path("harness");
    support::run(
        Command::new("cc")
            .arg("-I")
            .arg(root.join("runtime/include"))
            .arg(place.path("harness.c"))
            .arg("-L")
            .arg(place.directory.path())
            .args(["-lkleeRuntest", "-o"])
            .arg(&harness),
    );
    let statuses = |file: &Path| {
        let output = Command::new(&harness)
            .env("KTEST_FILE", file)
            .env("LD_LIBRARY_PATH", place.directory.path())
            .output()
            .expect("the harness runs");
        let said = support::text(&output);
        assert!(said.is_empty(), "{}: {said}", file.display());
        output.status.code().expect("no signal")
    };
    let tests = support::files(&place.path("out")).into_iter();
    let tests = tests.filter(|file| file.extension().is_some_and(|ending| ending == "ktest"));
    let taken: std::collections::BTreeSet<i32> = tests.map(|file| statuses(&file)).collect();
    let summary = support::summary(&place.path("out"));
    let expected = summary["exit_statuses"]
        .as_object()
        .expect("statuses")
        .keys();
    let expected: std::collections::BTreeSet<i32> = expected
        .map(|status| status.parse().expect("a number"))
        .collect();
    assert_eq!(taken, expected);
}
