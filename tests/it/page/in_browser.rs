//! The page in headless Chromium: it renders without complaint, tables sort by keys alone, a phone
//! shows it whole, and long runs stay usable. Without Chromium the test prints a message and does
//! nothing.

use super::browser::Browser;
use crate::support::TestDir;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const PROGRAM: &str = r#"#include <stdlib.h>
#include <string.h>
/* </pre></script><script>document.title = "broken out"</script> & more */
static int classify(const char *word) {
  if (word[0] == 'a') return 1;
  if (word[0] == '<' && word[1] == '/') return 2;
  if (strlen(word) > 40) return 3;
  return 0;
}
int main(int argc, char **argv) {
  int table[3] = {1, 2, 3};
  if (argc < 2) return 9;
  if (argv[1][0] == 'z') return table[argv[1][1]];
  return classify(argv[1]);
}
"#;

/// Width of the body beyond the window, in pixels.
const OVERHANG: &str =
    "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth";

/// Presses Tab until what has the focus fits; panics if nothing does.
fn tab_to(browser: &mut Browser, fits: &str) {
    for _ in 0..400 {
        browser.press("Tab");
        if browser.value(&format!("document.activeElement.matches({})", json!(fits))) == json!(true)
        {
            return;
        }
    }
    panic!("no key leads to {fits}");
}

/// The texts of a table's column.
fn column(browser: &mut Browser, table: &str, column: usize) -> Vec<String> {
    let texts = browser.value(&format!(
        "[...document.getElementById('{table}').tBodies[0].rows].map(row => row.cells[{column}].textContent.trim())"
    ));
    let texts: Vec<Value> = texts.as_array().cloned().unwrap_or_default();
    texts
        .iter()
        .map(|text| text.as_str().unwrap_or_default().to_string())
        .collect()
}

fn is_calm(browser: &Browser) {
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn a_run_can_be_read_with_keys_alone_and_on_a_phone() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = TestDir::new();
    place.compile("words", PROGRAM);
    place.run_into("out", &["words.bc", "--", "--sym-arg", "3"]);
    place.succeeds(&["report", "out", "--output", "page.html"]);
    browser.resize(1100, 900, false);
    browser.open_file(&place.path("page.html"));
    assert_eq!(browser.value("document.title"), "homi: words.bc");
    // Tables sort by a key, both ways.
    tab_to(&mut browser, "#function-table th.n button");
    browser.press("Enter");
    let sorted = "document.activeElement.parentElement.getAttribute('aria-sort')";
    assert_eq!(browser.value(sorted), "descending");
    let functions = column(&mut browser, "function-table", 0);
    browser.press("Space");
    assert_eq!(browser.value(sorted), "ascending");
    let mut reversed = column(&mut browser, "function-table", 0);
    reversed.reverse();
    assert_eq!(functions, reversed);
    assert_eq!(functions.len(), 2, "{functions:?}");
    // A link to a line opens its file.
    browser.value("document.querySelectorAll('details').forEach(one => one.open = false)");
    tab_to(&mut browser, "#function-table td a");
    browser.press("Enter");
    let opened = "new Promise(done => setTimeout(() => done(document.querySelectorAll('details.file[open]').length), 300))";
    assert_eq!(browser.value(opened), 1);
    for (width, mobile) in [(360, true), (1100, false)] {
        browser.resize(width, 740, mobile);
        browser.open_file(&place.path("page.html"));
        assert_eq!(browser.value(OVERHANG), 0, "at {width}");
    }
    is_calm(&browser);
}

/// Creates the output directory of an invented run: many tests, a long source.
fn long_run(place: &TestDir, tests: u32, lines: u32) {
    let out = place.path("out");
    fs::create_dir(&out).expect("a directory");
    let mut source = String::new();
    for line in 1..=lines {
        // Writing to a String cannot fail.
        let _ = writeln!(
            source,
            "  if (word[{line}] < 0x{line:x} && \"<&>\"[2]) count++; /* {line} */"
        );
    }
    fs::write(place.path("long.c"), source).expect("written");
    let branch = |number: u32| {
        let function = format!("function_{}", number / 20);
        json!({"branch": number, "sides": 2, "function": function, "file": "long.c", "line": 2 * number + 1})
    };
    let branches: Vec<Value> = (0..lines / 2).map(branch).collect();
    fs::write(out.join("branches.json"), json!(branches).to_string()).expect("written");
    let mut log = String::new();
    for test in 0..tests {
        let name = format!("test{:06}", test + 1);
        let side = json!([[test * 7 % (lines / 2), test % 2]]);
        let _ = writeln!(
            log,
            "{}",
            json!({"test": name, "ended": true, "sides": side, "new": side, "exit": 0})
        );
        write_test(&out.join(format!("{name}.ktest")), test);
    }
    fs::write(out.join("coverage.jsonl"), log).expect("written");
}

fn write_test(file: &Path, number: u32) {
    let mut test = homi::native::testcase::ktest::KTest::new(["long.bc", "--sym-arg", "12"]);
    let mut word = format!("</td>{number}").into_bytes();
    word.resize(13, 0);
    test.push("arg00", word);
    test.write(file).expect("written");
}

#[test]
fn a_thousand_tests_and_fifty_thousand_lines_stay_usable() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = TestDir::new();
    long_run(&place, 1000, 50_000);
    place.succeeds(&["report", "out", "--output", "page.html"]);
    let size = fs::metadata(place.path("page.html"))
        .expect("it is there")
        .len();
    assert!(size < 20 << 20, "{size} bytes");
    for (width, mobile) in [(360, true), (1100, false)] {
        browser.resize(width, 740, mobile);
        browser.open_file(&place.path("page.html"));
        assert_eq!(browser.value(OVERHANG), 0, "at {width}");
    }
    assert_eq!(column(&mut browser, "test-table", 0).len(), 1000);
    let lines = "document.querySelector('.source .code').textContent.split('\\n').length";
    assert_eq!(browser.value(lines), 50_001);
    browser.value("document.querySelectorAll('#test-table th button')[1].click()");
    let inputs = column(&mut browser, "test-table", 1);
    let ends = [inputs.first(), inputs.last()].map(|one| one.cloned().unwrap_or_default());
    assert!(
        ends[0].contains("</td>0'") && ends[1].contains("</td>999'"),
        "{ends:?}"
    );
    // The filter leaves what has the text.
    browser.value(
        "(() => { const input = document.querySelector('#tests input[type=search]'); \
         input.value = '</td>999'; input.dispatchEvent(new Event('input')); })()",
    );
    let shown = "[...document.getElementById('test-table').tBodies[0].rows].filter(row => !row.hidden).length";
    assert_eq!(browser.value(shown), 1);
    is_calm(&browser);
}
