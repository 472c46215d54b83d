//! `--checks`: kinds that the engine has, kinds that clang compiles in, and the guide's table.

use crate::support::{TestDir, root, summary};
use homi::config::{CHECK_KINDS, CheckGroup, KindSet};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Output;

/// All that a command printed.
fn text(output: &Output) -> String {
    let all = [&output.stderr[..], &output.stdout[..]].concat();
    String::from_utf8_lossy(&all).into_owned()
}

/// Kinds of the bugs of a summary, with their lines.
fn bugs(summary: &Value) -> BTreeSet<(String, String)> {
    let errors = summary["errors"].as_array().expect("a list of bugs").iter();
    let part = |error: &Value, name: &str| error[name].as_str().expect("a text").to_string();
    let bug = |error: &Value| {
        let location = part(error, "location");
        let (_, line) = location.rsplit_once(':').expect("file:line");
        (part(error, "kind"), line.to_string())
    };
    errors.map(bug).collect()
}

fn expected(rows: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    let rows = rows.iter();
    rows.map(|(kind, line)| ((*kind).to_string(), (*line).to_string()))
        .collect()
}

const ENGINE: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int x = klee_int("x"), unset;
  if (x == 1) return 7 / (x - 1);
  if (x == 2) return 1 << (x + 40);
  if (x == 3) { void *volatile lost = malloc(9); lost = 0; return 0; }
  if (x == 4) { if (unset) return 3; return 4; }
  if (x > 5) return x + 1 > 0;
  return 0;
}
"#;

#[test]
fn kinds_of_the_engine_are_added_and_removed() {
    let place = TestDir::new();
    place.compile("program", ENGINE);
    let found = |name: &str, checks: &[&str]| {
        let mut arguments = vec!["program.bc", "--prune", "none"];
        arguments.extend(checks.iter().flat_map(|kinds| ["--checks", kinds]));
        bugs(&place.run_into(name, &arguments))
    };
    let (div, shift) = (("div", "5"), ("overshift", "6"));
    let (leak, undef) = (("leak", "7"), ("undef", "8"));
    let overflow = ("overflow", "9");
    assert_eq!(found("plain", &[]), expected(&[div, shift]));
    assert_eq!(found("one", &["leak"]), expected(&[div, shift, leak]));
    let several = found("several", &["leak,undef", "overflow"]);
    assert_eq!(several, expected(&[div, shift, leak, undef, overflow]));
    assert_eq!(found("less", &["no-shift"]), expected(&[div]));
    assert_eq!(found("none", &["none,leaks"]), expected(&[leak]));
    let last = found("last", &["leak,undef,no-leak,no-division"]);
    assert_eq!(last, expected(&[shift, undef]));
}

#[test]
fn another_name_is_refused_with_the_nearest() {
    let place = TestDir::new();
    place.compile("program", "int main(void) { return 0; }");
    for (kinds, nearest) in [
        ("leek", "leak"),
        ("signed-overflow", "signed-integer-overflow"),
        ("no-shft", "no-shift"),
        ("undef,boundz", "bounds"),
    ] {
        let hint = format!("did you mean `{nearest}`");
        place.fails(&["run", "program.bc", "--checks", kinds], 2, &[&hint]);
    }
    for (old, new) in [
        ("--check-leaks", "--checks leak"),
        ("--check-overflow", "--checks signed-integer-overflow"),
        ("--check-undef", "--checks undef"),
        ("--check-races", "--checks race"),
    ] {
        place.fails(&["run", old, "program.bc"], 2, &["earlier versions", new]);
        place.fails(&["test", "program.bc", old], 2, &["earlier versions", new]);
    }
    for (old, new) in [
        ("--check-div-zero=false", "use `--checks no-division`"),
        ("--check-overshift=false", "use `--checks no-shift`"),
    ] {
        place.fails(&["run", old, "program.bc"], 2, &[new]);
    }
}

const COMPILED: &str = r#"#include <stdio.h>
struct row { int cells[4], guard; };
int main(void) {
  struct row row = {{0}, 9};
  int byte = getchar();
  if (byte == EOF) return 2;
  unsigned wraps = 4294967200u + (unsigned)byte;
  unsigned char narrow = byte * 2;
  row.cells[byte & 7] = narrow;
  return row.guard + (wraps > 7);
}
"#;

/// `homi test` compiles the kinds in, and says once which of them gcc has not; the native programs
/// are there all the same.
#[test]
fn a_test_compiles_the_kinds_that_clang_has() {
    let place = TestDir::new();
    fs::write(place.path("program.c"), COMPILED).expect("the source");
    let kinds = "bounds,unsigned-integer-overflow,implicit-conversion";
    let arguments = [
        "test",
        "program.c",
        "--checks",
        kinds,
        "--",
        "--sym-stdin",
        "1",
    ];
    let output = place.output(&arguments);
    let said = text(&output);
    let found = bugs(&summary(&place.path("homi-last")));
    let all = [
        ("overflow", "7"),
        ("implicit_truncation", "8"),
        ("ptr", "9"),
    ];
    assert_eq!(found, expected(&all), "{said}");
    let without = "gcc has no -fsanitize=implicit-conversion,unsigned-integer-overflow:";
    assert_eq!(said.matches(without).count(), 1, "{said}");
    assert!(
        said.contains("confirmed  by the build with sanitizers"),
        "{said}"
    );
    assert_eq!(
        said.matches("not tried  natively: gcc has no such check")
            .count(),
        2,
        "{said}"
    );
    assert!(said.contains("(by gcov, in replays)"), "{said}");
    assert!(!said.contains("the bitcode has no such checks"), "{said}");
}

/// The flags of a build need no option: gcc's half is built without what only clang has, and the
/// bitcode without the sanitizers whose work homi does.
#[test]
fn flags_about_sanitizers_reach_who_has_them() {
    let place = TestDir::new();
    fs::write(place.path("program.c"), COMPILED).expect("the source");
    let flags =
        "-fsanitize=address,thread -fsanitize=unsigned-integer-overflow -fno-sanitize=thread";
    let arguments = [
        "test",
        "program.c",
        "--cflags",
        flags,
        "--",
        "--sym-stdin",
        "1",
    ];
    let said = text(&place.output(&arguments));
    let found = bugs(&summary(&place.path("homi-last")));
    assert!(
        found.contains(&("overflow".to_string(), "7".to_string())),
        "{said}"
    );
    assert!(said.contains("(by gcov, in replays)"), "{said}");
    let once = |part: &str| assert_eq!(said.matches(part).count(), 1, "{part}: {said}");
    once("-fsanitize=address,thread does not apply to the bitcode");
    once("gcc has no -fsanitize=unsigned-integer-overflow:");

    // `homi cc` says the same, and its executable has the checks.
    let flags = [
        "-g",
        "-fsanitize=unsigned-integer-overflow,undefined,leak",
        "program.c",
    ];
    let output = place.succeeds(&[&["cc"], &flags[..], &["-o", "program"]].concat());
    let said = text(&output);
    for part in [
        "homi cc: -fsanitize=leak does not apply to the bitcode",
        "homi cc: gcc has no -fsanitize=unsigned-integer-overflow:",
    ] {
        assert_eq!(said.matches(part).count(), 1, "{part}: {said}");
    }
    let arguments = [
        "program",
        "--checks",
        "bounds,enum",
        "--",
        "--sym-stdin",
        "1",
    ];
    let said = text(&place.succeeds(&[&["run"], &arguments[..]].concat()));
    let found = bugs(&summary(&place.path("homi-last")));
    assert!(
        found.is_superset(&expected(&[("overflow", "7"), ("ptr", "9")])),
        "{said}"
    );
    assert!(!said.contains("the bitcode has no such checks"), "{said}");
}

#[test]
fn bitcode_without_a_check_is_named_with_the_remedy() {
    let place = TestDir::new();
    place.compile("program", COMPILED);
    let arguments = ["--checks", "bounds,leak,shift", "program.bc"];
    let said = text(&place.succeeds(&[&["run"], &arguments[..]].concat()));
    let parts = "--checks bounds: the bitcode has no such checks, so the run reports none; compile \
                 with `homi cc -fsanitize=array-bounds`";
    assert_eq!(said.matches(parts).count(), 1, "{said}");
}

/// One row of the guide's table.
fn guide_row(row: &homi::config::CheckRow) -> String {
    let by = match (row.engine, row.clang.is_empty()) {
        (true, true) => "homi",
        (true, false) => "both",
        (false, _) if row.gcc.is_empty() => "clang, not gcc",
        (false, _) => "clang",
    };
    let is_default = KindSet::of_group(CheckGroup::Default).has(row.kind);
    let name = format!("`{}`", row.name) + if is_default { " (on)" } else { "" };
    let files: Vec<String> = row
        .suffixes
        .split(", ")
        .map(|one| format!("`.{one}.err`"))
        .collect();
    format!(
        "| {name} | {} | {by} | {} | {} |",
        row.about,
        files.join(", "),
        row.message
    )
}

#[test]
fn the_guide_has_the_table_of_kinds() {
    let rows: Vec<String> = CHECK_KINDS.iter().map(guide_row).collect();
    let table = rows.join("\n");
    let page = fs::read_to_string(root().join("docs/guide/checks.md")).expect("the page");
    assert!(
        page.contains(&table),
        "docs/guide/checks.md needs these rows:\n{table}"
    );
}
