//! What programs under test do: arguments, output, processes, locks, functions that nobody defines.

use super::files;
use crate::support::Place;
use std::fs;

#[test]
fn the_programs_own_arguments_and_output() {
    let place = Place::new();
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
    for words in [
        &["args.bc", "--quiet", "--", "--seed", "x y"][..],
        &["--quiet", "args.bc", "--", "--seed", "x y"],
    ] {
        let summary = place.run(words);
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
fn undefined_functions_are_warnings_and_gaps() {
    let place = Place::new();
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
    assert_eq!(summary["paths"]["gap"], 1);
    assert_eq!(summary["paths"]["completed"], 1);
    let gap = summary["gaps"][0]["what"].as_str().unwrap_or_default();
    assert!(gap.contains("nowhere"), "{gap}");
    let warnings = fs::read_to_string(place.path("homi-last/warnings.txt")).expect("warnings.txt");
    assert!(warnings.contains("nowhere"), "{warnings}");
    let lines = warnings.lines();
    let ended: Vec<_> = lines
        .filter(|line| line.contains("paths end early at ") && line.contains("undefined.c:6"))
        .collect();
    assert_eq!(ended.len(), 1, "{warnings}");
    // A campaign's next run would end in the same gap.
    let args = ["--prune", "homi", "--max-time", "1h", "--quiet"];
    let summary = place.run(&[&["undefined.bc"][..], &args].concat());
    assert_eq!(summary["stop_reason"], "no-states-left");
    assert_eq!(summary["campaign"]["runs"], 1);
}

#[test]
fn a_second_process_is_a_path_of_its_own_however_libc_starts_it() {
    let place = Place::new();
    for (call, paths) in [
        // The child ends in one way, a status that somebody asks for in two.
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
        assert_eq!(summary["gaps"], serde_json::json!([]), "{call}");
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
    let place = Place::new();
    place.compile("deadlock", DEADLOCK);
    let summary = place.run(&["deadlock.bc"]);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["errors"][0]["kind"], "deadlock", "{summary}");
    assert_eq!(files(&place.path("homi-last"), ".deadlock.err").len(), 1);
    assert_eq!(summary["tests"], 2);
}
