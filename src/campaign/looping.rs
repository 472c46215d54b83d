//! The loop of Algorithm 2.

use super::account::{RunAccount, Sums, tail_instructions};
use super::guard::{Arm, Guard};
use super::ledger::Ledger;
use super::native::NativeCoverage;
use super::options::{amount, announce, like, ratios, run_times};
use super::store::{Store, Stored};
use crate::config::{CampaignConfig, CampaignKind, RunConfig, Span};
use crate::coverage::Coverage;
use crate::engine::{
    Engine, Harvest, Harvested, InCampaign, KnownGround, Launch, Outcome, Parts, Prover,
    PruneStrategy, Pruning, StopReason, Suspended, TestSink, release_memory, sweep_terms,
    terms_worth_sweeping,
};
use crate::exec::{Executor, World};
use crate::expr::Terms;
use crate::learn::{Event, Policy, Recogniser, RunRecord, choose_policy, draw_index};
use crate::report::{CampaignSnapshot, CampaignSummary, LearningLog, Log};
use crate::state::State;
use crate::testcase::WriteError;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Streams of a run's generators: what the campaign draws before the run, what pruning draws within it.
const PLANNING: u128 = 0x1405_7b7e_f767_814f;
const PRUNING: u128 = 0x9e37_79b9_7f4a_7c15;
/// A run's share of its budget for the tests of open states, unless `--halt-time` is less; and the least.
const HALT_SHARE: f64 = 0.25;
const HALT_LEAST: Duration = Duration::from_millis(500);

/// What a campaign works with.
pub struct Campaign<'r, 'p> {
    pub executor: &'r Executor<'p>,
    pub terms: &'r Terms,
    pub prover: &'r mut dyn Prover,
    pub world: &'r mut dyn World,
    pub log: &'r RefCell<Log>,
    pub config: &'r RunConfig,
    pub options: &'r CampaignConfig,
    pub interrupt: Arc<AtomicBool>,
    pub stop_requested: Arc<AtomicBool>,
    pub store: Store,
    pub learning_log: LearningLog,
    /// Present if B(t) is what native replays take.
    pub native: Option<&'r mut dyn NativeCoverage>,
}

/// How a campaign went: the outcome of all runs as one, and its own numbers.
pub struct CampaignOutcome {
    pub outcome: Outcome,
    pub summary: CampaignSummary,
    pub states_mean: f64,
}

/// What the next run is made with.
struct Plan {
    name: &'static str,
    /// N', cut to what is left of the campaign.
    span: Span,
    pruning: Option<Pruning>,
    /// F.
    record: RunRecord,
}

impl Campaign<'_, '_> {
    /// Runs until the budget is used up, the user asks to stop, or a run without pruning has followed every
    /// path to its end. Time counts from `start`. `stored` is what an earlier session left.
    pub fn run(
        mut self,
        initial: State,
        mut sink: TestSink,
        stored: Option<&Stored>,
        start: Instant,
    ) -> CampaignOutcome {
        let mut harvest = Harvest::new(Recogniser::default(), self.options.tail_instructions);
        harvest.keep_bytes = self.native.is_some();
        let mut ledger = Ledger::default();
        for run in stored.iter().flat_map(|stored| &stored.runs) {
            ledger.take_up(run, &mut harvest);
        }
        if self.options.kind == CampaignKind::Homi && !ledger.data.runs.is_empty() {
            ledger.learn(self.options);
        }
        sink.harvest = Some(harvest);
        let text = announce(self.options, self.config.budget.time);
        self.log.borrow_mut().message(&text);
        let launch = Launch::new(self.executor, initial).advance(
            self.executor,
            &mut *self.prover,
            &mut *self.world,
        );
        let program = self.executor.program();
        let coverage = Coverage::new(program, self.executor.segments(), self.config.search.scope);
        let mut ground = KnownGround::default();
        let mut guard = Guard::default();
        let mut waiting: Option<Suspended> = None;
        let earlier = stored.iter().flat_map(|stored| &stored.runs);
        let mut pruned_runs = earlier.filter(|run| run.budget.is_some()).count() as u64;
        let mut sums = Sums {
            instructions: launch.instructions(),
            ..Sums::default()
        };
        let (reason, last) = loop {
            let Some(left) = self.left(start, &sums) else {
                break (StopReason::MaxTime, None);
            };
            let run_start = Instant::now();
            let number = ledger.data.runs.len() as u64;
            // A session that goes on with a campaign has no run that waits; the guard starts it anew.
            let arm = match self.options.guard {
                true => guard.choose(),
                false => Arm::Pruned,
            };
            let (resumed, idle) = match arm {
                Arm::Pruned => (None, waiting.take()),
                Arm::Unpruned => (waiting.take(), None),
            };
            let mut plan = self.plan((number, pruned_runs), arm, left, &ledger, &launch);
            let known = coverage.totals_of(&ledger.sides, &ledger.segments).branches;
            let conditions = sink
                .harvest
                .as_ref()
                .map_or(0, |harvest| harvest.recogniser.len());
            let tests_before = sink.tests();
            let pruned_before = sink.paths.pruned;
            let tails_before = tail_instructions(&sink);
            let config = self.run_config(number, &plan, left, &sums);
            let parts = Parts {
                executor: self.executor,
                terms: self.terms,
                prover: &mut *self.prover,
                world: &mut *self.world,
                log: self.log,
                sink,
                config: &config,
                interrupt: Arc::clone(&self.interrupt),
                stop_requested: Arc::clone(&self.stop_requested),
                campaign: Some(InCampaign {
                    snapshot: CampaignSnapshot {
                        run: number + 1,
                        policy: plan.name,
                        budget: amount(plan.span),
                        budget_in_instructions: matches!(plan.span, Span::Instructions(_)),
                        pruned: None,
                    },
                    start,
                    known_sides: &ledger.sides,
                    known_branches: known,
                    ground: &mut ground,
                    pruning: plan.pruning.take(),
                    waiting: idle.as_ref(),
                }),
            };
            let engine = match resumed {
                Some(run) => Engine::resume(parts, run, run_start),
                None => Engine::new(parts, &launch, run_start),
            };
            let (outcome, rest) = match arm {
                Arm::Pruned => (engine.run(), None),
                Arm::Unpruned => engine.run_slice(),
            };
            waiting = rest.or(idle);
            let wall = run_start.elapsed();
            // The deadline of the run may still have set the flag.
            if !self.stop_requested.load(Ordering::Relaxed) {
                self.interrupt.store(false, Ordering::Relaxed);
            }
            let learning_start = Instant::now();
            let Outcome {
                reason,
                sink: run_sink,
                instructions,
                states_peak,
                memory_peak,
                samples,
                prune_events,
                observer,
                ..
            } = outcome;
            sink = run_sink;
            sink.forget_states();
            let complete = matches!(reason, StopReason::Exhausted) && observer.unknowns == 0;
            plan.record.events = prune_events
                .iter()
                .map(|event| Event {
                    weights: event.weights.clone(),
                    ratio: event.ratio_index,
                })
                .collect();
            let has_budget = plan.record.budget.is_some();
            let mut written = Ok(());
            let mut run_tests = 0;
            let features = plan.record.features.clone();
            if let Some(harvest) = &mut sink.harvest {
                let tests = harvest.finish_run();
                let native = self.replay_natively(&tests);
                run_tests = tests.len() as u64;
                let line =
                    ledger.add_run(plan.record, tests, &observer, harvest, conditions, native);
                written = self.store.append(&line);
            }
            if self.options.kind == CampaignKind::Homi {
                ledger.learn(self.options);
            }
            if terms_worth_sweeping(self.terms, self.config.budget.memory) {
                let roots = std::iter::once(&launch.state);
                let roots = roots.chain(waiting.iter().flat_map(Suspended::states));
                sweep_terms(self.terms, roots);
            }
            release_memory();
            let learning = learning_start.elapsed();
            let rewalk = ground.finish_run();
            sums.add(number, plan.name, instructions, wall, rewalk, learning);
            sums.states_peak = sums.states_peak.max(states_peak);
            sums.memory_peak = sums.memory_peak.max(memory_peak);
            sums.add_events(&prune_events);
            let states: Vec<u64> = samples.iter().map(|sample| sample.states as u64).collect();
            sums.add_states(number, &states);
            let totals = coverage.totals_of(&ledger.sides, &ledger.segments);
            let spent = match plan.span {
                Span::Time(_) => run_start.elapsed().as_secs_f64(),
                Span::Instructions(_) => instructions as f64,
            };
            guard.note(arm, totals.branches - known, spent);
            pruned_runs += u64::from(has_budget);
            let line = RunAccount {
                number,
                policy: plan.name,
                span: plan.span,
                started: run_start.duration_since(start),
                wall,
                reason: reason.name(),
                instructions,
                features: &features,
                run_tests,
                run_files: sink.tests() - tests_before,
                known,
                totals,
                states,
                branches: samples.iter().map(|sample| sample.branches).collect(),
                states_peak,
                states_pruned: sink.paths.pruned - pruned_before,
                prune_events,
                rewalk,
                tail_instructions: tail_instructions(&sink) - tails_before,
                learning,
            }
            .line(&ledger, sink.harvest.as_ref());
            let logged = self.learning_log.append(&line);
            let path = self.store.path();
            let failed = [
                (written, path.to_path_buf()),
                (logged, path.with_file_name(crate::report::LEARNING_LOG)),
            ]
            .into_iter()
            .find_map(|(result, path)| {
                Some(WriteError {
                    path,
                    source: result.err()?,
                })
            });
            if let Some(error) = failed {
                break (StopReason::WriteFailed(error), Some(observer));
            }
            match reason {
                StopReason::Exhausted if complete => break (reason, Some(observer)),
                StopReason::Exhausted
                | StopReason::NoStatesLeft
                | StopReason::MaxTime
                | StopReason::OutOfMemory => {}
                StopReason::MaxInstructions
                | StopReason::MaxTests
                | StopReason::Interrupted
                | StopReason::ErrorFound
                | StopReason::WriteFailed(_) => break (reason, Some(observer)),
            }
            if instructions == 0 {
                // A run that executes nothing would be followed by endless others.
                break (StopReason::NoStatesLeft, Some(observer));
            }
        };
        let totals = coverage.totals_of(&ledger.sides, &ledger.segments);
        // The run that waited shows its states in its tests already; its paths end here.
        sink.paths.early += waiting.iter().flat_map(Suspended::states).count() as u64;
        let states_mean = sums.states_mean();
        let summary = sums.summarise(self.options.kind, &ledger, &launch, &ground, &sink);
        let outcome = Outcome {
            reason,
            totals,
            instructions: sums.instructions,
            states_peak: sums.states_peak,
            memory_peak: sums.memory_peak,
            wall: start.elapsed(),
            cpu_seconds: crate::engine::cpu_seconds(),
            samples: Vec::new(),
            prune_events: Vec::new(),
            observer: last.unwrap_or_else(|| launch.observer.clone()),
            sink,
        };
        CampaignOutcome {
            outcome,
            summary,
            states_mean,
        }
    }

    /// B(t) of each test by native replays, if those count. A replay that fails leaves its test without
    /// branches and is warned of once.
    fn replay_natively(&mut self, tests: &[Harvested]) -> Option<Vec<Vec<u32>>> {
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
            self.log.borrow_mut().warning_once("native replays", &text);
            vec![Vec::new(); tests.len()]
        }))
    }

    /// What is left of the total budget, in its unit; nothing if it is used up, infinity if there is none.
    fn left(&self, start: Instant, sums: &Sums) -> Option<f64> {
        let total = self.config.budget.time;
        if total.is_zero() {
            return Some(f64::INFINITY);
        }
        let used = match total {
            Span::Time(_) => start.elapsed().as_secs_f64(),
            Span::Instructions(_) => sums.instructions as f64,
        };
        let left = amount(total) - used;
        (left > 0.0).then_some(left)
    }

    /// Draws policy and N' of run `number` (from 0), before which there were so many with an N' of their own.
    fn plan(
        &self,
        (number, earlier): (u64, u64),
        arm: Arm,
        left: f64,
        ledger: &Ledger,
        launch: &Launch,
    ) -> Plan {
        let state = u128::from(number) << 64 | u128::from(self.config.search.seed);
        let mut generator = Pcg64::new(state, PLANNING);
        let times = run_times(self.options);
        if arm == Arm::Unpruned && number > 0 {
            // A long slice of the run that waited, or of one that is started anew.
            return Plan {
                name: "unpruned",
                span: like(self.options.run_max, times.value(times.len() - 1).min(left)),
                pruning: None,
                record: RunRecord::default(),
            };
        }
        let (policy, name) = match self.options.kind {
            CampaignKind::Homi => {
                let policy = choose_policy(earlier, self.options.explorations, &mut generator);
                (Some(policy), policy.name())
            }
            CampaignKind::Random => (None, "random"),
            CampaignKind::Divide => (None, "divide"),
        };
        let learned = ledger.learned.as_ref();
        let budget = match (policy, learned) {
            (Some(Policy::Exploit | Policy::Reverse), Some(learned)) => {
                draw_index(&learned.budget, &mut generator)
            }
            _ => generator.random_range(0..times.len()),
        };
        let strategy = match (self.options.kind, policy, learned) {
            (CampaignKind::Random, ..) => Some(PruneStrategy::Random),
            (_, Some(policy), Some(learned)) if policy != Policy::Initial => {
                Some(PruneStrategy::Learned {
                    probabilities: learned.clone(),
                    policy,
                    draws: self.options.draws,
                })
            }
            _ => None,
        };
        let features = match &strategy {
            Some(PruneStrategy::Learned { probabilities, .. }) => probabilities.features.clone(),
            _ => Vec::new(),
        };
        Plan {
            name,
            span: like(self.options.run_max, times.value(budget).min(left)),
            pruning: strategy.map(|strategy| {
                Pruning::new(
                    strategy,
                    ratios(self.options),
                    self.options.interval,
                    launch.instructions(),
                    Pcg64::new(state, PRUNING),
                )
            }),
            record: RunRecord {
                budget: Some(budget),
                features,
                events: Vec::new(),
            },
        }
    }

    /// The options of one run. Its random choices differ from those of other runs.
    fn run_config(&self, number: u64, plan: &Plan, left: f64, sums: &Sums) -> RunConfig {
        let mut config = self.config.clone();
        config.search.seed = config.search.seed.wrapping_add(number);
        config.budget.time = plan.span;
        if config.budget.instructions != 0 {
            let left = config.budget.instructions.saturating_sub(sums.instructions);
            config.budget.instructions = left.max(1);
        }
        if let Span::Time(time) = plan.span
            && time.as_secs_f64() < left
        {
            let share = time.mul_f64(HALT_SHARE).max(HALT_LEAST);
            config.budget.halt_time = config.budget.halt_time.min(share);
        }
        config
    }
}
