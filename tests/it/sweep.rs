//! `homi sweep`: functions explored alone, and classes of their bugs.

use crate::support::{TestDir, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A library: `f_...` is exported, `s_...` static.
const LIBRARY: &str = r#"#include <stdlib.h>
static int s_called(const int *table, int i) { return table[i]; }
static int s_guarded(int divisor) { return 100 / divisor; }
int f_always(int x) {
  char *block = malloc(8);
  if (!block) return 0;
  if (x > 3) { free(block); free(block); return 1; }
  free(block);
  return 0;
}
int f_calls(int x) {
  int table[4] = {1, 2, 3, 4};
  return s_called(table, x & 7);
}
int f_guards(int x) { return x == 0 ? 0 : s_guarded(x); }
int f_reads(const int *p) { return *p; }
int f_needs(const char *text, unsigned i) { return text[i]; }
"#;

#[test]
fn callers_decide_which_bugs_fail() {
    let place = TestDir::new();
    fs::write(place.path("lib.c"), LIBRARY).expect("writable");
    let sweep = [
        "sweep",
        "lib.c",
        "--each",
        "2000000i",
        "--functions",
        "[sf]*",
    ];
    let none = place.output(&sweep);
    assert_eq!(none.status.code(), Some(2), "{}", text(&none));
    let sweep = ["sweep", "lib.c", "--each", "2000000i"];
    let found = place.output(&sweep);
    let printed = String::from_utf8_lossy(&found.stdout).into_owned();
    assert_eq!(found.status.code(), Some(3), "{printed}{}", text(&found));
    let content = fs::read(place.path("homi-sweep/sweep.json")).expect("a file");
    let content: Value = serde_json::from_slice(&content).expect("JSON");
    let bugs = content["bugs"].as_array().expect("a list").iter();
    let classes: BTreeMap<String, String> = bugs
        .map(|bug| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
            (text(&bug["bug"]["function"]), text(&bug["class"]))
        })
        .collect();
    let expected = [
        ("f_always", "certain"),
        ("f_needs", "needs"),
        ("s_called", "from-callers"),
        ("s_guarded", "ruled-out"),
    ];
    let expected: BTreeMap<String, String> = expected
        .map(|(function, class)| (function.to_string(), class.to_string()))
        .into_iter()
        .collect();
    assert_eq!(classes, expected, "{printed}");
    // All is there: the second sweep explores nothing, and its result is the same.
    let again = place.output(&sweep);
    assert_eq!(again.stdout, found.stdout);
}
