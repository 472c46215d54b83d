//! Hyper-parameters of a campaign: the paper's times, the spaces to choose from, the settings that
//! resumed sessions must share, and the announcement.

use homi_config::{Budget, CampaignConfig, CampaignKind, InputLayouts};
use homi_explore::prune::PruneRules;
use homi_explore::prune::learn::{DiscreteSpace, PAPER, scaled};
use std::time::Duration;

/// Hyper-parameter that must not change when a campaign resumes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "cannot resume: {option} differs from the resumed campaign, whose learning data depends on it; \
     repeat its value, or start a new campaign"
)]
pub struct Discontinuous {
    option: &'static str,
}

/// Returns the paper's tau_max and eta_t scaled to a total budget, or for 5 h if there is none.
pub fn papers_times(total: Budget) -> (Budget, Budget) {
    match total {
        _ if total.is_zero() => (
            Budget::Time(Duration::from_secs_f64(PAPER.run_time.greatest)),
            Budget::Time(Duration::from_secs_f64(PAPER.interval)),
        ),
        Budget::Time(time) => {
            let (run, interval) = scaled(time.as_secs_f64(), 1.0);
            (total.of_same_unit(run), total.of_same_unit(interval))
        }
        // The paper's shares of the whole budget.
        Budget::Instructions(_) | Budget::Work(_) => {
            let whole = total.amount();
            let share = |part: f64| total.of_same_unit((whole * part / PAPER.total).max(1.0));
            (share(PAPER.run_time.greatest), share(PAPER.interval))
        }
    }
}

/// Checks if a campaign can continue with the knowledge of one with the hyper-parameters `earlier`.
///
/// # Errors
/// Names the first option that differs and must not.
pub fn check_continued(
    config: &CampaignConfig,
    earlier: &CampaignConfig,
) -> Result<(), Discontinuous> {
    let differs = [
        ("--prune or --restart", config.kind != earlier.kind),
        (
            "--tuning prune-interval",
            config.interval != earlier.interval,
        ),
        ("--tuning run-time-max", config.run_max != earlier.run_max),
        (
            "--tuning run-time-steps",
            config.run_steps != earlier.run_steps,
        ),
        (
            "--tuning prune-ratio-max",
            config.ratio_max != earlier.ratio_max,
        ),
        (
            "--tuning prune-ratio-steps",
            config.ratio_steps != earlier.ratio_steps,
        ),
    ];
    match differs.into_iter().find(|(_, differs)| *differs) {
        Some((option, _)) => Err(Discontinuous { option }),
        None => Ok(()),
    }
}

/// Returns the run times to choose from (S_time).
pub(super) fn run_times(config: &CampaignConfig) -> DiscreteSpace {
    DiscreteSpace {
        greatest: config.run_max.amount(),
        intervals: config.run_steps,
    }
}

/// Returns the shares of the states to choose from (S_ratio).
pub(super) fn ratios(config: &CampaignConfig) -> DiscreteSpace {
    DiscreteSpace {
        greatest: config.ratio_max,
        intervals: config.ratio_steps,
    }
}

/// Returns the rules for the time and the size of prune events.
pub(super) fn prune_rules(config: &CampaignConfig) -> PruneRules {
    PruneRules {
        ratios: ratios(config),
        interval: config.interval,
        growth: config.growth,
        kept: config.kept,
    }
}

/// Returns the text that the campaign prints at its start.
pub(super) fn announce(config: &CampaignConfig, total: Budget) -> String {
    let what = match config.kind {
        CampaignKind::Homi if config.keep_unpruned_run => "learned pruning and an unpruned run",
        CampaignKind::Homi => "learned pruning",
        CampaignKind::Random => "random pruning",
        CampaignKind::Divide => "no pruning",
    };
    let space = run_times(config);
    let runs: Vec<String> = (0..space.len())
        .map(|index| config.run_max.of_same_unit(space.value(index)).to_string())
        .collect();
    let mut text = format!(
        "campaign of short runs with {what}: runs of {}",
        runs.join(", ")
    );
    if config.kind.prunes() {
        let space = ratios(config);
        let shares: Vec<String> = (0..space.len())
            .map(|index| format!("{:.0} %", 100.0 * space.value(index)))
            .collect();
        text += &format!(
            "; every {}{} states are pruned ({})",
            config.interval,
            match config.growth {
                0 => String::new(),
                growth => format!(", or after {growth} new states,"),
            },
            shares.join(", ")
        );
    }
    if let Some(scaling) = scaling(config, total) {
        text += scaling;
    }
    if config.input_layouts == InputLayouts::Auto {
        text += "; some runs use other input layouts (disable with --input-layouts off)";
    }
    if config.unpruned_run {
        text += "; the first run is unpruned and continues while it covers more than the others \
             (--prune none: only this run)";
    }
    text
}

/// Returns a note if the times are the paper's, scaled.
fn scaling(config: &CampaignConfig, total: Budget) -> Option<&'static str> {
    if total.is_zero() {
        return None;
    }
    let (run_max, interval) = papers_times(total);
    let papers = config.run_max == run_max || config.interval == interval;
    match total {
        Budget::Time(time) if papers && time.as_secs_f64() < PAPER.total => {
            Some("; the paper's times for 5 h are scaled to the budget")
        }
        Budget::Instructions(_) | Budget::Work(_) if papers => {
            Some("; the paper's fractions of the budget apply")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_config::SearchCoverage;

    /// Returns the paper's hyper-parameters for a total budget.
    fn papers(total: Budget) -> CampaignConfig {
        let (run_max, interval) = papers_times(total);
        CampaignConfig {
            kind: CampaignKind::Homi,
            interval,
            run_max,
            run_steps: PAPER.run_time.intervals,
            ratio_max: PAPER.ratio.greatest,
            ratio_steps: PAPER.ratio.intervals,
            explorations: PAPER.explorations,
            draws: PAPER.draws,
            completion_instructions: 0,
            keep_unpruned_run: false,
            unpruned_run: false,
            search_coverage: SearchCoverage::Run,
            seed_runs: false,
            growth: 0,
            kept: 0,
            concolic_ratio: 0.0,
            input_layouts: InputLayouts::Off,
        }
    }

    fn seconds(count: u64) -> Budget {
        Budget::Time(Duration::from_secs(count))
    }

    #[test]
    fn the_report_marks_times_of_the_paper() {
        let budget = Budget::Instructions(1_800_000);
        let text = announce(&papers(budget), budget);
        assert!(text.contains("20000i, 40000i, 60000i, 80000i"), "{text}");
        let budget = Budget::Work(1_800_000);
        let text = announce(&papers(budget), budget);
        assert!(text.contains("20000w, 40000w, 60000w, 80000w"), "{text}");
        assert!(text.contains("fractions of the budget"), "{text}");
        let says =
            |config: &CampaignConfig, total| announce(config, total).contains("for 5 h are scaled");
        let (minute, long) = (seconds(60), seconds(18_000));
        assert!(says(&papers(minute), minute) && !says(&papers(long), long));
        let mut chosen = papers(minute);
        chosen.run_max = seconds(10);
        assert!(says(&chosen, minute), "the interval is the paper's");
        (chosen.run_max, chosen.interval) = (seconds(9), seconds(2));
        assert!(!says(&chosen, minute));
    }

    #[test]
    fn what_was_learned_fits_equal_hyper_parameters_only() {
        let earlier = papers(seconds(600));
        assert_eq!(check_continued(&earlier, &earlier), Ok(()));
        let mut other = earlier.clone();
        (other.keep_unpruned_run, other.kept, other.seed_runs) = (true, 3, true);
        assert_eq!(check_continued(&other, &earlier), Ok(()));
        other.ratio_max = 0.8;
        let message = check_continued(&other, &earlier).unwrap_err().to_string();
        assert!(
            message.contains(": --tuning prune-ratio-max differs"),
            "{message}"
        );
        let mut other = earlier.clone();
        other.kind = CampaignKind::Random;
        assert!(check_continued(&other, &earlier).is_err());
    }
}
