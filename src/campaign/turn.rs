//! One turn of Algorithm 2: a run, and what is learned from it.
//!
//! Invariant: after a turn, D, the store and `learning.jsonl` have the run, whatever stopped it.

use super::Campaign;
use super::account::RunAccount;
use super::arm::Arm;
use super::planning::Plan;
use super::progress::{CampaignProgress, Waiting};
use super::test_features::LearnedTest;
use crate::config::{CampaignKind, Spent};
use crate::engine::{
    Extras, Outcome, PathResults, Rewalk, StopReason, Suspended, release_memory, sweep_terms,
    terms_worth_sweeping,
};
use crate::exec::Observer;
use crate::learn::Event;
use crate::report::{self, ProbeSummary};
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
        let arm = self.arm(progress);
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

    /// Whether the next run is the one of single paths, a fresh one with pruning, or (a slice of)
    /// the one without.
    fn arm(&self, progress: &CampaignProgress) -> Arm {
        if self.begins_with_single_paths(progress) {
            Arm::SinglePaths
        } else if self.options.guard {
            progress.guard.choose()
        } else if self.options.reserve {
            progress.reserve.choose(self.used(progress))
        } else {
            Arm::Pruned
        }
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
            let waiting = || progress.waiting.iter().map(|waiting| &waiting.run);
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
        let number = before.number;
        let Outcome {
            reason,
            results,
            instructions,
            work,
            states_peak,
            memory_peak,
            observer,
            narrowed,
            extras,
            ..
        } = ended.outcome;
        let Extras {
            samples,
            prune_events,
            roots,
            growth: _,
            divergences: _,
            subsumption,
            merged: _,
        } = extras;
        let paths = results.tally.paths;
        let whole = paths.pruned == before.pruned && paths.early == before.early;
        let states: Vec<u64> = samples.iter().map(|sample| sample.states as u64).collect();
        let sums = &mut progress.sums;
        let (wall, rewalk, learning) = (ended.wall, ended.rewalk, ended.learning);
        sums.add(number, plan.name, instructions, wall, rewalk, learning);
        sums.work += work;
        sums.states_peak = sums.states_peak.max(states_peak);
        sums.memory_peak = sums.memory_peak.max(memory_peak);
        sums.narrowed.add(&narrowed);
        sums.add_events(&prune_events);
        sums.add_subsumption(subsumption);
        sums.add_states(number, &states);
        progress.pruned_runs += u64::from(plan.record.budget.is_some());
        let totals = progress.totals();
        let spent = Spent {
            time: before.start.elapsed(),
            instructions,
            work,
        };
        let spent = plan.span.reading(spent).amount();
        let new_branches = totals.branches - before.branches;
        progress.guard.note(arm, new_branches, spent);
        self.note_for_reserve(progress, arm, new_branches, whole);
        let probes = progress.probes_done();
        let probes = probes.map(|done| done.since(before.probes));
        let line = RunAccount {
            number,
            policy: plan.name,
            span: plan.span,
            started: before.start.saturating_duration_since(progress.start),
            wall,
            reason: reason.name(),
            instructions,
            work,
            features: &plan.record.features,
            run_tests: ended.run_tests,
            run_files: results.tests() - before.tests,
            known: before.branches,
            totals,
            states,
            branches: samples.iter().map(|sample| sample.branches).collect(),
            states_peak,
            states_pruned: paths.pruned - before.pruned,
            prune_events,
            rewalk,
            tail_instructions: results.tally.tail_instructions - before.tails,
            seeds: roots.seeds,
            probes,
            learning,
        }
        .line(&progress.ledger, &progress.recogniser.lock());
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
            executed: instructions + probes.map_or(0, |done| done.instructions),
            observer,
            whole,
        }
    }

    /// The run in reserve is dropped once it has lost a path for want of memory: it can no longer
    /// show that all were followed.
    fn note_for_reserve(
        &self,
        progress: &mut CampaignProgress,
        arm: Arm,
        new_branches: u64,
        whole: bool,
    ) {
        if !self.options.reserve {
            return;
        }
        let lost = arm == Arm::Unpruned && !whole;
        if lost {
            progress.waiting = None;
        }
        let waiting = progress.waiting.as_ref().map(Waiting::paths);
        let now = self.used(progress);
        progress.reserve.note(arm, new_branches, waiting, now);
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
