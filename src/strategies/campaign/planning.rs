//! What the next run of a campaign gets: its arm, policy, N', pruning and options.
//!
//! Invariant: all that is drawn here comes from a generator of the seed and the run's number.

use super::arm::Arm;
use super::lane::Lane;
use super::looping::Campaign;
use super::options::{prune_rules, run_times};
use super::progress::CampaignProgress;
use super::shapes;
use super::single_paths;
use crate::config::{CampaignConfig, CampaignKind, RunConfig, Span, Spent};
use crate::explore::engine::DEFAULT_HALT_TIME;
use crate::explore::prune::learn::{Policy, Probabilities, RunRecord, choose_policy, draw_index};
use crate::explore::prune::{Learned, Pruner, Random, Schedule};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::time::Duration;

/// Streams of a run's generators: what the campaign draws before the run, what pruning draws within
/// it.
const PLANNING: u128 = 0x1405_7b7e_f767_814f;
const PRUNING: u128 = 0x9e37_79b9_7f4a_7c15;
/// A slice of a part of the run without pruning is that much shorter than one of single paths:
/// until it ends, the other lanes do not hear what it has covered.
const PARTS_OF_SLICE: f64 = 4.0;
/// Short slices' worth of the run without pruning where there are further shapes of input.
const SLICES_BEFORE_SHAPES: f64 = 2.0;
/// A run's share of its budget for the tests of open states, unless `--halt-time` is less; and the
/// least.
const HALT_SHARE: f64 = 0.25;
const HALT_LEAST: Duration = Duration::from_millis(500);

/// What is drawn for a fresh run with pruning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Drawn {
    /// Nothing where nothing is learned.
    pub policy: Option<Policy>,
    /// Number of N' in S_time.
    pub budget: usize,
}

fn stream_of(seed: u64, number: u64) -> u128 {
    u128::from(number) << 64 | u128::from(seed)
}

/// Draws for the run with this number; `runs` with an N' of their own were before it.
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

/// What the next run is made with.
pub(super) struct Plan {
    pub name: &'static str,
    /// N', cut to what is left of the campaign.
    pub span: Span,
    pub pruner: Option<Box<dyn Pruner>>,
    /// It begins with tests of earlier runs, if runs do. The first run without pruning does not:
    /// it searches where single paths did not lead.
    pub seeded: bool,
    /// F.
    pub record: RunRecord,
}

impl Campaign<'_> {
    /// What is left of the total budget, in its unit; nothing if it is used up, infinity if there
    /// is none.
    pub(super) fn left(&self, progress: &CampaignProgress<'_>) -> Option<f64> {
        let total = self.config.budget.time;
        if total.is_zero() {
            return Some(f64::INFINITY);
        }
        let left = total.amount() - self.used(progress) - progress.order.under_way();
        (left > 0.0).then_some(left)
    }

    /// What this session has used so far, in the unit of its budget.
    pub(super) fn used(&self, progress: &CampaignProgress<'_>) -> f64 {
        let spent = Spent {
            time: self.start.elapsed(),
            instructions: progress.sums.instructions(),
            work: progress.sums.work(),
        };
        self.options.run_max.reading(spent).amount()
    }

    /// Draws policy and N' of the next run.
    pub(super) fn plan(
        &self,
        progress: &CampaignProgress<'_>,
        lane: &Lane<'_, '_>,
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
            return self.pruned(lane, number, left, drawn, learned);
        }
        if arm == Arm::SinglePaths {
            let span = self.short_slice();
            return Plan {
                name: single_paths::NAME,
                span: span.of_same_unit(span.amount().min(left)),
                pruner: None,
                seeded: true,
                record: RunRecord::default(),
            };
        }
        if let Arm::Shaped(shape) = arm {
            // A shape that goes on to find something gets longer runs.
            let amount = match progress.turns.runs_of_shape(shape) as usize {
                0 => self.short_slice().amount().min(times.value(0)),
                runs => times.value(runs.min(times.len()) - 1),
            };
            return Plan {
                name: shapes::NAME,
                span: self.options.run_max.of_same_unit(amount.min(left)),
                pruner: None,
                seeded: true,
                record: RunRecord::default(),
            };
        }
        let several = progress.order.lanes() > 1;
        if arm == Arm::Unpruned && (several || progress.pruned_runs > 0) {
            let longest = times.value(times.len() - 1);
            // A long slice of the run that waited, or of one that is started anew. Where others go
            // on with parts of it a short one, for only between slices do they hear of each other.
            let amount = match several {
                true if progress.order.is_first_run() => self.short_slice().amount().min(longest),
                true => (self.short_slice().amount() / PARTS_OF_SLICE).min(longest),
                // Other shapes have their turns between slices.
                false if self.shapes.count() > 0 => {
                    (self.short_slice().amount() * SLICES_BEFORE_SHAPES).min(longest)
                }
                false => longest,
            };
            return Plan {
                name: "unpruned",
                span: self.options.run_max.of_same_unit(amount.min(left)),
                pruner: None,
                seeded: progress.pruned_runs > 0,
                record: RunRecord::default(),
            };
        }
        // The run without pruning that several threads share is none of the pruned ones.
        let initial = u64::from(several && self.keeps_unpruned());
        let learned = progress.ledger.learned.as_ref();
        let runs = progress.pruned_runs.max(initial);
        let drawn = draw(self.options, self.config.search.seed, number, runs, learned);
        self.pruned(lane, number, left, drawn, learned)
    }

    /// A fresh run with pruning, as it was drawn.
    fn pruned(
        &self,
        lane: &Lane<'_, '_>,
        number: u64,
        left: f64,
        Drawn { policy, budget }: Drawn,
        learned: Option<&Probabilities>,
    ) -> Plan {
        let times = run_times(self.options);
        let rules = prune_rules(self.options);
        let generator = Pcg64::new(stream_of(self.config.search.seed, number), PRUNING);
        let start = lane.launch.instructions();
        let mut features = Vec::new();
        let pruner: Option<Box<dyn Pruner>> = match (self.options.kind, policy, learned) {
            (CampaignKind::Random, ..) => Some(Box::new(Random::new(rules, start, generator))),
            (_, Some(policy), Some(learned)) if policy != Policy::Initial => {
                features.clone_from(&learned.features);
                Some(Box::new(Learned {
                    probabilities: learned.clone(),
                    policy,
                    draws: self.options.draws,
                    recogniser: lane.recogniser.clone(),
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

    /// The options of one run. Its random choices differ from those of other runs.
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
            Arm::SinglePaths => single_paths::follow_single_paths(&mut config),
            // Probes change inputs of the program's own shape.
            Arm::Shaped(_) => config.search.probe_share = 0.0,
            Arm::Pruned | Arm::Unpruned => {}
        }
        config.budget.time = match self.options.reserve && arm == Arm::Unpruned {
            // It looks at its N' itself. Nothing is no limit.
            true => plan
                .span
                .of_same_unit(if left.is_finite() { left } else { 0.0 }),
            false => plan.span,
        };
        if config.budget.instructions != 0 {
            let left = config
                .budget
                .instructions
                .saturating_sub(progress.sums.instructions());
            // Threads that run at the same time share what is left.
            config.budget.instructions = (left / progress.order.lanes() as u64).max(1);
        }
        if let Span::Time(time) = plan.span
            && time.as_secs_f64() < left
        {
            let share = time.mul_f64(HALT_SHARE).max(HALT_LEAST);
            let asked = config.budget.halt_time.unwrap_or(DEFAULT_HALT_TIME);
            config.budget.halt_time = Some(asked.min(share));
        }
        config
    }
}
