//! The run without pruning that a campaign of homi's own keeps in reserve: it goes on to the end of
//! programs that have one.

use super::{COMMANDS, run_campaign, summary_of};
use crate::support::TestDir;
use serde_json::Value;
use std::fs;

const NO_CONCOLIC_RUN: [&str; 4] = ["--prune", "homi", "--concolic-ratio", "0"];

/// 16,384 paths whose branches are covered at once: the run in reserve follows them all.
#[test]
fn a_program_is_followed_to_its_end_but_by_the_papers_algorithm() {
    let place = TestDir::new();
    let shorter = COMMANDS.replace("10", "7").replace("in[9]", "in[5]");
    let shorter = shorter.replace("in[7] == 'c'", "in[6] == 'c'");
    place.compile("shorter", &shorter.replace("in[8]", "in[4]"));
    let run = |directory: &str, arguments: &[&str]| {
        let budget = ["--max-time", "40000000i"];
        run_campaign(
            &place,
            directory,
            &[&budget, arguments, &["shorter.bc"]].concat(),
        );
        summary_of(&place, directory)
    };
    let plain = run("plain", &["--prune", "none"]);
    assert_eq!(plain["stop_reason"], "exhausted");
    let short = "--prune homi --concolic-ratio 0 --tuning run-time-max=100000i";
    let short: Vec<&str> = short.split(' ').collect();
    let campaign = run("campaign", &short);
    assert_eq!(campaign["stop_reason"], "exhausted", "{campaign}");
    let slices = campaign["campaign"]["policies"]["unpruned"].as_u64();
    assert!(slices.is_some_and(|slices| slices > 1), "{campaign}");
    let completed = |summary: &Value| summary["paths"]["completed"].as_u64();
    assert!(completed(&campaign) >= completed(&plain));
    // Pruned runs alone never know.
    let paper = ["--profile", "paper", "--search", "md2u"];
    let paper = run("paper", &[&short[..], &paper].concat());
    assert_eq!(paper["stop_reason"], "max-time");
}

/// All runs start where the launch ends, so none of them prints what came before.
#[test]
fn what_is_printed_before_the_first_choice_is_shown_once() {
    let place = TestDir::new();
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
    let arguments = ["run", "greeting.bc", "--quiet", "--output-dir", "out"];
    let budget = ["--prune", "homi", "--max-time", "40000000i"];
    place.succeeds(&[&arguments[..], &budget].concat());
    let printed = fs::read_to_string(place.path("out").join("stdout.txt"));
    assert_eq!(printed.expect("stdout.txt is written"), "hello");
}

/// Runs shorter than the program: nothing is open but its one path, so nothing is begun anew.
#[test]
fn a_path_longer_than_a_run_is_followed_to_its_end() {
    let place = TestDir::new();
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
    let budget = ["--max-time", "20000000i", "--tuning run-time-max", "40000i"];
    run_campaign(
        &place,
        "out",
        &[&budget[..], &NO_CONCOLIC_RUN, &["long.bc"]].concat(),
    );
    let summary = summary_of(&place, "out");
    assert_eq!(summary["stop_reason"], "exhausted", "{summary}");
    assert_eq!(summary["campaign"]["runs"], 1);
    assert_eq!(summary["paths"]["completed"], 2);
}
