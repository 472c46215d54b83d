//! Plan of the next run of a campaign: its arm, policy, N', pruning and options.
//!
//! Invariant: all random draws here use a generator seeded by the seed and the run's number.

use super::arm::Arm;
use super::concolic_run;
use super::input_layouts;
use super::looping::Campaign;
use super::options::{prune_rules, run_times};
use super::progress::CampaignProgress;
use super::worker::Worker;
use homi_config::{Budget, CampaignConfig, CampaignKind, RunConfig, Usage};
use homi_explore::engine::DEFAULT_HALT_TIME;
use homi_explore::prune::learn::{Policy, Probabilities, RunRecord, choose_policy, draw_index};
use homi_explore::prune::{Learned, Pruner, Random, Schedule};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::time::Duration;

/// Streams of a run's generators: draws of the campaign before the run, and draws of pruning within
/// it.
const PLANNING: u128 = 0x1405_7b7e_f767_814f;
const PRUNING: u128 = 0x9e37_79b9_7f4a_7c15;
/// Divisor of the slices of the unpruned run's parts. They are shorter than concolic slices,
/// because other workers learn its coverage only at their end.
const PARTS_OF_SLICE: f64 = 4.0;
/// Length of a slice of the unpruned run, in short slices, if there are further input layouts.
const SLICES_BEFORE_LAYOUTS: f64 = 2.0;
/// Share of a run's budget for the tests of open states, unless `--halt-time` is less; `HALT_LEAST`
/// is its minimum.
const HALT_SHARE: f64 = 0.25;
const HALT_LEAST: Duration = Duration::from_millis(500);

/// Random draws for a fresh run with pruning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Drawn {
    /// Pruning policy; `None` if the campaign does not learn.
    pub policy: Option<Policy>,
    /// Index of N' in S_time.
    pub budget: usize,
}

fn stream_of(seed: u64, number: u64) -> u128 {
    u128::from(number) << 64 | u128::from(seed)
}

/// Draws for the run with this number; `runs` is the number of earlier runs that drew an N'.
pub(super) fn draw(
    options: &CampaignConfig,
    seed: u64,
    number: u64,
    runs: u64,
    learned: Option<&Probabilities>,
) -> Drawn {
    let mut generator = Pcg64::new(stream_of(seed, number), PLANNING);
    let policy = match options.kind {
        CampaignKind::Homi => Some(choose_policy(runs, options.explorations, &mut generator)),
        CampaignKind::Random | CampaignKind::Divide => None,
    };
    let budget = match (policy, learned) {
        (Some(Policy::Exploit | Policy::Reverse), Some(learned)) => {
            draw_index(&learned.budget, &mut generator)
        }
        _ => generator.random_range(0..run_times(options).len()),
    };
    Drawn { policy, budget }
}

/// Parameters of the next run.
pub(super) struct Plan {
    pub name: &'static str,
    /// N', limited to the campaign's remaining budget.
    pub span: Budget,
    pub pruner: Option<Box<dyn Pruner>>,
    /// True if the run starts with tests of earlier runs, when runs do. The first slice of the
    /// unpruned run does not: it searches where the concolic run did not lead.
    pub seeded: bool,
    /// Record of the run's features (F).
    pub record: RunRecord,
}

impl Campaign<'_> {
    /// Returns the rest of the total budget in its unit; `None` if it is used up, infinity if there
    /// is none.
    pub(super) fn left(&self, progress: &CampaignProgress<'_>) -> Option<f64> {
        let total = self.config.budget.time;
        if total.is_zero() {
            return Some(f64::INFINITY);
        }
        let left = total.amount() - self.used(progress) - progress.order.in_progress();
        (left > 0.0).then_some(left)
    }

    /// Returns the budget that this session has used, in its unit.
    pub(super) fn used(&self, progress: &CampaignProgress<'_>) -> f64 {
        let usage = Usage {
            time: self.start.elapsed(),
            instructions: progress.sums.instructions(),
            work: progress.sums.work(),
        };
        self.options.run_max.reading(usage).amount()
    }

    /// Draws policy and N' of the next run.
    pub(super) fn plan(
        &self,
        progress: &CampaignProgress<'_>,
        worker: &Worker<'_, '_>,
        arm: Arm,
        number: u64,
        left: f64,
    ) -> Plan {
        let times = run_times(self.options);
        if let Some(assigned) = self.assigned {
            let learned = assigned.learned.as_ref();
            let drawn = Drawn {
                policy: assigned.policy,
                budget: assigned.budget,
            };
            return self.pruned(worker, number, left, drawn, learned);
        }
        if arm == Arm::ConcolicRun {
            let span = self.short_slice();
            return Plan {
                name: concolic_run::NAME,
                span: span.of_same_unit(span.amount().min(left)),
                pruner: None,
                seeded: true,
                record: RunRecord::default(),
            };
        }
        if let Arm::WithLayout(layout) = arm {
            // A layout whose runs keep finding branches gets longer runs.
            let amount = match progress.scheduler.runs_of_layout(layout) as usize {
                0 => self.short_slice().amount().min(times.value(0)),
                runs => times.value(runs.min(times.len()) - 1),
            };
            return Plan {
                name: input_layouts::NAME,
                span: self.options.run_max.of_same_unit(amount.min(left)),
                pruner: None,
                seeded: true,
                record: RunRecord::default(),
            };
        }
        let several = progress.order.workers() > 1;
        if arm == Arm::Unpruned && (several || progress.pruned_runs > 0) {
            let longest = times.value(times.len() - 1);
            // A long slice of the waiting or restarted run. If other workers share it, the slice is
            // short, because they exchange coverage only between slices.
            let short = self.short_slice().amount();
            let amount = if several && progress.order.is_first_run() {
                short.min(longest)
            } else if several {
                (short / PARTS_OF_SLICE).min(longest)
            } else if self.input_layouts.count() > 0 {
                // Other layouts run between slices.
                (short * SLICES_BEFORE_LAYOUTS).min(longest)
            } else {
                longest
            };
            return Plan {
                name: "unpruned",
                span: self.options.run_max.of_same_unit(amount.min(left)),
                pruner: None,
                seeded: progress.pruned_runs > 0,
                record: RunRecord::default(),
            };
        }
        // An unpruned run that several threads share does not count as a pruned run.
        let initial = u64::from(several && self.keeps_unpruned());
        let learned = progress.data.learned.as_ref();
        let runs = progress.pruned_runs.max(initial);
        let drawn = draw(self.options, self.config.search.seed, number, runs, learned);
        self.pruned(worker, number, left, drawn, learned)
    }

    /// Returns the plan of a fresh run with pruning, as drawn.
    fn pruned(
        &self,
        worker: &Worker<'_, '_>,
        number: u64,
        left: f64,
        Drawn { policy, budget }: Drawn,
        learned: Option<&Probabilities>,
    ) -> Plan {
        let times = run_times(self.options);
        let rules = prune_rules(self.options);
        let generator = Pcg64::new(stream_of(self.config.search.seed, number), PRUNING);
        let start = worker.entry_state.instructions();
        let mut features = Vec::new();
        let pruner: Option<Box<dyn Pruner>> = match (self.options.kind, policy, learned) {
            (CampaignKind::Random, ..) => Some(Box::new(Random::new(rules, start, generator))),
            (_, Some(policy), Some(learned)) if policy != Policy::Initial => {
                features.clone_from(&learned.features);
                Some(Box::new(Learned {
                    probabilities: learned.clone(),
                    policy,
                    draws: self.options.draws,
                    recogniser: worker.recogniser.clone(),
                    rules,
                    schedule: Schedule::new(&rules, start),
                    generator,
                }))
            }
            _ => None,
        };
        Plan {
            name: policy.map_or(self.options.kind.name(), Policy::name),
            span: self
                .options
                .run_max
                .of_same_unit(times.value(budget).min(left)),
            pruner,
            seeded: policy != Some(Policy::Initial),
            record: RunRecord {
                budget: Some(budget),
                features,
                events: Vec::new(),
            },
        }
    }

    /// Returns the options of one run. Its random choices differ from other runs'.
    pub(super) fn run_config(
        &self,
        progress: &CampaignProgress<'_>,
        arm: Arm,
        number: u64,
        plan: &Plan,
        left: f64,
    ) -> RunConfig {
        let mut config = self.config.clone();
        config.search.seed = config.search.seed.wrapping_add(number);
        match arm {
            Arm::ConcolicRun => concolic_run::follow_concolic_run(&mut config),
            // Fuzzing mutates inputs of the program's given layout only.
            Arm::WithLayout(_) => config.search.fuzz_ratio = 0.0,
            Arm::Pruned | Arm::Unpruned => {}
        }
        config.budget.time = if self.options.unpruned_run && arm == Arm::Unpruned {
            // The run checks its N' itself; 0 is no limit.
            plan.span
                .of_same_unit(if left.is_finite() { left } else { 0.0 })
        } else {
            plan.span
        };
        if config.budget.instructions != 0 {
            let left = config
                .budget
                .instructions
                .saturating_sub(progress.sums.instructions());
            // Parallel threads share the remaining budget.
            config.budget.instructions = (left / progress.order.workers() as u64).max(1);
        }
        if let Budget::Time(time) = plan.span
            && time.as_secs_f64() < left
        {
            let share = time.mul_f64(HALT_SHARE).max(HALT_LEAST);
            let asked = config.budget.halt_time.unwrap_or(DEFAULT_HALT_TIME);
            config.budget.halt_time = Some(asked.min(share));
        }
        config
    }
}
