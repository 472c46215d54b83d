//! `--max-memory` holds for the whole process.

use super::files;
use crate::support::TestDir;
use serde_json::Value;
use std::fs;

/// Peak memory in MiB.
fn peak(summary: &Value) -> f64 {
    summary["memory_peak_bytes"].as_f64().expect("a number") / f64::from(1 << 20)
}

#[test]
fn many_states_stay_within_the_memory_limit() {
    let place = TestDir::new();
    place.compile(
        "hungry",
        r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned n = 0;
  for (;;) {
    unsigned char in, *block = malloc(8192);
    klee_make_symbolic(&in, 1, "in");
    for (unsigned i = 0; i < 8192; i += 64) block[i] = i + n;
    if (in == n % 256) n += 3;
    n++;
  }
}
"#,
    );
    let arguments = [
        "hungry.bc",
        "--quiet",
        "--max-instructions",
        "12000000",
        "--max-memory",
        "130MiB",
    ];
    let summary = place.run(&arguments);
    assert_eq!(summary["stop_reason"], "max-instructions", "{summary}");
    assert!(peak(&summary) > 110.0, "{summary}");
    assert!(peak(&summary) < 1.05 * 130.0, "{summary}");
    let warnings = fs::read_to_string(place.path("homi-last/warnings.txt")).expect("warnings.txt");
    assert!(warnings.contains("memory limit"), "{warnings}");
}

/// A program of 2^12 paths, each with up to 280 KiB of its own; breadth first all are alive at
/// once. They fork at a `condition` on `in[i]` and `in[i + 12]`, which are of no other condition.
fn many(condition: &str) -> String {
    r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char in[24];
  unsigned sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++) {
    unsigned char *block = malloc(24000);
    int bit = CONDITION;
    if (bit) sum += i;
    for (int k = 0; k < 24000; k += 64) block[k] = sum * k + bit;
  }
  return sum % 7;
}
"#
    .replace("CONDITION", condition)
}

/// Explores such a program with room for all and without; both runs' summaries, which agree.
fn with_and_without_room(condition: &str, forks: &str) -> [Value; 2] {
    let place = TestDir::new();
    place.compile("many", &many(condition));
    let arguments = ["many.bc", "--quiet", "--profile", "klee", "--search", "bfs"];
    let run = |memory| {
        let more = ["--fork", forks, "--max-memory", memory];
        place.run(&[&arguments[..], &more].concat())
    };
    let (in_room, pressed) = (run("0"), run("100MiB"));
    assert_eq!(in_room["paths"]["completed"], 1 << 12, "{in_room}");
    assert_eq!(in_room["swapped"], Value::Null);
    assert!(pressed["swapped"]["out"].as_u64() > Some(100), "{pressed}");
    assert_eq!(pressed["stop_reason"], "exhausted", "{pressed}");
    for same in ["paths", "exit_statuses"] {
        assert_eq!(pressed[same], in_room[same], "{same}");
    }
    assert!(peak(&pressed) < 1.05 * 100.0, "{pressed}");
    [in_room, pressed]
}

#[test]
fn states_swapped_out_at_the_memory_limit_are_swapped_in() {
    with_and_without_room("in[i] > 100 + i", "eager");
}

/// Each fork leaves an unchecked side, and half of the swapped-out states are such sides.
#[test]
fn swapped_out_pending_sides_are_swapped_in_and_checked() {
    let summaries = with_and_without_room("in[i] * in[i + 12] % 11 > 4", "lazy");
    for summary in summaries {
        let pending = &summary["pending"];
        assert_eq!(pending["feasible"], (1 << 12) - 1, "{summary}");
        assert_eq!(pending["unchecked"], 0, "{summary}");
    }
}

#[test]
fn one_state_that_is_too_large_ends_as_out_of_memory() {
    let place = TestDir::new();
    place.compile(
        "giant",
        r#"
#include <stdlib.h>
int main(void) {
  for (unsigned n = 0;; n++) {
    unsigned char *block = malloc(1 << 16);
    for (unsigned i = 0; i < 1 << 16; i += 64) block[i] = i + n;
  }
}
"#,
    );
    let summary = place.run(&["giant.bc", "--quiet", "--max-memory", "250MiB"]);
    assert_eq!(summary["stop_reason"], "out-of-memory");
    assert!(peak(&summary) < 1.05 * 250.0, "{summary}");
    let out = place.path("homi-last");
    let early = files(&out, ".early");
    assert_eq!(early.len(), 1);
    let reason = fs::read_to_string(out.join(&early[0])).expect("the reason");
    assert!(reason.contains("out of memory"), "{reason}");
}
