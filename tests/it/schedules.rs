//! Threads to their end: a process that ends while threads live, numbers that are given again,
//! sleepers, accesses by an index.

use crate::support::{TestDir, summary, text};

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
    #include <unistd.h>\nint __VERIFIER_nondet_int(void);\nstatic int total;\nstatic pthread_t a, b;\n\
    static void *first(void *to) { total += 1; return to; }\nstatic void *second(void *to) { total += 2; return to; }\n";

/// Programs with a race, as ThreadSanitizer or a look at the program says.
const RACES: &[&str] = &[
    "int main(void) { pthread_create(&a, 0, first, 0); sleep(1); pthread_create(&b, 0, second, 0);
       pthread_join(a, 0); pthread_join(b, 0); }",
    "int main(void) { pthread_create(&a, 0, first, 0); total = 2; return 0; }",
    "int main(void) { pthread_create(&a, 0, first, 0); total = 2; exit(3); }",
    "int main(void) { pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0); _exit(0); }",
    "static void *leave(void *to) { total++; exit(1); }
     int main(void) { pthread_create(&a, 0, first, 0); pthread_create(&b, 0, leave, 0); return total == 7; }",
    "static int *both[2] = {&total, &total};
     static void *work(void *at) { **(int **)at = 1; return at; }
     int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1) return 3;
       pthread_create(&a, 0, work, &both[n]); total = 2; pthread_join(a, 0); }",
    "static int row[9]; static void *work(void *at) { row[4] = 1; return at; }
     int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 8) return 3;
       pthread_create(&a, 0, work, 0); row[n] = 2; pthread_join(a, 0); }",
];

/// Programs without a race.
const ORDERED: &[&str] = &[
    "int main(void) { pthread_create(&a, 0, first, 0); pthread_join(a, 0); pthread_create(&b, 0, second, 0);
       pthread_join(b, 0); return total - 3; }",
    "int main(void) { pthread_create(&a, 0, first, 0); return 0; }",
    "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
     static void *work(void *to) { pthread_mutex_lock(&lock); total++; pthread_mutex_unlock(&lock); return to; }
     int main(void) { pthread_create(&a, 0, work, 0); pthread_detach(a); pthread_mutex_lock(&lock); total++;
       pthread_mutex_unlock(&lock); exit(0); }",
    "static void *stay(void *to) { for (;;) pause(); }
     int main(void) { total = 1; pthread_create(&a, 0, stay, 0); total = 2; return 0; }",
    "static void *spin(void *to) { for (;;); }
     int main(void) { pthread_create(&a, 0, spin, 0); return 0; }",
    "static int row[9]; static void *work(void *at) { row[4] = 1; return at; }
     int main(void) { int n = __VERIFIER_nondet_int(); if (n < 5 || n > 8) return 3;
       pthread_create(&a, 0, work, 0); row[n] = 2; pthread_join(a, 0); }",
];

/// Programs with an assertion that fails in some order of the threads, within one preemption.
const FAILING: &[&str] = &[
    "static void *work(void *to) { assert(to); return to; }
     int main(void) { pthread_create(&a, 0, work, 0); return 0; }",
    "static void *work(void *to) { assert(to); return to; }
     int main(void) { pthread_create(&a, 0, work, 0); exit(0); }",
    "static atomic_int done; static void *work(void *to) { done = 1; return to; }
     int main(void) { pthread_create(&a, 0, work, 0); sleep(1); assert(done); pthread_join(a, 0); }",
    "static atomic_int step; static void *work(void *to) { sleep(1); step = 1; return to; }
     static void *late(void *to) { sleep(2); assert(step); return to; }
     int main(void) { pthread_create(&a, 0, work, 0); pthread_create(&b, 0, late, 0);
       pthread_join(a, 0); pthread_join(b, 0); }",
];

/// Explores a program: homi's messages and its results.
fn explored(program: &str, options: &[&str]) -> (String, serde_json::Value) {
    let place = TestDir::new();
    place.compile("task", &format!("{HEAD}{program}\n"));
    let limits = ["--max-time", "20000000i", "--output-dir", "out"];
    let words = [&["run", "task.bc"], options, &limits[..]].concat();
    let said = text(&place.output(&words));
    let summary = summary(&place.path("out"));
    (said, summary)
}

#[test]
fn races_are_found_at_every_end_of_a_program() {
    for program in RACES {
        let (said, _) = explored(program, &["--checks", "race"]);
        assert!(said.contains("data race: "), "{program}: {said}");
    }
    let (said, _) = explored(RACES[0], &["--checks", "race"]);
    assert!(
        said.contains("by thread 2, nothing orders it with"),
        "{said}"
    );
    for program in ORDERED {
        let (said, summary) = explored(program, &["--checks", "race"]);
        assert!(!said.contains("ERROR"), "{program}: {said}");
        assert_eq!(summary["stop_reason"], "exhausted", "{program}: {said}");
    }
}

#[test]
fn a_copy_that_looks_for_races_writes_no_test() {
    let program = "static void *work(void *to) { if (__VERIFIER_nondet_int()) total = 1; assert(0); return to; }
        int main(void) { pthread_create(&a, 0, work, 0); return 0; }";
    let (said, summary) = explored(program, &["--checks", "race"]);
    assert_eq!(summary["tests"], 1, "{said}");
}

#[test]
fn an_access_at_many_places_is_told() {
    let program = "static int row[99]; static void *work(void *at) { row[4] = 1; return at; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 98) return 3;
          pthread_create(&a, 0, work, 0); row[n] = 2; pthread_join(a, 0); }";
    let (said, summary) = explored(program, &["--checks", "race"]);
    let kinds = summary["underapproximations"].to_string();
    assert!(
        said.contains("data race: ") || kinds.contains("race-by-index"),
        "{said}"
    );
}

#[test]
fn threads_may_run_before_the_process_ends_and_sleepers_before_others() {
    for program in FAILING {
        let (said, _) = explored(program, &["--max-preemptions", "1"]);
        assert!(said.contains("ASSERTION FAIL"), "{program}: {said}");
    }
}
