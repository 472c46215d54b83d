//! What a campaign says of its runs: sums over a session, and the summary at the end.

use super::ledger::Ledger;
use crate::config::CampaignKind;
use crate::explore::prune::learn::Recogniser;
use crate::explore::sources::Launch;
use crate::machine::exec::Narrowed;
use crate::report::{CampaignSummary, RunLine, SubsumptionSummary};
use std::collections::BTreeMap;

/// Sums over the runs of this session.
#[derive(Default)]
pub(super) struct Sums {
    /// Instructions before the first run begins, which are units of work, too.
    pub start_up: u64,
    /// The runs' lines, added up.
    pub runs: RunLine,
    /// Those of runs after the first.
    pub later: RunLine,
    pub memory_peak: u64,
    /// What the runs lost, those of earlier sessions too.
    pub narrowed: Narrowed,
    /// What the runs did not follow, if `--subsume` was given.
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

    /// Instructions of the session so far.
    pub(super) fn instructions(&self) -> u64 {
        self.start_up + self.runs.instructions
    }

    /// Units of work of the session so far.
    pub(super) fn work(&self) -> u64 {
        self.start_up + self.runs.work
    }

    /// Mean |S| over the seconds, the first run left out (Figure 2 of the paper) unless it is the
    /// only one.
    pub(super) fn states_mean(&self) -> f64 {
        let later = &self.later.states_each_second;
        let states = if later.is_empty() {
            &self.runs.states_each_second
        } else {
            later
        };
        share(states.iter().sum::<u64>() as f64, states.len() as f64)
    }

    /// The campaign in `summary.json`.
    pub(super) fn summarise(
        &self,
        kind: CampaignKind,
        ledger: &Ledger,
        launch: &Launch,
        rewalked_all: bool,
        conditions: &Recogniser,
    ) -> CampaignSummary {
        // A first run has nothing to re-walk.
        let (later, rewalk) = (&self.later, &self.later.rewalk);
        CampaignSummary {
            kind: kind.name().to_string(),
            runs: ledger.data.runs.len() as u64,
            policies: self.policies.clone(),
            data_tests: ledger.data.tests.len() as u64,
            good_tests: ledger.good as u64,
            features_seen: conditions.len() as u64,
            prune_events: self.prune_events,
            start_up_instructions: launch.instructions(),
            rewalk_instruction_share: share(rewalk.instructions as f64, later.instructions as f64),
            rewalk_time_share: share(rewalk.time_s, later.wall_s),
            rewalk_solver_s: rewalk.solver_s,
            rewalk_s: rewalk.time_s,
            rewalk_is_lower_bound: rewalked_all,
            costs: self.runs.costs,
        }
    }
}

/// Adds the states of each second to those of runs before.
fn add_samples(sum: &mut RunLine, line: &RunLine) {
    let states = &mut sum.states_each_second;
    states.extend(&line.states_each_second);
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
