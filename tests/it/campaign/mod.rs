//! Campaigns of short runs, end to end on small C programs, with budgets in instructions so that
//! every run of a test goes the same way.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use support::{Place, summary, text};

/// Many paths, and branches that only certain bytes reach.
const COMMANDS: &str = r#"
#include <klee/klee.h>
int sink;
static void step(unsigned char c, int depth) {
  switch (c) {
    case 'a': sink += depth; break;
    case 'b': sink -= depth; break;
    case 'c': sink ^= depth; break;
    default: break;
  }
}
int main(void) {
  unsigned char in[10];
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 10; i++) step(in[i], i);
  if (in[0] == 'a') {
    if (in[3] == 'b') { if (in[7] == 'c') sink = 1; else sink = 2; }
    if (in[1] == in[2]) sink = 3;
  }
  if (in[9] == '!') sink = 4;
  if (in[8] == 200 && in[6] == 'c') sink = 5;
  return 0;
}
"#;

/// Eight paths.
const MAZE: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char in[3];
  int found = 0;
  klee_make_symbolic(in, sizeof in, "in");
  if (in[0] == 'a') found++;
  if (in[1] == 'b') found++;
  if (in[2] == 'c') found++;
  return found;
}
"#;

impl Place {
    fn output(&self, words: &[&str]) -> Output {
        self.homi().args(words).output().expect("homi runs")
    }

    /// `homi run --resume ../out` in a directory beside it; succeeds.
    fn resume_elsewhere(&self) {
        let elsewhere = self.path("elsewhere");
        fs::create_dir_all(&elsewhere).expect("a directory");
        let output = self
            .homi()
            .current_dir(elsewhere)
            .args(["run", "--resume", "../out"])
            .output()
            .expect("homi starts");
        assert!(output.status.success(), "{}", text(&output));
    }

    /// `homi run --libc none` with these words; succeeds.
    fn run(&self, directory: &str, words: &[&str]) {
        let mut all = vec![
            "run",
            "--libc",
            "none",
            "--quiet",
            "--output-dir",
            directory,
        ];
        all.extend(words);
        let output = self.output(&all);
        assert!(output.status.success(), "{words:?}: {}", text(&output));
    }

    fn summary(&self, directory: &str) -> Value {
        summary(&self.path(directory))
    }

    fn lines(&self, directory: &str, file: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(directory).join(file)).expect("the file exists");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect()
    }
}

/// Names and contents of the tests.
fn tests(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(directory)
        .expect("the directory is readable")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ktest"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            (name, fs::read(&path).expect("a test is readable"))
        })
        .collect();
    found.sort();
    found
}

const CAMPAIGN: [&str; 7] = [
    "--prune",
    "homi",
    "--search",
    "random-state",
    "--max-time",
    "400000i",
    "commands.bc",
];

#[test]
fn a_campaign_learns_and_is_reproducible() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    place.run("one", &CAMPAIGN);
    place.run("two", &CAMPAIGN);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));

    let runs = place.lines("one", "learning.jsonl");
    let others = place.lines("two", "learning.jsonl");
    assert_eq!(runs.len(), others.len());
    for (run, other) in runs.iter().zip(&others) {
        for field in ["policy", "budget", "features", "instructions", "good_tests"] {
            assert_eq!(run[field], other[field], "{field}");
        }
    }
    assert!(runs.len() > 15, "{} runs", runs.len());
    assert_eq!(runs[0]["policy"], "initial");
    assert_eq!(runs[0]["prune_events"].as_array().map(Vec::len), Some(0));
    for run in &runs[1..=10] {
        assert_eq!(run["policy"], "explore");
    }
    let policies: Vec<_> = runs.iter().map(|run| run["policy"].as_str()).collect();
    assert!(policies.contains(&Some("exploit")) && policies.contains(&Some("reverse")));

    let mut pruned = 0;
    for run in &runs[1..] {
        let features = run["features"].as_array().expect("features").len();
        assert!(features > 0);
        for event in run["prune_events"].as_array().expect("events") {
            let number = |field: &str| event[field].as_f64().expect("a number");
            let (before, after) = (number("before"), number("after"));
            let leave = (before * number("ratio") + 1e-9).floor();
            assert_eq!(after, before - leave);
            pruned += leave as u64;
            let theta = event["theta"].as_array().expect("theta");
            assert_eq!(theta.len(), features);
            assert!(
                theta
                    .iter()
                    .all(|weight| weight.as_f64().is_some_and(|w| w.abs() <= 1.0))
            );
        }
    }
    let texts = runs.last().expect("runs")["features"].to_string();
    assert!(texts.contains("in[0] == 97"), "{texts}");

    let summary = place.summary("one");
    assert_eq!(summary["prune"], "homi");
    assert!(pruned > 0);
    assert!(summary["paths"]["pruned"].as_u64().expect("a number") <= pruned);
    assert_eq!(
        summary["campaign"]["runs"].as_u64(),
        Some(runs.len() as u64)
    );
    // Later runs walk known ground first.
    assert!(
        summary["campaign"]["rewalk_instruction_share"]
            .as_f64()
            .expect("a number")
            > 0.05
    );
    assert_eq!(
        summary["tests"].as_u64(),
        Some(tests(&place.path("one")).len() as u64)
    );

    let output = place.output(&["report", "one", "--output", "page.html"]);
    assert!(output.status.success(), "{}", text(&output));
    let page = fs::read_to_string(place.path("page.html")).expect("the page is written");
    assert!(page.contains("exploit") && page.contains("</html>"));
}

#[test]
fn an_exhausted_program_ends_the_campaign() {
    let place = Place::new();
    place.compile("maze", MAZE);
    let words = ["--prune", "homi", "--max-time", "100000000i", "maze.bc"];
    place.run("out", &words);
    let summary = place.summary("out");
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["campaign"]["runs"], 1);
    assert_eq!(summary["paths"]["completed"], 8);
}

/// 16,384 paths whose branches are covered at once: the run in reserve follows them all.
#[test]
fn without_a_named_search_a_program_is_followed_to_its_end() {
    let place = Place::new();
    let shorter = COMMANDS.replace("10", "7").replace("in[9]", "in[5]");
    let shorter = shorter.replace("in[7] == 'c'", "in[6] == 'c'");
    place.compile("shorter", &shorter.replace("in[8]", "in[4]"));
    let run = |directory: &str, words: &[&str]| {
        let budget = ["--max-time", "40000000i"];
        place.run(directory, &[&budget, words, &["shorter.bc"]].concat());
        place.summary(directory)
    };
    let plain = run("plain", &["--prune", "none"]);
    assert_eq!(plain["stop_reason"], "exhausted");
    let short = ["--prune", "homi", "--run-time-max", "400000i"];
    let campaign = run("campaign", &short);
    assert_eq!(campaign["stop_reason"], "exhausted", "{campaign}");
    let slices = campaign["campaign"]["policies"]["unpruned"].as_u64();
    assert!(slices.is_some_and(|slices| slices > 1), "{campaign}");
    let completed = |summary: &Value| summary["paths"]["completed"].as_u64();
    assert!(completed(&campaign) >= completed(&plain));
    // Pruned runs alone never know.
    let named = run("named", &[&short[..], &["--search", "md2u"]].concat());
    assert_eq!(named["stop_reason"], "max-time");
}

/// All runs start where the launch ends, so none of them prints what came before.
#[test]
fn what_is_printed_before_the_first_choice_is_shown_once() {
    let place = Place::new();
    place.compile(
        "greeting",
        r#"
        #include <klee/klee.h>
        #include <unistd.h>
        volatile int sink;
        int main(void) {
          unsigned char in[2];
          write(1, "hello", 5);
          for (int i = 0; i < 5000; i++) sink++;
          klee_make_symbolic(in, sizeof in, "in");
          return in[0] == 'a' ? 1 : in[1] == 'b';
        }
        "#,
    );
    let words = ["run", "greeting.bc", "--quiet", "--output-dir", "out"];
    let budget = ["--prune", "homi", "--max-time", "40000000i"];
    let output = place.output(&[&words[..], &budget].concat());
    assert!(output.status.success(), "{}", text(&output));
    let printed = fs::read_to_string(place.path("out").join("stdout.txt"));
    assert_eq!(printed.expect("stdout.txt is written"), "hello");
}

/// Runs shorter than the program: nothing is open but its one path, so nothing is begun anew.
#[test]
fn a_path_longer_than_a_run_is_followed_to_its_end() {
    let place = Place::new();
    place.compile(
        "long",
        r#"
        #include <klee/klee.h>
        volatile int seen;
        int main(void) {
          unsigned char in;
          unsigned x = 1;
          klee_make_symbolic(&in, sizeof in, "in");
          if (in == 'a') seen = 1;
          for (int i = 0; i < 100000; i++) x = x * 5 + 1;
          return x & 1;
        }
        "#,
    );
    let budget = ["--max-time", "20000000i", "--run-time-max", "40000i"];
    place.run(
        "out",
        &[&budget[..], &["--prune", "homi", "long.bc"]].concat(),
    );
    let summary = place.summary("out");
    assert_eq!(summary["stop_reason"], "exhausted", "{summary}");
    assert_eq!(summary["campaign"]["runs"], 1);
    assert_eq!(summary["paths"]["completed"], 2);
}

#[test]
fn a_campaign_goes_on_after_it_was_stopped() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    place.compile("maze", MAZE);
    place.run("out", &CAMPAIGN);
    let before = tests(&place.path("out"));
    let runs = place.lines("out", "learning.jsonl").len();
    let data = place.lines("out", "learning-data.jsonl").len();
    assert_eq!(data, runs + 1, "a header and a line per run");

    let mut resume = vec!["run", "--libc", "none", "--quiet", "--resume", "out"];
    resume.extend(CAMPAIGN);
    let output = place.output(&resume);
    assert!(output.status.success(), "{}", text(&output));
    let after = tests(&place.path("out"));
    assert_eq!(after[..before.len()], before[..], "earlier tests stay");
    let lines = place.lines("out", "learning.jsonl");
    assert!(lines.len() > runs);
    assert_eq!(lines[runs]["run"].as_u64(), Some(runs as u64 + 1));
    assert_ne!(lines[runs]["policy"], "initial");
    let total = lines.last().map(|line| line["data_tests"].as_u64());
    let earlier = lines[runs - 1]["data_tests"].as_u64();
    assert!(total > Some(earlier));

    let refused = |words: &[&str], part: &str| {
        let mut all = vec!["run", "--libc", "none", "--max-time", "400000i"];
        all.extend(words);
        place.fails(&all, 2, &[part]);
    };
    let homi = ["--prune", "homi", "--search", "random-state"];
    let with = |rest: &[&'static str]| [&homi[..], rest].concat();
    refused(&with(&["--resume", "out", "maze.bc"]), "another program");
    refused(
        &with(&["--resume", "out", "--seed", "7", "commands.bc"]),
        "another seed",
    );
    refused(
        &with(&["--resume", "out", "commands.bc", "--", "x"]),
        "command line",
    );
    refused(
        &with(&["--resume", "nowhere", "commands.bc"]),
        "cannot read",
    );
    refused(
        &["--resume", "out", "--search", "dfs", "commands.bc"],
        "another search",
    );
    refused(
        &[
            "--prune",
            "random",
            "--search",
            "random-state",
            "--resume",
            "out",
            "commands.bc",
        ],
        "--prune or --restart differs",
    );
}

/// What the first session was told need not be typed again, here or elsewhere.
#[test]
fn a_directory_is_enough_to_go_on() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    place.run("out", &CAMPAIGN);
    let runs = || place.lines("out", "learning.jsonl").len();
    let first = runs();
    let output = place.output(&["run", "--resume", "out", "--max-time", "300000i"]);
    assert!(output.status.success(), "{}", text(&output));
    let second = runs();
    assert!(second > first);
    let info = fs::read_to_string(place.path("out").join("info")).unwrap();
    assert!(
        info.contains("--resume out") && info.contains("commands.bc"),
        "{info}"
    );

    place.resume_elsewhere();
    assert!(runs() > second);
    place.fails(
        &["run", "--resume", "out", "--seed", "7"],
        2,
        &["another seed"],
    );
}

#[test]
fn ctrl_c_leaves_tests_and_learning_data() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let mut child = Command::new(env!("CARGO_BIN_EXE_homi"))
        .current_dir(place.directory.path())
        .stdin(Stdio::null())
        .env("XDG_CACHE_HOME", place.path("cache"))
        .args(["run", "--libc", "none", "--quiet", "--output-dir", "out"])
        .args(["--prune", "homi", "--max-time", "2000000000i"])
        .args([
            "--run-time-max",
            "40000i",
            "--prune-interval",
            "2000i",
            "commands.bc",
        ])
        .spawn()
        .expect("homi starts");
    let log = place.path("out").join("learning.jsonl");
    let runs = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    for _ in 0..3000 {
        if runs() >= 3 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // SAFETY: sends a signal to the process just started, which has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert!(child.wait().expect("homi ends").success());
    let summary = place.summary("out");
    assert_eq!(summary["stop_reason"], "interrupted");
    let runs = place.lines("out", "learning.jsonl");
    assert!(runs.len() >= 3);
    assert_eq!(
        summary["campaign"]["runs"].as_u64(),
        Some(runs.len() as u64)
    );
    assert_eq!(
        place.lines("out", "learning-data.jsonl").len(),
        runs.len() + 1
    );
    assert!(!tests(&place.path("out")).is_empty());
    // A session without the first one's --prune and --run-time-max takes them from there.
    let resume = |rest: &[&str]| {
        let mut all = vec!["run", "--libc", "none", "--quiet", "--resume", "out"];
        all.extend(["--max-time", "100000i", "commands.bc"]);
        all.extend(rest);
        place.output(&all)
    };
    let output = resume(&[]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(place.lines("out", "learning.jsonl").len() > runs.len());
    let output = resume(&["--prune", "none"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("--resume needs --prune homi"));
}

#[test]
fn branches_may_come_from_native_replays() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let root = env!("CARGO_MANIFEST_DIR");
    let status = Command::new("gcc")
        .current_dir(place.directory.path())
        .args(["--coverage", "-O0", "-g"])
        .arg(format!("-I{root}/runtime/include"))
        .arg("commands.c")
        .arg(format!("{root}/runtime/replay/klee_runtime.c"))
        .args(["-o", "native"])
        .status()
        .expect("gcc runs");
    assert!(status.success());
    let words = [
        "--coverage",
        "gcov=native",
        "--prune",
        "homi",
        "--max-time",
        "40000i",
    ];
    place.run("out", &[&words[..], &["commands.bc"]].concat());
    let data = place.lines("out", "learning-data.jsonl");
    let tests: Vec<&Value> = data[1..]
        .iter()
        .flat_map(|run| run["tests"].as_array().expect("tests"))
        .collect();
    assert!(!tests.is_empty());
    for test in &tests {
        let native = test["native"].as_array().map_or(0, Vec::len);
        assert!(native > 0, "{test}");
    }
    let runs = place.lines("out", "learning.jsonl");
    assert!(runs.last().expect("runs")["good_tests"].as_u64() > Some(1));
    place.resume_elsewhere();
    assert!(place.lines("out", "learning.jsonl").len() > runs.len());
    place.fails(
        &[
            "run",
            "--prune",
            "homi",
            "--max-time",
            "1h",
            "--coverage",
            "gcov=nothing",
            "commands.bc",
        ],
        2,
        &["--coverage gcov=nothing"],
    );
}

#[test]
fn the_guard_goes_on_with_the_run_without_pruning() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let words = [&["--guard"][..], &CAMPAIGN].concat();
    place.run("one", &words);
    place.run("two", &words);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    let runs = place.lines("one", "learning.jsonl");
    assert_eq!(runs[0]["policy"], "initial");
    let slices: Vec<&Value> = runs
        .iter()
        .filter(|run| run["policy"] == "unpruned")
        .collect();
    assert!(!slices.is_empty() && slices.len() < runs.len() - 2);
    for slice in &slices {
        assert_eq!(slice["prune_events"].as_array().map(Vec::len), Some(0));
        // It goes on: what it executes first is not what the first run did.
        let number = |value: &Value| value.as_u64().expect("a number");
        assert!(number(&slice["rewalk"]["instructions"]) < number(&slice["instructions"]) / 2);
    }
    // Slices bring the states of the first run with them.
    let first = runs[0]["states_peak"].as_u64();
    assert!(slices[0]["states_peak"].as_u64() >= first);
}

#[test]
fn searches_may_know_what_earlier_runs_covered() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let words = |scope| {
        let search = ["--search-coverage", scope, "--search", "md2u"];
        let rest = ["--prune", "homi", "--max-time", "400000i", "commands.bc"];
        [&search[..], &rest].concat()
    };
    for (directory, scope) in [("one", "campaign"), ("two", "campaign"), ("own", "run")] {
        place.run(directory, &words(scope));
    }
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    // The first run knows nothing in either; all later ones search elsewhere.
    let [one, own] = ["one", "own"].map(|directory| place.lines(directory, "learning.jsonl"));
    assert_eq!(one[0]["instructions"], own[0]["instructions"]);
    assert_eq!(one[0]["new_branches"], own[0]["new_branches"]);
    let tests_of = |runs: &[Value]| -> Vec<u64> {
        let counts = runs.iter().map(|run| run["run_tests"].as_u64());
        counts.map(|count| count.expect("a number")).collect()
    };
    assert_ne!(tests_of(&one), tests_of(&own));
    // What a run learns from is still what is new in it, known before or not.
    assert!(tests_of(&one).iter().all(|count| *count > 0));
}

/// Rungs that only the right bytes climb, among 3^24 paths: no run from nothing gets high, breadth
/// first.
const RUNGS: &str = r#"
#include <klee/klee.h>
int sink;
int main(void) {
  unsigned char in[24];
  klee_make_symbolic(in, sizeof in, "in");
  int rung = 0;
  for (int i = 0; i < 24; i++) {
    if (in[i] == 'a' + i && rung == i) rung++;
    else if (in[i] > 'z') sink += i;
  }
  if (rung > 3) sink = 1;
  if (rung > 6) sink = 2;
  if (rung > 9) sink = 3;
  if (rung > 12) sink = 4;
  if (rung > 15) sink = 5;
  if (rung > 18) sink = 6;
  if (rung > 21) sink = 7;
  return 0;
}
"#;

#[test]
fn runs_may_begin_with_earlier_tests() {
    let place = Place::new();
    place.compile("rungs", RUNGS);
    let campaign = "--search bfs --batch-instructions 1 --max-time 400000i rungs.bc --prune homi";
    let campaign: Vec<&str> = campaign.split(' ').collect();
    place.run("own", &campaign);
    let seeded = [&["--seed-runs"][..], &campaign].concat();
    place.run("one", &seeded);
    place.run("two", &seeded);
    assert_eq!(tests(&place.path("one")), tests(&place.path("two")));
    let runs = place.lines("one", "learning.jsonl");
    assert!(runs[0]["seeds"].is_null(), "there are no tests yet");
    let count = |run: &Value, what: &str| run["seeds"][what].as_u64().expect("a number");
    for run in &runs[1..] {
        assert!(count(run, "given") > 0);
        let ends = ["followed", "dropped", "unfinished"];
        let sum: u64 = ends.iter().map(|what| count(run, what)).sum();
        assert_eq!(sum, count(run, "given"));
    }
    assert!(runs[1..].iter().any(|run| count(run, "followed") > 0));
    assert!(place.lines("own", "learning.jsonl")[1]["seeds"].is_null());
    // A test is learned from once, in the run that found it.
    let known = place.lines("one", "learning-data.jsonl");
    let files = tests(&place.path("one")).len();
    let named: usize = known[1..]
        .iter()
        .flat_map(|run| run["tests"].as_array().expect("a list"))
        .filter(|test| test["file"].is_string())
        .count();
    assert_eq!(named, files);
    let coverage = |name: &str| {
        let coverage = place.summary(name)["coverage"].clone();
        (
            coverage["branches"].as_u64(),
            coverage["branches_total"].as_u64(),
        )
    };
    let (reached, total) = coverage("one");
    assert_eq!(reached, total);
    assert!(coverage("own").0 < total);

    let resume = ["--resume", "one", "--seed-runs"];
    let all = [
        &["run", "--libc", "none", "--quiet"],
        &resume[..],
        &campaign,
    ]
    .concat();
    let output = place.output(&all);
    assert!(output.status.success(), "{}", text(&output));
    let later = place.lines("one", "learning.jsonl");
    assert!(
        count(&later[runs.len()], "given") > 0,
        "files of the first session"
    );
}

#[test]
fn states_that_grow_are_pruned_within_the_interval() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let words = |growth| {
        let common =
            "--prune random --search random-state --max-time 400000i --prune-interval 400000i";
        let common = common.split(' ').chain(["--prune-growth", growth]);
        common.chain(["commands.bc"]).collect::<Vec<_>>()
    };
    let events = |directory: &str, growth: &'static str| {
        place.run(directory, &words(growth));
        let runs = place.lines(directory, "learning.jsonl");
        let events = runs.iter().flat_map(|run| run["prune_events"].as_array());
        events.flatten().cloned().collect::<Vec<Value>>()
    };
    // No run is as long as the interval.
    let never = [&["run", "--libc", "none"], &words("0")[..]].concat();
    place.fails(&never, 2, &["nothing would ever be pruned"]);
    let grown = events("grown", "50");
    assert!(grown.len() > 20, "{} events", grown.len());
    let states: Vec<_> = grown
        .iter()
        .map(|event| event["before"].as_u64().zip(event["after"].as_u64()))
        .map(|states| states.expect("numbers of states"))
        .collect();
    // r is at most 0.6, so |S| is at most 125 at an event, but for the states of the last turn.
    assert!(states.iter().all(|(before, _)| (50..250).contains(before)));
    assert!(states.iter().all(|(before, after)| after < before));
}

/// Each pruned state becomes a test, like each path that ends.
#[test]
fn pruned_states_are_tests() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let words = ["--prune", "random", "--search", "bfs", "--all-tests"];
    let budget = ["--max-time", "200000i", "commands.bc"];
    place.run("out", &[&words[..], &budget].concat());
    let summary = place.summary("out");
    let count = |name: &str| summary["paths"][name].as_u64().expect("a number");
    let left: u64 = (place.lines("out", "learning.jsonl").iter())
        .flat_map(|run| run["prune_events"].as_array().cloned().unwrap_or_default())
        .map(|event| event["before"].as_u64().unwrap_or(0) - event["after"].as_u64().unwrap_or(0))
        .sum();
    assert!(left > 100);
    assert_eq!(count("pruned"), left);
    let ended = count("completed") + count("pruned") + count("early");
    assert_eq!(tests(&place.path("out")).len() as u64, ended);
}

/// A test carries the last prune event of its run at or before its creation: those before the first
/// carry none, and the states that leave at an event carry that one.
#[test]
fn tests_carry_the_prune_event_before_them() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let words = ["--prune", "random", "--search", "bfs", "--all-tests"];
    let budget = ["--max-time", "200000i", "commands.bc"];
    place.run("out", &[&words[..], &budget].concat());
    let runs = place.lines("out", "learning.jsonl");
    let data = place.lines("out", "learning-data.jsonl");
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut with_events = 0;
    for (run, stored) in runs.iter().zip(&data[1..]) {
        let events = array(&run["prune_events"]);
        assert_eq!(array(&stored["events"]).len(), events.len());
        for (event, stored) in events.iter().zip(array(&stored["events"])) {
            // S_ratio is 0.2, 0.4, 0.6.
            let number = stored["ratio"].as_f64().expect("the number of r");
            let ratio = event["ratio"].as_f64().expect("r");
            assert!((ratio - 0.2 * (number + 1.0)).abs() < 1e-9);
        }
        let carried: Vec<Option<u64>> = array(&stored["tests"])
            .iter()
            .map(|test| test["event"].as_u64())
            .collect();
        assert!(carried.is_sorted(), "in the order of their creation");
        for (number, event) in events.iter().enumerate() {
            let states = |field: &str| event[field].as_u64().expect("a number of states");
            let tests = carried.iter().filter(|of| **of == Some(number as u64));
            assert!(tests.count() as u64 >= states("before") - states("after"));
        }
        assert!(
            carried
                .iter()
                .flatten()
                .all(|of| (*of as usize) < events.len())
        );
        with_events += usize::from(events.len() > 1);
    }
    assert!(with_events > 5, "{with_events} runs of several events");
}

/// B(t) of a test whose path had not ended has the branches of its way on, too.
#[test]
fn a_test_covers_what_comes_after_its_state() {
    let place = Place::new();
    place.compile(
        "later",
        r#"
        #include <klee/klee.h>
        volatile int seen, last;
        int main(void) {
          unsigned char in[2];
          unsigned x = 1;
          klee_make_symbolic(in, sizeof in, "in");
          if (in[0] == 'a') seen = 1;
          if (in[1] == 'b') seen = 2;
          for (int i = 0; i < 20000; i++) x = x * 5 + 1;
          if (seen == 2) last = 1;
          return x & 1;
        }
        "#,
    );
    let sides = |directory: &str, tail: &str| {
        let words = "--restart divide --search bfs --batch-instructions 50 --all-tests";
        let times = "--run-time-max 4000i --max-time 40000i --tail-instructions";
        let words = format!("{words} {times} {tail} later.bc");
        place.run(directory, &words.split(' ').collect::<Vec<_>>());
        let data = place.lines(directory, "learning-data.jsonl");
        let tests = data.iter().flat_map(|run| run["tests"].as_array());
        let sides = tests.flatten().map(|test| test["sides"].to_string());
        sides.collect::<std::collections::BTreeSet<String>>()
    };
    let count = |sides: &str| sides.split(',').count();
    let (whole, cut) = (sides("whole", "500000"), sides("cut", "1"));
    // The sides of two conditions, of the loop going on, of its end and of the last condition.
    assert_eq!(whole.len(), 4, "one for each path: {whole:?}");
    assert!(whole.iter().all(|sides| count(sides) == 5), "{whole:?}");
    assert!(cut.iter().all(|sides| count(sides) <= 3), "{cut:?}");
}

/// PRUNE_M: a tenth of the states, unless told otherwise, leaves for want of memory.
#[test]
fn a_share_of_the_states_leaves_for_want_of_memory() {
    let place = Place::new();
    place.compile(
        "hungry",
        r#"
        #include <klee/klee.h>
        #include <stdlib.h>
        int main(void) {
          for (unsigned n = 0;; n++) {
            unsigned char in, *block = malloc(8192);
            klee_make_symbolic(&in, 1, "in");
            for (unsigned i = 0; i < 8192; i += 64) block[i] = i + n;
            if (in == n % 256) n += 3;
          }
        }
        "#,
    );
    let common = "--prune random --search bfs --tail-instructions 1 --max-memory 100MiB \
        --run-time-max 8000000i --run-time-steps 1 --prune-interval 7000000i --max-time 8000000i";
    for (directory, ratio, divisor) in [
        ("tenth", "", 10),
        ("quarter", "--memory-prune-ratio 0.25", 4),
    ] {
        let words = format!("{common} {ratio} hungry.bc");
        place.run(directory, &words.split_whitespace().collect::<Vec<_>>());
        let path = place.path(directory).join("warnings.txt");
        let warnings = fs::read_to_string(path).expect("warnings.txt");
        let (_, counts) = warnings
            .split_once("memory limit: giving up ")
            .expect(&warnings);
        let numbers: Vec<u64> = counts
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        assert!(numbers[1] > 100, "{warnings}");
        assert_eq!(numbers[0], numbers[1] / divisor, "{warnings}");
        let lost = place.summary(directory)["paths"]["early"].as_u64();
        assert!(lost >= Some(numbers[0]));
    }
}

#[test]
fn the_baselines_restart_too() {
    let place = Place::new();
    place.compile("commands", COMMANDS);
    let budget = ["--max-time", "200000i", "commands.bc"];
    place.run("random", &[&["--prune", "random"][..], &budget].concat());
    place.run("divide", &[&["--restart", "divide"][..], &budget].concat());
    for (name, prunes) in [("random", true), ("divide", false)] {
        let summary = place.summary(name);
        assert!(summary["campaign"]["runs"].as_u64() > Some(10), "{name}");
        assert!(summary["campaign"]["features_seen"].as_u64() > Some(0));
        let pruned = summary["paths"]["pruned"].as_u64().expect("a number");
        assert_eq!(pruned > 0, prunes, "{name}");
        for run in place.lines(name, "learning.jsonl") {
            assert_eq!(run["policy"], *name);
            assert_eq!(run["good_tests"], 0);
        }
    }
}

#[test]
fn contradictions_are_told_before_anything_starts() {
    let place = Place::new();
    place.compile("maze", MAZE);
    for (words, part) in [
        (
            [
                "--prune",
                "homi",
                "--max-time",
                "1s",
                "--run-time-max",
                "20s",
            ],
            "shorter than one run",
        ),
        (
            [
                "--prune",
                "homi",
                "--max-time",
                "1h",
                "--run-time-max",
                "5i",
            ],
            "must all be times",
        ),
        (
            [
                "--prune",
                "homi",
                "--max-time",
                "1h",
                "--prune-ratio-max",
                "2",
            ],
            "--prune-ratio-max",
        ),
        (
            ["--prune", "none", "--max-time", "1h", "--explorations", "2"],
            "needs --prune homi",
        ),
    ] {
        let mut all = vec!["run", "maze.bc"];
        all.extend(words);
        place.fails(&all, 2, &[part]);
    }
    assert!(!place.path("homi-out-0").exists());
    place.fails(
        &["report", "nowhere", "--output", "x"],
        2,
        &["no output directory"],
    );
}
