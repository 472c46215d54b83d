//! Tests of the options that make campaigns.

use super::tests::{campaign, config, seconds, with_earlier};
use homi_config::*;

#[test]
fn campaigns_of_the_paper_have_no_additions_of_homi() {
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

/// The paper's campaign with these arguments, or why there is none.
fn papers(arguments: &[&str]) -> Result<CampaignConfig, String> {
    let config = config(&[&["a.bc", "--profile", "paper"], arguments].concat())?;
    Ok(config.campaign.unwrap())
}

#[test]
fn the_profile_paper_has_the_values_of_the_paper() {
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
fn runs_of_homi_campaigns_have_a_minimum_time() {
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
fn a_resumed_campaign_keeps_omitted_options() {
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
