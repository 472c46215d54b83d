//! What a campaign says of its runs: sums over a session, the line of each run, the summary at the
//! end.

use super::ledger::Ledger;
use crate::config::{CampaignKind, Span};
use crate::coverage::Totals;
use crate::engine::{PathTally, PruneEvent, Rewalk, RewalkedPrefixes};
use crate::exec::Narrowed;
use crate::learn::{FeatureId, Recogniser};
use crate::report::{
    CampaignSummary, ProbeSummary, RewalkLine, RunLine, SeedSummary, SubsumptionSummary,
};
use crate::roots::Launch;
use std::time::Duration;

/// Sums over the runs of this session.
#[derive(Default)]
pub(super) struct Sums {
    pub runs: u64,
    pub instructions: u64,
    /// Units of work.
    pub work: u64,
    pub states_peak: u64,
    pub memory_peak: u64,
    /// What the runs lost, those of earlier sessions too.
    pub narrowed: Narrowed,
    /// What the runs did not follow, if `--subsume` was given.
    pub subsumption: Option<SubsumptionSummary>,
    pub prune_events: u64,
    pub choosing: Duration,
    pub removing: Duration,
    pub rewalk: Rewalk,
    /// Instructions and time of runs after the first.
    pub later_instructions: u64,
    pub later_time: Duration,
    pub learning: Duration,
    /// |S| at each second, of the first run and of later ones.
    pub first_states: Vec<u64>,
    pub later_states: Vec<u64>,
    pub policies: std::collections::BTreeMap<String, u64>,
}

impl Sums {
    pub(super) fn add(
        &mut self,
        number: u64,
        policy: &str,
        instructions: u64,
        wall: Duration,
        rewalk: Rewalk,
        learning: Duration,
    ) {
        self.runs += 1;
        self.instructions += instructions;
        *self.policies.entry(policy.to_string()).or_insert(0) += 1;
        self.learning += learning;
        if number > 0 {
            self.later_instructions += instructions;
            self.later_time += wall;
            self.rewalk.instructions += rewalk.instructions;
            self.rewalk.time += rewalk.time;
            self.rewalk.solver_time += rewalk.solver_time;
        }
    }

    pub(super) fn add_events(&mut self, events: &[PruneEvent]) {
        self.prune_events += events.len() as u64;
        for event in events {
            self.choosing += event.choosing;
            self.removing += event.removing;
        }
    }

    pub(super) fn add_subsumption(&mut self, of_run: Option<SubsumptionSummary>) {
        match (&mut self.subsumption, of_run) {
            (Some(sum), Some(of_run)) => sum.add(&of_run),
            (sum, of_run) => *sum = sum.take().or(of_run),
        }
    }

    pub(super) fn add_states(&mut self, number: u64, states: &[u64]) {
        match number {
            0 => self.first_states.extend(states),
            _ => self.later_states.extend(states),
        }
    }

    /// Mean |S| over the seconds, the first run left out (Figure 2 of the paper) unless it is the
    /// only one.
    pub(super) fn states_mean(&self) -> f64 {
        let states = match self.later_states.is_empty() {
            true => &self.first_states,
            false => &self.later_states,
        };
        share(states.iter().sum::<u64>() as f64, states.len() as f64)
    }

    pub(super) fn summarise(
        &self,
        kind: CampaignKind,
        ledger: &Ledger,
        launch: &Launch,
        rewalked: &RewalkedPrefixes,
        recogniser: &Recogniser,
        tally: &PathTally,
    ) -> CampaignSummary {
        CampaignSummary {
            kind: kind.name().to_string(),
            runs: ledger.data.runs.len() as u64,
            policies: self.policies.clone(),
            data_tests: ledger.data.tests.len() as u64,
            good_tests: ledger.good as u64,
            features_seen: recogniser.len() as u64,
            prune_events: self.prune_events,
            start_up_instructions: launch.instructions(),
            rewalk_instruction_share: share(
                self.rewalk.instructions as f64,
                self.later_instructions as f64,
            ),
            rewalk_time_share: share(
                self.rewalk.time.as_secs_f64(),
                self.later_time.as_secs_f64(),
            ),
            rewalk_solver_s: self.rewalk.solver_time.as_secs_f64(),
            rewalk_s: self.rewalk.time.as_secs_f64(),
            rewalk_is_lower_bound: rewalked.is_full(),
            choosing_s: self.choosing.as_secs_f64(),
            removing_s: self.removing.as_secs_f64(),
            learning_s: self.learning.as_secs_f64(),
            tail_instructions: tally.tail_instructions,
        }
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// What is known of one run when it is over.
pub(super) struct RunAccount<'r> {
    /// Number of the run, from 0.
    pub number: u64,
    pub policy: &'static str,
    pub span: Span,
    /// When the run began, since the campaign's start.
    pub started: Duration,
    pub wall: Duration,
    pub reason: &'static str,
    pub instructions: u64,
    pub work: u64,
    /// Core conditions that pruning looked at (F).
    pub features: &'r [FeatureId],
    pub run_tests: u64,
    pub run_files: u64,
    /// Branches that the campaign had covered before the run.
    pub known: u64,
    pub totals: Totals,
    /// Open states at each second of the run.
    pub states: Vec<u64>,
    pub branches: Vec<u64>,
    pub states_peak: u64,
    pub states_pruned: u64,
    pub prune_events: Vec<PruneEvent>,
    pub rewalk: Rewalk,
    pub tail_instructions: u64,
    /// Present if the run followed earlier tests.
    pub seeds: Option<SeedSummary>,
    pub probes: Option<ProbeSummary>,
    pub learning: Duration,
}

impl RunAccount<'_> {
    /// The line of `learning.jsonl`.
    pub(super) fn line(self, ledger: &Ledger, recogniser: &Recogniser) -> RunLine {
        let text = |id: &FeatureId| recogniser.condition(*id).to_string();
        RunLine {
            run: self.number + 1,
            policy: self.policy.to_string(),
            budget: self.span.amount(),
            budget_unit: self.span.unit().to_string(),
            started_s: self.started.as_secs_f64(),
            wall_s: self.wall.as_secs_f64(),
            stop_reason: self.reason.to_string(),
            instructions: self.instructions,
            work: self.work,
            features: self.features.iter().map(text).collect(),
            good_tests: ledger.good as u64,
            data_tests: ledger.data.tests.len() as u64,
            run_tests: self.run_tests,
            run_files: self.run_files,
            new_branches: self.totals.branches - self.known,
            branches: self.totals.branches,
            branches_total: self.totals.branches_total,
            states_each_second: self.states,
            branches_by_execution: Vec::new(),
            branches_each_second: self.branches,
            states_peak: self.states_peak,
            states_pruned: self.states_pruned,
            prune_events: self.prune_events.iter().map(PruneEvent::line).collect(),
            rewalk: RewalkLine {
                instructions: self.rewalk.instructions,
                time_s: self.rewalk.time.as_secs_f64(),
                solver_s: self.rewalk.solver_time.as_secs_f64(),
            },
            tail_instructions: self.tail_instructions,
            seeds: self.seeds,
            probes: self.probes,
            learning_s: self.learning.as_secs_f64(),
        }
    }
}
