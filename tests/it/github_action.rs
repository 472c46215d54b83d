//! `.github/actions/test`: what its script says to the job, and its status, as on a runner.

use crate::support::{TestDir, homi, root, text};
use std::fs;
use std::process::Output;

const BUG: &str = "#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'x') abort();
  return 0;
}
";

/// Runs the script in a place with that source, homi first on PATH, with these inputs.
fn step(place: &TestDir, inputs: &[(&str, &str)]) -> Output {
    fs::write(place.path("a program.c"), BUG).expect("write");
    let tools = place.path("tools");
    fs::create_dir_all(&tools).expect("a directory");
    std::os::unix::fs::symlink(homi(), tools.join("homi")).expect("a link");
    let path = std::env::var("PATH").expect("PATH");
    std::process::Command::new("bash")
        .arg(root().join(".github/actions/test/test.sh"))
        .current_dir(place.directory.path())
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("GITHUB_OUTPUT", place.path("output"))
        .env("GITHUB_STEP_SUMMARY", place.path("summary.md"))
        .env("HOMI_FILES", "'a program.c'")
        .env("HOMI_MAX_TIME", "20000000i")
        .env("HOMI_ARGUMENTS", "--sym-arg 2")
        .envs(inputs.iter().copied())
        .output()
        .expect("bash runs")
}

#[test]
fn a_bug_fails_the_step_and_its_outputs_say_where_it_is() {
    let place = TestDir::new();
    let done = step(&place, &[("HOMI_OPTIONS", "--cflags '-O0 -w'")]);
    assert_eq!(done.status.code(), Some(3), "{}", text(&done));
    let output = fs::read_to_string(place.path("output")).expect("outputs");
    assert!(output.contains("bugs=1\n"), "{output}");
    assert!(output.contains("sarif=homi-out/homi.sarif\n"), "{output}");
    assert!(place.path("homi-out/homi.sarif").exists());
    let summary = fs::read_to_string(place.path("summary.md")).expect("a summary");
    assert!(summary.contains("a program.c:3"), "{summary}");
}

#[test]
fn a_step_may_go_on_after_bugs_but_not_after_failures() {
    let place = TestDir::new();
    let done = step(&place, &[("HOMI_FAIL_ON_BUGS", "false")]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    let place = TestDir::new();
    let done = step(
        &place,
        &[("HOMI_FAIL_ON_BUGS", "false"), ("HOMI_FILES", "gone.c")],
    );
    assert_eq!(done.status.code(), Some(2), "{}", text(&done));
    assert!(text(&done).contains("gone.c"), "{}", text(&done));
}
