//! `homi replay`, `homi ktest` and `homi explain` from the outside: what they print, what they
//! refuse, and with which exit status.

use crate::support::{self, wait_until};
use homi::native::testcase::ktest::KTest;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn homi(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(support::homi())
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("homi runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A directory with a program `p` and a test `out/test000001.ktest` for it.
fn bench(coverage: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let code = "#include <stdio.h>\nint main(int c, char **v) {\n  if (c > 1) puts(v[1]);\n  return c - 1;\n}\n";
    fs::write(path.join("p.c"), code).unwrap();
    let mut compiler = Command::new("gcc");
    compiler
        .args(["-O0", "-g", "p.c", "-o", "p"])
        .args(coverage);
    support::run(compiler.current_dir(path));
    fs::create_dir(path.join("out")).unwrap();
    let mut test = KTest::new(["p.bc", "--sym-arg", "2"]);
    test.push("arg00", b"hi\0".to_vec());
    test.write(&path.join("out/test000001.ktest")).unwrap();
    directory
}

#[test]
fn a_replay_prints_a_table_and_writes_its_files() {
    let bench = bench(&["--coverage"]);
    let arguments = [
        "replay",
        "--gcov",
        "--show-output",
        "--json",
        "r.json",
        "--lcov",
        "r.info",
        "p",
        "out",
    ];
    let output = homi(bench.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let line = table
        .lines()
        .find(|line| line.starts_with("test000001"))
        .unwrap();
    let columns: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        (columns[1], columns[2], columns[4], columns[5]),
        ("exit", "1", "1", "1")
    );
    assert!(table.contains("\n    hi\n"), "{table}");
    assert!(
        table.ends_with("1 of 2  p.c\n1 of 2 branches covered (50.0 %)\n"),
        "{table}"
    );
    let json = fs::read(bench.path().join("r.json")).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["tests"][0]["status"], "exit 1");
    let lcov = fs::read_to_string(bench.path().join("r.info")).unwrap();
    assert!(
        lcov.contains("BRDA:3,0,0,1\nBRDA:3,0,1,0\n")
            || lcov.contains("BRDA:3,0,0,0\nBRDA:3,0,1,1\n")
    );
    // A program built for coverage needs no `--gcov`, and its missing counts are no divergence.
    let plain = text(&homi(bench.path(), &["replay", "p", "out"]).stdout);
    assert!(
        plain.ends_with("1 of 2 branches covered (50.0 %)\n"),
        "{plain}"
    );
    // Nothing was written where the program was built.
    assert!(!bench.path().join("p.gcda").exists());
}

#[test]
fn bad_input_is_named_and_does_not_panic() {
    let bench = bench(&[]);
    let whole = fs::read(bench.path().join("out/test000001.ktest")).unwrap();
    fs::write(bench.path().join("out/test000002.ktest"), &whole[..30]).unwrap();
    let fails = |arguments: &[&str], status: i32, wanted: &str| {
        let output = homi(bench.path(), arguments);
        let message = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {message}"
        );
        assert!(message.contains(wanted), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    };
    // The good test is run all the same.
    fails(
        &["replay", "p", "out"],
        1,
        "out/test000002.ktest: truncated at offset",
    );
    fails(
        &["replay", "--gcov", "p", "out"],
        1,
        "gcc --coverage -O0 -g",
    );
    fails(&["replay", "nope", "out"], 1, "nope");
    fails(&["replay", "p", "nowhere"], 1, "nowhere");
    fails(&["replay", "p"], 2, "<DIR|KTEST>");
    fails(&["replay", "--lcov", "x", "p", "out"], 2, "--gcov");
    fails(&["replay", "--timeout", "soon", "p", "out"], 2, "soon");
    fails(
        &[
            "replay",
            "--json",
            "/nonexistent/r",
            "p",
            "out/test000001.ktest",
        ],
        1,
        "/nonexistent/r",
    );
    fails(&["ktest", "out/test000002.ktest"], 1, "truncated at offset");
    fails(&["ktest", "p.c"], 1, "not a .ktest file");
    fails(
        &["explain", "out/test000002.ktest"],
        1,
        "truncated at offset",
    );
    fails(&["explain", "missing"], 1, "cannot read missing");
}

#[test]
fn tests_are_printed_taken_apart_and_explained() {
    let bench = bench(&[]);
    let file = "out/test000001.ktest";
    let output = homi(bench.path(), &["ktest", file]);
    let printed = text(&output.stdout);
    assert!(
        printed.starts_with("ktest file : 'out/test000001.ktest'\n"),
        "{printed}"
    );
    assert!(
        printed.contains("object 0: data: b'hi\\x00'\n"),
        "{printed}"
    );
    homi(
        bench.path(),
        &["ktest", "--extract", "arg00", "--trim-zeros", file],
    );
    let extracted: PathBuf = bench.path().join("out/test000001.ktest.arg00");
    assert_eq!(fs::read(extracted).unwrap(), b"hi");
    let output = homi(bench.path(), &["explain", "--exe", "p", file]);
    let explained = text(&output.stdout);
    assert!(explained.contains("  arguments  hi\n"), "{explained}");
    assert!(explained.contains("/p hi < /dev/null"), "{explained}");
}

/// A program that counts the entries of its directory: ".", ".." and the symbolic file.
const COUNTS: &str = "#include <dirent.h>\n#include <sys/stat.h>\nint main(void) {\n  struct stat file;\n  int count = 0;\n  \
    DIR *here = opendir(\".\");\n  if (!here) return 90;\n  while (readdir(here)) count++;\n  \
    return stat(\"A\", &file) ? 91 : stat(\"no\", &file) ? count : 92;\n}\n";

#[test]
fn the_directory_of_a_run_may_be_missing_or_unreadable() {
    let bench = bench(&[]);
    let path = bench.path();
    fs::write(path.join("count.c"), COUNTS).unwrap();
    for compiler in [
        &["clang-19", "-c", "-emit-llvm"][..],
        &["gcc", "-o", "count"],
    ] {
        let mut command = Command::new(compiler[0]);
        command.args(&compiler[1..]).args(["-g", "count.c"]);
        support::run(command.current_dir(path));
    }
    let here = path.join("here");
    fs::create_dir(&here).unwrap();
    let run = [
        "run",
        "--quiet",
        "--all-tests",
        "--output-dir",
        "../counted",
        "../count.bc",
        "--",
        "--sym-files",
        "1",
        "4",
    ];
    let done = homi(&here, &run);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let replayed = |what: &str| {
        let done = homi(path, &["replay", "count", "counted"]);
        let said = text(&done.stdout);
        assert!(
            said.contains("exit 3") && !said.contains("exit 2") && !said.contains("exit 9"),
            "{what}: {said}"
        );
    };
    replayed("there");
    fs::set_permissions(&here, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    replayed("closed");
    fs::remove_dir(&here).unwrap();
    replayed("gone");
}

/// True if a process of this name (at most 15 bytes) runs; a zombie does not count.
fn is_running(name: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let mut states =
        processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let living = format!("({name}) ");
    let dead = format!("({name}) Z");
    states.any(|state| state.contains(&living) && !state.contains(&dead))
}

#[test]
fn a_program_that_never_ends_dies_with_a_killed_homi() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let name = format!("spin{}", std::process::id());
    fs::write(path.join("p.c"), "int main(void) { for (;;); }\n").unwrap();
    let mut compiler = Command::new("gcc");
    support::run(compiler.args(["p.c", "-o", &name]).current_dir(path));
    fs::create_dir(path.join("out")).unwrap();
    let test = KTest::new([format!("{name}.bc")]);
    test.write(&path.join("out/test000001.ktest")).unwrap();
    let mut replay = Command::new(support::homi())
        .args(["replay", "--timeout", "300s", &name, "out"])
        .current_dir(path)
        .spawn()
        .expect("homi runs");
    wait_until("it begins", || is_running(&name));
    replay.kill().expect("a signal");
    replay.wait().expect("an end");
    wait_until("it ends", || !is_running(&name));
}

/// A program that reads a symbolic file, and a test that gives it one, in a directory that everyone
/// may enter.
fn file_bench(options: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    let code = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"A\", \"r\");\n\
                if (!f) return 9; return getc(f); }\n";
    fs::write(path.join("p.c"), code).unwrap();
    let mut compiler = Command::new("gcc");
    compiler.args(["-O0", "-g", "p.c", "-o", "p"]).args(options);
    support::run(compiler.current_dir(path));
    let source = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"A\", \"r\");\n\
                  if (!f) return 9; if (getc(f) == 7) return 7; return 1; }\n";
    fs::write(path.join("q.c"), source).unwrap();
    support::bitcode(&["-g"], &path.join("q.c"));
    let arguments = [
        "run",
        "--quiet",
        "--all-tests",
        "q.bc",
        "--",
        "--sym-files",
        "1",
        "1",
    ];
    let output = homi(path, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    directory
}

/// Output of `homi replay` for all tests, with a TMPDIR.
fn replay_with(path: &Path, temporary: &Path, arguments: &[&str]) -> (Output, Vec<String>) {
    let mut command = Command::new(support::homi());
    command.args(["replay", "--json", "r.json"]).args(arguments);
    command.current_dir(path).env("TMPDIR", temporary);
    let output = command.output().expect("homi runs");
    let json = fs::read(path.join("r.json")).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap_or_default();
    let tests = json["tests"].as_array().cloned().unwrap_or_default();
    let status = |test: &serde_json::Value| test["status"].as_str().unwrap_or_default().to_string();
    let mut statuses: Vec<String> = tests.iter().map(status).collect();
    statuses.sort();
    statuses.dedup();
    (output, statuses)
}

#[test]
fn a_temporary_directory_that_is_closed_to_the_sandbox_changes_no_replay() {
    let bench = file_bench(&[]);
    let path = bench.path();
    let (_, open) = replay_with(path, &std::env::temp_dir(), &["p", "homi-last"]);
    assert!(open.iter().any(|status| status == "exit 7"), "{open:?}");
    for (name, mode) in [
        ("closed", 0o700),
        ("with space", 0o755),
        ("with:colon", 0o755),
    ] {
        let temporary = path.join(name);
        fs::create_dir(&temporary).unwrap();
        fs::set_permissions(&temporary, fs::Permissions::from_mode(mode)).unwrap();
        let (output, statuses) = replay_with(path, &temporary, &["p", "homi-last"]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{name}: {}",
            text(&output.stderr)
        );
        assert_eq!(statuses, open, "{name}");
    }
}

#[test]
fn a_replay_without_the_model_is_an_error() {
    let bench = file_bench(&["-static"]);
    let path = bench.path();
    let temporary = std::env::temp_dir();
    let (output, statuses) = replay_with(path, &temporary, &["p", "homi-last"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(
        statuses
            .iter()
            .all(|status| status.starts_with("error: the program is statically linked")),
        "{statuses:?}"
    );
    // The user may want it so.
    let arguments = ["--real-files", "p", "homi-last"];
    let (_, statuses) = replay_with(path, &temporary, &arguments);
    assert!(
        statuses.iter().any(|status| status == "exit 7"),
        "{statuses:?}"
    );
}

#[test]
fn a_program_that_the_loader_gives_no_model_is_an_error() {
    let bench = file_bench(&[]);
    let path = bench.path();
    fs::write(path.join("s.c"), "int main(void) { return 3; }\n").unwrap();
    fs::write(path.join("name"), "/lib64/ld-linux-x86-64.so.2\0").unwrap();
    let build = |program: &str, arguments: &[&str]| {
        support::run(Command::new(program).args(arguments).current_dir(path));
    };
    // It looks as if the loader started it.
    build("gcc", &["-static", "s.c", "-o", "static"]);
    build("objcopy", &["--add-section", ".interp=name", "static", "s"]);
    // The C library does not start it.
    let start = "#include <unistd.h>\nvoid _start(void) { _exit(3); }\n";
    fs::write(path.join("t.c"), start).unwrap();
    build("gcc", &["-nostartfiles", "t.c", "-o", "t"]);
    for (program, reason) in [
        ("s", "was not loaded, so the program"),
        ("t", "ended before main"),
    ] {
        let arguments = [program, "homi-last"];
        let (output, statuses) = replay_with(path, &std::env::temp_dir(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let all = statuses.iter().all(|status| status.contains(reason));
        assert!(all && !statuses.is_empty(), "{statuses:?}");
    }
}

#[test]
fn a_harness_that_cannot_use_its_test_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let code = "#include <klee/klee.h>\nint main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\");\n\
                return x == 5 ? 5 : 0; }\n";
    fs::write(path.join("h.c"), code).unwrap();
    let root = support::root();
    let mut compiler = Command::new("gcc");
    compiler.args(["-o", "h", "h.c", "-I"]);
    compiler.arg(root.join("runtime/include"));
    compiler.arg(root.join("runtime/replay/klee_runtime.c"));
    support::run(compiler.current_dir(path));
    let test = |name: &str, object: &str| {
        let mut test = KTest::new(["h.bc"]);
        test.push(object, 5_u32.to_le_bytes());
        test.write(&path.join(name)).unwrap();
    };
    test("good.ktest", "x");
    test("bad.ktest", "y");
    let temporary = std::env::temp_dir();
    let (output, statuses) = replay_with(path, &temporary, &["h", "good.ktest"]);
    assert_eq!(statuses, ["exit 5"], "{}", text(&output.stderr));
    let (output, statuses) = replay_with(path, &temporary, &["h", "bad.ktest"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        statuses
            .iter()
            .all(|status| status.contains("object name mismatch")),
        "{statuses:?}"
    );
}
