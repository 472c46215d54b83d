//! `--checks pointers`: sums outside of their object, orders and differences of pointers into two.

use super::{explored, reports, text_of};
use serde_json::Value;
use std::collections::BTreeMap;

const PROGRAM: &str = r#"#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
char a[4];
int b[2];
char *volatile kept;
volatile long sink;
static int before(const char *p, const char *q) { return p < q; }
int main(void) {
  int x = klee_int("x");
  char row[8], *p = row, *q = a;
  struct pair { int left, right; } pair, *inner = &pair;
  switch (klee_int("which")) {
  case 0: kept = p + 20; break;
  case 1: kept = p - 3; break;
  case 2: if (x >= 0 && x < 12) kept = p + x; break;
  case 3: kept = p + 8; kept = q + 4; kept = (char *)&inner->right; kept = (char *)(&pair + 1); break;
  case 4: kept = a + 16; break;
  case 5: sink = before(p, q); break;
  case 6: sink = before(p, p + 3); sink = p == q; sink = p != (char *)b; sink = q == 0; break;
  case 7: sink = q - (char *)b; break;
  case 8: sink = (p + 5) - p; break;
  case 9: { char *m = malloc(7); if (m) sink = m >= (x ? p : m + 2); free(m); break; }
  case 10: { uintptr_t m = (uintptr_t)p, n = (uintptr_t)q; sink = m < n; sink = m - n; break; }
  case 11: for (p = row; p < row + 8; p++) *p = 1; break;
  case 12: sink = row[1000000]; break;
  case 13: for (int i = 0; i < 5; i++) kept = p++ + 12; break;
  case 14: sink = b[x & 1]; sink = ((struct pair *)row)->right; break;
  }
  return 0;
}
"#;

/// Kind and values of the reports of each line.
fn told(found: &Value) -> BTreeMap<u32, (String, String)> {
    let errors = found["errors"].as_array().expect("a list of bugs").iter();
    let report = |error: &Value| {
        let location = text_of(error, "location");
        let (_, line) = location.rsplit_once(':').expect("file:line");
        let line = line.parse().expect("a number");
        (line, (text_of(error, "kind"), text_of(error, "values")))
    };
    errors.map(report).collect()
}

#[test]
fn pointers_out_of_their_object_and_into_two_are_reported() {
    let (_, found) = explored(PROGRAM, "-fno-builtin", &["--checks", "pointers"]);
    let told = told(&found);
    let (range, pair) = ("pointer_range", "pointer_pair");
    let words = |kind: &str, values: &str| (kind.to_string(), values.to_string());
    let comparison = "comparison '<' of pointers into 'row' (8 bytes) and 'a' (4 bytes)";
    let expected = [
        (15, words(range, "pointer 12 bytes past 'row' (8 bytes)")),
        (16, words(range, "pointer 3 bytes before 'row' (8 bytes)")),
        (19, words(range, "pointer 12 bytes past 'a' (4 bytes)")),
        (9, words(pair, comparison)),
        (
            22,
            words(
                pair,
                "difference of pointers into 'a' (4 bytes) and 'b' (8 bytes)",
            ),
        ),
    ];
    for (line, report) in expected {
        assert_eq!(told.get(&line), Some(&report), "line {line}: {found}");
    }
    let symbolic = &told[&17];
    assert!(
        symbolic.0 == range && symbolic.1.ends_with("past 'row' (8 bytes)"),
        "{symbolic:?}"
    );
    let block = &told[&24];
    assert!(
        block.0 == pair
            && block
                .1
                .starts_with("comparison '>=' of pointers into the block of ")
    );
    let lines: Vec<u32> = told.keys().copied().collect();
    assert_eq!(lines, [9, 15, 16, 17, 19, 22, 24, 27, 28], "{found}");
    let all = reports(&found);
    assert_eq!(all.len(), lines.len(), "one report a place: {found}");
    assert_eq!(told[&27].0, "ptr", "an access reports itself");
}

#[test]
fn a_plain_run_reports_no_pointers() {
    let (_, found) = explored(PROGRAM, "-fno-builtin", &[]);
    assert_eq!(
        told(&found).into_keys().collect::<Vec<u32>>(),
        [27],
        "{found}"
    );
}
