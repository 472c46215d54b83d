//! From what the user asked for to the hyper-parameters of a campaign.
//!
//! Invariant: the result is complete and consistent, or there is an error that says what to change,
//! before anything runs. What the user does not say is the paper's value; for a total budget below
//! the paper's 5 h (or in instructions) its times scale with the budget.

use crate::config::{CampaignConfig, CampaignKind, CampaignOptions, Span};
use crate::learn::{DiscreteSpace, PAPER, scaled};
use crate::prune::PruneRules;
use std::time::Duration;

/// `--prune-growth` of the default search: the paper's 30 s are of KLEE, whose states grow more
/// slowly.
const OWN_GROWTH: usize = 5000;
/// `--prune-keep` of the default search.
const OWN_KEPT: usize = 4;
/// Least tau_max that a short total budget is scaled down to with the default search: a run that
/// begins with earlier tests needs some seconds after them.
const OWN_RUN_MAX_LEAST: Duration = Duration::from_secs(10);
/// Share of the total budget that it may take.
const LARGEST_LEAST: f64 = 1.0 / 6.0;
/// `--tail-instructions`.
const TAIL_INSTRUCTIONS: u64 = 500_000;

/// A contradiction among the options.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(String);

fn error<T>(text: impl Into<String>) -> Result<T, OptionError> {
    Err(OptionError(text.into()))
}

/// A span as a number, in seconds or instructions.
pub(super) fn amount(span: Span) -> f64 {
    match span {
        Span::Time(time) => time.as_secs_f64(),
        Span::Instructions(count) => count as f64,
    }
}

/// A number as a span of the same unit as another.
pub(super) fn like(unit: Span, amount: f64) -> Span {
    match unit {
        Span::Time(_) => Span::Time(Duration::from_secs_f64(amount.max(0.0))),
        Span::Instructions(_) => Span::Instructions(amount.max(0.0).round() as u64),
    }
}

fn same_unit(a: Span, b: Span) -> bool {
    matches!(
        (a, b),
        (Span::Time(_), Span::Time(_)) | (Span::Instructions(_), Span::Instructions(_))
    )
}

/// The paper's tau_max and eta_t for a total budget; those for 5 h if there is none.
fn papers(total: Span) -> (Span, Span) {
    match total {
        _ if total.is_zero() => (
            Span::Time(Duration::from_secs_f64(PAPER.run_time.greatest)),
            Span::Time(Duration::from_secs_f64(PAPER.interval)),
        ),
        Span::Time(time) => {
            let (run, interval) = scaled(time.as_secs_f64(), 1.0);
            (like(total, run), like(total, interval))
        }
        // Its shares of the whole.
        Span::Instructions(count) => {
            let share = |part: f64| like(total, (count as f64 * part / PAPER.total).max(1.0));
            (share(PAPER.run_time.greatest), share(PAPER.interval))
        }
    }
}

/// The hyper-parameters for a total budget. `earlier` are those of the campaign that is resumed.
pub fn resolve(
    options: &CampaignOptions,
    total: Span,
    earlier: Option<&CampaignConfig>,
) -> Result<CampaignConfig, OptionError> {
    let own = options.own_defaults;
    let (mut run_max, interval) = papers(total);
    if let (true, Span::Time(time), false) = (own, total, total.is_zero()) {
        let least = OWN_RUN_MAX_LEAST.min(time.mul_f64(LARGEST_LEAST));
        run_max = like(total, amount(run_max).max(least.as_secs_f64()));
    }
    let chosen = CampaignConfig {
        kind: options.kind,
        interval: options.interval.unwrap_or(interval),
        growth: options.growth.unwrap_or(if own { OWN_GROWTH } else { 0 }),
        kept: options.kept.unwrap_or(if own { OWN_KEPT } else { 0 }),
        run_max: options.run_max.unwrap_or(run_max),
        run_steps: options.run_steps.unwrap_or(PAPER.run_time.intervals),
        ratio_max: options.ratio_max.unwrap_or(PAPER.ratio.greatest),
        ratio_steps: options.ratio_steps.unwrap_or(PAPER.ratio.intervals),
        explorations: options.explorations.unwrap_or(PAPER.explorations),
        draws: options.draws.unwrap_or(PAPER.draws),
        tail_instructions: options.tail_instructions.unwrap_or(TAIL_INSTRUCTIONS),
        guard: options.guard,
        reserve: own && options.kind == CampaignKind::Homi && !options.guard,
        search_coverage: options.search_coverage.unwrap_or_default(),
        seed_runs: options.seed_runs.unwrap_or(own),
    };
    let config = match earlier {
        None => chosen,
        Some(earlier) => continued(options, &chosen, earlier)?,
    };
    check(&config, total)?;
    Ok(config)
}

/// The earlier hyper-parameters, if nothing was asked for that contradicts them.
fn continued(
    options: &CampaignOptions,
    chosen: &CampaignConfig,
    earlier: &CampaignConfig,
) -> Result<CampaignConfig, OptionError> {
    let differs = [
        ("--prune or --restart", chosen.kind != earlier.kind),
        (
            "--prune-interval",
            options.interval.is_some() && chosen.interval != earlier.interval,
        ),
        (
            "--run-time-max",
            options.run_max.is_some() && chosen.run_max != earlier.run_max,
        ),
        (
            "--run-time-steps",
            options.run_steps.is_some() && chosen.run_steps != earlier.run_steps,
        ),
        (
            "--prune-ratio-max",
            options.ratio_max.is_some() && chosen.ratio_max != earlier.ratio_max,
        ),
        (
            "--prune-ratio-steps",
            options.ratio_steps.is_some() && chosen.ratio_steps != earlier.ratio_steps,
        ),
    ];
    for (name, differs) in differs {
        if differs {
            return error(format!(
                "{name} differs from the campaign that --resume continues; what was learned would not fit"
            ));
        }
    }
    Ok(CampaignConfig {
        explorations: options.explorations.unwrap_or(earlier.explorations),
        draws: options.draws.unwrap_or(earlier.draws),
        tail_instructions: options
            .tail_instructions
            .unwrap_or(earlier.tail_instructions),
        guard: options.guard || earlier.guard,
        reserve: earlier.reserve && !options.guard,
        search_coverage: options.search_coverage.unwrap_or(earlier.search_coverage),
        seed_runs: options.seed_runs.unwrap_or(earlier.seed_runs),
        growth: options.growth.unwrap_or(earlier.growth),
        kept: options.kept.unwrap_or(earlier.kept),
        ..earlier.clone()
    })
}

fn check(config: &CampaignConfig, total: Span) -> Result<(), OptionError> {
    if config.run_steps == 0 || config.ratio_steps == 0 {
        return error("--run-time-steps and --prune-ratio-steps must be at least 1");
    }
    if !(config.ratio_max > 0.0 && config.ratio_max < 1.0) {
        return error("--prune-ratio-max must lie between 0 and 1: some states must stay");
    }
    if config.draws == 0 {
        return error("--reverse-draws must be at least 1");
    }
    if config.run_max.is_zero() || config.interval.is_zero() {
        return error("--run-time-max and --prune-interval cannot be 0");
    }
    if !same_unit(config.run_max, config.interval)
        || (!total.is_zero() && !same_unit(config.run_max, total))
    {
        return error(
            "--max-time, --run-time-max and --prune-interval must all be times or all be \
             instructions (suffix i)",
        );
    }
    let prunes = config.kind != CampaignKind::Divide;
    if prunes && config.growth == 0 && amount(config.interval) >= amount(config.run_max) {
        let (run, interval) = (show(config.run_max), show(config.interval));
        return error(format!(
            "nothing would ever be pruned: the longest run ({run}) is not longer than the interval between prune events \
             ({interval}); give more --max-time, longer runs with --run-time-max, or a shorter --prune-interval"
        ));
    }
    let least = run_times(config).value(0);
    if !total.is_zero() && amount(total) < least {
        let (total, least) = (show(total), show(like(total, least)));
        return error(format!(
            "--max-time {total} is shorter than one run of the campaign (at least {least}); give \
             more time, or shorter runs with --run-time-max"
        ));
    }
    Ok(())
}

/// The run times to choose from (S_time).
pub(super) fn run_times(config: &CampaignConfig) -> DiscreteSpace {
    DiscreteSpace {
        greatest: amount(config.run_max),
        intervals: config.run_steps,
    }
}

/// The shares of the states to choose from (S_ratio).
pub(super) fn ratios(config: &CampaignConfig) -> DiscreteSpace {
    DiscreteSpace {
        greatest: config.ratio_max,
        intervals: config.ratio_steps,
    }
}

/// When pruning comes and what it takes.
pub(super) fn prune_rules(config: &CampaignConfig) -> PruneRules {
    PruneRules {
        ratios: ratios(config),
        interval: config.interval,
        growth: config.growth,
        kept: config.kept,
    }
}

/// A span as the user types it.
pub(super) fn show(span: Span) -> String {
    match span {
        Span::Time(time) => format!("{}s", (time.as_secs_f64() * 100.0).round() / 100.0),
        Span::Instructions(count) => format!("{count}i"),
    }
}

/// What the campaign tells at its start.
pub(super) fn announce(config: &CampaignConfig, total: Span) -> String {
    let what = match config.kind {
        CampaignKind::Homi if config.guard => "learned pruning and a guard",
        CampaignKind::Homi => "learned pruning",
        CampaignKind::Random => "random pruning",
        CampaignKind::Divide => "no pruning",
    };
    let space = run_times(config);
    let runs: Vec<String> = (0..space.len())
        .map(|index| show(like(config.run_max, space.value(index))))
        .collect();
    let mut text = format!(
        "campaign of short runs with {what}: runs of {}",
        runs.join(", ")
    );
    if config.kind != CampaignKind::Divide {
        let space = ratios(config);
        let shares: Vec<String> = (0..space.len())
            .map(|index| format!("{:.0} %", 100.0 * space.value(index)))
            .collect();
        text += &format!(
            "; every {}{} states leave ({})",
            show(config.interval),
            match config.growth {
                0 => String::new(),
                growth => format!(", or once there are {growth} more,"),
            },
            shares.join(", ")
        );
    }
    if let Some(scaling) = scaling(config, total) {
        text += scaling;
    }
    if config.reserve {
        text += "; the first run has no pruning and goes on where others find nothing (--prune none: that one alone)";
    }
    text
}

/// Says that times are the paper's, scaled, where one of them is.
fn scaling(config: &CampaignConfig, total: Span) -> Option<&'static str> {
    if total.is_zero() {
        return None;
    }
    let (run_max, interval) = papers(total);
    let papers = config.run_max == run_max || config.interval == interval;
    match total {
        Span::Time(time) if papers && time.as_secs_f64() < PAPER.total => {
            Some("; the paper's times (for 5 h) are scaled to the budget")
        }
        Span::Instructions(_) if papers => Some("; the paper's shares of the whole budget"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SearchCoverage;

    fn options() -> CampaignOptions {
        CampaignOptions {
            kind: CampaignKind::Homi,
            own_defaults: false,
            interval: None,
            growth: None,
            kept: None,
            run_max: None,
            run_steps: None,
            ratio_max: None,
            ratio_steps: None,
            explorations: None,
            draws: None,
            tail_instructions: None,
            guard: false,
            search_coverage: None,
            seed_runs: None,
        }
    }

    fn seconds(count: u64) -> Span {
        Span::Time(Duration::from_secs(count))
    }

    #[test]
    fn the_papers_values_are_the_defaults() {
        let config = resolve(&options(), seconds(18_000), None).unwrap();
        assert_eq!(
            (config.run_max, config.interval),
            (seconds(800), seconds(30))
        );
        assert_eq!((config.run_steps, config.ratio_steps), (4, 3));
        assert_eq!((config.ratio_max, config.explorations), (0.6, 10));
        let unlimited = resolve(&options(), seconds(0), None).unwrap();
        assert_eq!(unlimited.run_max, seconds(800));
    }

    #[test]
    fn short_budgets_scale_and_the_interval_has_a_floor() {
        let config = resolve(&options(), seconds(600), None).unwrap();
        assert!((amount(config.run_max) - 80.0 / 3.0).abs() < 1e-6);
        assert_eq!(config.interval, seconds(1));
        let config = resolve(&options(), Span::Instructions(1_800_000), None).unwrap();
        assert_eq!(config.run_max, Span::Instructions(80_000));
        assert_eq!(config.interval, Span::Instructions(3_000));
        let text = announce(&config, Span::Instructions(1_800_000));
        assert!(text.contains("20000i, 40000i, 60000i, 80000i"), "{text}");
        // It says so, unless the user chose both; also where the default search has a floor for the
        // runs.
        let says = |options: &CampaignOptions, total| {
            let config = resolve(options, total, None).unwrap();
            announce(&config, total).contains("(for 5 h) are scaled")
        };
        let minute = seconds(60);
        assert!(says(&options(), minute) && !says(&options(), seconds(18_000)));
        let mut chosen = options();
        chosen.own_defaults = true;
        assert!(says(&chosen, minute));
        (chosen.run_max, chosen.interval) = (Some(seconds(9)), Some(seconds(2)));
        assert!(!says(&chosen, minute));
    }

    #[test]
    fn runs_are_not_scaled_down_below_the_least() {
        let longest = |total| {
            let mut options = options();
            options.own_defaults = true;
            amount(resolve(&options, seconds(total), None).unwrap().run_max)
        };
        assert_eq!((longest(30), longest(60)), (5.0, 10.0));
        assert!((longest(600) - 80.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn contradictions_are_refused() {
        let refused = |change: &dyn Fn(&mut CampaignOptions), total: Span, part: &str| {
            let mut options = options();
            change(&mut options);
            let message = resolve(&options, total, None).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        };
        let hour = seconds(3600);
        refused(
            &|o| o.run_max = Some(seconds(8)),
            seconds(1),
            "shorter than one run",
        );
        refused(&|o| o.run_max = Some(Span::Instructions(5)), hour, "all be");
        refused(
            &|o| o.interval = Some(Span::Instructions(5)),
            hour,
            "all be",
        );
        refused(&|o| o.ratio_max = Some(1.0), hour, "--prune-ratio-max");
        let never = "nothing would ever be pruned: the longest run (0.89s)";
        refused(&|_| (), seconds(20), never);
        let mut by_growth = options();
        by_growth.growth = Some(100);
        resolve(&by_growth, seconds(20), None).unwrap();
        refused(&|o| o.run_steps = Some(0), hour, "--run-time-steps");
        refused(&|o| o.draws = Some(0), hour, "--reverse-draws");
        refused(&|o| o.interval = Some(seconds(0)), hour, "cannot be 0");
    }

    #[test]
    fn a_resumed_campaign_keeps_what_is_not_said_anew() {
        let earlier = resolve(&options(), seconds(600), None).unwrap();
        let config = resolve(&options(), seconds(3600), Some(&earlier)).unwrap();
        assert_eq!(config, earlier);
        let first = CampaignOptions {
            own_defaults: true,
            growth: Some(70),
            kept: Some(7),
            tail_instructions: Some(7000),
            seed_runs: Some(false),
            search_coverage: Some(SearchCoverage::Campaign),
            explorations: Some(3),
            ..options()
        };
        let earlier = resolve(&first, seconds(600), None).unwrap();
        assert!(earlier.reserve && earlier.growth == 70 && !earlier.seed_runs);
        let config = resolve(&options(), seconds(3600), Some(&earlier)).unwrap();
        assert_eq!(config, earlier);
        let mut other = options();
        (other.guard, other.kept, other.seed_runs) = (true, Some(0), Some(true));
        let config = resolve(&other, seconds(600), Some(&earlier)).unwrap();
        assert!(config.guard && !config.reserve && config.seed_runs);
        assert_eq!((config.kept, config.growth), (0, 70));
        let again = resolve(&options(), seconds(600), Some(&config)).unwrap();
        assert!(again.guard, "as the session that began it");
        let mut other = options();
        other.ratio_max = Some(0.8);
        let message = resolve(&other, seconds(600), Some(&earlier)).unwrap_err();
        assert!(message.to_string().contains("--prune-ratio-max"));
        let mut other = options();
        other.kind = CampaignKind::Random;
        assert!(resolve(&other, seconds(600), Some(&earlier)).is_err());
    }
}
