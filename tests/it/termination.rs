//! Verdicts about ends: of loops (`termination`), and of blocks (`valid-memcleanup`).

use crate::support::{TestDir, text};

const HEAD: &str = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n\
    unsigned char __VERIFIER_nondet_uchar(void);\nvoid __VERIFIER_assume(int);\n";

/// Programs, and the verdict on their termination.
const LOOPS: &[(&str, &str)] = &[
    ("FALSE", "int main(void) { while (1) {} }"),
    ("FALSE", "int main(void) { for (;;) { int x = 3; x++; } }"),
    ("FALSE", "int main(void) { int x = __VERIFIER_nondet_int(); while (x == 77) {} return 0; }"),
    (
        "FALSE",
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
           if (x < 0 || x > 9 || y < 0 || y > 3) return 0; while (x < 20) x += y; return 0; }",
    ),
    (
        "FALSE",
        "int main(void) { int s = 0; while (s < 5) { int t = __VERIFIER_nondet_int();
           if (t > 3) s = (s + 1) % 5; else s++; } return 0; }",
    ),
    (
        "FALSE",
        "struct node { struct node *next; int v; }; int main(void) { struct node a = {0, 1}, b = {&a, 2};
           a.next = &b; int sum = 0; for (struct node *p = &a; p; p = p->next) sum = p->v; return sum; }",
    ),
    (
        "FALSE",
        "static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
         int main(void) { int k = 0; while (sum(10) == 45) k = !k; return k; }",
    ),
    (
        "UNKNOWN",
        "int main(void) { int *p = malloc(4); if (!p) return 1; *p = 3; while (*p) { int *q = malloc(4);
           if (q) *q = *p; free(q); } return 0; }",
    ),
    ("FALSE", "int main(void) { unsigned char c = 0; while (c < 300) c++; return 0; }"),
    (
        "TRUE",
        "int main(void) { int n = __VERIFIER_nondet_uchar() % 20, sum = 0;
           for (int i = 0; i < n; i++) sum += i; while (sum > 0) sum /= 2; return 0; }",
    ),
    (
        "TRUE",
        "int main(void) { int x = __VERIFIER_nondet_uchar(); while (x % 8 != 3) x++; return 0; }",
    ),
    (
        "TRUE",
        "int main(void) { int k = 0; while (k < 3) { int t = __VERIFIER_nondet_int(); __VERIFIER_assume(t > k); k++; } }",
    ),
    (
        "TRUE",
        "static int ack(int m, int n) { return m == 0 ? n + 1 : ack(m - 1, n == 0 ? 1 : ack(m, n - 1)); }
         int main(void) { return ack(1, 3) != 5; }",
    ),
    ("UNKNOWN", "int main(void) { unsigned long n = 0; while (1) n++; }"),
    ("UNKNOWN", "#include <time.h>\nint main(void) { time_t begin = time(0); while (time(0) == begin) {} }"),
    (
        "UNKNOWN",
        "int main(int argc, char **argv) { while (argc == 1) {} return 0; }",
    ),
];

/// Programs, and the verdict on their blocks at the end.
const BLOCKS: &[(&str, &str)] = &[
    ("TRUE", "int main(void) { int *p = malloc(4); free(p); return 0; }"),
    (
        "TRUE",
        "int main(void) { int n = __VERIFIER_nondet_uchar() % 4; int *a[3]; for (int i = 0; i < n; i++) a[i] = malloc(4);
           for (int i = 0; i < n; i++) free(a[i]); return 0; }",
    ),
    (
        "TRUE",
        "int main(void) { int *p = malloc(4); __VERIFIER_assume(p == 0); return 0; }",
    ),
    ("FALSE", "static int *kept; int main(void) { kept = malloc(4); return 0; }"),
    ("FALSE", "static int *kept; int main(void) { kept = malloc(4); exit(0); }"),
    ("FALSE", "static int *kept; int main(void) { kept = malloc(4); abort(); }"),
    ("FALSE", "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); return 0; }"),
];

/// Returns the verdict of `homi run` and all that it said.
fn judged(property: &str, program: &str) -> (String, String) {
    let place = TestDir::new();
    place.compile("task", &format!("{HEAD}{program}\n"));
    let words = [
        "run",
        "task.bc",
        "--property",
        property,
        "--max-time",
        "500000i",
    ];
    let output = place.output(&words);
    let said = text(&output) + &String::from_utf8_lossy(&output.stdout);
    let verdict = said.lines().find_map(|line| line.split_once("verdict: "));
    let verdict = verdict.unwrap_or_else(|| panic!("no verdict: {said}"));
    (verdict.1.to_string(), said)
}

#[test]
fn a_loop_whose_state_repeats_never_ends() {
    for (expected, program) in LOOPS {
        let (verdict, said) = judged("termination", program);
        assert!(verdict.starts_with(expected), "{program}: {said}");
    }
}

#[test]
fn the_report_names_the_loop_and_its_period() {
    let program = "int main(void) {\n  int k = 0;\n  while (k < 2)\n    k = !k;\n  return k; }";
    let (verdict, said) = judged("termination", program);
    let what = "the program does not end: its state at this loop repeats after 2 rounds (";
    assert!(
        verdict.contains(what) && verdict.contains("task.c:7"),
        "{said}"
    );
}

#[test]
fn every_block_must_be_freed_at_the_end() {
    for (expected, program) in BLOCKS {
        let (verdict, said) = judged("valid-memcleanup", program);
        assert!(verdict.starts_with(expected), "{program}: {said}");
    }
}
