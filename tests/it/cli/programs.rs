//! Behavior of programs under test: arguments, output, processes, locks, undefined functions.

use super::files;
use crate::support::{TestDir, bitcode, summary, text};
use std::fs;

#[test]
fn the_programs_own_arguments_and_output() {
    let place = TestDir::new();
    place.compile(
        "args",
        r#"
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);
  fprintf(stderr, "%d\n", argc);
  return 5;
}
"#,
    );
    for arguments in [
        &["args.bc", "--quiet", "--", "--seed", "x y"][..],
        &["--quiet", "args.bc", "--", "--seed", "x y"],
    ] {
        let summary = place.run(arguments);
        assert_eq!(summary["args"][0], "--seed");
        assert_eq!(summary["exit_statuses"]["5"], 1);
        let out = place.path("homi-last");
        let printed = fs::read_to_string(out.join("stdout.txt")).expect("stdout.txt");
        assert_eq!(printed, "args\n--seed\nx y\n");
        let printed = fs::read_to_string(out.join("stderr.txt")).expect("stderr.txt");
        assert_eq!(printed, "3\n");
    }
    let output = place
        .homi()
        .args(["run", "args.bc", "--show-output", "--quiet", "--", "hello"])
        .output()
        .expect("homi runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "args\nhello\n");
}

#[test]
fn undefined_functions_are_warnings_and_unsupported() {
    let place = TestDir::new();
    place.compile(
        "undefined",
        r#"
#include <klee/klee.h>
int nowhere(int);
int main(void) {
  int x = klee_int("x");
  if (x == 77) return nowhere(x);
  return 0;
}
"#,
    );
    let summary = place.run(&["undefined.bc", "--quiet"]);
    assert_eq!(summary["paths"]["unsupported"], 1);
    assert_eq!(summary["paths"]["completed"], 1);
    let unsupported = summary["unsupported"][0]["what"]
        .as_str()
        .unwrap_or_default();
    assert!(unsupported.contains("nowhere"), "{unsupported}");
    let warnings = fs::read_to_string(place.path("homi-last/warnings.txt")).expect("warnings.txt");
    assert!(warnings.contains("nowhere"), "{warnings}");
    let lines = warnings.lines();
    let ended: Vec<_> = lines
        .filter(|line| line.contains("paths end early at ") && line.contains("undefined.c:6"))
        .collect();
    assert_eq!(ended.len(), 1, "{warnings}");
    // A campaign's next run would end in the same unsupported feature.
    let args = [
        "--prune",
        "homi",
        "--threads",
        "1",
        "--max-time",
        "1h",
        "--quiet",
    ];
    let summary = place.run(&[&["undefined.bc"][..], &args].concat());
    assert_eq!(summary["stop_reason"], "no-states-left");
    assert_eq!(summary["campaign"]["runs"], 1);
}

#[test]
fn a_second_process_is_a_separate_path_however_libc_starts_it() {
    let place = TestDir::new();
    for (call, paths) in [
        // The child ends in one way; a queried exit status has two values.
        ("system(\"true\")", 3),
        ("pclose(popen(\"true\", \"r\"))", 3),
        (
            "posix_spawnp(&(pid_t){0}, \"true\", 0, 0, (char *[]){\"true\", 0}, 0)",
            2,
        ),
        ("wordexp(\"$(true)\", &(wordexp_t){0}, 0)", 3),
        ("fork()", 2),
        ("vfork() ? 0 : (_exit(0), 0)", 2),
    ] {
        let source = format!(
            "#include <spawn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <wordexp.h>\n\
             int main(void) {{ {call}; return 0; }}\n"
        );
        place.compile("starts", &source);
        let summary = place.run(&["starts.bc", "--quiet"]);
        assert_eq!(summary["errors"], serde_json::json!([]), "{call}");
        assert_eq!(summary["unsupported"], serde_json::json!([]), "{call}");
        assert_eq!(summary["paths"]["completed"], paths, "{call}");
    }
}

/// Two locks, taken in either order by two threads that hold one each, unless `same` is not 0.
const DEADLOCK: &str = r#"
#include <pthread.h>
#include <klee/klee.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *other(void *unused) {
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return unused;
}
int main(void) {
    int same;
    pthread_t thread;
    klee_make_symbolic(&same, sizeof same, "same");
    if (same) return 0;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
    pthread_join(thread, 0);
    return 0;
}
"#;

#[test]
fn a_deadlock_is_a_bug_with_a_test() {
    let place = TestDir::new();
    place.compile("deadlock", DEADLOCK);
    let summary = place.run(&["deadlock.bc"]);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["errors"][0]["kind"], "deadlock", "{summary}");
    assert_eq!(files(&place.path("homi-last"), ".deadlock.err").len(), 1);
    assert_eq!(summary["tests"], 2);
}

/// Two tables of distances from their starts, read through a pointer that is one or the other.
const RELATIVE: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@first = internal constant [2 x i8] c"AB"
@last = internal constant [2 x i8] c"CD"
@table = internal constant [2 x i32] [
  i32 0,
  i32 trunc (i64 sub (i64 ptrtoint (ptr @first to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
@second = internal constant [2 x i32] [
  i32 trunc (i64 sub (i64 ptrtoint (ptr @first to i64), i64 ptrtoint (ptr @second to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr @last to i64), i64 ptrtoint (ptr @second to i64)) to i32)]
@name = private constant [2 x i8] c"c\00"
declare ptr @llvm.load.relative.i64(ptr, i64)
declare i32 @klee_range(i32, i32, ptr)
define i32 @main() {
  %n = call i32 @klee_range(i32 0, i32 2, ptr @name)
  %c = icmp eq i32 %n, 1
  %b = select i1 %c, ptr @table, ptr @second
  %p = call ptr @llvm.load.relative.i64(ptr %b, i64 4)
  %v = load i8, ptr %p
  %r = zext i8 %v to i32
  br i1 %c, label %left, label %right
left:
  ret i32 %r
right:
  %q = call ptr @llvm.load.relative.i64(ptr @second, i64 0)
  %w = load i8, ptr %q
  %s = zext i8 %w to i32
  %t = shl i32 %s, 1
  %u = xor i32 %t, %r
  ret i32 %u
}
"#;

#[test]
fn tables_of_relative_addresses_are_read_through_any_pointer() {
    let place = TestDir::new();
    let file = place.path("relative.ll");
    fs::write(&file, RELATIVE).expect("write the source");
    bitcode(&["-w"], &file);
    let output = place.output(&["run", "relative.bc", "--libc", "none", "--all-tests"]);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("WARNING"), "{said}");
    let found = summary(&place.path("homi-last"));
    let statuses = found["exit_statuses"].as_object().expect("a table");
    let (left, right) = (u32::from(b'A'), u32::from(b'A') << 1 ^ u32::from(b'C'));
    for status in [left, right] {
        assert_eq!(statuses[&status.to_string()], 1, "{found}");
    }
}
