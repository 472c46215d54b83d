//! Pages of `homi report`.

use crate::support::TestDir;
use std::fs;

const PROGRAM: &str = r#"#include <string.h>
static int unused(int a) { return a > 3 ? a : 2; }
static int check(unsigned char a, unsigned char b) {
  if (a < 10) {
    if (a > 20) return unused(a);
    return 1;
  }
  return a * a == b + 300;
}
int main(int argc, char **argv) {
  int fixed = (int)strlen("four");
  if (argc < 2) return 3;
  if (fixed == 5) return 4;
  if (argv[1][0] == '!') return *(volatile int *)0;
  return check((unsigned char)argv[1][0], (unsigned char)argv[1][1]);
}
"#;

/// Has more paths than can be followed.
const ENDLESS: &str = r#"#include <unistd.h>
int main(void) {
  char in[60];
  long n = read(0, in, sizeof in);
  int found = 0;
  for (int i = 0; i < n; i++)
    if (in[i] == 'x') found++;
  return found > 9;
}
"#;

fn page_of(place: &TestDir, arguments: &[&str]) -> String {
    place.compile("p", PROGRAM);
    place.run_into(
        "out",
        &[arguments, &["p.bc", "--", "--sym-arg", "2"]].concat(),
    );
    place.succeeds(&["report", "out", "--output", "page.html"]);
    fs::read_to_string(place.path("page.html")).expect("the page is written")
}

/// The annotation of the line of source that has a text. What bugs show of the source has none.
fn annotation<'p>(page: &'p str, code: &str) -> &'p str {
    assert!(page.contains(code), "no line with {code}");
    let mut lines = page.lines().filter(|line| line.contains(code));
    let annotated = lines.find_map(|line| line.split_once("<i>"));
    annotated.map_or("", |(_, rest)| rest)
}

#[test]
fn the_page_lists_results_and_reasons() {
    let place = TestDir::new();
    for arguments in [&[][..], &["--fork", "lazy"], &["--concolic"]] {
        let _ = fs::remove_dir_all(place.path("out"));
        let page = page_of(&place, arguments);
        for part in [
            "1 bug found",
            "homi replay --show-output ./p out/test",
            "return *(volatile int *)0;",
            "arguments: &#39;",
            "id=\"test000001\"",
        ] {
            let plain = part.replace("&#39;", "'");
            assert!(
                page.contains(part) || page.contains(&plain),
                "{arguments:?}: {part}"
            );
        }
        for (code, why) in [
            ("if (a &gt; 20)", "side 0 needs another input"),
            ("if (fixed == 5)", "side 0 needs another input"),
            ("return a &gt; 3 ?", "needs another input"),
            ("if (argc &lt; 2)", "side 0 needs another input"),
        ] {
            let said = annotation(&page, code);
            assert!(said.contains(why), "{arguments:?}: {code}: {said}");
        }
        assert!(
            annotation(&page, "if (a &lt; 10)").starts_with('●'),
            "{arguments:?}"
        );
        let uncovered = place.succeeds(&["stats", "out", "--uncovered"]);
        let uncovered = String::from_utf8(uncovered.stdout).expect("text");
        for part in [
            "out:\nuncovered   reason               line (function)\nside 0 ",
            "\nsides 0, 1  needs another input  ",
            "\nneeds another input: no input of this layout takes it",
        ] {
            assert!(
                uncovered.contains(part),
                "{arguments:?}: {part}: {uncovered}"
            );
        }
        for loaded in ["src=", "url(", "@import", "http://", "https://", "<link"] {
            assert!(
                !page.replace("http://www.w3.org", "").contains(loaded),
                "{loaded}"
            );
        }
    }
}

#[test]
fn plots_are_files_of_three_kinds() {
    let place = TestDir::new();
    place.compile("p", ENDLESS);
    // However busy the machine is, there are several lines of figures.
    let arguments = ["p.bc", "--max-time", "4s", "--stats-write-interval", "0.1s"];
    place.run_into(
        "out",
        &[&arguments[..], &["--", "--sym-stdin", "60"]].concat(),
    );
    place.succeeds(&["report", "out", "--plots", "plots"]);
    let names = [
        "branches.svg",
        "branches.png",
        "branches.csv",
        "states.csv",
        "memory.svg",
    ];
    for name in names {
        let file = fs::read(place.path(&format!("plots/{name}"))).expect(name);
        assert!(!file.is_empty(), "{name}");
    }
    place.succeeds(&["report", "out", "--output", "page.html"]);
    let page = fs::read_to_string(place.path("page.html")).expect("the page");
    assert!(page.contains("<figure") && page.contains("<svg"), "curves");
}

#[test]
fn a_run_that_is_not_over_has_a_page() {
    let place = TestDir::new();
    place.compile("p", PROGRAM);
    place.run_into("out", &["p.bc", "--", "--sym-arg", "2"]);
    for file in ["summary.json", "learning.jsonl", "untaken.jsonl"] {
        fs::remove_file(place.path(&format!("out/{file}"))).expect(file);
    }
    // How it ended is not written yet.
    let info = fs::read_to_string(place.path("out/info")).expect("the file info");
    let begun = info.lines().filter(|line| !line.starts_with("stopped: "));
    let begun: Vec<&str> = begun.collect();
    fs::write(place.path("out/info"), begun.join("\n")).expect("written");
    // A line that is being written.
    let log = place.path("out/coverage.jsonl");
    let begun = fs::read_to_string(&log).expect("a log") + "{\"test\":";
    fs::write(&log, begun).expect("written");
    let page = place.succeeds(&["report", "out", "--output", "-"]);
    let page = String::from_utf8(page.stdout).expect("text");
    assert!(
        page.contains("The run is in progress, or it was killed"),
        "{page}"
    );
    assert!(annotation(&page, "if (a &gt; 20)").contains("side 0 not taken"));
}

#[test]
fn other_directories_than_runs_are_refused() {
    let place = TestDir::new();
    fs::create_dir(place.path("empty")).expect("a directory");
    place.fails(
        &["report", "empty", "--output", "x"],
        2,
        &["not an output directory"],
    );
    place.fails(
        &["report", "nowhere", "--output", "x"],
        2,
        &["nowhere is not a directory"],
    );
    place.fails(&["report", "empty"], 2, &["--output"]);
    place.fails(&["serve", "nowhere"], 2, &["nowhere is not a directory"]);
    assert!(!place.path("x").exists());
}
