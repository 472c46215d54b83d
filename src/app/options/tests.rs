use super::row::Row;
use super::*;
use crate::config::{
    Budget, CampaignConfig, CampaignKind, DistanceWeights, Heuristic, RunConfig, SearchCoverage,
};
use clap::{ArgMatches, Command};
use std::collections::BTreeSet;
use std::time::Duration;

fn parse(arguments: &[&str]) -> Result<ArgMatches, String> {
    augment(Command::new("run"))
        .try_get_matches_from(std::iter::once(&"run").chain(arguments))
        .map_err(|error| error.to_string())
}

fn with_earlier(arguments: &[&str], earlier: Option<&CampaignConfig>) -> Result<RunConfig, String> {
    resolve(&parse(arguments)?, earlier).map_err(|error| error.to_string())
}

fn config(arguments: &[&str]) -> Result<RunConfig, String> {
    with_earlier(arguments, None)
}

/// The hyper-parameters of the campaign that `homi run a.bc` with these arguments is.
fn campaign(arguments: &[&str]) -> Option<CampaignConfig> {
    config(&[&["a.bc"], arguments].concat()).unwrap().campaign
}

fn seconds(count: u64) -> Budget {
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
fn campaigns_of_the_paper_have_nothing_of_homis_own() {
    let campaign = |arguments: &[&str]| {
        let campaign = campaign(&[&["--prune=homi", "--max-time=1h"], arguments].concat()).unwrap();
        let rules = (campaign.growth, campaign.kept);
        (campaign.seed_runs, rules, campaign.unpruned_run)
    };
    assert_eq!(campaign(&[]), (true, (5000, 4), true));
    assert_eq!(campaign(&["--search", "md2u"]), (true, (5000, 4), true));
    let paper = ["--profile", "paper"];
    let paper = |arguments: &[&str]| campaign(&[&paper, arguments].concat());
    assert_eq!(paper(&[]), (false, (0, 0), false));
    assert_eq!(paper(&["--seed-runs"]), (true, (0, 0), false));
    assert_eq!(
        paper(&["--tuning prune-growth", "9"]),
        (false, (9, 0), false)
    );
    assert_eq!(campaign(&["--seed-runs=false"]), (false, (5000, 4), true));
    assert_eq!(
        campaign(&["--tuning prune-keep", "0"]),
        (true, (5000, 0), true)
    );
    assert_eq!(
        campaign(&["--tuning keep-unpruned-run=true"]),
        (true, (5000, 4), false)
    );
}

#[test]
fn a_run_with_time_learns_to_prune_unless_it_is_to_do_something_else() {
    let minute = |arguments: &[&str]| campaign(&[&["--max-time", "60s"], arguments].concat());
    let kind = |arguments: &[&str]| minute(arguments).map(|campaign| campaign.kind);
    assert_eq!(kind(&[]), Some(CampaignKind::Homi));
    assert_eq!(kind(&["--search", "md2u"]), Some(CampaignKind::Homi));
    assert_eq!(kind(&["--prune", "random"]), Some(CampaignKind::Random));
    let plain = [
        &["--prune", "none"][..],
        &["--restart", "none"],
        &["--profile", "klee"],
        &["--all-tests"],
        &["--write-kqueries"],
        &["--write-smt2s"],
        &["--write-paths"],
        &["--max-depth", "9"],
        &["--max-forks", "9"],
    ];
    for arguments in plain {
        assert_eq!(kind(arguments), None, "{arguments:?}");
    }
    assert_eq!(campaign(&[]), None);
    assert_eq!(campaign(&["--max-time", "29s"]), None);
    assert_eq!(campaign(&["--max-time", "60000000000i"]), None);
    assert_eq!(campaign(&["--max-time", "60000000000w"]), None);
    // The paper's algorithm is a campaign.
    let paper = campaign(&["--profile", "paper"]).map(|campaign| campaign.kind);
    assert_eq!(paper, Some(CampaignKind::Homi));
    assert_eq!(campaign(&["--profile", "paper", "--prune", "none"]), None);
}

#[test]
fn random_pruning_is_a_campaign_unless_restarts_are_refused() {
    let once = [
        "a.bc",
        "--prune=random",
        "--restart=none",
        "--tuning prune-ratio-max=0.5",
    ];
    let config = config(&once).unwrap();
    assert_eq!(config.campaign, None);
    let prune = config.prune.unwrap();
    assert_eq!((prune.pruner.as_str(), prune.ratio_max), ("random", 0.5));
    let both = self::config(&["a.bc", "--prune", "random"]).unwrap();
    assert!(both.prune.is_none() && both.campaign.is_some());
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
fn campaigns_in_times_use_all_processors() {
    let threads = |arguments: &[&str]| {
        let arguments = [&["a.bc", "--max-time", "60s"], arguments].concat();
        config(&arguments).map(|config| config.threads)
    };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(threads(&[]), Ok(all.min(16)));
    assert_eq!(
        threads(&["--prune", "homi", "--search", "md2u"]),
        Ok(all.min(16))
    );
    let alone = [
        &["--threads", "1"][..],
        &["--prune", "none"],
        &["--prune", "random"],
        &["--profile", "paper"],
        &["--clock", "cpu"],
        &["--prune", "homi", "--subsume"],
        &["--concolic"],
        &["--max-preemptions", "1"],
        &["--all-tests"],
    ];
    for arguments in alone {
        assert_eq!(threads(arguments), Ok(1), "{arguments:?}");
    }
    assert_eq!(threads(&["--threads", "3", "--profile", "paper"]), Ok(3));
    let work = ["a.bc", "--max-time", "60000000000w", "--prune", "homi"];
    assert_eq!(config(&work).map(|config| config.threads), Ok(1));
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

/// The paper's campaign with these arguments, or why there is none.
fn papers(arguments: &[&str]) -> Result<CampaignConfig, String> {
    let config = config(&[&["a.bc", "--profile", "paper"], arguments].concat())?;
    Ok(config.campaign.unwrap())
}

#[test]
fn the_papers_values_are_the_papers() {
    let config = papers(&["--max-time", "5h"]).unwrap();
    assert_eq!(
        (config.run_max, config.interval),
        (seconds(800), seconds(30))
    );
    assert_eq!((config.run_steps, config.ratio_steps), (4, 3));
    assert_eq!((config.ratio_max, config.explorations), (0.6, 10));
    assert_eq!(config.draws, 100);
    assert_eq!(papers(&[]).unwrap().run_max, seconds(800));
}

#[test]
fn short_budgets_scale_and_the_interval_has_a_floor() {
    let config = papers(&["--max-time", "600s"]).unwrap();
    assert!((config.run_max.amount() - 80.0 / 3.0).abs() < 1e-6);
    assert_eq!(config.interval, seconds(1));
    let config = papers(&["--max-time", "1800000i"]).unwrap();
    assert_eq!(config.run_max, Budget::Instructions(80_000));
    assert_eq!(config.interval, Budget::Instructions(3_000));
    let config = papers(&["--max-time", "1800000w"]).unwrap();
    assert_eq!(config.run_max, Budget::Work(80_000));
    assert_eq!(config.interval, Budget::Work(3_000));
}

#[test]
fn homis_own_runs_are_not_scaled_down_below_the_least() {
    let longest = |time: &str| {
        let arguments = ["--prune", "homi", "--max-time", time];
        campaign(&arguments).unwrap().run_max.amount()
    };
    assert_eq!((longest("30s"), longest("60s")), (5.0, 10.0));
    assert!((longest("600s") - 80.0 / 3.0).abs() < 1e-6);
}

#[test]
fn campaigns_that_cannot_be_are_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let message = papers(arguments).unwrap_err();
        assert!(message.contains(part), "{arguments:?}: {message}");
    };
    let short = "shorter than one run";
    refused(&["--max-time=1s", "--tuning run-time-max=8s"], short);
    refused(&["--max-time=1h", "--tuning run-time-max=5i"], "all be");
    refused(&["--max-time=1h", "--tuning prune-interval=5i"], "all be");
    for (total, run, interval) in [
        ("9000w", "500i", "50w"),
        ("9000i", "500w", "50i"),
        ("9000w", "500w", "5s"),
        ("1h", "500w", "50w"),
        ("0", "500w", "50i"),
    ] {
        let arguments = [
            ("max-time", total),
            ("tuning run-time-max", run),
            ("tuning prune-interval", interval),
        ];
        let arguments = arguments.map(|(name, value)| format!("--{name}={value}"));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        refused(
            &arguments,
            "--max-time, --tuning run-time-max and --tuning prune-interval must all be times, all",
        );
    }
    papers(&[
        "--max-time=9000w",
        "--tuning run-time-max=500w",
        "--tuning prune-interval=50w",
    ])
    .unwrap();
    refused(
        &["--tuning prune-ratio-max", "1"],
        "--tuning prune-ratio-max",
    );
    let never = "no run would prune: the longest run (0.89s)";
    refused(&["--max-time", "20s"], never);
    papers(&["--max-time", "20s", "--tuning prune-growth", "100"]).unwrap();
    refused(&["--tuning run-time-steps", "0"], "--tuning run-time-steps");
    refused(&["--tuning reverse-draws", "0"], "--tuning reverse-draws");
    refused(&["--tuning prune-interval", "0"], "cannot be 0");
}

#[test]
fn a_resumed_campaign_keeps_what_is_not_said_anew() {
    let resumed = |arguments: &[&str], earlier: &CampaignConfig| {
        let arguments = [&["a.bc", "--resume", "x"], arguments].concat();
        with_earlier(&arguments, Some(earlier))
            .unwrap()
            .campaign
            .unwrap()
    };
    let earlier = papers(&["--max-time", "600s"]).unwrap();
    assert_eq!(resumed(&["--max-time", "1h"], &earlier), earlier);
    let first = [
        "--max-time=600s",
        "--tuning prune-growth=70",
        "--tuning prune-keep=7",
        "--tuning completion-instructions=7000",
        "--seed-runs=false",
        "--tuning search-coverage=campaign",
        "--tuning explorations=3",
    ];
    let earlier = campaign(&first).unwrap();
    assert!(earlier.unpruned_run && earlier.growth == 70 && !earlier.seed_runs);
    assert_eq!(earlier.search_coverage, SearchCoverage::Campaign);
    assert_eq!(resumed(&["--max-time", "1h"], &earlier), earlier);
    let changed = [
        "--tuning keep-unpruned-run=true",
        "--tuning prune-keep=0",
        "--seed-runs",
        "--max-time=600s",
    ];
    let config = resumed(&changed, &earlier);
    assert!(config.keep_unpruned_run && !config.unpruned_run && config.seed_runs);
    assert_eq!((config.kept, config.growth), (0, 70));
    let again = resumed(&["--max-time", "600s"], &config);
    assert!(again.keep_unpruned_run, "as the session that began it");
}

#[test]
fn help_says_the_defaults_of_each_profile() {
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
