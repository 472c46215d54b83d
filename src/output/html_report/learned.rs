//! Section on pruning and learning: the runs of a campaign, the features with their weights, the
//! preferences of a learned strategy.

use super::data::RunData;
use super::table::{Cell, Table};
use homi_report::RunLine;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Features that are listed.
const MOST_FEATURES: usize = 60;

/// Returns `None` if nothing was learned or pruned.
pub(super) fn body(data: &RunData) -> Option<Markup> {
    let weights = data
        .summary
        .as_ref()
        .and_then(|summary| summary.concolic.as_ref()?.weights.clone());
    let campaign = data
        .summary
        .as_ref()
        .and_then(|summary| summary.campaign.clone());
    let pruned = data.runs.iter().any(|run| !run.prune_events.is_empty());
    if data.runs.len() < 2 && !pruned && weights.is_none() {
        return None;
    }
    Some(html! {
        @if let Some(weights) = weights {
            p { "The learned weights prefer: " (super::text(&weights.prefers.join(", "))) "." }
            p { "They avoid: " (super::text(&weights.avoids.join(", "))) "." }
        }
        @if let Some(campaign) = campaign {
            p {
                (campaign.runs) " short runs. homi learned from " (campaign.data_tests) " tests; "
                (campaign.good_tests) " of them cover all that the tests cover. Prune events: "
                (campaign.prune_events) ". Repeated subpaths took "
                (format!("{:.1} %", 100.0 * campaign.repeated_instruction_ratio)) " of the instructions and "
                (format!("{:.1} %", 100.0 * campaign.repeated_time_ratio)) " of the time."
            }
        }
        (features(&data.runs))
        (runs(&data.runs))
    })
}

/// Data of a feature.
#[derive(Default)]
struct Feature {
    runs: u64,
    events: u64,
    weights: f64,
    /// Events of runs that covered something new.
    good_events: u64,
    good_weights: f64,
}

/// Features by how strongly the runs that found something weighed them.
fn features(runs: &[RunLine]) -> Markup {
    let mut known: BTreeMap<&str, Feature> = BTreeMap::new();
    for run in runs {
        for (number, name) in run.features.iter().enumerate() {
            let feature = known.entry(name).or_default();
            feature.runs += 1;
            let weights = run
                .prune_events
                .iter()
                .filter_map(|event| event.theta.get(number));
            for weight in weights {
                feature.events += 1;
                feature.weights += weight;
                if run.new_branches > 0 {
                    feature.good_events += 1;
                    feature.good_weights += weight;
                }
            }
        }
    }
    let mean = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
    let mut features: Vec<(&str, Feature)> = known
        .into_iter()
        .filter(|(_, one)| one.events > 0)
        .collect();
    let strength = |one: &Feature| mean(one.good_weights, one.good_events).abs();
    features.sort_by(|one, other| strength(&other.1).total_cmp(&strength(&one.1)));
    let all = features.len();
    let mut table = Table::new(
        "features",
        "Features: conditions on inputs; the score of a state is the sum of the weights of its \
         conditions",
        &[
            "condition",
            "runs",
            "prune events",
            "mean weight",
            "mean weight in runs with new coverage",
        ],
        1,
    );
    table.rows = features
        .iter()
        .take(MOST_FEATURES)
        .map(|(name, feature)| {
            let shown = |weight: f64| Cell::number(weight, &format!("{weight:+.3}"));
            vec![
                Cell::code(name),
                Cell::count(feature.runs),
                Cell::count(feature.events),
                shown(mean(feature.weights, feature.events)),
                match feature.good_events {
                    0 => Cell::text("-"),
                    events => shown(mean(feature.good_weights, events)),
                },
            ]
        })
        .collect();
    html! {
        (table.html())
        @if all > MOST_FEATURES {
            p.soft { "The table lists the " (MOST_FEATURES) " features with the highest weights of " (all) "; learning.jsonl has all." }
        }
    }
}

fn runs(runs: &[RunLine]) -> Markup {
    let columns = [
        "policy",
        "stopped",
        "run",
        "N'",
        "start, s",
        "duration, s",
        "features",
        "prune events",
        "pruned",
        "peak states",
        "new sides",
        "sides",
        "good tests",
        "tests",
        "by fuzzing runs",
        "seeds followed",
    ];
    let mut table = Table::new("runs", "Runs", &columns, 2);
    table.rows = runs
        .iter()
        .map(|run| {
            let short = |number: f64| Cell::number(number, &format!("{number:.1}"));
            vec![
                Cell::text(&run.policy),
                Cell::text(&run.stop_reason),
                Cell::count(run.run),
                Cell::number(
                    run.budget,
                    &format!("{:.1}{}", run.budget, super::text(&run.budget_unit)),
                ),
                short(run.started_s),
                short(run.wall_s),
                Cell::count(run.features.len() as u64),
                Cell::count(run.prune_events.len() as u64),
                Cell::count(run.states_pruned),
                Cell::count(run.states_peak),
                Cell::count(run.new_branches),
                Cell::count(run.branches),
                Cell::count(run.good_tests),
                Cell::count(run.run_files),
                Cell::count(run.fuzzing.map_or(0, |fuzzing| fuzzing.tests)),
                match run.seeds {
                    Some(seeds) => {
                        let shown = format!("{} of {}", seeds.followed, seeds.given);
                        Cell::number(seeds.followed as f64, &shown)
                    }
                    None => Cell::text(""),
                },
            ]
        })
        .collect();
    table.html()
}
