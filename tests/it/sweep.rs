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

/// Functions with requirements, and their callers.
const REQUIRES: &str = r#"#include <assert.h>
struct range { int low, high; };
static int s_table(const int *table, int mode) { return table[3] / mode; }
static int s_word(const char *word) { return word[2]; }
int f_asserts(const struct range *r) {
  assert(r->low < r->high);
  return 100 / (r->high - r->low);
}
int f_calls(int x) {
  struct range r = {x, 7};
  int table[4] = {1, 2, 3, 4};
  return f_asserts(&r) + s_table(table, 1) + s_table(table, 2) + s_word("abc");
}
int f_needs(const char *text, int n) { return text[n]; }
int f_calls_back(int (*back)(int), int x) { return back ? back(x) : x; }
int f_gives_null(int x) { return f_calls_back(0, x); }
"#;

/// Runs a sweep, and returns `sweep.json` with the exit status.
fn swept(place: &TestDir, options: &[&str]) -> (Value, Option<i32>) {
    let sweep = [&["sweep", "lib.c", "--each", "2000000i"], options].concat();
    let output = place.output(&sweep);
    let content = fs::read(place.path("homi-sweep/sweep.json")).unwrap_or_default();
    let content = serde_json::from_slice(&content);
    (
        content.unwrap_or_else(|_| panic!("{}", text(&output))),
        output.status.code(),
    )
}

/// The bugs of a sweep as `FUNCTION CLASS KIND`.
fn bugs(content: &Value) -> Vec<String> {
    let bugs = content["bugs"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let shown = bugs.map(|bug| {
        let (class, found) = (text(&bug["class"]), &bug["bug"]);
        format!(
            "{} {class} {}",
            text(&found["function"]),
            text(&found["kind"])
        )
    });
    shown.collect()
}

/// The preconditions of a function in a sweep, as `CONDITION (SOURCE)`.
fn assumed(content: &Value, function: &str) -> Vec<String> {
    let functions = content["functions"].as_array().expect("a list").iter();
    let mut of_function = functions.filter(|one| one["function"] == function);
    let one = of_function.next().expect("the function");
    let listed = one["preconditions"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let shown = listed.map(|one| format!("{} ({})", text(&one["condition"]), text(&one["source"])));
    shown.collect()
}

#[test]
fn asserts_and_callers_are_preconditions() {
    let place = TestDir::new();
    fs::write(place.path("lib.c"), REQUIRES).expect("writable");
    let (content, status) = swept(&place, &[]);
    assert_eq!(status, Some(3));
    let expected = ["f_asserts from-callers assert", "f_needs needs ptr"];
    assert_eq!(bugs(&content), expected);
    assert_eq!(
        assumed(&content, "f_asserts"),
        ["r->low < r->high (assertion)"]
    );
    let table = [
        "table = many(4) (callers)",
        "mode == 1 || mode == 2 (callers)",
    ];
    assert_eq!(assumed(&content, "s_table"), table);
    assert_eq!(
        assumed(&content, "s_word"),
        ["word = string(<=3) (callers)"]
    );
    assert_eq!(
        assumed(&content, "f_calls_back"),
        ["back = null|any (callers)"]
    );
    // The bugs of all functions are in one file.
    let sarif = fs::read(place.path("homi-sweep/homi.sarif")).expect("a file");
    let sarif: Value = serde_json::from_slice(&sarif).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    let classes: Vec<&Value> = results
        .iter()
        .map(|one| &one["properties"]["class"])
        .collect();
    assert_eq!(classes, ["from-callers", "needs"]);
    assert_eq!(results[1]["level"], "note");
    let test = results[0]["properties"]["test"].as_str().expect("a text");
    assert!(place.path(&format!("homi-sweep/{test}.ktest")).is_file());
    // A fixed caller is explored again.
    let fixed = REQUIRES.replace("{x, 7}", "{x & 3, 7}");
    fs::write(place.path("lib.c"), fixed).expect("writable");
    let (content, status) = swept(&place, &[]);
    assert_eq!(status, Some(0));
    assert_eq!(bugs(&content), ["f_needs needs ptr"]);
}

/// Functions that fail for values between others, for a range of values, after a callback, and for
/// a null pointer that hides another failure; and attributes that clang drops.
const VALUES: &str = r#"#include <string.h>
enum color { RED, GREEN = 4 };
struct list { int n; int *all __attribute__((counted_by(n))); };
int f_masks(int c) { int t[4] = {1, 2, 3, 4}; return t[c & 7]; }
int f_index(int c) { static const int t[4] = {1, 2, 3, 4}; return t[c]; }
int f_passes_on(int c) { return f_index(c); }
int f_lines(char *(*next)(char *, int)) {
  char line[4];
  return next && next(line, 4) ? strlen(line) > 3 : 0;
}
static int s_hidden(const char *set, int c) {
  int one = 1, *p = c == 9 ? 0 : &one;
  return *p + (set ? set[0] : 0);
}
int f_hides(int c) { return s_hidden(0, c & 7) + s_hidden("ab", c & 7); }
int f_sum(const int *a, int n) __attribute__((access(read_only, 1, 2)));
int f_sum(const int *a, int n) { return n ? a[n - 1] : 0; }
int f_color(enum color c) { static const int t[5] = {1}; return t[c]; }
int f_flags(enum color c) { static const int t[4] = {1}; return t[c & 3]; }
int f_list(const struct list *l) { return l->n > 0 ? l->all[l->n - 1] : 0; }
"#;

#[test]
fn values_between_others_fail_and_ranges_are_for_callers_to_keep() {
    let place = TestDir::new();
    fs::write(place.path("lib.c"), VALUES).expect("writable");
    let (content, status) = swept(&place, &[]);
    assert_eq!(status, Some(3));
    let mut found = bugs(&content);
    found.sort();
    let expected = [
        "f_index needs ptr",
        "f_lines needs ptr",
        "f_masks certain ptr",
        "s_hidden certain ptr",
    ];
    assert_eq!(found, expected);
    let sum = [
        "a = many(8) (declaration)",
        "n >= 0 && n <= 8 (declaration)",
    ];
    assert_eq!(assumed(&content, "f_sum"), sum);
    assert_eq!(
        assumed(&content, "f_color"),
        ["c == 0 || c == 4 (declaration)"]
    );
    assert_eq!(assumed(&content, "f_flags").len(), 0);
}

#[test]
fn contracts_are_preconditions() {
    let place = TestDir::new();
    fs::write(place.path("lib.c"), REQUIRES).expect("writable");
    let suggest = ["sweep", "lib.c", "--suggest-contracts", "contracts.toml"];
    let suggested = place.output(&suggest);
    assert_eq!(suggested.status.code(), Some(0), "{}", text(&suggested));
    let written = fs::read_to_string(place.path("contracts.toml")).expect("a file");
    for part in [
        "[function.s_table] # lib.c:3\ntable = \"many(4)\" # callers\n",
        "  \"mode == 1 || mode == 2\", # callers\n",
        "r = \"one\" # callers in these files\n# r->low < r->high # assertion\n",
    ] {
        assert!(written.contains(part), "{part} in {written}");
    }
    let own = "[function.f_needs]\ntext = \"string(<=6)\"\nrequires = [\"n >= 0 && n <= 6\"]\n";
    fs::write(place.path("contracts.toml"), written + own).expect("writable");
    let (content, status) = swept(&place, &["--contracts", "contracts.toml"]);
    assert_eq!((bugs(&content).len(), status), (1, Some(3)));
    let known = [
        "text = string(<=6) (contract)",
        "n >= 0 && n <= 6 (contract)",
    ];
    assert_eq!(assumed(&content, "f_needs"), known);
    for (wrong, message) in [
        (
            "[function.f_neds]\ntext = \"one\"\n",
            ":1: the files define no function `f_neds`; did you mean `f_needs`?",
        ),
        (
            "[function.f_needs]\ntext = \"two\"\n",
            ":2: `two` must be null, any, one",
        ),
    ] {
        fs::write(place.path("wrong.toml"), wrong).expect("writable");
        let refused = place.output(&["sweep", "lib.c", "--contracts", "wrong.toml"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused).contains(message), "{}", text(&refused));
    }
}

#[test]
fn a_function_alone_takes_a_contract() {
    let place = TestDir::new();
    fs::write(place.path("lib.c"), REQUIRES).expect("writable");
    let fixed = [
        "test",
        "lib.c",
        "--entry-point",
        "f_needs",
        "--fuzz",
        "off",
        "--quiet",
    ];
    let shape = ["--parameter-shape", "text=many(4)"];
    let status = |options: &[&str]| place.output(&[&fixed, options].concat()).status.code();
    assert_eq!(
        status(&[&shape[..], &["--requires", "n >= 0", "--requires", "n < 4"]].concat()),
        Some(0)
    );
    assert_eq!(
        status(&[&shape[..], &["--requires", "n >= 0 && n < 5"]].concat()),
        Some(3)
    );
    let wrong = place.output(&[&fixed[..], &["--requires", "m > 0"]].concat());
    assert!(
        text(&wrong).contains("--requires of f_needs does not compile"),
        "{}",
        text(&wrong)
    );
    let wrong = place.output(&[&fixed[..], &["--parameter-shape", "txt=one"]].concat());
    assert!(
        text(&wrong).contains("its parameters are text, n"),
        "{}",
        text(&wrong)
    );
}

#[test]
fn a_project_has_the_options_of_a_sweep() {
    let place = TestDir::new();
    fs::create_dir(place.path("src")).expect("a directory");
    fs::write(
        place.path("src/lib.c"),
        "int f(int x) { return LIMIT / x; }\n",
    )
    .expect("writable");
    let project =
        "[build]\nfiles = [\"src/*.c\"]\ndefine = [\"LIMIT=9\"]\n\n[sweep]\neach = \"2000000i\"\n";
    let write = |rest: &str| {
        fs::write(place.path("homi.toml"), format!("{project}{rest}")).expect("writable");
    };
    write("");
    let found = place.output(&["sweep"]);
    let printed = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        printed.contains("src/lib.c:1: divide by zero"),
        "{printed}{}",
        text(&found)
    );
    write("[[ignore]]\nfunction = \"f\"\nkind = \"div\"\nreason = \"checked\"\n");
    let ignored = place.output(&["sweep"]);
    assert_eq!(ignored.status.code(), Some(0), "{}", text(&ignored));
    write("eech = 1\n");
    let wrong = place.output(&["sweep"]);
    assert!(
        text(&wrong).contains("did you mean `each`?"),
        "{}",
        text(&wrong)
    );
}
