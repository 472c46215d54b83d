//! `homi job` and `homi jobs`: a program that is followed in jobs comes to the tests of one run,
//! however often jobs are killed and swapped in; a job is done once, by the homi that made it,
//! for the program that it was made for.

use crate::support::{TestDir, tests, text, wait_until};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Branches, a switch, symbolic addresses, a bug.
const PROGRAM: &str = r#"
#include <klee/klee.h>
int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int depth(unsigned char *s, int n) {
  if (n == 0) return 0;
  switch (s[0]) {
  case '(': return 1 + depth(s + 1, n - 1);
  case ')': return depth(s + 1, n - 1) - 1;
  case 'x': return depth(s + 1, n - 1);
  default: return -100;
  }
}
int main(void) {
  unsigned char s[4], at;
  klee_make_symbolic(s, sizeof s, "s");
  klee_make_symbolic(&at, 1, "at");
  int d = depth(s, 4);
  if (d > 0) d += table[at & 15];
  if (d == 9) return 9;
  return s[0] == at;
}
"#;

const WORDS: [&str; 4] = ["--libc", "none", "--all-tests", "program.bc"];

fn contents(directory: &Path) -> Vec<Vec<u8>> {
    let mut contents: Vec<_> = tests(directory)
        .into_iter()
        .map(|(_, bytes)| bytes)
        .collect();
    contents.sort();
    contents
}

fn bugs(directory: &Path) -> BTreeSet<String> {
    let summary = crate::support::summary(directory);
    let errors = summary["errors"].as_array().expect("a list").iter();
    errors
        .map(|error| format!("{} {}", error["kind"], error["location"]))
        .collect()
}

fn status(place: &TestDir, job_directory: &str) -> Value {
    let output = place.succeeds(&["jobs", "status", job_directory]);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn begin(place: &TestDir, job_directory: &str, kind: &str, job: &str, arguments: &[&str]) {
    let begin = [
        "jobs",
        "init",
        job_directory,
        "--kind",
        kind,
        "--job-budget",
        job,
        "--",
    ];
    place.succeeds(&[&begin[..], arguments].concat());
}

/// Takes results and deals out jobs; their files.
fn step(place: &TestDir, job_directory: &str, count: &str, arguments: &[&str]) -> Vec<PathBuf> {
    let output = place.succeeds(
        &[
            &["jobs", "next", job_directory, "--count", count][..],
            arguments,
        ]
        .concat(),
    );
    let text = String::from_utf8(output.stdout).expect("names are text");
    text.lines().map(PathBuf::from).collect()
}

/// The directory for the result of a job, which lies in its job directory's directory of jobs.
fn result(job: &Path) -> String {
    let job_directory = job.ancestors().nth(2).and_then(Path::file_name);
    let [job_directory, job] =
        [job_directory, job.file_stem()].map(|name| name.expect("a name").to_string_lossy());
    format!("results/{job_directory}/{job}")
}

fn do_job(place: &TestDir, job: &Path) -> String {
    let result = result(job);
    place.succeeds(&["job", job.to_str().expect("text"), "--out", &result]);
    result
}

/// Does jobs until there are none; how many they were.
fn to_the_end(place: &TestDir, job_directory: &str, count: &str) -> u64 {
    let mut jobs = step(place, job_directory, count, &["--again"]);
    for _ in 0..300 {
        if jobs.is_empty() {
            return status(place, job_directory)["taken"]
                .as_u64()
                .expect("a number");
        }
        let results: Vec<String> = jobs.iter().map(|job| do_job(place, job)).collect();
        let results: Vec<&str> = results.iter().map(String::as_str).collect();
        jobs = step(place, job_directory, count, &results);
    }
    panic!("{job_directory} comes to no end");
}

#[test]
fn a_program_in_jobs_has_the_tests_of_one_run() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    let whole = place.run_into("whole", &[&["--quiet"], &WORDS[..]].concat());
    begin(&place, "book", "frontier", "2500w", &WORDS);
    let jobs = to_the_end(&place, "book", "3");
    let status = status(&place, "book");
    assert!(jobs >= 4, "{status}");
    assert_eq!(status["ended"], whole["stop_reason"], "{status}");
    assert_eq!((&status["open"], &status["lost"]), (&0.into(), &0.into()));
    let gathered = crate::support::summary(&place.path("book/out"));
    assert_eq!(gathered["paths"], whole["paths"]);
    assert_eq!(
        gathered["coverage"]["branches"],
        whole["coverage"]["branches"]
    );
    assert_eq!(bugs(&place.path("book/out")), bugs(&place.path("whole")));
    assert!(contents(&place.path("book/out")) == contents(&place.path("whole")));
}

#[test]
fn without_all_tests_jobs_show_what_a_run_shows() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    let arguments = ["--libc", "none", "program.bc"];
    let whole = place.run_into("whole", &[&["--quiet"], &arguments[..]].concat());
    begin(&place, "book", "frontier", "2500w", &arguments);
    to_the_end(&place, "book", "2");
    let gathered = crate::support::summary(&place.path("book/out"));
    assert_eq!(
        gathered["coverage"]["branches"],
        whole["coverage"]["branches"]
    );
    assert_eq!(bugs(&place.path("book/out")), bugs(&place.path("whole")));
    let count = tests(&place.path("book/out")).len() as u64;
    assert!(
        count < whole["paths"]["completed"].as_u64().unwrap() / 2,
        "{count} tests"
    );
}

#[test]
fn a_job_is_done_once_and_counted_once() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    begin(&place, "book", "frontier", "2500w", &WORDS);
    let job = step(&place, "book", "1", &[]).remove(0);
    let result = do_job(&place, &job);
    let file = place.path(&result).join("result.json");
    let before = fs::read(&file).unwrap();
    let shown = job.to_str().unwrap();
    let said = text(&place.succeeds(&["job", shown, "--out", &result]));
    assert!(said.contains("result already exists"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), before);
    let more = step(&place, "book", "2", &[&result, &result]);
    let told = status(&place, "book");
    assert_eq!(
        (&told["taken"], &told["again"]),
        (&1.into(), &1.into()),
        "{told}"
    );
    // A late copy of a result that was taken, and a result of another job directory.
    assert_eq!(step(&place, "book", "0", &[&result]), Vec::<PathBuf>::new());
    let again = status(&place, "book");
    assert_eq!(
        (&again["tests"], &again["paths"]),
        (&told["tests"], &told["paths"])
    );
    let other = more[0].to_str().unwrap();
    place.fails(
        &["job", other, "--out", &result],
        2,
        &["result of another job"],
    );
    fs::create_dir(place.path("full")).unwrap();
    fs::write(place.path("full/mine"), "x").unwrap();
    place.fails(
        &["job", other, "--out", "full"],
        2,
        &["does not hold a result"],
    );
    begin(&place, "second", "frontier", "2500w", &WORDS);
    place.fails(&["jobs", "next", "second", &result], 2, &["did not issue"]);
    assert_eq!(step(&place, "book", "0", &["--again"]), more);
}

#[test]
fn jobs_of_another_version_build_or_program_are_refused() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    begin(&place, "book", "frontier", "2500w", &WORDS);
    let job = step(&place, "book", "1", &[]).remove(0);
    let text = fs::read_to_string(&job).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        fs::write(place.path("other.json"), value.to_string()).unwrap();
    };
    let refused = |parts: &[&str]| {
        place.fails(&["job", "other.json", "--out", "out"], 2, parts);
        assert!(!place.path("out").exists());
    };
    changed(&|job| job["homi"]["version"] = "0.0.7".into());
    refused(&["is a job of homi 0.0.7"]);
    changed(&|job| job["version"] = 99.into());
    refused(&["format 99"]);
    changed(&|job| job["homi"]["digest"] = "0123".into());
    refused(&["another build of homi", "0123"]);
    changed(&|job| job["program"][1] = "feed".into());
    refused(&["belongs to another program", "feed"]);
    changed(&|job| job["directory"] = "/nowhere".into());
    refused(&["directory /nowhere"]);
    changed(&|job| job["format"] = "x".into());
    refused(&["is not a job"]);
    fs::write(place.path("other.json"), &text[..text.len() / 2]).unwrap();
    refused(&["is not a job", "not valid JSON"]);
    place.compile("program", &PROGRAM.replace("d == 9", "d == 8"));
    let shown = job.to_str().unwrap();
    place.fails(
        &["job", shown, "--out", "out"],
        2,
        &["belongs to another program"],
    );
}

/// How many files there are below a directory, which may change meanwhile.
fn files_below(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let of = |entry: fs::DirEntry| {
        if entry.path().is_dir() {
            files_below(&entry.path())
        } else {
            1
        }
    };
    entries.map(of).sum()
}

#[test]
fn a_killed_job_is_issued_again() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    begin(&place, "book", "frontier", "2500w", &WORDS);
    let job = step(&place, "book", "1", &[]).remove(0);
    let shown = job.to_str().unwrap();
    for files in [0, 1, 4, 12] {
        let mut command = place.homi();
        command
            .args(["job", shown, "--out", "results/killed"])
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("homi runs");
        wait_until("so many files", || {
            let is_over = child.try_wait().expect("a child").is_some();
            is_over || files_below(&place.path("results")) >= files
        });
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    place.succeeds(&["job", shown, "--out", "results/killed"]);
    let left = fs::read_dir(place.path("results")).unwrap();
    let names: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["killed"]);
    let once = do_job(&place, &job);
    let tests = |directory: &str| contents(&place.path(directory).join("run"));
    assert!(tests("results/killed") == tests(&once));
}

#[test]
fn a_step_that_was_killed_has_done_nothing() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    begin(&place, "book", "frontier", "2500w", &WORDS);
    let job = step(&place, "book", "1", &[]).remove(0);
    let result = do_job(&place, &job);
    let before = fs::read(place.path("book/state.json")).unwrap();
    step(&place, "book", "3", &[&result]);
    let told = status(&place, "book");
    let gathered = contents(&place.path("book/out"));
    // As if the state had not been replaced.
    fs::write(place.path("book/state.json"), before).unwrap();
    step(&place, "book", "3", &[&result]);
    assert_eq!(status(&place, "book"), told);
    assert!(contents(&place.path("book/out")) == gathered);
    to_the_end(&place, "book", "3");
    let whole = place.run_into("whole", &[&["--quiet"], &WORDS[..]].concat());
    assert!(contents(&place.path("book/out")) == contents(&place.path("whole")));
    assert_eq!(status(&place, "book")["paths"].as_u64(), {
        let paths = &whole["paths"];
        let sum = |name: &str| paths[name].as_u64().unwrap_or(0);
        Some(sum("completed") + sum("error") + sum("early") + sum("unsupported"))
    });
}

/// A loop that forks without end, with conditions to learn from.
const LOOP: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned found = 0;
  for (unsigned n = 0;; n++) {
    unsigned char in;
    klee_make_symbolic(&in, 1, "in");
    if (in == 3) found++;
    if (in == 7 && found > 1) found += 2;
    if (found > 4) { if (in == 9) return 1; found = 0; }
  }
}
"#;

#[test]
fn runs_of_a_campaign_that_are_made_elsewhere_teach_and_the_campaign_goes_on_here() {
    let place = TestDir::new();
    place.compile("program", LOOP);
    let arguments = [
        "--libc",
        "none",
        "--prune",
        "homi",
        "--search",
        "random-state",
        "--max-time",
        "80000i",
        "--tuning run-time-max",
        "8000i",
        "--tuning prune-interval",
        "800i",
        "program.bc",
    ];
    let campaign = |job_directory: &str, count: &str| {
        begin(&place, job_directory, "campaign", "10s", &arguments);
        let jobs = to_the_end(&place, job_directory, count);
        let told = status(&place, job_directory);
        assert_eq!(told["ended"], "max-time", "{told}");
        let data =
            fs::read_to_string(place.path(job_directory).join("out/learning-data.jsonl")).unwrap();
        assert_eq!(data.lines().count() as u64, jobs + 1);
        data
    };
    let one = campaign("one", "1");
    let runs: Vec<Value> = one
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(runs.len() >= 12, "{} runs", runs.len());
    assert!(runs[0]["events"].as_array().unwrap().is_empty());
    let pruned = |run: &&Value| !run["events"].as_array().unwrap().is_empty();
    assert!(runs.iter().filter(pruned).count() > 3);
    // The same jobs are the same campaign.
    assert_eq!(campaign("same", "1"), one);
    campaign("several", "4");
    for job_directory in ["one", "several"] {
        let out = format!("{job_directory}/out");
        let resumed = ["run", "--quiet", "--resume", &out, "--max-time", "10000i"];
        place.succeeds(&resumed);
        let data = fs::read_to_string(place.path(&out).join("learning-data.jsonl")).unwrap();
        assert!(data.lines().count() > runs.len(), "{job_directory}");
    }
}

#[test]
fn job_directories_refuse_options_that_jobs_cannot_have() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    let refused = |kind: &str, arguments: &[&str], part: &str| {
        let begin = ["jobs", "init", "book", "--kind", kind, "--"];
        place.fails(&[&begin[..], arguments].concat(), 2, &[part]);
        assert!(!place.path("book").exists());
    };
    refused(
        "frontier",
        &["--max-time", "5s", "program.bc"],
        "use --job-budget",
    );
    refused(
        "frontier",
        &["--resume=x"],
        "--resume cannot be combined with jobs",
    );
    refused(
        "frontier",
        &["--prune", "homi", "program.bc"],
        "leave out --prune",
    );
    refused(
        "frontier",
        &["--use-merge", "program.bc"],
        "leave out --use-merge",
    );
    refused("frontier", &["--quick", "program.bc"], "--quick");
    refused(
        "campaign",
        &["--all-tests", "program.bc"],
        "add --prune homi",
    );
    begin(&place, "book", "frontier", "2500w", &WORDS);
    let again = [
        "jobs",
        "init",
        "book",
        "--kind",
        "frontier",
        "--",
        "program.bc",
    ];
    place.fails(&again, 2, &["already exists"]);
}

#[test]
fn the_study_runs_of_a_study_are_jobs_and_their_rows_a_study() {
    let place = TestDir::new();
    let program = PROGRAM
        .replace("#include <klee/klee.h>", "#include <unistd.h>")
        .replace("klee_make_symbolic(s, sizeof s, \"s\");", "read(0, s, 4);")
        .replace("klee_make_symbolic(&at, 1, \"at\");", "read(0, &at, 1);");
    place.compile("program", &program);
    let study = r#"
[study]
name = "small"
seeds = 2
budget = "200000w"
replay = false

[subjects.program]
bitcode = "program.bc"
arguments = "--sym-stdin 5"

[configs.default]

[configs.dfs]
search = "dfs"
"#;
    fs::write(place.path("study.toml"), study).unwrap();
    // A program that each job would build is refused.
    let built = study.replace("bitcode = \"program.bc\"", "sources = [\"program.c\"]");
    fs::write(place.path("built.toml"), built).unwrap();
    let arguments = [
        "jobs",
        "init",
        "book",
        "--kind",
        "study",
        "--",
        "built.toml",
    ];
    place.fails(&arguments, 2, &["built.toml", "`program`", "homi cc"]);
    begin(&place, "book", "study", "1s", &["study.toml"]);
    assert_eq!(to_the_end(&place, "book", "3"), 4);
    assert_eq!(status(&place, "book")["ended"], "all runs finished");
    let rows = fs::read_to_string(place.path("book/out/runs.jsonl")).unwrap();
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let outcomes: BTreeSet<&str> = rows
        .iter()
        .map(|row| row["outcome"].as_str().unwrap())
        .collect();
    assert_eq!((rows.len(), outcomes), (4, BTreeSet::from(["done"])));
    let report = place.succeeds(&["bench", "book/out", "--report"]);
    let said = String::from_utf8_lossy(&report.stdout).into_owned();
    assert!(said.contains("dfs") && !said.contains("ignored:"), "{said}");
}

#[test]
fn trials_that_are_made_elsewhere_come_to_the_weights_of_learning_here() {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    let arguments = [
        "--samples=4",
        "--best=2",
        "--trials=2",
        "--max-runs=12",
        "--seed=3",
        "--libc=none",
        "program.bc",
    ];
    let here = [
        "learn-search",
        "--quiet",
        "--output",
        "here.json",
        "--jobs=1",
    ];
    place.succeeds(&[&here[..], &arguments].concat());
    begin(&place, "book", "trials", "1s", &arguments);
    to_the_end(&place, "book", "3");
    assert_eq!(status(&place, "book")["ended"], "converged");
    let there = [
        "learn-search",
        "--quiet",
        "--output",
        "book/out/weights.json",
        "--resume",
    ];
    place.succeeds(&[&there[..], &arguments].concat());
    let weights = |file: &str| fs::read_to_string(place.path(file)).unwrap();
    assert_eq!(weights("book/out/weights.json"), weights("here.json"));
}

#[test]
fn one_run_at_a_time_is_the_campaign_of_the_paper() {
    let place = TestDir::new();
    place.compile("program", LOOP);
    let arguments = [
        "--profile",
        "paper",
        "--libc",
        "none",
        "--prune",
        "homi",
        "--search",
        "random-state",
        "--max-time",
        "60000i",
        "--tuning run-time-max",
        "8000i",
        "--tuning prune-interval",
        "800i",
        "program.bc",
    ];
    place.run_into(
        "here",
        &[&["--quiet", "--threads", "1"], &arguments[..]].concat(),
    );
    begin(&place, "book", "campaign", "1s", &arguments);
    to_the_end(&place, "book", "1");
    let drawn = |directory: &str| -> Vec<Value> {
        let path = place.path(directory).join("learning-data.jsonl");
        let text = fs::read_to_string(path).unwrap();
        let runs = text.lines().skip(1).take(6);
        let runs = runs.map(|line| serde_json::from_str::<Value>(line).unwrap());
        runs.map(|run| serde_json::json!([run["budget"], run["features"], run["events"]]))
            .collect()
    };
    assert_eq!(drawn("book/out"), drawn("here"));
}
