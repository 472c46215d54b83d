//! Campaigns of short runs, end to end on small C programs, with budgets in instructions so that
//! every run of a test goes the same way.

mod evidence;
mod input_layouts;
mod learning;
mod pruning;
mod resume;
mod threads;
mod unpruned_run;

use crate::support::{TestDir, json_lines, summary, text};
use serde_json::Value;
use std::fs;

/// `homi run --libc none` with these arguments; succeeds.
fn run_campaign(place: &TestDir, directory: &str, arguments: &[&str]) {
    place.run_into(
        directory,
        &[&["--libc", "none", "--quiet"], arguments].concat(),
    );
}

/// `homi run --resume ../out` in a directory beside it; succeeds.
fn resume_elsewhere(place: &TestDir) {
    let elsewhere = place.path("elsewhere");
    fs::create_dir_all(&elsewhere).expect("a directory");
    let mut homi = place.homi();
    homi.current_dir(elsewhere);
    let output = homi.args(["run", "--resume", "../out"]).output();
    let output = output.expect("homi runs");
    assert!(output.status.success(), "{}", text(&output));
}

fn summary_of(place: &TestDir, directory: &str) -> Value {
    summary(&place.path(directory))
}

/// The lines of a file of an output directory.
fn lines_of(place: &TestDir, directory: &str, file: &str) -> Vec<Value> {
    json_lines(&place.path(directory).join(file))
}

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

const CAMPAIGN: [&str; 7] = [
    "--profile",
    "paper",
    "--search",
    "random-state",
    "--max-time",
    "400000i",
    "commands.bc",
];
