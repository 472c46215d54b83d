//! Time of a run: `run.stats`, `homi stats`, the hot lines, also of killed runs.

use crate::support::{ENDLESS, TestDir, summary, wait_until};
use homi::solver::term::Terms;
use homi::solver::{Check, Oracle, Solver, SolverConfig, read_queries};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Forks at lines 7 (a branch), 8 (a switch) and 14 (a symbolic index out of bounds).
const SPOTS: &str = r#"
#include <klee/klee.h>
int table[4] = {1, 2, 3, 4};
static int choose(unsigned char c) {
  int n = 0;
  for (int i = 0; i < 2; i++)
    if (c > 100 * i + 50) n++;
  switch (c) { case 1: return n + 3; case 2: return n + 4; default: return n; }
}
int main(void) {
  unsigned char in[2];
  klee_make_symbolic(in, sizeof in, "in");
  int n = choose(in[0]);
  return n + table[in[1] & 7];
}
"#;

fn printed(place: &TestDir, arguments: &[&str]) -> String {
    String::from_utf8(place.succeeds(arguments).stdout).expect("UTF-8")
}

/// A number of the last row of KLEE's table.
fn last(directory: &Path, column: &str) -> u64 {
    let connection = Connection::open(directory.join("run.stats")).expect("a database");
    let query = format!("SELECT {column} FROM stats ORDER BY rowid DESC LIMIT 1");
    let value: f64 = connection
        .query_row(&query, [], |row| row.get(0))
        .expect("a row");
    value as u64
}

#[test]
fn the_last_row_is_the_summary() {
    let place = TestDir::new();
    place.compile("spots", SPOTS);
    place.succeeds(&["run", "spots.bc", "--quiet", "--all-tests"]);
    let out = place.path("homi-last");
    let summary = summary(&out);
    let forks = last(&out, "BranchesConditional") + last(&out, "BranchesSwitch");
    let memory_forks = last(&out, "BranchesMemOp");
    // The exit status has several values.
    let forks = forks + last(&out, "BranchesResolvePointer");
    assert_eq!(last(&out, "Instructions"), summary["instructions"]);
    assert_eq!(last(&out, "Queries"), summary["solver"]["queries"]);
    assert_eq!(last(&out, "TerminationExit"), summary["paths"]["completed"]);
    assert_eq!(
        last(&out, "TerminationProgramError"),
        summary["paths"]["error"]
    );
    assert_eq!(last(&out, "NumStates"), 0);
    // The loop's branch is always decided, the branch in it goes both ways.
    assert_eq!(
        (last(&out, "NumBranches"), last(&out, "FullBranches")),
        (2, 2)
    );
    assert_eq!(last(&out, "UncoveredInstructions"), 0);
    assert!(last(&out, "BranchesSwitch") >= 2);
    assert!(memory_forks >= 1);
    assert_eq!(last(&out, "States"), 1 + forks + memory_forks);

    let lines = summary["hot_lines"].as_array().expect("a list");
    let of = |line: &str| {
        let found = lines.iter().find(|entry| {
            let location = entry["location"].as_str().unwrap_or_default();
            location.ends_with(line)
        });
        found.unwrap_or_else(|| panic!("{line} in {lines:?}"))
    };
    assert_eq!(of("spots.c:7")["function"], "choose");
    assert_eq!(of("spots.c:8")["forks"], last(&out, "BranchesSwitch"));
    assert_eq!(of("spots.c:14")["forks"], memory_forks);
    assert!(of("spots.c:7")["queries"].as_u64() >= of("spots.c:7")["forks"].as_u64());
    let asked: u64 = lines
        .iter()
        .filter_map(|line| line["queries"].as_u64())
        .sum();
    assert!(asked > 0 && asked <= summary["solver"]["queries"].as_u64().unwrap_or(0));
    let memory = &summary["memory"];
    let parts = [
        "program_bytes",
        "terms_bytes",
        "solver_cache_bytes",
        "states_bytes",
    ];
    let sum: u64 = parts.iter().filter_map(|part| memory[part].as_u64()).sum();
    assert_eq!(memory["allocated_bytes"], sum);
    assert!(memory["resident_bytes"].as_u64() >= memory["allocated_bytes"].as_u64());
}

#[test]
fn stats_shows_one_run_in_detail_and_several_as_a_table() {
    let place = TestDir::new();
    place.compile("spots", SPOTS);
    for name in ["all/one", "all/two"] {
        fs::create_dir_all(place.path("all")).expect("a directory");
        place.succeeds(&["run", "spots.bc", "--quiet", "--output-dir", name]);
    }
    let instructions = last(&place.path("all/one"), "Instructions").to_string();

    let details = printed(&place, &["stats", "all/one"]);
    for part in [
        "spots.bc, ended: exhausted",
        &instructions,
        "spots.c:8 (choose)",
        "resident",
    ] {
        assert!(details.contains(part), "no {part:?} in {details}");
    }
    let table = printed(&place, &["stats", "all"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert!(lines[0].starts_with("Path"));
    assert!(lines[1].starts_with("all/one") && lines[2].starts_with("all/two"));
    assert!(lines[1].contains(&instructions), "{table}");
    assert_eq!(
        printed(&place, &["stats", "--table", "all/one"])
            .lines()
            .count(),
        2
    );

    let json = printed(&place, &["stats", "--json", "--all-rows", "all"]);
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value[1]["path"], "all/two");
    assert!(
        value[0]["rows"]
            .as_array()
            .is_some_and(|rows| rows.len() >= 2)
    );
    assert_eq!(value[0]["last"]["stats"]["NumStates"], 0);
    let csv = printed(&place, &["stats", "--csv", "all/one", "all/two"]);
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

/// The numbers after a word at the start of a line.
fn numbers(text: &str, start: &str) -> Vec<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(start));
    let line = line.unwrap_or_else(|| panic!("no {start:?} in {text}"));
    line.split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect()
}

/// No input, so every count is known: `twice` runs 1 + 3 times, half of them through a pointer.
const CONCRETE: &str = r#"
static int twice(int n) { return n + n; }
static int twice_again(int n) { return n + n + 0; }
int main(int argc, char **argv) {
  int (*volatile chosen)(int) = twice;
  int sum = twice(argc);
  for (int i = 0; i < 3; i++) {
    if (i == 2) chosen = twice_again;
    sum += chosen(i);
  }
  return sum;
}
"#;

#[test]
fn a_profile_says_what_the_program_costs() {
    let place = TestDir::new();
    place.compile("concrete", CONCRETE);
    place.succeeds(&[
        "run",
        "concrete.bc",
        "--quiet",
        "--write-callgrind",
        "--libc",
        "none",
    ]);
    let out = place.path("homi-last");
    let text = fs::read_to_string(out.join("run.istats")).expect("the profile");
    let totals = numbers(&text, "totals: ");
    assert_eq!(totals[0], summary(&out)["instructions"]);
    let coverage = &summary(&out)["coverage"];
    assert_eq!(totals[1], coverage["instructions"]);
    let main = text.split_once("\nfn=main\n").expect("main").1;
    let main = main.split_once("\n\n").expect("an end").0;
    // One direct call, three through the pointer: two of twice and one of twice_again.
    let calls: Vec<(&str, u64)> = main
        .split("cfn=")
        .skip(1)
        .map(|part| {
            let (name, rest) = part.split_once('\n').expect("a line");
            (
                name,
                numbers(rest.lines().next().expect("a line"), "calls=")[0],
            )
        })
        .collect();
    assert_eq!(calls, [("twice", 1), ("twice", 2), ("twice_again", 1)]);
    // The inclusive costs of the calls are what the called functions cost.
    let inclusive = |part: &str| numbers(part.lines().nth(2).expect("a line"), "")[2];
    let called: u64 = main.split("cfn=").skip(1).map(inclusive).sum();
    let own: u64 = main
        .split("cfi=")
        .next()
        .expect("the function's own lines")
        .lines()
        .map(|line| numbers(line, "")[2])
        .sum();
    assert_eq!(own + called, totals[0]);
    let graph = fs::read_to_string(out.join("flamegraph.svg")).expect("the flame graph");
    assert!(graph.contains("twice_again (") && graph.contains("</svg>"));
    // Nothing was asked, so there is no graph of the solver's time.
    assert!(!out.join("flamegraph-solver.svg").exists());
}

#[test]
fn a_profile_counts_forks_and_queries_where_they_happen() {
    let place = TestDir::new();
    place.compile("spots", SPOTS);
    place.succeeds(&["run", "spots.bc", "--quiet", "--write-callgrind"]);
    let out = place.path("homi-last");
    let text = fs::read_to_string(out.join("run.istats")).expect("the profile");
    let totals = numbers(&text, "totals: ");
    assert_eq!(totals[3], last(&out, "States") - 1);
    assert!(totals[4] >= totals[3]);
    let choose = text.split_once("\nfn=choose\n").expect("choose").1;
    let choose = choose.split_once("\n\n").expect("an end").0;
    let at_line_8: u64 = choose
        .lines()
        .filter(|line| line.split(' ').nth(1) == Some("8"))
        .map(|line| numbers(line, "")[5])
        .sum();
    assert_eq!(at_line_8, last(&out, "BranchesSwitch"));
    assert!(out.join("flamegraph-solver.svg").exists());
}

#[test]
fn a_directory_without_a_run_is_refused() {
    let place = TestDir::new();
    fs::create_dir(place.path("empty")).expect("a directory");
    place.fails(
        &["stats", "empty"],
        2,
        &["empty is not an output directory of homi run"],
    );
    place.fails(
        &["stats", "missing"],
        2,
        &["cannot read missing as a directory"],
    );
    place.fails(&["stats"], 2, &["required"]);
    fs::write(
        place.path("empty/run.stats"),
        "what is this? it is not a database",
    )
    .expect("write");
    place.fails(
        &["stats", "empty"],
        1,
        &["cannot read the statistics of empty"],
    );
    // A run that was killed before its first row.
    fs::remove_file(place.path("empty/run.stats")).expect("remove");
    let connection = Connection::open(place.path("empty/run.stats")).expect("a database");
    connection
        .execute_batch("CREATE TABLE stats (Instructions INTEGER)")
        .expect("a table");
    drop(connection);
    place.fails(&["stats", "empty"], 1, &["has no rows"]);
}

#[test]
fn a_killed_run_keeps_its_rows() {
    let place = TestDir::new();
    place.compile("endless", ENDLESS);
    let arguments = [
        "run",
        "endless.bc",
        "--quiet",
        "--stats-write-interval",
        "20ms",
    ];
    let mut child = place.homi().args(arguments).spawn().expect("homi starts");
    let out = place.path("homi-out-0");
    let mut rows = 0;
    // Reading while the run writes is allowed.
    wait_until("five rows", || {
        let output = place.output(&["stats", "--csv", "--all-rows", "homi-out-0"]);
        rows = String::from_utf8_lossy(&output.stdout).lines().count();
        output.status.success() && rows > 5
    });
    child.kill().expect("kill");
    child.wait().expect("wait");
    let csv = printed(&place, &["stats", "--csv", "--all-rows", "homi-out-0"]);
    assert!(csv.lines().count() >= rows);
    let details = printed(&place, &["stats", "homi-last"]);
    assert!(
        details.contains("no summary.json: the run is still running, or was killed"),
        "{details}"
    );
    assert!(last(&out, "Instructions") > 0);
}

#[test]
fn a_campaign_adds_up_and_goes_on() {
    let place = TestDir::new();
    place.compile("endless", ENDLESS);
    let arguments = [
        "run",
        "endless.bc",
        "--quiet",
        "--prune",
        "homi",
        "--seed",
        "3",
        "--tuning completion-instructions",
        "1000",
    ];
    let budget = ["--max-time", "20000i", "--stats-write-interval", "0"];
    place.succeeds(&[&arguments[..], &budget, &["--output-dir", "out"]].concat());
    let out = place.path("out");
    let first = last(&out, "Instructions");
    assert_eq!(first, summary(&out)["instructions"]);
    let states = last(&out, "States");
    assert!(states > 10, "{states}");
    place.succeeds(&[&arguments[..], &budget, &["--resume", "out"]].concat());
    let second = summary(&out)["instructions"].as_u64().expect("a number");
    assert_eq!(last(&out, "Instructions"), first + second);
    assert!(last(&out, "States") > states);
}

#[test]
fn recorded_queries_are_scripts_that_can_be_read_again() {
    let place = TestDir::new();
    place.compile("spots", SPOTS);
    let arguments = ["run", "spots.bc", "--quiet", "--write-queries", "q.smt2"];
    place.succeeds(&arguments);
    let text = fs::read_to_string(place.path("q.smt2")).expect("the queries");
    let terms = Terms::new();
    let queries = read_queries(&terms, &text).expect("scripts of our own");
    assert_eq!(queries.len(), text.matches("(check-sat)").count());
    let told = fs::read_to_string(place.path("homi-last/messages.txt")).expect("messages");
    assert!(
        told.contains(&format!("q.smt2 has {} queries", queries.len())),
        "{told}"
    );
    let mut solver = Solver::new(SolverConfig::default());
    for query in &queries {
        assert!(query.path.holds(&terms, &query.model));
        let (path, model) = (&query.path, &query.model);
        let answer = solver.check(&terms, path, model, query.condition);
        assert_eq!(query.satisfiable, Some(matches!(answer, Check::Sat(_))));
    }
    assert!(queries.iter().any(|query| query.satisfiable == Some(false)));
    assert!(queries.iter().any(|query| query.satisfiable == Some(true)));
    // What was recorded is not written over.
    place.fails(&arguments, 1, &["cannot write queries to q.smt2"]);
}
