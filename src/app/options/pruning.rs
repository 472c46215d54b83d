//! Pruning and campaigns of short runs: the hyper-parameters.
//!
//! Invariant: they are complete and consistent, or there is an error that says what to change,
//! before anything runs. For a total budget below the paper's 5 h (or in instructions or work) the
//! paper's times scale with the budget.

use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::profile::{ByProfile, Profile};
use super::requirement::Fact;
use super::row::{Heading, Scope};
use super::situation::Situation;
use super::value::{budget_above_zero, choice, flag, number, number_within, ratio, share, switch};
use homi_config::{
    Budget, CampaignConfig, CampaignKind, InputLayouts, PruneConfig, SearchCoverage,
};
use homi_explore::prune::learn::PAPER;
use homi_strategies::campaign::papers_times;
use std::time::Duration;

/// Least tau_max that a short total budget is scaled down to in homi's own profile: a run that
/// begins with earlier tests needs some seconds after them.
const RUN_MAX_LEAST: Duration = Duration::from_secs(10);
/// Share of the total budget that it may take.
const LARGEST_LEAST: f64 = 1.0 / 6.0;

options! {
    /// The options of [`CampaignConfig`].
    Campaign fills CampaignConfig with { kind: CampaignKind, unpruned_run: bool };

    /// Prune at this interval (eta_t)
    ///
    /// Suffix i counts instructions, w work.
    interval: Budget = budget_above_zero("tuning prune-interval")
        .depends(
            "30s; for --max-time N below 5h 30s * N/5h, at least 1s",
            |situation| papers_times(situation.total).1,
        )
        .needs(Fact::Pruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Prune early once there are N more states than after the last event; 0 never does
    ///
    /// The paper has no such limit.
    growth: usize = number("tuning prune-growth", "STATES")
        // The paper's 30 s are of KLEE, whose states grow more slowly.
        .by_profile(ByProfile { homi: 5000, klee: 0, paper: 0 })
        .needs(Fact::Pruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Keep the N best-scoring states per code location and call stack; 0 is none
    ///
    /// They are pruned last. Not in the paper.
    kept: usize = number("tuning prune-keep", "N")
        .by_profile(ByProfile { homi: 4, klee: 0, paper: 0 })
        .needs(Fact::Pruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Prune at most this ratio of the states at one event (eta_max)
    ratio_max: f64 = share("tuning prune-ratio-max")
        .default(PAPER.ratio.greatest)
        .needs(Fact::Pruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Choose among N equally spaced pruning ratios (eta_itv)
    ratio_steps: usize = number_within("tuning prune-ratio-steps", "N", 1, MOST_STEPS)
        .default(PAPER.ratio.intervals)
        .needs(Fact::Pruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Limit the longest run to this time (tau_max)
    ///
    /// Suffix i counts instructions, w work.
    run_max: Budget = budget_above_zero("tuning run-time-max")
        .depends(
            "800s; for --max-time N below 5h 800s * N/5h, with --profile homi at least 10s or N/6",
            longest_run,
        )
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Choose among N equally spaced run times (tau_itv)
    run_steps: usize = number_within("tuning run-time-steps", "N", 1, MOST_STEPS)
        .default(PAPER.run_time.intervals)
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Explore in N runs after the first before exploiting what was learned (m)
    explorations: u32 = number("tuning explorations", "N")
        .default(PAPER.explorations)
        .needs(Fact::LearnedPruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Draw N vectors in reverse exploitation and take the farthest
    draws: u32 = number_within("tuning reverse-draws", "N", 1, u32::MAX)
        .default(PAPER.draws)
        .needs(Fact::LearnedPruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Complete an unfinished path on its test's bytes for at most N instructions
    ///
    /// The completion tells which branches the test covers.
    completion_instructions: u64 = number("tuning completion-instructions", "N")
        .default(500_000)
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Resume the unpruned run while it finds more than the others
    ///
    /// Only with `--prune homi`; homi's profile does so. Not in the paper.
    keep_unpruned_run: bool = flag("tuning keep-unpruned-run")
        .needs(Fact::LearnedPruning)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Choose what the searchers of short runs treat as covered
    ///
    /// `run` is what the run covered (the paper), `campaign` what the campaign covered.
    search_coverage: SearchCoverage = choice("tuning search-coverage")
        .default(SearchCoverage::Run)
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Seed each run after the first with earlier tests of the campaign
    ///
    /// homi takes a small set of tests that covers what all of them cover, follows their paths, and
    /// searches from the branches on them. Not in the paper.
    seed_runs: bool = switch("seed-runs")
        .by_profile(ByProfile { homi: true, klee: false, paper: false })
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Limit the ratio of a campaign's time for a concolic run; 0 is none
    ///
    /// The run follows single paths to their ends by the bundled weights, as `--concolic --strategy
    /// param` does. The campaign begins with a few time slices of it and continues while it finds
    /// more new branches for its time than the other runs, which are seeded with its tests.
    /// `--target` and resumed campaigns have none. Not in the paper.
    concolic_ratio: f64 = ratio("concolic-ratio", 1.0)
        .depends("0.3 with --prune homi in homi's own profile, else 0", |_| 0.0)
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);

    /// Vary the input layout in some runs of a campaign
    ///
    /// `auto` tries more or longer arguments, larger files, environment variables and options that
    /// the program knows. Layouts that find many new branches for their time get more runs. A
    /// program without arguments begins with --sym-args 0 4 16 --sym-files 1 8 --sym-stdin 8, and
    /// with --sym-env LC_ALL=C.UTF-8 if it calls setlocale. learning.jsonl lists what each layout
    /// found. Not in the paper.
    input_layouts: InputLayouts = choice("input-layouts")
        .depends(
            "auto for a program without arguments that makes nothing symbolic itself, and with \
             arguments from recorded seeds; else off",
            |situation| match situation.profile {
                Profile::Homi => InputLayouts::Unsaid,
                Profile::Klee | Profile::Paper => InputLayouts::Off,
            },
        )
        .neutral("off")
        .needs(Fact::Campaign)
        .scope(Scope::Campaign)
        .heading(Heading::Pruning);
}

/// Most of a campaign's time for single paths, where the other runs take turns by what they find.
const MAX_CONCOLIC_RATIO: f64 = 0.3;

/// More steps than that are a slip of the keyboard.
const MOST_STEPS: usize = 1_000_000;

/// tau_max: the paper's, scaled.
fn longest_run(situation: &Situation<'_>) -> Budget {
    let (run_max, _) = papers_times(situation.total);
    match (situation.profile, situation.total, run_max) {
        (Profile::Homi, Budget::Time(total), Budget::Time(run_max)) if !total.is_zero() => {
            Budget::Time(run_max.max(RUN_MAX_LEAST.min(total.mul_f64(LARGEST_LEAST))))
        }
        _ => run_max,
    }
}

/// The hyper-parameters of a campaign of this kind.
pub(super) fn campaign(
    typed: &clap::ArgMatches,
    situation: &Situation<'_>,
    kind: CampaignKind,
) -> Result<CampaignConfig, OptionError> {
    let earlier = situation.earlier;
    let keeps_unpruned_run = Campaign::keep_unpruned_run().resolve(
        typed,
        situation,
        earlier.map(|earlier| earlier.keep_unpruned_run),
    );
    // The paper's algorithm keeps no run in reserve, and the guard keeps one.
    let unpruned_run = !keeps_unpruned_run
        && match earlier {
            Some(earlier) => earlier.unpruned_run,
            None => situation.profile == Profile::Homi && kind == CampaignKind::Homi,
        };
    let mut config = Campaign::resolve(typed, situation, earlier, kind, unpruned_run);
    if unpruned_run && earlier.is_none() && Campaign::concolic_ratio().given(typed).is_none() {
        config.concolic_ratio = MAX_CONCOLIC_RATIO;
    }
    check(&config, situation.total)?;
    Ok(config)
}

fn check(config: &CampaignConfig, total: Budget) -> Result<(), OptionError> {
    let run_max = config.run_max;
    let alike = run_max.same_unit(config.interval) && (total.is_zero() || run_max.same_unit(total));
    if !alike {
        return Err(OptionError(
            "--max-time, --tuning run-time-max and --tuning prune-interval must all be times, all be \
             instructions (suffix i) or all be work (suffix w)"
                .to_string(),
        ));
    }
    let prunes = config.kind != CampaignKind::Divide;
    if prunes && config.growth == 0 && config.interval.amount() >= config.run_max.amount() {
        let (run, interval) = (config.run_max, config.interval);
        return Err(OptionError(format!(
            "no run would prune: the longest run ({run}) is not longer than the interval between \
             prune events ({interval}); raise --max-time or --tuning run-time-max, or lower \
             --tuning prune-interval"
        )));
    }
    let least = run_max.amount() / config.run_steps as f64;
    if !total.is_zero() && total.amount() < least {
        let least = total.of_same_unit(least);
        return Err(OptionError(format!(
            "--max-time {total} is shorter than one run of the campaign (at least {least}); raise \
             --max-time, or lower --tuning run-time-max"
        )));
    }
    Ok(())
}

/// Random pruning within one run that is not a campaign.
pub(super) fn of_one_run(typed: &clap::ArgMatches, situation: &Situation<'_>) -> PruneConfig {
    let config = Campaign::resolve(typed, situation, None, CampaignKind::Random, false);
    PruneConfig {
        pruner: "random".to_string(),
        interval: config.interval,
        growth: config.growth,
        kept: config.kept,
        ratio_max: config.ratio_max,
        ratio_steps: config.ratio_steps,
    }
}
