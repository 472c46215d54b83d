//! Statistics of a campaign's runs: sums over a session, and the summary at the end.

use super::campaign_data::CampaignData;
use homi_config::CampaignKind;
use homi_explore::prune::learn::Recogniser;
use homi_explore::sources::EntryState;
use homi_machine::exec::Underapproximations;
use homi_report::{CampaignSummary, RunLine, SubsumptionSummary};
use std::collections::BTreeMap;

/// Sums over the runs of this session.
#[derive(Default)]
pub(super) struct Sums {
    /// Instructions before the first run starts; each also counts as one unit of work.
    pub start_up: u64,
    /// Sum of the lines of all runs.
    pub runs: RunLine,
    /// Sum of the lines of all runs after the first.
    pub later: RunLine,
    pub memory_peak: u64,
    /// Under-approximations of the runs, including earlier sessions.
    pub underapproximations: Underapproximations,
    /// Statistics of skipped paths; `None` without `--subsume`.
    pub subsumption: Option<SubsumptionSummary>,
    pub prune_events: u64,
    pub policies: BTreeMap<String, u64>,
}

impl Sums {
    /// Adds a run.
    pub(super) fn add(&mut self, line: &RunLine) {
        self.runs.add(line);
        add_samples(&mut self.runs, line);
        if line.run > 1 {
            self.later.add(line);
            add_samples(&mut self.later, line);
        }
        self.prune_events += line.prune_events.len() as u64;
        *self.policies.entry(line.policy.clone()).or_insert(0) += 1;
    }

    /// Returns the instructions of the session so far.
    pub(super) fn instructions(&self) -> u64 {
        self.start_up + self.runs.instructions
    }

    /// Returns the units of work of the session so far.
    pub(super) fn work(&self) -> u64 {
        self.start_up + self.runs.work
    }

    /// Returns the mean S over the seconds, without the first run (Statistic 2 of the paper) unless
    /// it is the only one.
    pub(super) fn states_mean(&self) -> f64 {
        let later = &self.later.states_each_second;
        let states = if later.is_empty() {
            &self.runs.states_each_second
        } else {
            later
        };
        share(states.iter().sum::<u64>() as f64, states.len() as f64)
    }

    /// Returns the campaign's part of `summary.json`.
    pub(super) fn summarise(
        &self,
        kind: CampaignKind,
        data: &CampaignData,
        entry_state: &EntryState,
        repeated_all: bool,
        conditions: &Recogniser,
    ) -> CampaignSummary {
        // A first run cannot repeat a prefix.
        let (later, repeated) = (&self.later, &self.later.repeated);
        CampaignSummary {
            kind: kind.name().to_string(),
            runs: data.data.runs.len() as u64,
            policies: self.policies.clone(),
            data_tests: data.data.tests.len() as u64,
            good_tests: data.good as u64,
            features_seen: conditions.len() as u64,
            prune_events: self.prune_events,
            startup_instructions: entry_state.instructions(),
            repeated_instruction_ratio: share(
                repeated.instructions as f64,
                later.instructions as f64,
            ),
            repeated_time_ratio: share(repeated.time_s, later.wall_s),
            repeated_solver_s: repeated.solver_s,
            repeated_s: repeated.time_s,
            repeated_is_lower_bound: repeated_all,
            costs: self.runs.costs,
        }
    }
}

/// Appends the states of each second to the samples of earlier runs.
fn add_samples(sum: &mut RunLine, line: &RunLine) {
    let states = &mut sum.states_each_second;
    states.extend(&line.states_each_second);
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
