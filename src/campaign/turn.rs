//! One turn of Algorithm 2: a run, and what is learned from it.
//!
//! Invariant: after a turn, D, the store and `learning.jsonl` have the run, whatever stopped it.

use super::Campaign;
use super::arm::Arm;
use super::planning::Plan;
use super::progress::{CampaignProgress, Waiting};
use super::test_features::LearnedTest;
use super::turns::Ran;
use crate::config::{CampaignKind, Spent};
use crate::engine::{
    Outcome, PathResults, PruneEvent, Rewalk, StopReason, Suspended, release_memory, sweep_terms,
    terms_worth_sweeping,
};
use crate::exec::Observer;
use crate::learn::{Event, FeatureId};
use crate::report::{self, AddUp, CampaignCosts, ProbeSummary, PruneLine, RunLine};
use crate::testcase::WriteError;
use crate::util::clock::Moment;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Counters of the results and of the ledger before a run, from which its own share follows.
pub(super) struct Before {
    pub(super) number: u64,
    pub(super) start: Moment,
    pub(super) branches: u64,
    conditions: usize,
    tests: u64,
    pruned: u64,
    early: u64,
    tails: u64,
    probes: ProbeSummary,
}

impl Before {
    fn note(progress: &CampaignProgress, results: &PathResults) -> Self {
        let paths = results.tally.paths;
        Self {
            number: progress.next_run(),
            start: Moment::now(),
            branches: progress.totals().branches,
            conditions: progress.recogniser.lock().len(),
            tests: results.tests(),
            pruned: paths.pruned,
            early: paths.early,
            tails: results.tally.tail_instructions,
            probes: progress.probes_done().unwrap_or_default(),
        }
    }
}

/// A run that is over, and learned from.
pub(super) struct Turn {
    pub results: PathResults,
    pub reason: StopReason,
    /// Instructions of the run's paths and of its probes.
    pub executed: u64,
    pub observer: Observer,
    /// No path was pruned or given up, except where homi cannot follow it.
    pub whole: bool,
}

/// A run that is over: how it went, and how long it and learning from it took.
struct Ended {
    outcome: Outcome,
    wall: Duration,
    learning: Duration,
    rewalk: Rewalk,
    run_tests: u64,
}

impl Campaign<'_, '_> {
    /// Plans the next run, performs it and learns from it, with so much of the budget left.
    pub(super) fn turn(
        &mut self,
        progress: &mut CampaignProgress,
        results: PathResults,
        left: f64,
    ) -> Turn {
        let arm = progress.turns.choose();
        let before = Before::note(progress, &results);
        let mut plan = self.plan(progress, arm, left);
        let mut outcome = self.perform(progress, arm, &mut plan, left, &before, results);
        let wall = before.start.elapsed();
        // The deadline of the run may still have set the flag.
        if !self.bench.signals.stop_requested.load(Ordering::Relaxed) {
            self.bench.signals.interrupt.store(false, Ordering::Relaxed);
        }
        let learning = Moment::now();
        let (run_tests, stored) = self.learn(progress, &plan, &before, &mut outcome);
        self.sweep(progress);
        let ended = Ended {
            outcome,
            wall,
            learning: learning.elapsed(),
            rewalk: progress.rewalked.finish_run(),
            run_tests,
        };
        self.account(progress, arm, plan, &before, ended, stored)
    }

    /// Whether the run without pruning is put aside to go on.
    pub(super) fn keeps_unpruned(&self) -> bool {
        self.options.reserve || self.options.guard
    }

    /// Adds the run to D and to the store, and learns. Returns its number of tests.
    fn learn(
        &mut self,
        progress: &mut CampaignProgress,
        plan: &Plan,
        before: &Before,
        outcome: &mut Outcome,
    ) -> (u64, io::Result<()>) {
        let mut record = plan.record.clone();
        record.events = outcome
            .extras
            .prune_events
            .iter()
            .map(|event| Event {
                weights: event.weights.clone(),
                ratio: event.ratio_index,
            })
            .collect();
        let tests = progress.features.finish_run();
        progress.selector.begin_run();
        let native = self.replay_natively(&tests);
        let count = tests.len() as u64;
        let mut line = progress.ledger.add_run(
            record,
            tests,
            &outcome.observer,
            &progress.recogniser.lock(),
            before.conditions,
            native,
        );
        line.narrowed = outcome.narrowed.clone();
        let stored = self.store.append(&line);
        if self.options.kind == CampaignKind::Homi {
            progress.ledger.learn(self.options);
        }
        (count, stored)
    }

    /// Frees terms that no run needs any more, if there are enough of them.
    fn sweep(&self, progress: &CampaignProgress) {
        let (tuning, limit) = (self.bench.tuning, self.config.budget.memory);
        if terms_worth_sweeping(&tuning.engine, self.bench.terms, limit) {
            let waiting = || progress.waiting.iter();
            let trees = || waiting().filter_map(Suspended::tree);
            sweep_terms(
                self.bench.terms,
                |visit| {
                    visit(&progress.launch.state);
                    trees().for_each(|tree| tree.visit_states(visit));
                    waiting().flat_map(Suspended::states).for_each(visit);
                },
                |visit| trees().for_each(|tree| tree.visit_terms(visit)),
            );
        }
        release_memory();
    }

    /// Books the run and writes its line of `learning.jsonl`. A file that could not be written
    /// stops the campaign.
    fn account(
        &mut self,
        progress: &mut CampaignProgress,
        arm: Arm,
        plan: Plan,
        before: &Before,
        ended: Ended,
        stored: io::Result<()>,
    ) -> Turn {
        let line = line(progress, &plan, before, &ended);
        let Outcome {
            reason,
            results,
            instructions,
            work,
            memory_peak,
            observer,
            narrowed,
            extras,
            ..
        } = ended.outcome;
        let paths = results.tally.paths;
        let whole = paths.pruned == before.pruned && paths.early == before.early;
        let sums = &mut progress.sums;
        sums.add(&line);
        sums.memory_peak = sums.memory_peak.max(memory_peak);
        sums.narrowed.add(&narrowed);
        sums.subsumption.add_up(&extras.subsumption);
        progress.pruned_runs += u64::from(plan.record.budget.is_some());
        let spent = Spent {
            time: before.start.elapsed(),
            instructions,
            work,
        };
        let spent = plan.span.reading(spent).amount();
        // It can no longer show that all paths were followed.
        if self.options.reserve && arm == Arm::Unpruned && !whole {
            progress.waiting.unpruned = None;
        }
        let place = progress.waiting.place(arm);
        let waiting = place.and_then(|place| place.as_ref().map(Waiting::paths));
        progress.turns.note(Ran {
            arm,
            new_branches: line.new_branches,
            spent,
            waiting,
        });
        let probed = line.probes.map_or(0, |done| done.instructions);
        results
            .events()
            .tell(|| report::Event::RunEnded(Box::new(line)));
        let missing = results.events().take_missing();
        let reason = match (stored, missing) {
            (Err(source), _) => StopReason::WriteFailed(WriteError {
                path: self.store.path().to_path_buf(),
                source,
            }),
            (Ok(()), Some(missing)) => StopReason::WriteFailed(WriteError {
                path: missing.output.into(),
                source: missing.error,
            }),
            (Ok(()), None) => reason,
        };
        Turn {
            results,
            reason,
            executed: instructions + probed,
            observer,
            whole,
        }
    }

    /// B(t) of each test by native replays, if those count. A replay that fails leaves its test
    /// without branches and is warned of once.
    fn replay_natively(&mut self, tests: &[LearnedTest]) -> Option<Vec<Vec<u32>>> {
        let native = self.native.as_mut()?;
        let bytes: Vec<&[u8]> = tests
            .iter()
            .map(|test| test.ktest.as_deref().unwrap_or_default())
            .collect();
        if bytes.is_empty() {
            return Some(Vec::new());
        }
        Some(native.branches(&bytes).unwrap_or_else(|error| {
            let text = format!("native replays failed, their tests teach nothing: {error}");
            self.bench.log.lock().warning_once("native replays", &text);
            vec![Vec::new(); tests.len()]
        }))
    }
}

/// The figures of a run that is over.
fn line(progress: &CampaignProgress, plan: &Plan, before: &Before, ended: &Ended) -> RunLine {
    let (outcome, ledger) = (&ended.outcome, &progress.ledger);
    let (results, samples) = (&outcome.results, &outcome.extras.samples);
    let recogniser = progress.recogniser.lock();
    let text = |id: &FeatureId| recogniser.condition(*id).to_string();
    let events = outcome.extras.prune_events.iter();
    let events: Vec<PruneLine> = events.map(PruneEvent::line).collect();
    let started = before.start.saturating_duration_since(progress.start);
    let totals = progress.totals();
    let probes = progress.probes_done();
    RunLine {
        run: before.number + 1,
        policy: plan.name.to_string(),
        budget: plan.span.amount(),
        budget_unit: plan.span.unit().to_string(),
        started_s: started.as_secs_f64(),
        wall_s: ended.wall.as_secs_f64(),
        stop_reason: outcome.reason.name().to_string(),
        instructions: outcome.instructions,
        work: outcome.work,
        features: plan.record.features.iter().map(text).collect(),
        good_tests: ledger.good as u64,
        data_tests: ledger.data.tests.len() as u64,
        run_tests: ended.run_tests,
        run_files: results.tests() - before.tests,
        new_branches: totals.branches - before.branches,
        branches: totals.branches,
        branches_total: totals.branches_total,
        states_each_second: samples.iter().map(|sample| sample.states as u64).collect(),
        branches_each_second: samples.iter().map(|sample| sample.branches).collect(),
        branches_by_execution: Vec::new(),
        states_peak: outcome.states_peak,
        states_pruned: results.tally.paths.pruned - before.pruned,
        rewalk: ended.rewalk.line(),
        seeds: outcome.extras.roots.seeds,
        probes: probes.map(|done| done.since(before.probes)),
        costs: CampaignCosts {
            choosing_s: events.iter().map(|event| event.choosing_s).sum(),
            removing_s: events.iter().map(|event| event.removing_s).sum(),
            learning_s: ended.learning.as_secs_f64(),
            tail_instructions: results.tally.tail_instructions - before.tails,
        },
        prune_events: events,
    }
}
