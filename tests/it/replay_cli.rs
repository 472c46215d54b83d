//! `homi replay`, `homi ktest` and `homi explain` from the outside: what they print, what they
//! refuse, and with which exit status.

use crate::support;
use homi::testcase::ktest::KTest;
use std::fs;
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
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        (words[1], words[2], words[4], words[5]),
        ("exit", "1", "1", "1")
    );
    assert!(table.contains("\n    hi\n"), "{table}");
    assert!(
        table.ends_with("     1 of      2  p.c\n1 of 2 branches covered (50.0 %)\n"),
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
        "out/test000002.ktest: cut off at offset",
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
    fails(&["ktest", "out/test000002.ktest"], 1, "cut off at offset");
    fails(&["ktest", "p.c"], 1, "not a .ktest file");
    fails(&["explain", "out/test000002.ktest"], 1, "cut off at offset");
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
fn the_directory_of_a_run_may_be_gone_or_closed() {
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

/// Whether a process of this name (at most 15 bytes) runs; one that is dead and not waited for does
/// not.
fn is_running(name: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let mut states =
        processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let living = format!("({name}) ");
    let dead = format!("({name}) Z");
    states.any(|state| state.contains(&living) && !state.contains(&dead))
}

fn wait_until(condition: impl Fn() -> bool) -> bool {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !condition() {
        if std::time::Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    true
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
    assert!(wait_until(|| is_running(&name)), "it never began");
    replay.kill().expect("a signal");
    replay.wait().expect("an end");
    assert!(wait_until(|| !is_running(&name)), "it goes on alone");
}
