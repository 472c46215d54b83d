//! `homi learn-search`: what is learned is a file that `--strategy param:` takes, equal seeds give
//! equal files however trials are spread over threads and sessions, a trial is what `homi concolic`
//! makes of the same weights, and what cannot be is an error before the first trial.

use crate::support::{TestDir, json_lines, text, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::process::Stdio;

/// A parser, a loop, a switch and a check that can fail: enough branches that weights matter.
const PROGRAM: &str = "\
#include <klee/klee.h>
static int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int number(const unsigned char *at, int length) {
  int value = 0;
  for (int i = 0; i < length; i++) {
    if (at[i] < '0' || at[i] > '9') return -1;
    value = value * 10 + (at[i] - '0');
  }
  return value;
}
static int command(const unsigned char *in, int first) {
  switch (in[3] % 9) {
  case 0: return number(in, 2);
  case 1: return number(in + 4, 3) > 300 ? 2 : 1;
  case 2: return table[in[4] & 7];
  case 3: return table[in[5] % 9];
  case 4: return first > 40 && in[6] == 'x' ? 9 : 8;
  case 5: return in[4] + in[5] == in[6] ? 11 : 12;
  default: return first;
  }
}
int main(void) {
  unsigned char in[8];
  klee_make_symbolic(in, sizeof in, \"in\");
  int first = number(in, 3), sum = 0;
  for (int i = 0; i < 8; i++) {
    if (in[i] == '-') sum += 2;
    else if (in[i] > 'm') sum += i;
  }
  if (sum > 12 && first < 0) sum = command(in, sum);
  else if (first > 500) sum = command(in, first);
  if (in[7] == 'q') return sum > 4;
  return sum & 3;
}
";

const SMALL: [&str; 10] = [
    "learn-search",
    "program.bc",
    "--samples",
    "6",
    "--best",
    "3",
    "--trials",
    "2",
    "--max-runs",
    "15",
];

fn place() -> TestDir {
    let place = TestDir::new();
    place.compile("program", PROGRAM);
    place
}

/// The bytes of the file of weights that is learned with these further arguments.
fn learned(place: &TestDir, file: &str, arguments: &[&str]) -> Vec<u8> {
    place.succeeds(&[&SMALL[..], &["--output", file], arguments].concat());
    fs::read(place.path(file)).expect("weights")
}

fn weights(place: &TestDir, file: &str) -> Value {
    let text = fs::read_to_string(place.path(file)).expect("weights");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn equal_seeds_give_equal_files_with_any_number_of_jobs() {
    let place = place();
    let one = learned(&place, "one.json", &["--jobs", "1"]);
    let two = learned(&place, "two.json", &["--jobs", "2"]);
    assert_eq!(one, two);
    let value = weights(&place, "one.json");
    assert_eq!(value["feature_set"], "branch");
    assert_eq!(value["statistics"]["ended"], "converged");
    assert_eq!(value["program"]["name"], "program.bc");
    let rounds = value["history"].as_array().expect("rounds").len() as u64;
    assert!(rounds >= 2, "{value}");
    assert_eq!(value["statistics"]["rounds"], rounds);
    // Each round has a trial of each vector and two of the three best.
    assert_eq!(value["statistics"]["trials"], rounds * 12);
    let other = learned(&place, "other.json", &["--jobs", "2", "--seed", "12"]);
    assert_ne!(one, other);
}

#[test]
fn trials_share_what_they_run() {
    let place = place();
    learned(&place, "w.json", &["--jobs", "1"]);
    let text = fs::read_to_string(place.path("w.json.learning/summary.json")).expect("figures");
    let figures: Value = serde_json::from_str(&text).expect("JSON");
    let count = |name: &str| figures["this_session"][name].as_u64().expect("a count");
    assert!(count("executions_run") < count("executions") / 2, "{text}");
    assert!(count("asked_first") < count("asked"), "{text}");
    assert_eq!(count("cut"), 0);
    let shared = fs::read(place.path("w.json")).expect("weights");
    let alone = learned(&place, "alone.json", &["--share-executions", "false"]);
    assert_eq!(shared, alone);
}

/// The trials of Check that the best weights had.
fn trials_of_best(place: &TestDir, file: &str) -> Vec<Value> {
    let value = weights(place, file);
    let round = value["statistics"]["round"].as_u64().expect("a round");
    let history = &value["history"][round as usize - 1];
    let vector = &history["check"][0]["vector"];
    let trials = json_lines(&place.path(&format!("{file}.learning/trials.jsonl")));
    let of_best = trials.into_iter().filter(|trial| {
        let is = |name: &str, value: Value| trial[name] == value;
        is("round", round.into()) && is("vector", vector.clone()) && trial["phase"] == "check"
    });
    of_best.collect()
}

#[test]
fn a_trial_is_what_a_concolic_run_with_the_weights_does() {
    let place = place();
    learned(&place, "w.json", &["--jobs", "2"]);
    let value = weights(&place, "w.json");
    let of_best = trials_of_best(&place, "w.json");
    assert_eq!(of_best.len(), 2, "{of_best:?}");
    let mut sum = 0;
    for (number, trial) in of_best.into_iter().enumerate() {
        let (seed, directory) = (trial["seed"].to_string(), format!("run{number}"));
        let summary = place.run_into(
            &directory,
            &[
                "program.bc",
                "--concolic",
                "--strategy",
                "param:w.json",
                "--max-runs",
                "15",
                // By default homi queries open branches at the end of a run and covers more.
                "--dump-states-on-halt",
                "false",
                "--seed",
                &seed,
            ],
        );
        assert_eq!(
            summary["coverage"]["branches"], trial["branches"],
            "{trial}"
        );
        let concolic = &summary["concolic"];
        let count = |name: &str| concolic[name].as_u64().expect("a count");
        let ended = count("executions") + count("side_ends");
        assert_eq!(trial["executions"], ended, "{summary}");
        sum += trial["branches"].as_u64().expect("a count");
    }
    assert_eq!(value["statistics"]["branches"]["mean"], sum as f64 / 2.0);
}

#[test]
fn an_interrupted_session_goes_on_to_the_same_end() {
    let place = place();
    let whole = learned(&place, "whole.json", &["--jobs", "2"]);
    // What is left of a session that was killed: a part of its journal, its last line cut off.
    let journal = fs::read(place.path("whole.json.learning/trials.jsonl")).expect("a journal");
    fs::create_dir(place.path("part.json.learning")).expect("a directory");
    let part = &journal[..journal.len() * 2 / 3 + 3];
    fs::write(place.path("part.json.learning/trials.jsonl"), part).expect("a file");
    let resumed = learned(&place, "part.json", &["--resume", "--jobs", "1"]);
    assert_eq!(whole, resumed);
    let resumed = [&SMALL[..], &["--output", "part.json", "--resume"]].concat();
    // Nothing is left to be done.
    place.succeeds(&resumed);
    assert_eq!(fs::read(place.path("part.json")).expect("weights"), whole);
    place.fails(
        &[&resumed[..], &["--seed", "7"]].concat(),
        2,
        &["the options changed"],
    );
    let arguments = [&resumed[..], &["--", "-x"]].concat();
    place.fails(&arguments, 2, &["the program's arguments changed"]);
}

#[test]
fn ctrl_c_writes_the_best_that_is_known() {
    let place = place();
    let arguments = [
        "learn-search",
        "program.bc",
        "--output=w.json",
        "--samples=50000",
        "--max-runs=20",
    ];
    let mut command = place.homi();
    command.args(arguments).stderr(Stdio::piped());
    let child = command.spawn().expect("homi runs");
    let journal = place.path("w.json.learning/trials.jsonl");
    let trials = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    wait_until("ten trials", || trials() >= 10);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("the signal is sent");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("interrupted"), "{}", text(&output));
    assert!(text(&output).contains("--resume"), "{}", text(&output));
    let value = weights(&place, "w.json");
    assert_eq!(value["statistics"]["ended"], "interrupted");
    let summary = place.run_into(
        "run",
        &[
            "program.bc",
            "--concolic",
            "--max-runs=5",
            "--strategy=param:w.json",
        ],
    );
    assert_eq!(summary["concolic"]["executions"], 5);
}

#[test]
fn impossible_options_are_refused_before_the_first_trial() {
    let place = place();
    let fails = |arguments: &[&str], status: i32, parts: &[&str]| {
        place.fails(&[&["learn-search"], arguments].concat(), status, parts);
    };
    fails(&["program.bc"], 2, &["--output FILE"]);
    fails(&["none.bc", "--output=w.json"], 1, &["none.bc"]);
    fs::write(place.path("text.bc"), "no bitcode").expect("a file");
    fails(&["text.bc", "--output=v.json"], 1, &["text.bc"]);
    fails(
        &["program.bc", "--output=no/such/w.json"],
        1,
        &["cannot write --output no/such/w.json"],
    );
    fails(
        &["program.bc", "--output=u.json", "--resume"],
        2,
        &["holds no session to resume"],
    );
    fails(
        &["program.bc", "--output=t.json", "--max-time=1ms", "-q"],
        2,
        &["nothing was learned", "--max-time"],
    );
    assert!(!place.path("t.json").exists());
    // What exists from an earlier session is not overwritten.
    fails(
        &["program.bc", "--output=t.json"],
        2,
        &["t.json.learning exists", "--resume"],
    );
}
