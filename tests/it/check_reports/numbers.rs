//! Checks that homi alone has: NaN and infinity, sizes of allocations.

use super::{explored, reports, text_of};
use serde_json::Value;

/// NaN and infinity are reported where a computation makes them of other numbers, not where it
/// passes them on.
#[test]
fn nan_and_infinity_are_reported_where_they_begin() {
    let source = r#"#include <klee/klee.h>
#include <math.h>
volatile double sink;
volatile float small;
int main(void) {
  int x = klee_int("x");
  double d = x, huge = 1e308, inf = 1.0 / 0.0, nan = inf - inf;
  switch (x) {
  case 0: sink = 1 / d; break;
  case 1: sink = (d - 1) / (d - 1); break;
  case 2: sink = huge * d; break;
  case 3: { double part = inf * d; sink = inf - part; break; }
  case 4: sink = sqrt(d - 5); break;
  case 5: small = huge * d; break;
  case 6: sink = inf + d; sink = nan * d; sink = -inf; sink = fabs(nan); break;
  case 7: sink = log(d - 7); break;
  case 8: sink = d / 3 + huge; small = d; sink = sqrt(d); break;
  }
  return 0;
}
"#;
    let (_, found) = explored(source, "-fno-builtin", &["--checks", "float"]);
    let errors = found["errors"].as_array().expect("a list of bugs").iter();
    let report = |error: &Value| {
        let location = text_of(error, "location");
        let (_, line) = location.rsplit_once(':').expect("file:line");
        (
            line.parse().expect("a number"),
            text_of(error, "message"),
            text_of(error, "values"),
        )
    };
    let mut reports: Vec<(u32, String, String)> = errors.map(report).collect();
    reports.sort();
    let lines: Vec<u32> = reports.iter().map(|report| report.0).collect();
    assert_eq!(lines, [7, 9, 10, 11, 12, 13, 14, 16], "{found}");
    let (nan, infinity) = ("NaN from numbers", "infinity from finite numbers");
    let told = |line: u32| {
        let report = reports
            .iter()
            .find(|report| report.0 == line)
            .expect("a report");
        (report.1.as_str(), report.2.as_str())
    };
    assert_eq!(told(9), (infinity, "1 / 0 in type 'double'"));
    assert_eq!(told(10), (nan, "0 / 0 in type 'double'"));
    assert_eq!(told(11), (infinity, "1e+308 * 2 in type 'double'"));
    assert_eq!(told(12), (nan, "inf - inf in type 'double'"));
    assert_eq!(told(13), (nan, "computed in sqrt"));
    let (_, plain) = explored(source, "-fno-builtin", &[]);
    assert_eq!(plain["errors"].as_array().map(Vec::len), Some(0), "{plain}");
}

#[test]
fn a_negative_size_is_reported_at_the_allocation() {
    let source = r#"#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int x = klee_int("x");
  char *p = 0;
  switch (klee_int("which")) {
  case 0: if (x < -2 && x > -6) p = malloc(x); break;
  case 1: if (x < 0) p = calloc(x, 2); break;
  case 2: p = malloc(10); if (x < 0) p = realloc(p, x); break;
  case 3: if (x > 0 && x < 90) p = malloc(x); break;
  case 4: p = malloc(1ul << 40); break;
  }
  return p == 0;
}
"#;
    let (_, found) = explored(source, "-fno-builtin", &["--checks", "allocation-size"]);
    let all: Vec<_> = reports(&found);
    let kinds = all.iter().filter(|(kind, ..)| kind == "allocation_size");
    assert_eq!((kinds.count(), all.len()), (3, 3), "{found}");
    let errors = found["errors"].as_array().expect("a list of bugs");
    let first = errors
        .iter()
        .find(|error| text_of(error, "location").ends_with(":7"));
    let values = text_of(first.expect("a report"), "values");
    let sizes =
        [-5i64, -4, -3].map(|size| format!("{} bytes, {size} as a signed number", size as u64));
    assert!(sizes.contains(&values), "{values}");
}
