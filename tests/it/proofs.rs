//! Verdicts of TRUE: said where nothing was decided in place of the program, and nowhere else.

use crate::support::{TestDir, text};

const HEAD: &str = "#include <assert.h>\n#include <errno.h>\n#include <malloc.h>\n#include <setjmp.h>\n\
    #include <signal.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <sys/resource.h>\n#include <sys/stat.h>\n#include <unistd.h>\n\
    int __VERIFIER_nondet_int(void);\nunsigned char __VERIFIER_nondet_uchar(void);\n\
    double __VERIFIER_nondet_double(void);\nvoid __VERIFIER_assume(int);\n\
    void reach_error(void) {}\n";

/// Input and answers of the machine: none of them is the only one.
const ENVIRONMENT: &[&str] = &[
    "int main(int argc, char **argv) { if (argc > 1) reach_error(); return 0; }",
    "int main(int argc, char **argv) { char **next = argv + 1; if (*next) reach_error(); }",
    "int main(int argc, char **argv, char **set) { if (set[0]) reach_error(); }",
    "extern char **environ; int main(void) { if (environ[0]) reach_error(); }",
    "int main(void) { if (getchar() == 'x') reach_error(); }",
    "int main(void) { char line[9]; if (fgets(line, 9, stdin)) reach_error(); }",
    "int main(void) { int n; if (scanf(\"%d\", &n) == 1) reach_error(); }",
    "int main(void) { char c; if (read(0, &c, 1) == 1) reach_error(); }",
    "int main(void) { if (fopen(\"data.txt\", \"r\")) reach_error(); }",
    "int main(void) { if (access(\"data.txt\", F_OK) == 0) reach_error(); }",
    "int main(void) { if (getenv(\"DEBUG\")) reach_error(); }",
    "int main(void) { char *(*ask)(const char *) = getenv; if (ask(\"DEBUG\")) reach_error(); }",
    "int main(void) { if (getpid() % 2) reach_error(); }",
    "int main(void) { if (sysconf(_SC_NPROCESSORS_ONLN) > 1) reach_error(); }",
    "int main(void) { if (getuid() == 0) reach_error(); }",
    "int main(void) { if (isatty(1)) reach_error(); }",
    "int main(void) { struct stat at; if (!stat(\"/tmp\", &at) && at.st_mtime % 3 == 1) reach_error(); }",
    "int main(void) { struct rusage of; getrusage(RUSAGE_SELF, &of); if (of.ru_maxrss > 100) reach_error(); }",
    "int main(void) { if (__builtin_ia32_rdtsc() % 5 == 3) reach_error(); }",
    "int main(void) { if (fgetc(fopen(\"/dev/urandom\", \"r\")) == 7) reach_error(); }",
    "int main(void) { char *block = malloc(8); if (malloc_usable_size(block) > 8) reach_error(); }",
];

/// Orders, distances and numbers of addresses.
const ADDRESSES: &[&str] = &[
    "static int one, two; int main(void) { if (&one > &two) reach_error(); }",
    "int main(void) { int one, two; if (&one < &two) reach_error(); }",
    "int main(void) { int a[2], b[2]; if (a + 2 == b || b + 2 == a) reach_error(); }",
    "int main(void) { char *block = malloc(40); if (((uintptr_t)block >> 4) % 7 == 3) reach_error(); }",
    "int main(void) { char *one = malloc(9), *two = malloc(9); if (two - one == 16) reach_error(); }",
    "int main(void) { char *small = malloc(8), *large = realloc(small, 12); if (large == small) reach_error(); }",
    "int main(void) { char *old = malloc(24); free(old); char *next = malloc(24); if (next == old) reach_error(); }",
    "int main(void) { char *p = malloc(24); uintptr_t old = (uintptr_t)p; free(p);
       if ((uintptr_t)malloc(24) == old) reach_error(); }",
    "int main(void) { const char *end = \"abc\", *whole = \"xabc\"; if (whole + 1 == end) reach_error(); }",
    "int main(void) { char text[40]; sprintf(text, \"%8p\", (void *)text); if (text[7] == '7') reach_error(); }",
    "static uintptr_t kept; int main(void) { int one; kept = (uintptr_t)&one; if (kept % 32 == 0) reach_error(); }",
    "static int one; int main(void) { if ((uintptr_t)&one & 64) reach_error(); }",
    "int main(void) { int one, *p = &one; unsigned char low; memcpy(&low, &p, 1); if (low > 127) reach_error(); }",
    "static int one, two; int main(void) { int *p = &one, *q = &two; if (memcmp(&p, &q, sizeof p) > 0) reach_error(); }",
    "static unsigned sum(const unsigned char *p, int n) { unsigned x = 5381; while (n--) x = x * 33 + *p++; return x; }
     int main(void) { struct { void *p; long n; } key = {&key, 1}; if (sum((unsigned char *)&key, sizeof key) % 4 == 1) reach_error(); }",
    "union number { void *p; int n; }; int main(void) { union number u; u.p = &u; if (u.n % 32 == 16) reach_error(); }",
];

/// Operands whose order of evaluation changes the result.
const ORDERS: &[&str] = &[
    "static int n; static int next(void) { return ++n; } static int less(int a, int b) { return a - b; }
     int main(void) { if (less(next(), next()) > 0) reach_error(); }",
    "static int n; static int one(void) { return n = 1; } static int two(void) { return n = 2; }
     int main(void) { int sum = one() + two(); if (n == 1) reach_error(); return sum; }",
    "static int i; static int set(void) { i = 1; return 5; }
     int main(void) { int row[2] = {0, 0}; row[i] = set(); if (row[0] == 5) reach_error(); }",
    "static int n; static int next(void) { return n++; }
     int main(void) { if (n + next() == 1) reach_error(); }",
    "static int add(int *p) { return *p += 2; } int main(void) { int x = 1; if (add(&x) * x == 3) reach_error(); }",
    "int main(void) { int i = 1; i = i++ + ++i; if (i == 5) reach_error(); }",
    "static int difference(int a, int b) { return a - b; }
     int main(void) { int i = 1; if (difference(i, i++) == 1) reach_error(); }",
    "static void check(void) { reach_error(); } static int end(int n) { if (n > 3) exit(0); return 0; }
     static int fail(void) { check(); return 0; } int main(void) { return end(4) + fail(); }",
];

/// Programs in which no order of operands matters.
const ORDERED: &[&str] = &[
    "static int next(int n) { return n + 1; } int main(void) { if (next(1) + next(2) != 5) reach_error(); }",
    "static int n; static int next(void) { return ++n; } int main(void) { int a = (next(), next()); if (a != 2) reach_error(); }",
    "static int n; static int next(void) { return ++n; } int main(void) { if (next() && next() && n != 2) reach_error(); }",
    "static int n; static int next(void) { return ++n; } static int less(int a, int b) { return a - b; }
     int main(void) { int a = next(), b = next(); if (less(a, b) != -1) reach_error(); }",
    "static int less(int a, int b) { return a < b; }
     int main(void) { if (less(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) > 1) reach_error(); }",
    "int main(void) { int row[3] = {0}, i = 0; while (i < 3) row[i++] = __VERIFIER_nondet_uchar() | 1; if (row[2] == 0) reach_error(); }",
    "struct node { struct node *next; int n; }; static struct node *make(int n) { struct node *new = malloc(sizeof *new);
       if (!new) exit(1); new->n = n; new->next = 0; return new; }
     int main(void) { struct node *list = make(1); list->next = make(2); if (list->n + list->next->n != 3) reach_error(); }",
    "static int sum(int *row, int n) { return n ? row[0] + sum(row + 1, n - 1) : 0; }
     int main(void) { int row[3] = {1, 2, 3}; if (sum(row, 2) + sum(row, 3) != 9) reach_error(); }",
    "int main(void) { char from[4] = \"abc\", to[4], *p = from, *q = to; while ((*q++ = *p++)); if (to[2] != 'c') reach_error(); }",
];

/// Further decisions that no proof may rest on: output, room, values that are not set.
const OTHERS: &[(&str, &str)] = &[
    ("output", "int main(void) { puts(\"a\"); if (fflush(stdout)) reach_error(); }"),
    ("output", "int main(void) { if (printf(\"a\") < 0) reach_error(); }"),
    ("output", "int main(void) { int (*print)(const char *, ...) = printf; if (print(\"a\") < 0) reach_error(); }"),
    ("output", "int main(void) { errno = 0; printf(\"a\\n\"); if (errno) reach_error(); }"),
    (
        "unset",
        "static int second(int a, int b) { return b; } int main(void) { int (*call)(int) = (int (*)(int))second;
           if (call(1) == 7) reach_error(); }",
    ),
    ("allocation-failed", "int main(void) { if (malloc((size_t)1 << 40)) reach_error(); }"),
    (
        "jump",
        "static jmp_buf back; int main(void) { int seen = 1; if (setjmp(back) == 0) { seen = 2; longjmp(back, 1); }
           if (seen == 1) reach_error(); }",
    ),
    ("undefined", "int main(void) { int level; __VERIFIER_assume(level > 5); reach_error(); }"),
    ("undefined", "int main(void) { int *p = malloc(8); __VERIFIER_assume(p[1] > 5); reach_error(); }"),
    (
        "undefined",
        "int main(void) { double x = __VERIFIER_nondet_double(); if (!(x > 3e9)) return 0; if ((int)x == 7) reach_error(); }",
    ),
    (
        "undefined",
        "int main(void) { float x = 1e20f; if ((long)x == 7) reach_error(); }",
    ),
    (
        "undefined",
        "int main(void) { unsigned char byte = __VERIFIER_nondet_uchar(); _Bool flag; memcpy(&flag, &byte, 1);
           if (flag != 0 && flag != 1) reach_error(); }",
    ),
];

/// Values that were never set, which are any: the error is reached, or is not.
const UNSET: &[(bool, &str)] = &[
    (
        true,
        "int main(void) { int level; __VERIFIER_assume(level > 5); reach_error(); }",
    ),
    (
        true,
        "int main(void) { int level; __VERIFIER_assume(level < -5); reach_error(); }",
    ),
    (
        true,
        "int main(void) { int *p = malloc(8); __VERIFIER_assume(p[1] > 5); reach_error(); free(p); }",
    ),
    (
        true,
        "int main(void) { int row[9], i = __VERIFIER_nondet_uchar() % 9; row[3] = 1; if (row[i] == 77) reach_error(); }",
    ),
    (
        true,
        "int main(void) { int x, y; if (x != y) reach_error(); }",
    ),
    (
        true,
        "int main(void) { int x, y; if (x == y && x == 12) reach_error(); }",
    ),
    (
        true,
        "struct s { char c; int n; }; int main(void) { struct s a; a.c = 1; struct s b = a; if (b.n == 7) reach_error(); }",
    ),
    (
        true,
        "int main(void) { _Bool flag; if (flag) reach_error(); }",
    ),
    (
        true,
        "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 5; if (i == 1 && x == 6) reach_error(); } }",
    ),
    (
        true,
        "int main(void) { for (int i = 0; i < 2; i++) { struct { int a, b; } s; if (i && s.b == 6) reach_error(); s.b = 5; } }",
    ),
    (
        false,
        "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i) x = 5; else x = 6; if (x < 5) reach_error(); } }",
    ),
    (
        false,
        "int main(void) { int x = 4; for (int i = 0; i < 2; i++) { int *p; p = &x; if (*p != 4) reach_error(); } }",
    ),
    (
        true,
        "int main(void) { double d; if (d > 2.5 && d < 2.6) reach_error(); }",
    ),
    (
        true,
        "static int same(int n) { return n; } int main(void) { int x; if (same(x) == 3) reach_error(); }",
    ),
    (
        true,
        "int main(void) { unsigned n; int *p = alloca(8); if (n < 2 && p[n] == 9) reach_error(); }",
    ),
    (
        true,
        "int main(void) { char *p = calloc(4, 1); p = realloc(p, 8); if (p[0] || p[7] == 3) reach_error(); free(p); }",
    ),
    (
        false,
        "int main(void) { int x; int y = x; if (x != y) reach_error(); }",
    ),
    (
        false,
        "int main(void) { int x; if (x == 3 && x != 3) reach_error(); }",
    ),
    (
        false,
        "int main(void) { int *p = malloc(8), x = p[0]; if (p[0] != x) reach_error(); free(p); }",
    ),
    (
        false,
        "struct s { char c; int n; }; int main(void) { struct s a, b = a; if (a.n != b.n || a.c != b.c) reach_error(); }",
    ),
    (
        false,
        "struct s { char c; int n; }; static int f(struct s b) { return b.n; }
       int main(void) { struct s a; if (a.n != f(a)) reach_error(); }",
    ),
    (
        false,
        "int main(void) { char a[9], b[9]; memcpy(b, a, 9); if (memcmp(a, b, 9)) reach_error(); }",
    ),
    (
        false,
        "int main(void) { unsigned x; if (x % 7 > 6) reach_error(); }",
    ),
    (
        false,
        "int main(void) { int row[9], i = __VERIFIER_nondet_uchar() % 9; int x = row[i]; if (row[i] != x) reach_error(); }",
    ),
    (
        false,
        "int main(void) { int row[9], i = __VERIFIER_nondet_uchar() % 9; row[i] = 5; if (row[i] != 5) reach_error(); }",
    ),
    (
        false,
        "int main(void) { _Bool flag; if (flag != 0 && flag != 1) reach_error(); }",
    ),
    (
        false,
        "int main(void) { int sum, i; for (i = 0; i < 3; i++) sum += i & 1; int keep = sum; if (keep != sum) reach_error(); }",
    ),
];

/// Programs whose errors no run makes, with all that looks like one of the above.
const CORRECT: &[(&str, &str)] = &[
    ("unreach-call", "int main(int argc, char **argv) { (void)argc; printf(\"%d\\n\", 3); return 0; }"),
    (
        "unreach-call",
        "int main(void) { int row[9], sum = 0; for (int *p = row; p < row + 9; p++) *p = 1;
           for (int *p = row; p != row + 9; p++) sum += *p; if (sum != 9) reach_error(); }",
    ),
    (
        "unreach-call",
        "struct node { struct node *next; }; int main(void) { struct node a = {0}, b = {&a}, *at = &b;
           while (at && at != &a) at = at->next; if (at != &a) reach_error(); }",
    ),
    (
        "unreach-call",
        "static int f(void) { return 1; } static int g(void) { return 2; }
         int main(void) { int (*which)(void) = __VERIFIER_nondet_int() ? f : g; if (which != f && which() == 1) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { int row[9], i = __VERIFIER_nondet_int(); if (i < 0 || i > 8) return 0;
           if (&row[i] - row != i || &row[i] < row) reach_error(); }",
    ),
    (
        "unreach-call",
        "int main(void) { char *p = malloc(3); void *kept = (void *)(uintptr_t)p; if (kept != p) reach_error(); free(p); }",
    ),
    (
        "unreach-call",
        "int main(void) { double x = __VERIFIER_nondet_double(); if (!(x > -3 && x < 3e9)) return 0;
           if (x < 2147483648.0 && (int)x < -2) reach_error(); }",
    ),
    (
        "unreach-call",
        "static jmp_buf back; int main(void) { volatile int seen = 1; if (setjmp(back) == 0) { seen = 2; longjmp(back, 1); }
           if (seen == 1) reach_error(); }",
    ),
    ("unreach-call", "int main(void) { _Bool flag = __VERIFIER_nondet_uchar() == 3; if (flag != 0 && flag != 1) reach_error(); }"),
    ("valid-memsafety", "static int down(unsigned n) { int room[100]; room[0] = n; return n ? down(n - 1) + (room[0] & 1) : 0; }
         int main(void) { return down(30000) == 3; }"),
    ("valid-memsafety", "int main(void) { char *p = malloc(3); if (__VERIFIER_nondet_int()) abort(); free(p); }"),
    ("valid-memsafety", "static int two(char *a, int b) { free(a); return b; } static int end(void) { _exit(0); }
         int main(void) { return two(malloc(3), end()); }"),
    ("valid-memsafety", "int main(void) { char *p = malloc((size_t)-1); if (p) reach_error(); }"),
];

/// Blocks that are lost where a path ends otherwise than by a return.
const LOST: &[&str] = &[
    "abort();",
    "_exit(0);",
    "assert(block);",
    "raise(SIGTERM);",
    "__VERIFIER_assume(block != 0);",
    "__builtin_trap();",
];

/// The verdict on a program in a file without suffix, after these options.
fn verdict(place: &TestDir, words: &[&str]) -> String {
    let limits = ["--max-time", "5000000i", "--output-dir", "out"];
    let output = place.output(&[words, &limits[..]].concat());
    let said = text(&output) + &String::from_utf8_lossy(&output.stdout);
    std::fs::remove_dir_all(place.path("out")).expect("an output directory");
    let verdict = said.lines().find_map(|line| {
        let at = line.find("verdict: ")?;
        line.get(at + "verdict: ".len()..).map(str::to_string)
    });
    verdict.unwrap_or_else(|| panic!("no verdict: {said}"))
}

fn judged(property: &str, program: &str, options: &[&str]) -> String {
    let place = TestDir::new();
    place.compile("task", &format!("{HEAD}{program}\n"));
    verdict(
        &place,
        &[&["run", "task.bc", "--property", property], options].concat(),
    )
}

#[test]
fn the_environment_and_addresses_have_no_single_value() {
    let environment = ENVIRONMENT.iter().map(|program| ("environment", *program));
    let addresses = ADDRESSES.iter().map(|program| ("addresses", *program));
    for (mark, program) in environment.chain(addresses) {
        let verdict = judged("unreach-call", program, &[]);
        let is_reached = mark == "environment" && verdict.starts_with("FALSE");
        let is_right = is_reached || (verdict.starts_with("UNKNOWN") && verdict.contains(mark));
        assert!(is_right, "{program}: {verdict}");
    }
}

#[test]
fn no_proof_rests_on_an_order_of_evaluation() {
    for program in ORDERS {
        let verdict = judged("unreach-call", program, &[]);
        assert!(!verdict.starts_with("TRUE"), "{program}: {verdict}");
    }
    for program in ORDERED {
        let verdict = judged("unreach-call", program, &[]);
        assert!(verdict.starts_with("TRUE"), "{program}: {verdict}");
    }
}

#[test]
fn no_error_rests_on_an_allocation_without_room() {
    let program = "int main(void) { char *p = malloc((size_t)1 << 40); if (!p) reach_error(); }";
    let verdict = judged("unreach-call", program, &[]);
    assert!(
        verdict.starts_with("UNKNOWN") && verdict.contains("allocation-failed"),
        "{verdict}"
    );
}

#[test]
fn output_room_and_unset_values_are_not_taken_for_granted() {
    for (reason, program) in OTHERS {
        let verdict = judged("unreach-call", program, &[]);
        let is_right = verdict.starts_with("FALSE")
            || (verdict.starts_with("UNKNOWN") && verdict.contains(reason));
        assert!(is_right, "{program}: {verdict}");
    }
}

#[test]
fn values_that_were_never_set_are_any_value() {
    for (reached, program) in UNSET {
        let verdict = judged("unreach-call", program, &[]);
        let expected = if *reached { "FALSE" } else { "TRUE" };
        assert!(verdict.starts_with(expected), "{program}: {verdict}");
    }
}

#[test]
fn a_test_lists_values_that_were_never_set_and_a_replay_cannot_give_them() {
    let place = TestDir::new();
    let program = "#include <stdlib.h>\nint main(void) {\n  int level, *p = malloc(4);\n\
        if (level == 7)\n    if (*p == 5) return 1;\n  return 2; }\n";
    place.compile("task", program);
    place.output(&["run", "task.bc", "--undef-any", "--output-dir", "out"]);
    let tests = std::fs::read_dir(place.path("out")).expect("an output directory");
    let files = tests.map(|entry| entry.expect("an entry").path());
    let objects: Vec<Vec<u8>> = files
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "ktest"))
        .map(|path| std::fs::read(path).expect("a test"))
        .collect();
    let has = |name: &[u8]| {
        let count = |test: &&Vec<u8>| test.windows(name.len()).any(|part| part == name);
        objects.iter().filter(count).count()
    };
    let counts = (objects.len(), has(b"undef:level:4"), has(b"undef:heap:5"));
    assert_eq!(counts, (3, 3, 2));
    std::fs::write(place.path("task.c"), program).expect("a file");
    let tested = place.output(&["test", "task.c", "--undef-any", "--output-dir", "tested"]);
    let said = String::from_utf8_lossy(&tested.stdout);
    assert!(said.contains("All paths explored"), "{said}");
    assert!(!said.contains("homi predicts exit"), "{said}");
    let shown = place.output(&["explain", "out/test000002.ktest"]);
    let shown = String::from_utf8_lossy(&shown.stdout);
    let value = "value of 'level' (never set, read in line 4) is ";
    assert!(
        shown.contains(value) && shown.contains("replay cannot give"),
        "{shown}"
    );
}

#[test]
fn correct_programs_stay_true() {
    for (property, program) in CORRECT {
        let verdict = judged(property, program, &[]);
        assert!(verdict.starts_with("TRUE"), "{program}: {verdict}");
    }
}

#[test]
fn blocks_are_lost_at_every_end() {
    for end in LOST {
        let program = format!("int main(void) {{ char *block = malloc(4); block = 0; {end} }}");
        let verdict = judged("valid-memsafety", &program, &[]);
        assert!(
            verdict.starts_with("FALSE (valid-memsafety): valid-memtrack"),
            "{end}: {verdict}"
        );
    }
}

/// Unset memory of any size is looked at once.
#[test]
fn pointers_in_large_blocks_are_found() {
    let program = |at: &str, kept: &str| {
        format!(
            "static char **block; int main(void) {{ block = malloc(1UL << 33); if (!block) return \
             0; block[{at}] = malloc(8); {kept} return 0; }}"
        )
    };
    let found = judged("valid-memsafety", &program("1UL << 27", ""), &[]);
    assert!(found.contains("TRUE"), "{found}");
    let lost = judged(
        "valid-memsafety",
        &program("1UL << 27", "block[1UL << 27] = 0;"),
        &[],
    );
    assert!(
        lost.contains("FALSE (valid-memsafety): valid-memtrack"),
        "{lost}"
    );
}

#[test]
fn a_stack_that_is_too_small_violates_nothing() {
    let recursion = "int down(int n) { volatile int room[9999999]; room[0] = n; return n ? down(n - 1) : room[0]; }
        int main(void) { return down(900); }";
    let array =
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < -2 || n > 3 || n == 0) return 0;
        int row[n]; row[0] = 1; return row[0] == 2; }";
    for program in [recursion, array] {
        let verdict = judged("valid-memsafety", program, &[]);
        let expected =
            "UNKNOWN (valid-memsafety): a path ended otherwise: memory error: stack overflow";
        assert!(verdict.starts_with(expected), "{program}: {verdict}");
    }
}

#[test]
fn subsumption_does_not_hide_unset_values() {
    let unset = [
        "int main(void) { int level; if (level == 1234) reach_error(); }",
        "int main(void) { int row[3]; row[0] = 1; if (row[1] == 1234) reach_error(); }",
        "int main(void) { int *p = malloc(8); if (p[1] == 1234) reach_error(); }",
    ];
    for program in unset {
        let verdict = judged("unreach-call", program, &["--subsume"]);
        assert!(verdict.starts_with("UNKNOWN"), "{program}: {verdict}");
    }
    let set = "int main(void) { int row[3] = {0}, n = __VERIFIER_nondet_int(); row[1] = n > 3;
        if (row[1] + row[2] > 1) reach_error(); }";
    let verdict = judged("unreach-call", set, &["--subsume"]);
    assert!(verdict.starts_with("TRUE"), "{verdict}");
}

#[test]
fn constants_that_overflow_are_seen_by_the_compiler() {
    let constants = ["2147483647 + 1", "-(-2147483647 - 1)", "100000 * 100000"];
    for constant in constants {
        let place = TestDir::new();
        let program = format!("int main(void) {{ int n = {constant}; return n == 5; }}\n");
        place.compile("task", &program);
        let bitcode = verdict(&place, &["run", "task.bc", "--property", "no-overflow"]);
        assert!(
            bitcode.starts_with("UNKNOWN (no-overflow)"),
            "{constant}: {bitcode}"
        );
        let source = verdict(&place, &["test", "task.c", "--property", "no-overflow"]);
        assert!(
            source.starts_with("FALSE (no-overflow)"),
            "{constant}: {source}"
        );
    }
    let place = TestDir::new();
    std::fs::write(place.path("task.c"), format!("{HEAD}{SUM}")).expect("a file");
    let source = verdict(&place, &["test", "task.c", "--property", "no-overflow"]);
    assert!(source.starts_with("TRUE (no-overflow)"), "{source}");
}

/// A sum that fits.
const SUM: &str = "int main(void) { int n = __VERIFIER_nondet_uchar(); return n + 1 == 77; }\n";

#[test]
fn sums_that_nobody_reads_are_checked() {
    let sums = [
        "most + n;",
        "(void)(-(least + n - n));",
        "(void)(most * (n + 2));",
        "int kept = most + n;",
    ];
    for sum in sums {
        let program = format!(
            "int main(void) {{ int most = INT32_MAX, least = INT32_MIN, n = 1; {sum} return least == n; }}"
        );
        let verdict = judged("no-overflow", &program, &[]);
        assert!(
            verdict.starts_with("FALSE (no-overflow)"),
            "{sum}: {verdict}"
        );
    }
}
