//! Replays of hand-made tests on small programs: what counts, what is reported, what is refused.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::sandbox::{SandboxKind, available};
use super::*;
use crate::testcase::RunEnvironment;
use crate::testcase::ktest::KTest;
use homi_ir::util::waiting::{HANGS_AFTER, processes_with, wait_until};

/// A program whose ends lose gcov's counts unless something keeps them.
const ENDINGS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int deep(int n) { volatile char frame[4096]; frame[0] = n; return n < 0 ? 0 : deep(n + 1) + frame[0]; }
static void clean(int s) { signal(s, SIG_DFL); raise(s); }
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "return")) return 5;
  if (!strcmp(how, "_exit")) _exit(6);
  if (!strcmp(how, "_Exit")) _Exit(7);
  if (!strcmp(how, "quick")) quick_exit(8);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "null")) *(volatile int *)0 = 1;
  if (!strcmp(how, "stack")) return deep(1);
  if (!strcmp(how, "divide")) return argc / (argc - 2);
  if (!strcmp(how, "term")) { signal(SIGTERM, clean); raise(SIGTERM); }
  if (!strcmp(how, "loop")) for (;;) if (argc++ > 100) argc = 3;
  if (!strcmp(how, "stubborn")) { signal(SIGTERM, SIG_IGN); signal(SIGINT, SIG_IGN); for (;;) pause(); }
  if (!strcmp(how, "clear")) { clearenv(); abort(); }
  if (!strcmp(how, "fork")) { if (fork() == 0) _exit(argc > 1 ? 3 : 4); wait(0); return 9; }
  return 0;
}
"#;

/// (argument, expected status)
const ENDINGS_EXPECTED: [(&str, &str); 13] = [
    ("return", "exit 5"),
    ("_exit", "exit 6"),
    ("_Exit", "exit 7"),
    ("quick", "exit 8"),
    ("abort", "signal SIGABRT"),
    ("null", "signal SIGSEGV"),
    ("stack", "signal SIGSEGV"),
    ("divide", "signal SIGFPE"),
    ("term", "signal SIGTERM"),
    ("loop", "timeout"),
    ("stubborn", "timeout"),
    ("clear", "signal SIGABRT"),
    ("fork", "exit 9"),
];

struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Bench { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn compile(&self, code: &str, options: &[&str]) -> PathBuf {
        fs::write(self.path("p.c"), code).unwrap();
        let output = Command::new("gcc")
            .args(["-O0", "-g", "-w", "p.c", "-o", "p"])
            .args(options)
            .current_dir(self.directory.path())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        self.path("p")
    }

    /// A test without objects: the arguments are concrete.
    fn concrete(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let arguments = ["p.bc"].iter().chain(arguments);
        self.write(
            name,
            &KTest::new(arguments.map(|argument| argument.as_bytes().to_vec())),
        )
    }

    fn write(&self, name: &str, test: &KTest) -> PathBuf {
        let path = self.path(name);
        test.write(&path).unwrap();
        path
    }
}

/// Replays tests that all end.
fn replay(exe: &Path, tests: &[PathBuf], gcov: bool, kind: Option<SandboxKind>) -> Replay {
    replay_within(HANGS_AFTER, exe, tests, gcov, kind)
}

fn replay_within(
    timeout: Duration,
    exe: &Path,
    tests: &[PathBuf],
    gcov: bool,
    kind: Option<SandboxKind>,
) -> Replay {
    let mut options = ReplayOptions {
        exe: exe.to_path_buf(),
        tests: tests.to_vec(),
        gcov,
        sandbox: kind,
        ..ReplayOptions::default()
    };
    options.limits.timeout = timeout;
    let mut seen = 0;
    let result = run(&options, &mut |_| {
        seen += 1;
        Ok(())
    });
    let result = result.unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(seen, result.results.len());
    result
}

fn expected_ending(test: &TestResult) -> (&str, &'static str) {
    let how = test.test.file_stem().unwrap().to_str().unwrap();
    let expected = ENDINGS_EXPECTED.iter().find(|(h, _)| *h == how);
    (how, expected.unwrap().1)
}

/// True if the machine was too slow for a test: one that ends did not end in time, or one that does
/// not had not begun.
fn was_too_slow(test: &TestResult) -> bool {
    match expected_ending(test).1 {
        "timeout" => test.counts.as_ref().is_none_or(|counts| counts.new == 0),
        _ => test.status.to_string() == "timeout",
    }
}

#[test]
fn counts_survive_every_end() {
    let bench = Bench::new();
    let exe = bench.compile(ENDINGS, &["--coverage"]);
    let tests = ENDINGS_EXPECTED.map(|(how, _)| bench.concrete(&format!("{how}.ktest"), &[how]));
    for kind in available().0 {
        let times = (0..11).map(|doubled| Duration::from_millis(700 << doubled));
        let mut results = times.map(|time| replay_within(time, &exe, &tests, true, Some(kind)));
        let result = results.find(|result| !result.results.iter().any(was_too_slow));
        let result = result.expect("time enough");
        assert_eq!(result.warnings, Vec::<String>::new());
        for test in &result.results {
            let (how, expected) = expected_ending(test);
            assert_eq!(test.status.to_string(), expected, "{how} with {kind:?}");
            let counts = test.counts.as_ref().unwrap();
            assert!(
                counts.units == 1 && counts.new >= 1,
                "{how} with {kind:?}: {counts:?}"
            );
        }
        // No test goes without an argument, and a loop or recursion cut short has no end to count.
        let program = result.program.unwrap();
        let missed: Vec<u32> = program
            .branches()
            .filter(|(_, count)| *count == 0)
            .map(|(key, _)| key.line)
            .collect();
        assert!(missed.len() <= 5, "{missed:?} with {kind:?}");
    }
}

#[test]
fn gcov_agrees_on_the_total_of_all_tests() {
    let bench = Bench::new();
    let exe = bench.compile(ENDINGS, &["--coverage"]);
    let arguments = ["return", "x", ""];
    let tests = arguments.map(|a| bench.concrete(&format!("test{a}.ktest"), &[a]));
    let result = replay(&exe, &tests, true, None);
    // The same runs by hand, counts merged by libgcov where the program was built.
    for argument in arguments {
        Command::new(&exe).arg(argument).status().unwrap();
    }
    let output = Command::new("gcov")
        .args(["-b", "-n", "p.gcda"])
        .current_dir(bench.directory.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let program = result.program.as_ref().unwrap();
    let mut lines = text.lines();
    let line = lines.find(|l| l.starts_with("Taken at least once"));
    let percent = 100.0 * program.covered() as f64 / program.total() as f64;
    let expected = format!("Taken at least once:{percent:.2}% of {}", program.total());
    assert_eq!(line, Some(expected.as_str()));
    let sum: usize = result
        .results
        .iter()
        .map(|r| r.counts.as_ref().unwrap().new)
        .sum();
    assert_eq!(sum, program.covered());
}

/// Prints what it was given.
const ECHO: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char buffer[64];
  for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
  for (int i = 0; i < 2; i++) {
    int file = i ? open("A", O_RDONLY) : 0;
    ssize_t n = read(file, buffer, sizeof buffer);
    printf("(%.*s)", (int)(n < 0 ? 0 : n), buffer);
  }
  return isatty(1);
}
"#;

#[test]
fn the_program_gets_the_tests_inputs() {
    let bench = Bench::new();
    let exe = bench.compile(ECHO, &[]);
    let arguments = "p.bc --sym-arg 3 c --sym-files 1 4 --sym-stdin 2";
    let mut test = KTest::new(arguments.split(' '));
    test.push("arg00", b"a b\0".to_vec());
    test.push("A_data", b"data".to_vec());
    test.push("A_data_stat", [0; 144]);
    test.push("stdin", b"in".to_vec());
    test.push("stdin_stat", [0; 144]);
    let good = bench.write("test000001.ktest", &test);
    test.objects[1].bytes.pop();
    let bad = bench.write("test000002.ktest", &test);
    let cut = bench.path("test000003.ktest");
    fs::write(&cut, &test.to_bytes()[..60]).unwrap();
    let result = replay(&exe, &[good, bad, cut], false, None);
    let [good, bad, cut] = &result.results[..] else {
        panic!("{}", result.results.len());
    };
    assert_eq!(good.status.to_string(), "exit 0");
    assert_eq!(String::from_utf8_lossy(&good.stdout), "[a b][c](in)(data)");
    let text = bad.status.to_string();
    assert_eq!(
        text,
        "error: object \"A_data\" has 3 bytes where --sym-files 1 4 makes 4"
    );
    let text = cut.status.to_string();
    assert!(text.starts_with("error: truncated at offset"), "{text}");
}

/// Prints what only a model can say.
const ASKS: &str = r#"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct stat s; struct timespec t; char buffer[64];
  fstat(0, &s);
  printf("%o %lu %ld;", s.st_mode, (unsigned long)s.st_ino, (long)s.st_blksize);
  stat(argv[1], &s);
  printf("%o %lu;", s.st_mode, (unsigned long)s.st_ino);
  clock_gettime(CLOCK_REALTIME, &t);
  printf("%ld %ld;", (long)t.tv_sec, t.tv_nsec);
  for (int i = 0; i < 3; i++) {
    ssize_t n = read(0, buffer, 1);
    printf("%zd%s ", n, n < 0 && errno == EIO ? "io" : "");
  }
  int file = open("given", O_RDONLY);
  ssize_t n = read(file, buffer, sizeof buffer);
  printf("%.*s;", (int)(n < 0 ? 0 : n), buffer);
  file = open("made", O_CREAT | O_WRONLY, 0644);
  printf("%zd", write(file, "x", 1));
  extern char **environ;
  for (char **e = environ; *e; e++) printf(";%s", *e);
  return 0;
}
"#;

const SANITIZED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
int main(int argc, char **argv) {
  const char *how = argv[1];
  unsigned char *p = malloc(4);
  if (!strcmp(how, "leak")) { p = NULL; return 3; }
  if (!strcmp(how, "fresh")) return p[2];
  if (!strcmp(how, "large")) return malloc((size_t)1 << 50) == NULL ? 4 : 5;
  if (!strcmp(how, "hidden")) return getenv("ASAN_OPTIONS") == NULL ? 6 : 7;
  if (!strcmp(how, "over")) p[atoi("4")] = 1;
  free(p);
  if (!strcmp(how, "after")) return p[0];
  return 0;
}
"#;

#[test]
fn a_program_with_a_sanitizer_reports_and_aborts() {
    let fresh = format!("exit {}", homi_machine::memory::UNINITIALISED);
    let expected = [
        ("fine", "exit 0", ""),
        ("leak", "exit 3", ""),
        ("fresh", fresh.as_str(), ""),
        ("large", "exit 4", "failed to allocate"),
        ("hidden", "exit 6", ""),
        ("over", "signal SIGABRT", "heap-buffer-overflow"),
        ("after", "signal SIGABRT", "heap-use-after-free"),
    ];
    let bench = Bench::new();
    let exe = bench.compile(SANITIZED, &["-fsanitize=address"]);
    for kind in available().0 {
        let options = ReplayOptions {
            exe: exe.clone(),
            tests: expected
                .map(|(how, ..)| bench.concrete(&format!("{how}.ktest"), &[how]))
                .to_vec(),
            sandbox: Some(kind),
            ..ReplayOptions::default()
        };
        let result = run(&options, &mut |_| Ok(())).unwrap();
        assert_eq!(result.warnings, Vec::<String>::new());
        for (how, status, report) in expected {
            let named = |test: &&super::session::TestResult| test.test.file_stem().unwrap() == how;
            let test = result.results.iter().find(named).unwrap();
            let text = String::from_utf8_lossy(&test.stderr);
            assert_eq!(test.status.to_string(), status, "{kind:?} {how}: {text}");
            assert!(text.contains(report), "{kind:?} {how}: {text}");
            assert!(
                !status.ends_with("ABRT") || text.contains("in main"),
                "{kind:?} {how}: {text}"
            );
        }
    }
}

#[test]
fn statistics_failures_clock_and_files_are_the_models() {
    let bench = Bench::new();
    let exe = bench.compile(ASKS, &[]);
    let here = bench.path("here");
    fs::create_dir(&here).unwrap();
    fs::write(here.join("given"), "text").unwrap();
    let run_environment = RunEnvironment {
        directory: here.clone(),
        hidden: None,
        data: Vec::new(),
        ids: [0; 4],
        environment: vec![b"ONE=1".to_vec()],
        inputs: Vec::new(),
    };
    fs::create_dir(bench.path("out")).unwrap();
    run_environment.write(&bench.path("out")).unwrap();
    let stat = |mode: u32, number: u64| {
        let mut bytes = vec![0; 144];
        bytes[8..16].copy_from_slice(&number.to_le_bytes());
        bytes[24..28].copy_from_slice(&mode.to_le_bytes());
        bytes[56..64].copy_from_slice(&77u64.to_le_bytes());
        bytes
    };
    let absolute = here.join("A b");
    let absolute = absolute.to_str().unwrap();
    let mut test = KTest::new(["p.bc", absolute, "--sym-file", absolute]);
    let more = "1 --sym-stdin 3 --max-fail 1 --sym-env TWO 2";
    test.args
        .extend(more.split(' ').map(|argument| argument.into()));
    test.push("TWO", b"2\0\0".to_vec());
    test.push(format!("{absolute}_data"), b"d".to_vec());
    test.push(format!("{absolute}_data_stat"), stat(0o020_600, 9));
    test.push("stdin", b"abc".to_vec());
    test.push("stdin_stat", stat(0o060_123, 5));
    for (name, call) in [("read_fail", 2i32), ("write_fail", 0)] {
        test.push(name, call.to_le_bytes());
    }
    for name in ["close_fail", "ftruncate_fail", "getcwd_fail"] {
        test.push(name, [0; 4]);
    }
    let file = bench.write("out/test000001.ktest", &test);
    let result = &replay(&exe, std::slice::from_ref(&file), false, None).results[0];
    assert_eq!(result.status.to_string(), "exit 0");
    assert_eq!(result.notes, Vec::<String>::new());
    // A user without rights must get to the run's files; as that user homi needs no such warning.
    fs::set_permissions(&here, fs::Permissions::from_mode(0o700)).unwrap();
    let hidden = replay(&exe, std::slice::from_ref(&file), false, None).warnings;
    let root = nix::unistd::geteuid().is_root();
    assert_eq!(
        hidden
            .iter()
            .any(|text| text.contains("cannot enter the run's directory")),
        root,
        "{hidden:?}"
    );
    let expected = "60123 5 77;20600 9;1700000000 1000;1 -1io 1 text;1;TWO=2;ONE=1";
    assert_eq!(String::from_utf8_lossy(&result.stdout), expected);
    assert!(
        !here.join("made").exists(),
        "the host's files are read only"
    );
    // Without the model, the absolute file has no place.
    let options = ReplayOptions {
        exe,
        tests: vec![file],
        real_files: true,
        ..ReplayOptions::default()
    };
    let result = run(&options, &mut |_| Ok(())).unwrap();
    let text = result.results[0].status.to_string();
    assert!(
        text.contains("outside the program's directory, so only the modelled"),
        "{text}"
    );
}

/// Every other test sleeps, and each reads its input to the end: who kept another's pipe open would
/// hold it up.
#[test]
fn tests_at_the_same_time_give_the_same_results_in_order() {
    let bench = Bench::new();
    let code = r#"
        #include <stdlib.h>
        #include <unistd.h>
        int main(int argc, char **argv) {
          char byte;
          int sum = 0, n = atoi(argv[1]);
          if (n % 2) usleep(100000);
          while (read(0, &byte, 1) == 1) sum += byte;
          write(1, argv[1], 1);
          return sum + n;
        }"#;
    let exe = bench.compile(code, &["--coverage"]);
    let tests: Vec<PathBuf> = (0..9)
        .map(|number| {
            let mut test = KTest::new(["p.bc", &number.to_string(), "--sym-stdin", "1"]);
            test.push("stdin", [number]);
            test.push("stdin_stat", vec![0; 144]);
            bench.write(&format!("{number}.ktest"), &test)
        })
        .collect();
    let at_a_time = |jobs: usize| {
        let mut options = ReplayOptions {
            exe: exe.clone(),
            tests: tests.clone(),
            gcov: true,
            real_files: true,
            jobs,
            ..ReplayOptions::default()
        };
        options.limits.timeout = HANGS_AFTER;
        let replay = run(&options, &mut |_| Ok(())).unwrap_or_else(|error| panic!("{error:#}"));
        let results = replay.results.into_iter().map(|result| {
            let counts = result.counts.map(|counts| (counts.units, counts.new));
            (result.test, result.status, result.stdout, counts)
        });
        results.collect::<Vec<_>>()
    };
    let (one, four) = (at_a_time(1), at_a_time(4));
    assert_eq!(one, four);
    for (number, (test, status, stdout, _)) in one.iter().enumerate() {
        assert_eq!(test.file_stem().unwrap(), &*number.to_string());
        assert_eq!(status.to_string(), format!("exit {}", 2 * number));
        assert_eq!(*stdout, number.to_string().into_bytes());
    }
}

#[test]
fn an_interrupt_ends_the_current_test_and_leaves_nothing() {
    let bench = Bench::new();
    let exe = bench.compile("int main(void) { for (;;) ; }", &[]);
    // No other process has it on its command line.
    let argument = format!("interrupted-{}", std::process::id());
    let tests = [
        bench.concrete("a.ktest", &[&argument]),
        bench.concrete("b.ktest", &[]),
    ];
    let mut options = ReplayOptions {
        exe,
        tests: tests.to_vec(),
        ..ReplayOptions::default()
    };
    options.limits.timeout = 2 * HANGS_AFTER;
    let flag = options.interrupt.clone();
    let stopper = std::thread::spawn(move || {
        wait_until("the program", || processes_with(&argument) > 0);
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let result = run(&options, &mut |_| Ok(())).unwrap();
    stopper.join().unwrap();
    assert!(result.interrupted && result.results.is_empty());
    let last = result.warnings.last().map(String::as_str);
    assert_eq!(last, Some("interrupted: 0 of 2 tests were replayed"));
}

#[test]
fn harness_objects_reach_the_harness() {
    let bench = Bench::new();
    let code = r#"
        #include "klee/klee.h"
        int main(int argc, char **argv) {
          int x; char c;
          klee_make_symbolic(&x, sizeof x, "x");
          klee_make_symbolic(&c, sizeof c, "c");
          return argc == 2 && argv[1][0] == 'q' ? x + c : 99;
        }"#;
    let root = homi_ir::util::installation::source_tree().display();
    let include = format!("-I{root}/runtime/include");
    let runtime = format!("{root}/runtime/replay/klee_runtime.c");
    let exe = bench.compile(code, &[&include, &runtime]);
    // Together with symbolic arguments, which KLEE's own replay cannot do.
    let mut test = KTest::new(["p.bc", "--sym-arg", "1"]);
    test.push("arg00", b"q\0".to_vec());
    test.push("x", 40i32.to_le_bytes());
    test.push("c", [2]);
    let file = bench.write("t.ktest", &test);
    let result = replay(&exe, std::slice::from_ref(&file), false, None);
    assert_eq!(result.results[0].status.to_string(), "exit 42");
    // A program that cannot take them.
    let plain = bench.compile("int main(void) { return 0; }", &[]);
    let result = replay(&plain, &[file], false, None);
    let text = result.results[0].status.to_string();
    assert!(
        text.contains("object \"x\"") && text.contains("klee_runtime.c"),
        "{text}"
    );
}

#[test]
fn tests_run_in_the_order_they_were_made() {
    let bench = Bench::new();
    let exe = bench.compile(
        "int main(int c, char **v) { return c > 1; }",
        &["--coverage"],
    );
    fs::create_dir(bench.path("out")).unwrap();
    for (name, time) in [("b", 1), ("a", 2), ("d", 3), ("c", 3)] {
        let path = bench.concrete(&format!("out/{name}.ktest"), &[]);
        let time = std::time::UNIX_EPOCH + Duration::from_secs(time);
        fs::File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(time)
            .unwrap();
    }
    let result = replay(&exe, &[bench.path("out")], true, None);
    let stems = result
        .results
        .iter()
        .map(|r| r.test.file_stem().unwrap().to_str().unwrap());
    assert_eq!(stems.collect::<String>(), "bacd");
}

#[test]
fn the_json_is_as_described() {
    let bench = Bench::new();
    let code = "int main(int c, char **v) { if (c > 1) return 1; return 0; }";
    let exe = bench.compile(code, &["--coverage"]);
    let tests = [
        bench.concrete("t1.ktest", &["x"]),
        bench.concrete("t2.ktest", &[]),
    ];
    let result = replay(&exe, &tests, true, None);
    let mut json = report::json(&result);
    for test in json["tests"].as_array_mut().unwrap() {
        assert!(test["seconds"].take().as_f64().unwrap() > 0.0);
    }
    let test = |i: usize, status: &str| {
        serde_json::json!({"test": tests[i].to_str(), "status": status, "seconds": null,
                           "branches": 1, "new": 1, "divergence": null})
    };
    let expected = serde_json::json!({
        "schema": 1, "exe": exe.to_str(), "branches_covered": 2, "branches_total": 2,
        "files": {"p.c": {"covered": 2, "total": 2}},
        "tests": [test(0, "exit 1"), test(1, "exit 0")],
    });
    assert_eq!(json, expected);
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    let order = [
        "schema",
        "exe",
        "branches_covered",
        "branches_total",
        "files",
        "tests",
    ];
    assert_eq!(keys, order);
    assert!(report::summary(&result).ends_with("2 of 2 branches covered (100.0 %)\n"));
    let plain = replay(&exe, &tests, false, None);
    assert!(report::json(&plain)["branches_total"].is_null());
}

#[test]
fn what_cannot_be_replayed_is_refused_with_a_reason() {
    let bench = Bench::new();
    let exe = bench.compile("int main(void) { return 0; }", &[]);
    let test = bench.concrete("t.ktest", &[]);
    let refused = |exe: PathBuf, test: PathBuf, gcov: bool| {
        let options = ReplayOptions {
            exe,
            tests: vec![test],
            gcov,
            ..ReplayOptions::default()
        };
        match run(&options, &mut |_| Ok(())) {
            Ok(_) => panic!("accepted"),
            Err(error) => format!("{error:#}"),
        }
    };
    let text = refused(exe.clone(), test.clone(), true);
    assert!(
        text.contains("no gcov data") && text.contains("gcc --coverage -O0 -g"),
        "{text}"
    );
    let text = refused(exe.clone(), bench.path("missing.ktest"), false);
    assert!(
        text.contains("cannot read") && text.contains("missing.ktest"),
        "{text}"
    );
    fs::create_dir(bench.path("empty")).unwrap();
    let text = refused(exe, bench.path("empty"), false);
    assert!(text.ends_with("empty has no .ktest files"), "{text}");
    let text = refused(bench.path("nope"), test.clone(), false);
    assert!(text.contains("cannot find the program"), "{text}");
    let text = refused(test.clone(), test, false);
    assert!(text.contains("is not an executable file"), "{text}");
}

/// The commands of the explanation's "By hand" part.
fn by_hand(explanation: &str) -> String {
    let part = explanation.split("By hand, in bash\n").nth(1).unwrap();
    let part = part.split("\n\n").next().unwrap();
    part.lines()
        .map(|line| line.trim_start().to_string() + "\n")
        .collect()
}

#[test]
fn the_explained_command_does_what_the_replay_does() {
    let bench = Bench::new();
    let exe = bench.compile(ECHO, &[]);
    let arguments = "p.bc --sym-args 0 2 6 end --sym-files 1 4 --sym-stdin 5";
    for (index, stdout) in ["", " --sym-stdout"].into_iter().enumerate() {
        let mut test = KTest::new((arguments.to_string() + stdout).split(' '));
        test.push("n_args", 2i32.to_le_bytes());
        test.push("arg00", b"-'\n$\\\xff\0".to_vec());
        test.push("arg01", b"\0aaaaaa".to_vec());
        test.push("A_data", b"-\0%d".to_vec());
        test.push("A_data_stat", [0; 144]);
        test.push("stdin", b"\\n\x07'\"".to_vec());
        test.push("stdin_stat", [0; 144]);
        if index == 1 {
            test.push("stdout", vec![0; 1024]);
            test.push("stdout_stat", [0; 144]);
        }
        let file = bench.write(&format!("t{index}.ktest"), &test);
        let options = explain::ExplainOptions {
            test: file.clone(),
            exe: Some(exe.clone()),
            all: false,
        };
        let text = explain::run(&options).unwrap();
        assert!(text.contains("\"-\\x00%d\"\n    2d 00 25 64\n"), "{text}");
        let output = Command::new("bash")
            .arg("-c")
            .arg(by_hand(&text))
            .output()
            .unwrap();
        let replayed = &replay(&exe, &[file], false, None).results[0];
        let show = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_eq!(show(&output.stdout), show(&replayed.stdout), "{text}");
        assert!(
            replayed
                .stdout
                .starts_with(b"[-'\n$\\\xff][][end](\\n\x07'\")(-")
        );
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn the_explanation_lists_errors_and_coverage() {
    let bench = Bench::new();
    let mut test = KTest::new(["dir/prog.bc"]);
    test.push("x", 7u32.to_le_bytes());
    let file = bench.write("test000001.ktest", &test);
    fs::write(
        bench.path("test000001.ptr.err"),
        "Error: memory error\nLine: 3\n",
    )
    .unwrap();
    fs::write(bench.path("test000010.ptr.err"), "Error: another\n").unwrap();
    let line = r#"{"test":"test000001","ended":true,"sides":[[0,0],[1,1]],"new":[[1,1]]}"#;
    fs::write(bench.path("coverage.jsonl"), line.to_string() + "\n").unwrap();
    let entry = |branch, line| serde_json::json!({"branch": branch, "sides": 2, "function": "f", "file": "p.c", "line": line});
    let table = serde_json::json!([entry(0, 4), entry(1, 5)]);
    fs::write(bench.path("branches.json"), table.to_string()).unwrap();
    let options = explain::ExplainOptions {
        test: file,
        exe: None,
        all: false,
    };
    let text = explain::run(&options).unwrap();
    let wanted = [
        "Breaks   ptr.err\n         Error: memory error\n",
        "Covers   2 branch sides, 1 for the first time\n         p.c:5 in f, side 1 of 2\n",
        "  object x, 4 bytes\n    \"\\x07\\x00\\x00\\x00\"\n    07 00 00 00\n",
        "  EXE=/path/to/prog\n",
        "KTEST_FILE=",
        "  homi replay \"$EXE\" ",
    ];
    for part in wanted {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    assert!(!text.contains("another"));
}

#[test]
fn the_explanation_counts_what_it_lists() {
    let bench = Bench::new();
    let mut test = KTest::new(["prog.bc"]);
    test.push("x", [7]);
    let file = bench.write("test000001.ktest", &test);
    for (sides, new, prediction) in [
        ("[[0,0]]", "[[0,0]]", "1 branch side, 1 for the first time"),
        (
            "[[0,0],[1,0]]",
            "[]",
            "2 branch sides, 0 for the first time",
        ),
        (
            "[[0,0]]",
            "[[0,0],[0,1],[0,1]]",
            "2 branch sides, 2 for the first time",
        ),
    ] {
        let line = format!(r#"{{"test":"test000001","ended":true,"sides":{sides},"new":{new}}}"#);
        fs::write(bench.path("coverage.jsonl"), line + "\n").unwrap();
        let options = explain::ExplainOptions {
            test: file.clone(),
            exe: None,
            all: false,
        };
        let text = explain::run(&options).unwrap();
        assert!(
            text.contains(&format!("Covers   {prediction}\n")),
            "{prediction:?}:\n{text}"
        );
        assert!(text.contains("object x, 1 byte\n"), "{text}");
        let listed = text.lines().filter(|line| line.contains("side "));
        let counted: usize = prediction
            .split(", ")
            .nth(1)
            .and_then(|part| part[..1].parse().ok())
            .unwrap();
        assert_eq!(
            listed.filter(|line| line.starts_with("   ")).count(),
            counted,
            "{text}"
        );
    }
}
