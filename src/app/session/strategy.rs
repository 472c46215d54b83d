//! The strategy of a concolic run.

use super::SessionError;
use homi_config::{ConcolicConfig, RunConfig};
use homi_explore::coverage::Targets;
use homi_explore::engine::Outcome;
use homi_ir::program::Program;
use homi_machine::exec::Segments;
use homi_report::{ConcolicCounts, ConcolicSummary, SharedLog, WeightsSummary};
use homi_strategies::concolic::{Chosen, StrategyChoice, leading_sides, searcher};
use homi_strategies::weights::features::Preferences;

/// The strategy that was asked for, with the weights that it names; nothing if the run is not
/// concolic.
pub(super) fn choice(config: &RunConfig) -> Result<Option<StrategyChoice>, SessionError> {
    let Some(concolic) = &config.concolic else {
        return Ok(None);
    };
    let mut choice = StrategyChoice::parse(&concolic.strategy).map_err(SessionError::Request)?;
    choice.load()?;
    Ok(Some(choice))
}

/// Warns if weights were learned for another program.
pub(super) fn warn_about_weights(
    choice: &StrategyChoice,
    program: &Program,
    log: &SharedLog,
) -> Result<(), SessionError> {
    let Some(learned_for) = &choice.learned_for else {
        return Ok(());
    };
    if program.hash()? != learned_for.hash {
        log.lock().warning(&format!(
            "the weights were learned for another program or version ({}) and may be less \
             effective here",
            learned_for.name
        ));
    }
    Ok(())
}

/// Returns the chooser of branches of this strategy.
pub(super) fn chosen(
    choice: &StrategyChoice,
    program: &Program,
    seed: u64,
    targets: Option<&Targets>,
) -> Chosen {
    searcher(choice, program, seed, &unwanted_sides(program, targets))
}

/// The sides that a concolic run need not cover: if it goes for lines, all that do not lead to one
/// of them.
fn unwanted_sides(program: &Program, targets: Option<&Targets>) -> Vec<u32> {
    let Some(targets) = targets else {
        return Vec::new();
    };
    let segments = Segments::new(program);
    let leading = leading_sides(program, &segments, targets.segments());
    let all = 0..segments.side_count() as u32;
    all.filter(|side| leading.binary_search(side).is_err())
        .collect()
}

/// Returns what the weights of a strategy prefer, if it has weights.
pub(super) fn weights_summary(choice: &StrategyChoice) -> Option<WeightsSummary> {
    let weights = choice.weights.as_ref()?;
    let Preferences { prefers, avoids } = Preferences::of(weights);
    let names = |named: Vec<(&'static str, f64)>| {
        let names = named.into_iter().map(|(name, _)| name.to_string());
        names.collect()
    };
    Some(WeightsSummary {
        prefers: names(prefers),
        avoids: names(avoids),
    })
}

/// Returns the summary of a concolic run.
pub(super) fn concolic_summary(
    config: &ConcolicConfig,
    counts: ConcolicCounts,
    outcome: &Outcome,
) -> ConcolicSummary {
    ConcolicSummary {
        strategy: config.strategy.clone(),
        counts,
        divergences: outcome.extras.extensions.divergences,
        weights: None,
        longest_path: outcome.extras.lengths.longest,
        paths_by_instructions: outcome.extras.lengths.by_name(),
    }
}
