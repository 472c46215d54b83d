use super::row::Row;
use super::*;
use clap::{ArgMatches, Command};
use homi_config::{Budget, CampaignConfig, DistanceWeights, Heuristic, RunConfig};
use std::collections::BTreeSet;
use std::time::Duration;

fn parse(arguments: &[&str]) -> Result<ArgMatches, String> {
    augment(Command::new("run"))
        .try_get_matches_from(std::iter::once(&"run").chain(arguments))
        .map_err(|error| error.to_string())
}

pub(super) fn with_earlier(
    arguments: &[&str],
    earlier: Option<&CampaignConfig>,
) -> Result<RunConfig, String> {
    resolve(&parse(arguments)?, earlier).map_err(|error| error.to_string())
}

pub(super) fn config(arguments: &[&str]) -> Result<RunConfig, String> {
    with_earlier(arguments, None)
}

/// The hyper-parameters of the campaign that `homi run a.bc` with these arguments is.
pub(super) fn campaign(arguments: &[&str]) -> Option<CampaignConfig> {
    config(&[&["a.bc"], arguments].concat()).unwrap().campaign
}

pub(super) fn seconds(count: u64) -> Budget {
    Budget::Time(Duration::from_secs(count))
}

#[test]
fn the_table_is_consistent() {
    augment(Command::new("run")).debug_assert();
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.long).collect();
    assert_eq!(names.len(), rows.len(), "a name stands for one option");
    for row in &rows {
        assert!(!row.paragraphs().is_empty(), "--{} has no text", row.long);
        // The default as text is what one could type.
        let texts = match &row.default {
            DefaultText::Always(text) => vec![text.clone()],
            DefaultText::ByProfile(texts) => {
                vec![texts.homi.clone(), texts.klee.clone(), texts.paper.clone()]
            }
            DefaultText::Absent | DefaultText::Text(_) => Vec::new(),
        };
        for text in texts {
            let argument = format!("--{}={text}", row.long);
            assert!(parse(&["a.bc", &argument]).is_ok(), "{argument}");
        }
    }
}

#[test]
fn defaults_are_the_documented_ones() {
    let config = config(&["a.bc"]).unwrap();
    assert_eq!(
        config.search.heuristics,
        [Heuristic::Md2u, Heuristic::CpIcnt]
    );
    assert_eq!(config.budget.memory, 2 << 30);
    assert_eq!(config.search.batch_instructions, 10_000);
    assert!(config.budget.time.is_zero());
    // Without a time limit nothing depends on time.
    assert!(!config.budget.time.is_timed() && config.search.batch_time.is_zero());
    assert_eq!(
        config.search.distance_interval,
        Budget::Instructions(1_000_000)
    );
}

#[test]
fn a_named_search_replaces_the_heuristics_and_nothing_else() {
    for arguments in [&["a.bc"][..], &["a.bc", "--max-time", "1h"]] {
        let usual = config(arguments).unwrap();
        let mut named = config(&[arguments, &["--search", "dfs"]].concat()).unwrap();
        assert_eq!(named.search.heuristics, [Heuristic::Dfs]);
        named.search.heuristics = usual.search.heuristics.clone();
        assert_eq!(named, usual);
    }
}

#[test]
fn a_profile_decides_what_goes_with_the_search() {
    let search = |arguments: &[&str]| config(&[&["a.bc"], arguments].concat()).unwrap().search;
    for profile in ["klee", "paper"] {
        let plain = search(&["--profile", profile]);
        let pair = [Heuristic::RandomPath, Heuristic::CovNew];
        assert_eq!(plain.heuristics, pair);
        assert_eq!(plain.weights, DistanceWeights::PerState);
        assert!(!plain.count_solver_work && plain.fuzz_ratio == 0.0);
    }
    let own = search(&["--profile", "homi"]);
    assert_eq!(own, search(&[]));
    assert_eq!(own.weights, DistanceWeights::PerLocation);
    assert!(own.count_solver_work && own.fuzz_ratio > 0.0);
    // What is given counts.
    let given = search(&[
        "--profile=klee",
        "--tuning distance-weights=per-location",
        "--fuzz-ratio=2",
    ]);
    assert_eq!(given.weights, DistanceWeights::PerLocation);
    assert_eq!(given.fuzz_ratio, 2.0);
    assert!(search(&["--profile", "klee", "--tuning count-solver-work=true"]).count_solver_work);
    assert!(!search(&["--tuning count-solver-work=false"]).count_solver_work);
    // Who wants every path wants no fuzzing runs.
    assert_eq!(search(&["--all-tests"]).fuzz_ratio, 0.0);
}

#[test]
fn a_time_limit_brings_timed_batches() {
    let config = config(&["a.bc", "--max-time", "60s"]).unwrap();
    assert_eq!(config.search.batch_time, seconds(5));
    assert_eq!(config.search.distance_interval, seconds(1));
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let mut all = vec!["a.bc"];
        all.extend(arguments);
        let message = config(&all).unwrap_err();
        assert!(message.contains(part), "{arguments:?}: {message}");
    };
    refused(&["--prune", "some"], "some");
    refused(&["--tuning prune-interval", "3s"], "--prune homi or");
    refused(&["--tuning prune-growth", "3"], "--prune homi or");
    refused(&["--tuning prune-keep", "3"], "--prune homi or");
    let explorations = ["--tuning explorations", "3", "--prune", "random"];
    refused(&explorations, "--tuning explorations needs --prune homi");
    let divided = ["--tuning prune-ratio-max", "0.5", "--restart", "divide"];
    refused(&divided, "needs");
    refused(&["--coverage", "gcov=x"], "--coverage gcov=x needs");
    refused(
        &["--prune", "homi", "--restart", "divide"],
        "runs without pruning",
    );
    refused(&["--prune", "homi", "--restart", "none"], "--restart none");
    let once = ["--prune", "random", "--restart", "none"];
    refused(
        &[&once[..], &["--tuning run-time-max=3s"]].concat(),
        "needs",
    );
    refused(
        &["--resume", "x", "--prune", "homi"],
        "the directory holds a single run",
    );
    let elsewhere = ["--resume", "x", "--output-dir", "y"];
    refused(&elsewhere, "--output-dir cannot be combined with --resume");
    refused(&["--tuning memory-prune-ratio", "0"], "between 0 and 1");
    refused(&["--threads", "0"], "at least 1");
    refused(&["--threads", "100000"], "at most 256");
    refused(&["--threads", "2.5"], "from 1 to 256");
    refused(
        &["--threads", "2", "--prune", "homi", "--subsume"],
        "--subsume",
    );
    assert!(config(&["a.bc", "--coverage", "engine"]).is_ok());
}

#[test]
fn search_names() {
    let parsed = |list: &[&str]| {
        let mut arguments = vec!["a.bc"];
        for name in list {
            arguments.extend(["--search", name]);
        }
        config(&arguments).map(|config| config.search.heuristics)
    };
    assert_eq!(parsed(&["nurs:md2u"]), Ok(vec![Heuristic::Md2u]));
    assert_eq!(
        parsed(&["dfs,covnew", "rp"]),
        Ok(vec![Heuristic::Dfs, Heuristic::CovNew, Heuristic::Rp])
    );
    for pair in ["roundrobin", "round-robin"] {
        let heuristics = vec![Heuristic::RandomPath, Heuristic::CovNew];
        assert_eq!(parsed(&[pair]), Ok(heuristics));
    }
    assert!(parsed(&["nurs:dfs"]).unwrap_err().contains("nurs:dfs"));
    assert!(parsed(&["best"]).unwrap_err().contains("random-state"));
    for (heuristic, name) in Heuristic::ALL {
        assert_eq!(parsed(&[name]), Ok(vec![heuristic]));
    }
}

#[test]
fn contradictions_are_refused() {
    assert!(
        config(&[
            "a.bc",
            "--batch-instructions",
            "0",
            "--tuning batch-time",
            "0"
        ])
        .is_err()
    );
    assert!(config(&["a.bc", "--max-memory", "1MiB"]).is_err());
    assert!(config(&[]).is_err());
}

#[test]
fn help_lists_the_defaults_of_each_profile() {
    let rows = rows();
    let shown = |name: &str| {
        let row: Option<&Row> = rows.iter().find(|row| row.long == name);
        row.and_then(Row::default_text).unwrap_or_default()
    };
    assert_eq!(
        shown("tuning prune-growth"),
        "5000; 0 with --profile klee or paper"
    );
    assert_eq!(shown("max-memory"), "2GiB");
    assert_eq!(
        shown("search"),
        "md2u,cpicnt; random-path,covnew with --profile klee or paper"
    );
    assert_eq!(shown("self-check"), "");
}
