//! `--resume` of single runs: a run that is stopped and goes on as often as it takes comes to the
//! same tests as one that is not, however it is stopped.

use crate::support::{TestDir, summary, tests, text, wait_until};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Stdio};

/// Branches, a switch, symbolic addresses, sizes and positions, objects that paths decide on, bugs.
const MIXTURE: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int depth(unsigned char *s, int n) {
  if (n == 0) return 0;
  switch (s[0]) {
  case '(': return 1 + depth(s + 1, n - 1);
  case ')': return depth(s + 1, n - 1) - 1;
  case 'x': case 'y': return depth(s + 1, n - 1);
  default: return -100;
  }
}
int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
int main(void) {
  unsigned char s[4], first, second;
  klee_make_symbolic(s, sizeof s, "s");
  int d = depth(s, 4);
  if (d > 0) klee_make_symbolic(&first, 1, "first");
  klee_make_symbolic(&second, 1, "second");
  if (d <= 0) klee_make_symbolic(&first, 1, "first");
  char *blocks[3] = {malloc(4), malloc(8), malloc(16)};
  char *p = blocks[second % 3];
  memset(p, first & 3, 4);
  if (p[first & 7] == 2) d += table[second & 15];
  if (d == 9) return 9;
  return first == second;
}
"#;

/// Arguments for a run of every path.
const ALL: [&str; 4] = ["--quiet", "--libc", "none", "--all-tests"];

fn contents(place: &TestDir, directory: &str) -> Vec<Vec<u8>> {
    let tests = tests(&place.path(directory)).into_iter();
    let mut contents: Vec<_> = tests.map(|(_, bytes)| bytes).collect();
    contents.sort();
    contents
}

fn bugs(summary: &Value) -> BTreeSet<String> {
    let errors = summary["errors"].as_array().expect("a list").iter();
    errors
        .map(|error| format!("{} {}", error["kind"], error["location"]))
        .collect()
}

/// Checks that two runs have the same results.
fn compare(place: &TestDir, whole: &str, parts: &str) {
    let (one, many) = (summary(&place.path(whole)), summary(&place.path(parts)));
    assert_eq!(many["stop_reason"], one["stop_reason"], "{parts}");
    assert_eq!(many["coverage"], one["coverage"], "{parts}");
    assert_eq!(many["paths"], one["paths"], "{parts}");
    assert_eq!(bugs(&many), bugs(&one), "{parts}");
    assert_eq!(many["tests"], one["tests"], "{parts}");
    assert!(
        contents(place, parts) == contents(place, whole),
        "{parts}: other tests"
    );
    assert!(!place.path(parts).join("checkpoint").exists());
}

/// Goes on with a run until no path is open; how many sessions that took.
fn go_on_to_the_end(place: &TestDir, directory: &str) -> usize {
    for sessions in 0..200 {
        if !place.path(directory).join("checkpoint").exists() {
            return sessions;
        }
        place.succeeds(&["run", "--resume", directory]);
        if let Some(resumed) = summary(&place.path(directory)).get("resumed") {
            assert_eq!(resumed["dropped"], 0, "{directory}: {resumed}");
        }
    }
    panic!("{directory} comes to no end");
}

/// Compares one run with the same run in sessions of N units of work.
fn in_pieces(place: &TestDir, name: &str, piece: &str, arguments: &[&str]) {
    let (whole, parts) = (format!("{name}-whole"), format!("{name}-parts"));
    place.run_into(&whole, arguments);
    place.run_into(&parts, &[&["--max-time", piece], arguments].concat());
    let sessions = go_on_to_the_end(place, &parts);
    assert!(sessions >= 2, "{name}: {sessions} sessions went on");
    compare(place, &whole, &parts);
}

#[test]
fn sessions_of_a_run_add_up_to_the_whole_run() {
    let place = TestDir::new();
    place.compile("mixture", MIXTURE);
    let all = |arguments: &[&'static str]| [&ALL[..], arguments, &["mixture.bc"]].concat();
    in_pieces(&place, "default", "40000w", &all(&[]));
    in_pieces(&place, "dfs", "40000w", &all(&["--search", "dfs"]));
    in_pieces(
        &place,
        "random-path",
        "40000w",
        &all(&["--search", "random-path"]),
    );
    in_pieces(&place, "lazy", "40000w", &all(&["--fork", "lazy"]));
    in_pieces(&place, "threads", "40000w", &all(&["--threads", "2"]));
}

#[test]
fn a_stopped_run_prints_how_to_resume_and_a_complete_one_that_it_is() {
    let place = TestDir::new();
    place.compile("mixture", MIXTURE);
    let stopped = [
        "run",
        "--libc",
        "none",
        "--max-time",
        "30000w",
        "--output-dir",
        "out",
    ];
    let said = text(&place.succeeds(&[&stopped[..], &["mixture.bc"]].concat()));
    assert!(
        said.contains("to resume: homi run --resume out ("),
        "{said}"
    );
    place.fails(
        &["run", "--resume", "out", "--fork", "lazy"],
        2,
        &["different values of --fork;"],
    );
    place.fails(
        &["run", "--resume", "out", "--", "x"],
        2,
        &["different program arguments"],
    );
    place.fails(
        &["run", "--resume", "out", "--prune", "homi"],
        2,
        &["leave out --prune"],
    );
    let said = text(&place.succeeds(&["run", "--resume", "out", "--max-time", "0"]));
    assert!(
        said.contains("open paths of the previous session"),
        "{said}"
    );
    assert!(!said.contains("to resume:"), "{said}");
    let said = text(&place.succeeds(&["run", "--resume", "out"]));
    assert!(
        said.contains("the run in out is complete: all paths explored"),
        "{said}"
    );
}

#[test]
fn another_program_is_refused_and_a_damaged_checkpoint_gives_way() {
    let place = TestDir::new();
    place.compile("mixture", MIXTURE);
    let arguments = ["--max-time", "40000w", "mixture.bc"];
    place.run_into("out", &[&ALL[..], &arguments].concat());
    let checkpoint = place.path("out").join("checkpoint");
    place.succeeds(&["run", "--resume", "out"]);
    let older = place.path("out").join("checkpoint.before");
    assert!(older.exists());
    let bytes = fs::read(&checkpoint).expect("a checkpoint");
    fs::write(&checkpoint, &bytes[..bytes.len() * 2 / 3]).expect("cut it off");
    let said = text(&place.succeeds(&["run", "--resume", "out", "--max-time", "0"]));
    assert!(
        said.contains("is corrupt; homi resumes from the previous checkpoint"),
        "{said}"
    );
    place.run_into("whole", &[&ALL[..], &["mixture.bc"]].concat());
    compare(&place, "whole", "out");

    place.run_into("other", &[&ALL[..], &arguments].concat());
    place.compile("mixture", &MIXTURE.replace("return 9;", "return 8;"));
    place.fails(
        &["run", "--resume", "other"],
        2,
        &["different program or runtime"],
    );
    let checkpoint = place.path("other").join("checkpoint");
    fs::write(&checkpoint, "{}").expect("spoil it");
    place.fails(&["run", "--resume", "other"], 2, &["--seed-dir"]);
}

fn start(place: &TestDir, arguments: &[&str]) -> Child {
    let mut homi = place.homi();
    homi.args(arguments).stderr(Stdio::null());
    homi.spawn().expect("homi starts")
}

/// Killed after as many tests as a generator of its own draws, with checkpoints all the time.
#[test]
fn a_killed_run_drops_nothing_and_writes_nothing_twice() {
    let place = TestDir::new();
    place.compile("mixture", MIXTURE);
    place.run_into("whole", &[&ALL[..], &["mixture.bc"]].concat());
    let often = [
        "--tuning",
        "checkpoint_every=0.02",
        "--output-dir",
        "out",
        "mixture.bc",
    ];
    let mut arguments = [&["run"], &ALL[..], &often].concat();
    let (mut draw, mut kills) = (7u64, 0);
    let written = || {
        let entries = fs::read_dir(place.path("out")).into_iter().flatten();
        let names = entries.flatten().map(|entry| entry.path());
        names
            .filter(|name| name.extension().is_some_and(|ext| ext == "ktest"))
            .count()
    };
    loop {
        let before = written();
        let mut child = start(&place, &arguments);
        draw = draw
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let more = (draw >> 33) as usize % 100;
        wait_until("its end", || {
            let is_late = kills < 6 && written() >= before + more;
            is_late || child.try_wait().expect("a child").is_some()
        });
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        child.kill().expect("a child");
        child.wait().expect("a child");
        kills += 1;
        if place.path("out").join("checkpoint").exists() {
            arguments = vec!["run", "--resume", "out"];
        } else {
            // It had not come to its first checkpoint: nothing is lost but its first moments.
            let _ = fs::remove_dir_all(place.path("out"));
        }
    }
    compare(&place, "whole", "out");
}
