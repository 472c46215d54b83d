//! Texts of the command line: every help text, and the errors of wrong command lines.
//!
//! Each is a snapshot in `tests/data/command_line`, word for word. After a change on purpose,
//! `INSTA_UPDATE=always cargo test --test it command_line` writes them anew, and `git diff` shows
//! what users will see of it.

use crate::support::{TestDir, data};
use std::fs;
use std::process::Command;

/// Columns of the terminal that help is wrapped for.
const COLUMNS: &str = "100";

/// Compares with the snapshot of this name in a folder of `tests/data/command_line`.
fn assert_snapshot(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(data("command_line").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// `homi` with these arguments: the command line, its exit status and all that it says.
fn session(mut homi: Command, arguments: &[&str]) -> String {
    let output = homi
        .args(arguments)
        .env("COLUMNS", COLUMNS)
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("homi runs");
    let status = output.status.code().expect("no signal ended homi");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    format!(
        "$ homi {}\n{said}[exit status {status}]\n",
        arguments.join(" ")
    )
}

/// Replaces each program's digest, which depends on the compiler and the path, by `(DIGEST)`.
fn without_digests(text: &str) -> String {
    let is_digest = |word: &str| {
        let inner = word
            .strip_prefix('(')
            .and_then(|word| word.strip_suffix(")`"));
        inner.is_some_and(|inner| inner.len() == 12 && inner.chars().all(|c| c.is_ascii_hexdigit()))
    };
    let arguments = text.split(' ');
    let shown = arguments.map(|word| if is_digest(word) { "(DIGEST)`" } else { word });
    shown.collect::<Vec<_>>().join(" ")
}

/// Commands in `homi --help`, except clap's `help`.
fn listed_commands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_of_every_command() {
    let place = TestDir::new();
    let overview = session(place.homi(), &["--help"]);
    let commands = listed_commands(&overview);
    assert!(commands.contains(&"run".to_string()), "{overview}");
    let hidden = ["__lower", "__solver"].map(str::to_owned);
    assert_snapshot("help", "homi", &overview);
    assert_snapshot("help", "homi_short", &session(place.homi(), &["-h"]));
    for command in commands.iter().chain(&hidden) {
        let name = command.trim_start_matches('_');
        let long = session(place.homi(), &[command, "--help"]);
        assert_snapshot("help", name, &long);
        let short = session(place.homi(), &[command, "-h"]);
        assert_snapshot("help", &format!("{name}_short"), &short);
    }
}

/// A snapshot's name, and what stands after `homi`, separated by single spaces.
const WRONG: &[(&str, &str)] = &[
    ("no_command", ""),
    ("unknown_command", "walk"),
    ("no_file", "run"),
    ("unknown_option", "run --serach dfs program.bc"),
    ("option_without_value", "run --seed"),
    ("option_given_twice", "run program.bc --seed 1 --seed 2"),
    ("value_of_a_flag", "run program.bc --all-tests=maybe"),
    (
        "option_after_the_programs_arguments",
        "run program.bc x --max-time 3s",
    ),
    ("bad_duration", "run program.bc --max-time soon"),
    ("bad_size", "run program.bc --max-memory 3cows"),
    ("too_little_memory", "run program.bc --max-memory 1kB"),
    ("unknown_heuristic", "run program.bc --search best"),
    (
        "unweighted_heuristic_as_weighted",
        "run program.bc --search nurs:dfs",
    ),
    ("unknown_clock", "run program.bc --clock sun"),
    ("unknown_scope", "run program.bc --search-scope libc"),
    (
        "unknown_distance_weights",
        "run program.bc --tuning distance-weights=per-function",
    ),
    ("unknown_libc", "run program.bc --libc glibc"),
    ("unknown_pruning", "run program.bc --prune all"),
    ("unknown_restart", "run program.bc --restart always"),
    (
        "unknown_coverage_source",
        "run program.bc --prune homi --coverage llvm",
    ),
    (
        "unknown_search_coverage",
        "run program.bc --prune homi --tuning search-coverage=all",
    ),
    ("fuzz_ratio_below_0", "run program.bc --fuzz-ratio=-1"),
    ("no_threads", "run program.bc --threads 0"),
    ("too_many_threads", "run program.bc --threads 1000"),
    (
        "batches_without_end",
        "run program.bc --batch-instructions 0 --tuning batch-time=0",
    ),
    (
        "threads_with_subsumption",
        "run program.bc --threads 2 --subsume --max-time 1h",
    ),
    (
        "campaign_option_without_campaign",
        "run program.bc --tuning completion-instructions=1000",
    ),
    (
        "pruning_option_without_pruning",
        "run program.bc --restart divide --max-time 1h --tuning prune-interval=30s",
    ),
    (
        "learning_option_without_learning",
        "run program.bc --prune random --max-time 1h --tuning explorations=4",
    ),
    (
        "pruning_with_restart",
        "run program.bc --prune homi --restart divide --max-time 1h",
    ),
    (
        "prune_ratio_above_1",
        "run program.bc --prune homi --max-time 1h --tuning prune-ratio-max=1.5",
    ),
    (
        "memory_prune_ratio_0",
        "run program.bc --tuning memory-prune-ratio=0",
    ),
    (
        "no_run_times",
        "run program.bc --prune homi --max-time 1h --tuning run-time-steps=0",
    ),
    (
        "no_draws",
        "run program.bc --prune homi --max-time 1h --tuning reverse-draws=0",
    ),
    (
        "times_and_instructions_mixed",
        "run program.bc --prune homi --max-time 1h --tuning run-time-max=5000i",
    ),
    (
        "runs_shorter_than_the_prune_interval",
        "run program.bc --prune homi --max-time 1h --tuning run-time-max=10s --tuning prune-interval=20s --tuning prune-growth=0",
    ),
    (
        "resume_of_nothing",
        "run program.bc --resume absent --prune homi",
    ),
    (
        "resume_without_campaign",
        "run program.bc --resume campaign --prune none",
    ),
    (
        "resume_into_another_directory",
        "run --resume campaign --output-dir other",
    ),
    (
        "resume_with_another_program",
        "run other.bc --resume campaign",
    ),
    (
        "resume_with_another_kind_of_campaign",
        "run --resume campaign --prune homi",
    ),
    (
        "resume_with_other_arguments",
        "run --resume campaign -- --sym-arg 3",
    ),
    ("missing_file", "run absent.bc"),
    ("not_bitcode", "run text.bc"),
    ("no_entry_point", "run program.bc --entry-point start"),
    (
        "output_directory_exists",
        "run program.bc --output-dir full",
    ),
    (
        "output_directory_below_nothing",
        "run program.bc --output-dir absent/out",
    ),
    (
        "missing_program_directory",
        "run program.bc --run-in-dir absent",
    ),
    ("missing_environment", "run program.bc --env-file absent"),
    ("missing_seed", "run program.bc --seed-file absent.ktest"),
    ("directory_without_seeds", "run program.bc --seed-dir full"),
    (
        "bad_symbolic_arguments",
        "run --quiet program.bc -- --sym-args 3 1 2",
    ),
    ("replay_of_nothing", "replay"),
    ("replay_on_a_missing_executable", "replay absent text.bc"),
    ("ktest_that_is_none", "ktest text.bc"),
    ("explain_a_missing_test", "explain absent.ktest"),
    ("stats_of_no_run", "stats full"),
    ("report_of_no_run", "report full --output page.html"),
    (
        "instrument_a_missing_file",
        "instrument absent.bc --output x",
    ),
    ("manual_of_an_unknown_command", "man walk"),
];

/// Ends by itself, so that a command line that is accepted by mistake ends too.
const PROGRAM: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char in;
  klee_make_symbolic(&in, 1, "in");
  return in == 'a' ? 1 : 0;
}
"#;

/// A program, another one, a file that is neither, a directory, and a campaign to go on with.
fn furnish(place: &TestDir) {
    place.compile("program", PROGRAM);
    place.compile("other", "int main(void) { return 7; }\n");
    fs::write(place.path("text.bc"), "this is no bitcode\n").expect("write");
    fs::create_dir(place.path("full")).expect("a directory");
    let arguments =
        "run program.bc --quiet --restart divide --max-time 2000i --output-dir campaign";
    let told = session(place.homi(), &arguments.split(' ').collect::<Vec<_>>());
    assert!(told.ends_with("[exit status 0]\n"), "{told}");
}

#[test]
fn messages_for_wrong_command_lines() {
    let place = TestDir::new();
    furnish(&place);
    for (name, arguments) in WRONG {
        let arguments: Vec<&str> = arguments
            .split(' ')
            .filter(|word| !word.is_empty())
            .collect();
        let told = session(place.homi(), &arguments);
        assert!(!told.ends_with("[exit status 0]\n"), "{name}: {told}");
        assert_snapshot("wrong", name, &without_digests(&told));
    }
}
