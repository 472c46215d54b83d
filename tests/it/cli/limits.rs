//! Ends of a run: budgets, Ctrl-C, a full disk.

use super::{MAZE, files};
use crate::support::{ENDLESS, TestDir, summary, text, underapproximations, wait_until};
use std::fs;
use std::os::unix::process::CommandExt;

#[test]
fn budgets_stop_the_run_with_their_reason() {
    let place = TestDir::new();
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
    // A run whose time does not end it comes to the end of the other budget.
    let mut timed = vec!["endless.bc", "--quiet", "--max-time", "1s"];
    timed.extend(["--max-instructions", "100000000000"]);
    let summary = place.run(&timed);
    assert_eq!(summary["stop_reason"], "max-time");
    assert_eq!(summary["clock"], "wall");
    timed.extend(["--clock", "cpu"]);
    let summary = place.run(&timed);
    assert_eq!(summary["stop_reason"], "max-time");
    assert_eq!(summary["clock"], "cpu");
    assert!(
        summary["cpu_s"].as_f64().is_some_and(|time| time >= 0.99),
        "{summary}"
    );
}

#[test]
fn a_fork_budget_leaves_one_path_per_state() {
    let place = TestDir::new();
    place.compile("maze", MAZE);
    let summary = place.run(&["maze.bc", "--quiet", "--max-forks", "2", "--all-tests"]);
    let paths = &summary["paths"];
    let total = paths["completed"].as_u64().unwrap_or(0) + paths["error"].as_u64().unwrap_or(0);
    assert_eq!(total, 3, "{summary}");
}

#[test]
fn an_interrupt_stops_the_run_and_writes_open_tests() {
    let place = TestDir::new();
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
        .args(["--max-time", "3600s", "--halt-time", "600s"])
        .args(["--stats-write-interval", "20ms"])
        .spawn()
        .expect("homi starts");
    wait_until("it is under way", || {
        let output = place.output(&["stats", "--csv", "--all-rows", "out"]);
        let rows = String::from_utf8_lossy(&output.stdout).lines().count();
        output.status.success() && rows > 3
    });
    // No `kill` command: a bare Debian has none.
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).expect("the signal is sent");
    let status = child.wait().expect("homi ends");
    assert_eq!(status.code(), Some(0));
    let out = place.path("out");
    let summary = summary(&out);
    assert_eq!(summary["stop_reason"], "interrupted");
    assert!(!files(&out, ".ktest").is_empty());
    assert!(!files(&out, ".early").is_empty());
    assert!(files(&out, ".part").is_empty());
}

/// A limit on file sizes fails writes as a full disk does, without root rights.
#[test]
fn a_full_disk_stops_the_run_and_keeps_the_tests_before() {
    let place = TestDir::new();
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
    assert!(said.contains("earlier tests are valid"), "{said}");
    let out = place.path("out");
    let tests = files(&out, ".ktest");
    assert!(!tests.is_empty());
    for name in &tests {
        let bytes = fs::read(out.join(name)).expect("a test");
        homi::native::testcase::ktest::KTest::from_bytes(&bytes).expect("a whole test");
    }
    assert!(files(&out, ".part").is_empty());
    let summary = summary(&out);
    assert_eq!(summary["stop_reason"], "write-failed");
    assert!(underapproximations(&summary, "test") > 1, "{summary}");
}
