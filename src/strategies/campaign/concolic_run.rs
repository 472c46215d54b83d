//! Concolic run of a campaign, which gets a share of its time (`--concolic-ratio`).
//!
//! An addition to the paper. The run uses the bundled weights (`--strategy param`). It follows
//! single paths and reaches the ends of paths through parsers sooner than a search over states.
//! Later runs start with its tests first, and a program that it explores completely needs no other
//! run. `scheduler` decides when it runs.
//!
//! Invariant: it forks lazily and counts executed instructions, whatever other runs do.

use super::looping::Campaign;
use crate::concolic::{Chosen, StrategyChoice, searcher};
use homi_config::{Budget, ConcolicConfig, Forks, InitialInput, RunConfig};
use homi_explore::sources::EntryState;
use homi_ir::program::Program;
use homi_machine::state::ForkRule;

/// Name of its slices.
pub(super) const NAME: &str = "concolic";

/// Share of the total budget per slice; `SLICE_OF_RUN` is the share of the longest run if there is
/// no total.
const SLICE_OF_TOTAL: f64 = 1.0 / 40.0;
const SLICE_OF_RUN: f64 = 0.25;

impl Campaign<'_> {
    /// Returns the upper bound on the concolic run's share of the time. Zero with target lines,
    /// where other branches are not a gain. Zero in resumed campaigns, where it would restart
    /// without its memory.
    pub(super) fn max_concolic_run(&self, is_new: bool) -> f64 {
        if self.targets.is_none() && is_new {
            self.options.concolic_ratio
        } else {
            0.0
        }
    }

    /// Returns the length of a short slice.
    pub(super) fn short_slice(&self) -> Budget {
        let (total, longest) = (self.config.budget.time, self.options.run_max);
        let amount = if total.is_zero() {
            longest.amount() * SLICE_OF_RUN
        } else {
            total.amount() * SLICE_OF_TOTAL
        };
        longest.of_same_unit(amount.max(f64::MIN_POSITIVE))
    }

    /// Returns the strategy that chooses its branches.
    pub(super) fn concolic_run_searcher(&self, program: &Program, config: &RunConfig) -> Chosen {
        let choice = StrategyChoice::built_in();
        searcher(&choice, program, config.search.seed, &[])
    }
}

/// Changes the options of a run to a concolic run's.
pub(super) fn follow_concolic_run(config: &mut RunConfig) {
    config.symbolic.forks = Forks::Lazy;
    config.search.fuzz_ratio = 0.0;
    config.concolic = Some(ConcolicConfig {
        strategy: StrategyChoice::built_in().to_string(),
        re_execute: false,
        canonical_inputs: true,
        initial_input: InitialInput::Zeros,
        given: Vec::new(),
    });
}

/// Returns the entry state of the concolic run.
pub(super) fn entry_state(entry_state: &EntryState) -> EntryState {
    let mut state = entry_state.state.clone();
    state.forks = ForkRule {
        enabled: state.forks.enabled,
        ..ForkRule::CONCOLIC
    };
    EntryState {
        state,
        observer: entry_state.observer.clone(),
    }
}
