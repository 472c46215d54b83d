//! The pruners by name, for runs that are not part of a campaign.

use super::{PruneRules, Pruner, Random};
use crate::prune::learn::DiscreteSpace;
use homi_config::RunConfig;
use rand_pcg::Pcg64;

/// Stream of the generator of a run's pruner, different from the streams of other random choices
/// with the same seed.
const STREAM: u128 = 0x9e37_79b9_7f4a_7c15;

/// Data with which a pruner starts.
#[derive(Clone, Copy, Debug)]
pub struct PrunerStart {
    pub rules: PruneRules,
    /// Seed of the random choices of the run, or of one thread of it.
    pub seed: u64,
    /// Instructions on the run's clock when it begins.
    pub start: u64,
}

impl PrunerStart {
    /// The random numbers of the pruner.
    pub fn generator(&self) -> Pcg64 {
        Pcg64::new(u128::from(self.seed), STREAM)
    }
}

/// One pruner.
#[derive(Clone, Copy)]
pub struct PrunerRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// A pruner for one thread of a run; the error says why it cannot prune a run alone.
    pub make: fn(&PrunerStart) -> Result<Box<dyn Pruner>, &'static str>,
}

/// Every pruner that the user can name.
pub const PRUNERS: [PrunerRow; 2] = [
    PrunerRow {
        name: "random",
        help: "prune random states (RandomPrune in the paper)",
        make: |beginning| {
            let (rules, start) = (beginning.rules, beginning.start);
            Ok(Box::new(Random::new(rules, start, beginning.generator())))
        },
    },
    PrunerRow {
        name: "homi",
        help: "prune the states with the lowest scores learned from earlier runs",
        make: |_| {
            Err(
                "learned pruning prunes by what earlier runs have taught, and a single run has \
                 none before it",
            )
        },
    },
];

/// The pruner that the options of a run ask for, which is not part of a campaign; none if it does
/// not prune.
///
/// # Errors
/// The reason why a single run cannot have this pruner.
pub fn pruner_of(config: &RunConfig) -> Result<Option<Box<dyn Pruner>>, &'static str> {
    let Some(asked) = &config.prune else {
        return Ok(None);
    };
    let row = PRUNERS.iter().find(|row| row.name == asked.pruner);
    let row = row.ok_or("unknown pruner")?;
    let start = PrunerStart {
        rules: PruneRules {
            ratios: DiscreteSpace {
                greatest: asked.ratio_max,
                intervals: asked.ratio_steps,
            },
            interval: asked.interval,
            growth: asked.growth,
            kept: asked.kept,
        },
        seed: config.search.seed,
        start: 0,
    };
    (row.make)(&start).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::testing::rules;
    use super::*;
    use homi_config::Budget;

    #[test]
    fn a_single_run_can_prune_at_random_and_not_by_what_was_learned() {
        let beginning = PrunerStart {
            rules: rules(Budget::Instructions(1), 0),
            seed: 1,
            start: 0,
        };
        let made: Vec<bool> = PRUNERS
            .iter()
            .map(|row| (row.make)(&beginning).is_ok())
            .collect();
        assert_eq!(made, [true, false]);
    }
}
