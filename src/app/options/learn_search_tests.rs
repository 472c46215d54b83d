//! Options that `homi learn-search` accepts and refuses.

use super::learn_search::*;
use super::row::Row;
use clap::Command;
use homi_config::{LearnSearchConfig, RunConfig};

fn parsed(arguments: &[&str]) -> Result<(LearnSearchConfig, RunConfig), String> {
    parse_learn_search(arguments).map_err(|error| error.to_string())
}

#[test]
fn defaults_are_those_of_the_paper() {
    let (learn, run) = parsed(&["a.bc", "--output", "w.json", "--", "-n"]).unwrap();
    let numbers = (learn.samples, learn.best, learn.trials, learn.executions);
    assert_eq!(numbers, (1_000, 10, 10, 4_000));
    assert!(!learn.resets && !learn.resume);
    assert_eq!(run.program.arguments, ["-n"]);
    assert!(
        run.concolic
            .is_some_and(|concolic| concolic.canonical_inputs)
    );
}

#[test]
fn a_run_with_learned_weights_has_least_inputs_as_their_trials_had() {
    for (strategy, expected) in [("param:w.json", true), ("cfg", false)] {
        let arguments = ["--concolic", "--strategy", strategy, "a.bc"];
        let run = super::parse(arguments.map(std::ffi::OsString::from).to_vec()).unwrap();
        let least = run
            .concolic
            .is_some_and(|concolic| concolic.canonical_inputs);
        assert_eq!(least, expected, "{strategy}");
    }
}

#[test]
fn what_trials_depend_on_is_kept_and_the_rest_is_not() {
    let arguments = ["--uid=7", "--max-time", "3s", "-q", "--libc", "none"];
    let all = [&["--output", "w.json", "a.bc"], &arguments[..]].concat();
    let (learn, run) = parsed(&all).unwrap();
    assert_eq!(learn.run_options, ["--libc=none", "--uid=7"]);
    assert_eq!(run.program.user, 7);
    assert!(run.output.quiet);
}

#[test]
fn what_makes_no_sense_names_the_way_out() {
    for (arguments, expected) in [
        (&[][..], "--output FILE"),
        (&["--output=w", "--samples=1"], "draw at least 2"),
        (
            &["--output=w", "--samples=5", "--best=6"],
            "from 2 to --samples (5)",
        ),
        (&["--output=w", "--best=1"], "from 2 to"),
        (&["--output=w", "--trials=0"], "at least one trial"),
        (&["--output=w", "--max-runs=0"], "a trial must end"),
        (&["--output=w", "--max-time=5w"], "must be a time"),
        (&["--output=w", "--strategy=dfs"], "--strategy"),
    ] {
        let error = parsed(&[&["a.bc"], arguments].concat()).unwrap_err();
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn every_shared_option_is_one_of_homi_run() {
    let rows = learn_search_rows();
    let own = LearnSearch::rows().len();
    assert_eq!(rows.len(), own + SHARED.len());
    let is_run = |row: &&Row| super::rows().iter().any(|of_run| of_run.id == row.id);
    assert_eq!(
        rows.iter().filter(is_run).count(),
        SHARED.len(),
        "one value for two options"
    );
    augment_learn_search(Command::new("learn-search")).debug_assert();
}
