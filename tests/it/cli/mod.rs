//! `homi` as users meet it: what a run leaves behind, how it stops, and what bad input is told.
//!
//! Programs are small C sources compiled here by clang 19. No test depends on timing beyond
//! generous upper bounds, on root rights or on the network.

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::time::{Duration, Instant};
use support::{ENDLESS, Place, summary, text};

impl Place {
    /// `homi run` with these words; succeeds.
    fn run(&self, words: &[&str]) -> Value {
        let output = self
            .homi()
            .arg("run")
            .args(words)
            .output()
            .expect("homi runs");
        assert!(output.status.success(), "{words:?}: {}", text(&output));
        summary(&self.path("homi-last"))
    }
}

/// Names in a directory that end like this, sorted.
fn files(directory: &Path, ending: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .expect("the directory is readable")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.ends_with(ending))
        .collect();
    names.sort();
    names
}

/// Three symbolic bytes, eight paths, one assertion that fails on one of them.
const MAZE: &str = r#"
#include <klee/klee.h>
#include <assert.h>
int main(void) {
  unsigned char in[3];
  int found = 0;
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0] == 'a') found++;
  if (in[1] == 'b') found++;
  if (in[2] == 'c') found++;
  assert(found != 3);
  return found;
}
"#;

#[test]
fn a_run_leaves_tests_errors_and_a_summary() {
    let place = Place::new();
    place.compile("maze", MAZE);
    let summary = place.run(&["maze.bc", "--all-tests", "--quiet"]);
    let out = place.path("homi-last");
    assert_eq!(summary["schema"], 1);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["paths"]["completed"], 7);
    assert_eq!(summary["paths"]["error"], 1);
    assert_eq!(summary["tests"], 8);
    assert_eq!(summary["errors"][0]["kind"], "assert");
    assert!(
        summary["errors"][0]["location"]
            .as_str()
            .is_some_and(|at| at.ends_with("maze.c:11"))
    );
    assert_eq!(
        summary["coverage"]["branches"],
        summary["coverage"]["branches_total"]
    );
    assert_eq!(files(&out, ".ktest").len(), 8);
    assert_eq!(
        fs::read_link(&out).expect("a link"),
        Path::new("homi-out-0")
    );

    let error = files(&out, ".assert.err");
    assert_eq!(error.len(), 1);
    let report = fs::read_to_string(out.join(&error[0])).expect("the error file");
    assert!(
        report.starts_with("Error: ASSERTION FAIL: found != 3\nFile: "),
        "{report}"
    );
    assert!(report.contains("\nLine: 11\n"), "{report}");
    assert!(report.contains("in main("), "{report}");
    // The test that shows the bug holds exactly the bytes that lead there.
    let ktest = out.join(error[0].replace(".assert.err", ".ktest"));
    let bytes = fs::read(ktest).expect("the test");
    assert!(bytes.ends_with(b"abc"), "{bytes:?}");

    // Each test's coverage is recorded, and the paths ended.
    let log = fs::read_to_string(out.join("coverage.jsonl")).expect("the coverage log");
    assert_eq!(log.lines().count(), 8);
    assert!(log.lines().all(|line| line.contains(r#""ended":true"#)));
}

#[test]
fn by_default_only_tests_that_show_something_new_are_written() {
    let place = Place::new();
    place.compile("maze", MAZE);
    let summary = place.run(&["--search", "dfs", "maze.bc", "--quiet"]);
    let tests = summary["tests"].as_u64().expect("a number");
    assert!((2..=5).contains(&tests), "{tests}");
    assert_eq!(summary["paths"]["completed"], 7);
    assert_eq!(
        summary["coverage"]["branches"],
        summary["coverage"]["branches_total"]
    );
    assert_eq!(files(&place.path("homi-last"), ".assert.err").len(), 1);
}

#[test]
fn canonical_tests_do_not_depend_on_the_search() {
    let place = Place::new();
    place.compile("maze", MAZE);
    let mut sets = Vec::new();
    for search in [
        "dfs",
        "bfs",
        "random-path,covnew",
        "md2u",
        "cpicnt",
        "random-state",
    ] {
        place.run(&["maze.bc", "--all-tests", "--quiet", "--search", search]);
        let out = place.path("homi-last");
        let mut tests: Vec<_> = files(&out, ".ktest")
            .iter()
            .map(|name| fs::read(out.join(name)).expect("a test"))
            .collect();
        tests.sort();
        sets.push(tests);
    }
    assert!(sets.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn requested_formats_stand_beside_each_test() {
    let place = Place::new();
    place.compile("maze", MAZE);
    place.run(&[
        "maze.bc",
        "--quiet",
        "--all-tests",
        "--write-kqueries",
        "--write-smt2s",
        "--write-cov",
        "--write-paths",
    ]);
    let out = place.path("homi-last");
    for ending in [".ktest", ".kquery", ".smt2", ".cov", ".path"] {
        assert_eq!(files(&out, ending).len(), 8, "{ending}");
    }
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("a file");
    let queries = files(&out, ".smt2");
    assert!(
        queries
            .iter()
            .all(|name| read(name).contains("(check-sat)"))
    );
    let queries = files(&out, ".kquery");
    assert!(queries.iter().all(|name| read(name).contains("(query [")));
    // Every line is covered first by exactly one test.
    let mut lines: Vec<String> = Vec::new();
    for name in files(&out, ".cov") {
        lines.extend(read(&name).lines().map(str::to_string));
    }
    let found: Vec<&String> = lines.iter().filter(|line| line.ends_with(":12")).collect();
    assert_eq!(found.len(), 1, "{lines:?}");
}

/// All files of a directory but times and sizes.
fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for name in files(directory, "") {
        let mut bytes = fs::read(directory.join(&name)).expect("a file");
        if name == "summary.json" {
            let mut value: Value = serde_json::from_slice(&bytes).expect("JSON");
            for key in ["wall_s", "cpu_s", "memory_peak_bytes", "states_mean"] {
                value[key] = Value::Null;
            }
            value["solver"]["time_s"] = Value::Null;
            value["memory"] = Value::Null;
            for line in value["hot_lines"].as_array_mut().expect("a list") {
                line["solver_s"] = Value::Null;
            }
            bytes = value.to_string().into_bytes();
        }
        if name == "learning.jsonl" {
            let mut value: Value = serde_json::from_slice(&bytes).expect("the line of one run");
            for key in [
                "wall_s",
                "states_each_second",
                "branches_each_second",
                "learning_s",
            ] {
                value[key] = Value::Null;
            }
            value["rewalk"]["time_s"] = Value::Null;
            value["rewalk"]["solver_s"] = Value::Null;
            bytes = value.to_string().into_bytes();
        }
        if name == "info" {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let kept = text
                .lines()
                .filter(|line| !line.starts_with("started:") && !line.starts_with("elapsed:"))
                .filter(|line| !line.contains("--output-dir"));
            bytes = kept.collect::<Vec<_>>().join("\n").into_bytes();
        }
        if name == "messages.txt" || name == "run.stats" {
            continue;
        }
        all.push((name, bytes));
    }
    all
}

#[test]
fn equal_seeds_and_instruction_budgets_give_equal_bytes() {
    let place = Place::new();
    place.compile("endless", ENDLESS);
    for search in [
        "random-path,covnew",
        "random-state",
        "md2u,icnt,cpicnt,depth,rp",
        "qc",
    ] {
        let mut outputs = Vec::new();
        for run in ["a", "b"] {
            let name = format!("{run}-{}", search.replace(',', "-"));
            let words = [
                "run",
                "endless.bc",
                "--quiet",
                "--all-tests",
                "--write-paths",
                "--seed",
                "7",
                "--max-instructions",
                "12000",
                "--search",
                search,
            ];
            let output = place
                .homi()
                .args(words)
                .args(["--output-dir", &name])
                .output()
                .expect("homi runs");
            assert!(output.status.success(), "{}", text(&output));
            outputs.push(contents(&place.path(&name)));
        }
        assert!(outputs[0].len() > 20, "{}", outputs[0].len());
        for (a, b) in outputs[0].iter().zip(&outputs[1]) {
            assert_eq!(a.0, b.0);
            assert!(a.1 == b.1, "{search}: {} differs", a.0);
        }
        assert_eq!(outputs[0].len(), outputs[1].len());
    }
}

/// One half of the paths has cheap branches, the other asks for a product's remainder at each.
const CHEAP_AND_DEAR: &str = r#"
#include <klee/klee.h>
static int digits(const unsigned char *in) {
  int sum = 0;
  for (int i = 0; i < 12; i++)
    if (in[i] >= '0' && in[i] <= '9')
      sum += in[i] - '0';
  return sum;
}
static int products(unsigned long a, unsigned long b) {
  int found = 0;
  for (unsigned long i = 0; i < 1000; i++)
    if (a * b % 65521 == 40 * i + a % 7)
      found++;
  return found;
}
int main(void) {
  unsigned char kind, in[12];
  unsigned int a, b;
  klee_make_symbolic(&kind, sizeof kind, "kind");
  klee_make_symbolic(in, sizeof in, "in");
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  return kind < 128 ? digits(in) : products(a, b);
}
"#;

#[test]
fn states_whose_questions_are_expensive_get_fewer_turns() {
    let place = Place::new();
    place.compile("dear", CHEAP_AND_DEAR);
    let paths = |counts: &str| {
        let words = ["dear.bc", "--quiet", "--max-instructions", "100000"];
        let summary = place.run(&[&words[..], &["--probe-share=0", counts]].concat());
        let count = |kind: &str| summary["paths"][kind].as_u64().expect("a count");
        (count("completed") + count("early"), summary)
    };
    let (without, _) = paths("--count-solver-work=false");
    let (with, summary) = paths("--count-solver-work");
    // All of it is counted, so these are the same numbers everywhere.
    assert!(with * 2 > without * 3, "{with} and {without} paths");
    let (again, twice) = paths("--count-solver-work");
    assert_eq!(with, again);
    assert_eq!(summary["solver"]["questions"], twice["solver"]["questions"]);
}

#[test]
fn budgets_stop_the_run_with_their_reason() {
    let place = Place::new();
    place.compile("endless", ENDLESS);
    let summary = place.run(&["endless.bc", "--quiet", "--max-instructions", "20000"]);
    assert_eq!(summary["stop_reason"], "max-instructions");
    assert_eq!(summary["instructions"], 20000);
    let summary = place.run(&[
        "endless.bc",
        "--quiet",
        "--all-tests",
        "--max-tests",
        "1",
        "--max-depth",
        "3",
    ]);
    assert_eq!(summary["stop_reason"], "max-tests");
    let summary = place.run(&["endless.bc", "--quiet", "--max-depth", "4"]);
    assert_eq!(summary["stop_reason"], "no-states-left");
    assert!(
        summary["paths"]["early"]
            .as_u64()
            .is_some_and(|count| count > 4)
    );
    let start = Instant::now();
    let summary = place.run(&["endless.bc", "--quiet", "--max-time", "1s"]);
    assert_eq!(summary["stop_reason"], "max-time");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(summary["clock"], "wall");
    let summary = place.run(&[
        "endless.bc",
        "--quiet",
        "--max-time",
        "1s",
        "--clock",
        "processor",
    ]);
    assert_eq!(summary["stop_reason"], "max-time");
    assert_eq!(summary["clock"], "processor");
    assert!(
        summary["cpu_s"].as_f64().is_some_and(|time| time >= 0.99),
        "{summary}"
    );
}

#[test]
fn a_fork_budget_leaves_one_path_per_state() {
    let place = Place::new();
    place.compile("maze", MAZE);
    let summary = place.run(&["maze.bc", "--quiet", "--max-forks", "2", "--all-tests"]);
    let paths = &summary["paths"];
    let total = paths["completed"].as_u64().unwrap_or(0) + paths["error"].as_u64().unwrap_or(0);
    assert_eq!(total, 3, "{summary}");
}

#[test]
fn an_interrupt_stops_the_run_and_writes_open_tests() {
    let place = Place::new();
    place.compile("endless", ENDLESS);
    let mut child = place
        .homi()
        .args([
            "run",
            "endless.bc",
            "--all-tests",
            "--quiet",
            "--output-dir",
            "out",
        ])
        .args(["--max-time", "120s", "--halt-time", "2s"])
        .spawn()
        .expect("homi starts");
    // Wait until it is under way, not for a fixed time.
    let info = place.path("out/info");
    let start = Instant::now();
    while !info.exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    // No `kill` command: a bare Debian has none.
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).expect("the signal is sent");
    let status = child.wait().expect("homi ends");
    assert_eq!(status.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(90));
    let out = place.path("out");
    let summary = summary(&out);
    assert_eq!(summary["stop_reason"], "interrupted");
    assert!(!files(&out, ".ktest").is_empty());
    assert!(!files(&out, ".early").is_empty());
    assert!(files(&out, ".part").is_empty());
}

/// Peak memory in MiB.
fn peak(summary: &Value) -> f64 {
    summary["memory_peak_bytes"].as_f64().expect("a number") / f64::from(1 << 20)
}

#[test]
fn many_states_stay_within_the_memory_limit() {
    let place = Place::new();
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
    let words = [
        "hungry.bc",
        "--quiet",
        "--max-instructions",
        "12000000",
        "--max-memory",
        "130MiB",
    ];
    let summary = place.run(&words);
    assert_eq!(summary["stop_reason"], "max-instructions", "{summary}");
    assert!(peak(&summary) > 110.0, "{summary}");
    assert!(peak(&summary) < 1.05 * 130.0, "{summary}");
    let warnings = fs::read_to_string(place.path("homi-last/warnings.txt")).expect("warnings.txt");
    assert!(warnings.contains("memory limit"), "{warnings}");
}

/// 2^12 paths, each with up to 280 KiB of its own; breadth first all are alive at once.
const MANY: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char in[12];
  unsigned sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++) {
    unsigned char *block = malloc(24000);
    int bit = in[i] > 100 + i;
    if (bit) sum += i;
    for (int k = 0; k < 24000; k += 64) block[k] = sum * k + bit;
  }
  return sum % 7;
}
"#;

#[test]
fn states_put_aside_for_want_of_memory_come_back() {
    let place = Place::new();
    place.compile("many", MANY);
    let words = ["many.bc", "--quiet", "--search", "bfs", "--max-memory"];
    let in_room = place.run(&[&words[..], &["0"]].concat());
    let pressed = place.run(&[&words[..], &["100MiB"]].concat());
    assert_eq!(in_room["paths"]["completed"], 1 << 12, "{in_room}");
    assert_eq!(in_room["aside"], Value::Null);
    assert!(
        pressed["aside"]["put_aside"].as_u64() > Some(100),
        "{pressed}"
    );
    assert_eq!(pressed["stop_reason"], "exhausted", "{pressed}");
    for same in ["paths", "exit_statuses"] {
        assert_eq!(pressed[same], in_room[same], "{same}");
    }
    assert!(peak(&pressed) < 1.05 * 100.0, "{pressed}");
}

#[test]
fn one_state_that_is_too_large_ends_as_out_of_memory() {
    let place = Place::new();
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

#[test]
fn bugs_set_the_exit_code_only_on_request() {
    let place = Place::new();
    place.compile("maze", MAZE);
    place.run(&["maze.bc", "--quiet"]);
    let output = place
        .homi()
        .args([
            "run",
            "maze.bc",
            "--quiet",
            "--error-exit-code",
            "--exit-on-error",
        ])
        .output()
        .expect("homi runs");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        summary(&place.path("homi-last"))["stop_reason"],
        "error-found"
    );
}

#[test]
fn the_programs_own_arguments_and_output() {
    let place = Place::new();
    place.compile(
        "args",
        r#"
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);
  fprintf(stderr, "%d\n", argc);
  return 5;
}
"#,
    );
    for words in [
        &["args.bc", "--quiet", "--", "--seed", "x y"][..],
        &["--quiet", "args.bc", "--", "--seed", "x y"],
    ] {
        let summary = place.run(words);
        assert_eq!(summary["args"][0], "--seed");
        assert_eq!(summary["exit_statuses"]["5"], 1);
        let out = place.path("homi-last");
        let printed = fs::read_to_string(out.join("stdout.txt")).expect("stdout.txt");
        assert_eq!(printed, "args\n--seed\nx y\n");
        let printed = fs::read_to_string(out.join("stderr.txt")).expect("stderr.txt");
        assert_eq!(printed, "3\n");
    }
    let output = place
        .homi()
        .args(["run", "args.bc", "--show-output", "--quiet", "--", "hello"])
        .output()
        .expect("homi runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "args\nhello\n");
}

#[test]
fn undefined_functions_are_warnings_and_gaps() {
    let place = Place::new();
    place.compile(
        "undefined",
        r#"
#include <klee/klee.h>
int nowhere(int);
int main(void) {
  int x = klee_int("x");
  if (x == 77) return nowhere(x);
  return 0;
}
"#,
    );
    let summary = place.run(&["undefined.bc", "--quiet"]);
    assert_eq!(summary["paths"]["gap"], 1);
    assert_eq!(summary["paths"]["completed"], 1);
    let gap = summary["gaps"][0]["what"].as_str().unwrap_or_default();
    assert!(gap.contains("nowhere"), "{gap}");
    let warnings = fs::read_to_string(place.path("homi-last/warnings.txt")).expect("warnings.txt");
    assert!(warnings.contains("nowhere"), "{warnings}");
    let lines = warnings.lines();
    let ended: Vec<_> = lines
        .filter(|line| line.contains("paths end early at ") && line.contains("undefined.c:6"))
        .collect();
    assert_eq!(ended.len(), 1, "{warnings}");
    // A campaign's next run would end in the same gap.
    let args = ["--prune", "homi", "--max-time", "1h", "--quiet"];
    let summary = place.run(&[&["undefined.bc"][..], &args].concat());
    assert_eq!(summary["stop_reason"], "no-states-left");
    assert_eq!(summary["campaign"]["runs"], 1);
}

#[test]
fn a_second_process_is_a_path_of_its_own_however_libc_starts_it() {
    let place = Place::new();
    for (call, paths) in [
        // The child ends in one way, a status that somebody asks for in two.
        ("system(\"true\")", 3),
        ("pclose(popen(\"true\", \"r\"))", 3),
        (
            "posix_spawnp(&(pid_t){0}, \"true\", 0, 0, (char *[]){\"true\", 0}, 0)",
            2,
        ),
        ("wordexp(\"$(true)\", &(wordexp_t){0}, 0)", 3),
        ("fork()", 2),
        ("vfork() ? 0 : (_exit(0), 0)", 2),
    ] {
        let source = format!(
            "#include <spawn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <wordexp.h>\n\
             int main(void) {{ {call}; return 0; }}\n"
        );
        place.compile("starts", &source);
        let summary = place.run(&["starts.bc", "--quiet"]);
        assert_eq!(summary["errors"], serde_json::json!([]), "{call}");
        assert_eq!(summary["gaps"], serde_json::json!([]), "{call}");
        assert_eq!(summary["paths"]["completed"], paths, "{call}");
    }
}

#[test]
fn bad_programs_are_refused_with_a_reason() {
    let place = Place::new();
    fs::write(place.path("text.bc"), "this is no bitcode\n").expect("write");
    place.fails(&["run", "text.bc"], 1, &["text.bc", "not LLVM bitcode"]);
    fs::write(place.path("empty.bc"), "").expect("write");
    place.fails(&["run", "empty.bc"], 1, &["empty.bc"]);
    place.fails(&["run", "absent.bc"], 1, &["absent.bc", "cannot read"]);
    let whole = fs::read(place.compile("maze", MAZE)).expect("the bitcode");
    for length in [whole.len() / 3, whole.len() - 40] {
        fs::write(place.path("cut.bc"), &whole[..length]).expect("write");
        place.fails(&["run", "cut.bc"], 1, &["cut.bc"]);
    }
    place.compile("library", "int helper(int x) { return x + 1; }\n");
    place.fails(&["run", "library.bc"], 1, &["library.bc", "main", "helper"]);
    place.fails(
        &["run", "maze.bc", "--entry-point", "start"],
        1,
        &["start", "main"],
    );
    // Nothing was written before the program was loaded.
    assert!(files(place.directory.path(), "homi-last").is_empty());
}

#[test]
fn bad_command_lines_are_refused_with_status_2() {
    let place = Place::new();
    place.compile("maze", MAZE);
    place.fails(&["run"], 2, &["FILE.bc"]);
    place.fails(&["walk"], 2, &["walk"]);
    place.fails(
        &["run", "--search", "best", "maze.bc"],
        2,
        &["best", "md2u"],
    );
    place.fails(
        &["run", "--serach", "dfs", "maze.bc"],
        2,
        &["--serach", "--search"],
    );
    place.fails(&["run", "--max-time", "soon", "maze.bc"], 2, &["soon"]);
    place.fails(&["run", "--max-memory", "3 cows", "maze.bc"], 2, &["cows"]);
    place.fails(&["run", "--max-memory", "1kB", "maze.bc"], 2, &["64 MiB"]);
    place.fails(
        &["run", "maze.bc", "x", "--max-time", "3s"],
        2,
        &["--max-time", "`--`"],
    );
}

#[test]
fn a_missing_directory_of_the_program_is_found_out_before_anything_is_written() {
    let place = Place::new();
    place.compile("maze", MAZE);
    for (directory, reason) in [("absent", "No such file"), ("maze.bc", "no directory")] {
        let words = ["run", "maze.bc", "--run-in-dir", directory];
        place.fails(&words, 1, &[directory, "program's directory", reason]);
    }
    assert!(!place.path("homi-out-0").exists());
}

/// The runtime reads the program's arguments, so it is found out as the run begins; then that is no
/// bug of the program.
#[test]
fn wrong_symbolic_arguments_are_refused_with_status_2() {
    let place = Place::new();
    place.compile("maze", MAZE);
    for (words, usage) in [
        ("--sym-arg", "--sym-arg N"),
        ("--sym-args 3 1 2", "--sym-args MIN MAX N, MIN <= MAX"),
        ("--sym-args 0 1 2 --sym-arg x", "--sym-arg N"),
        (
            "--sym-file no/such/place 4",
            "directory of this file does not exist",
        ),
    ] {
        let words = format!("run --quiet maze.bc -- {words}");
        let words: Vec<_> = words.split(' ').collect();
        place.fails(&words, 2, &[usage, "was not run"]);
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    place.compile("maze", MAZE);
    fs::create_dir(place.path("mine")).expect("a directory");
    place.fails(
        &["run", "maze.bc", "--output-dir", "mine"],
        1,
        &["mine", "exists already"],
    );
    place.fails(
        &["run", "maze.bc", "--output-dir", "absent/x"],
        1,
        &["absent/x", "cannot create"],
    );
    place.fails(
        &["run", "maze.bc", "--output-dir", "maze.bc/x"],
        1,
        &["maze.bc/x", "cannot create"],
    );
    place.fails(&["run", "maze.bc", "--env-file", "absent"], 1, &["absent"]);
    place.fails(
        &["run", "maze.bc", "--run-in-dir", "absent"],
        1,
        &["absent"],
    );
}

/// A limit on file sizes fails writes as a full disk does, without root rights.
#[test]
fn a_full_disk_stops_the_run_and_keeps_the_tests_before() {
    let place = Place::new();
    place.compile("endless", ENDLESS);
    let mut command = place.homi();
    command.args([
        "run",
        "endless.bc",
        "--all-tests",
        "--output-dir",
        "out",
        "--max-depth",
        "60",
        "--search",
        "bfs",
        "--max-instructions",
        "4000000",
        "--quiet",
    ]);
    // SAFETY: only async-signal-safe calls between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit {
                rlim_cur: 1 << 15,
                rlim_max: 1 << 15,
            };
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            Ok(())
        });
    }
    let output = command.output().expect("homi runs");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write"), "{said}");
    assert!(said.contains("tests written before are valid"), "{said}");
    let out = place.path("out");
    let tests = files(&out, ".ktest");
    assert!(!tests.is_empty());
    for name in &tests {
        let bytes = fs::read(out.join(name)).expect("a test");
        homi::testcase::ktest::KTest::from_bytes(&bytes).expect("a whole test");
    }
    assert!(files(&out, ".part").is_empty());
    assert_eq!(summary(&out)["stop_reason"], "write-failed");
}

#[test]
fn help_and_manual_name_every_option() {
    let place = Place::new();
    let help = place
        .homi()
        .args(["run", "--help"])
        .output()
        .expect("homi runs");
    assert!(help.status.success());
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let page = place
        .homi()
        .args(["man", "run"])
        .output()
        .expect("homi runs");
    let page = String::from_utf8_lossy(&page.stdout).replace('\\', "");
    for option in [
        "--max-time",
        "--search",
        "--all-tests",
        "--output-dir",
        "--seed",
    ] {
        assert!(help.contains(option) && page.contains(option), "{option}");
    }
    for heading in ["When to stop:", "Search:", "Tests:", "Output:"] {
        assert!(help.contains(heading), "{heading}");
    }
    assert!(!help.contains("__solver"));
}

/// Two locks, taken in either order by two threads that hold one each, unless `same` is not 0.
const DEADLOCK: &str = r#"
#include <pthread.h>
#include <klee/klee.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *other(void *unused) {
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return unused;
}
int main(void) {
    int same;
    pthread_t thread;
    klee_make_symbolic(&same, sizeof same, "same");
    if (same) return 0;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
    pthread_join(thread, 0);
    return 0;
}
"#;

#[test]
fn a_deadlock_is_a_bug_with_a_test() {
    let place = Place::new();
    place.compile("deadlock", DEADLOCK);
    let summary = place.run(&["deadlock.bc"]);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["errors"][0]["kind"], "deadlock", "{summary}");
    assert_eq!(files(&place.path("homi-last"), ".deadlock.err").len(), 1);
    assert_eq!(summary["tests"], 2);
}
