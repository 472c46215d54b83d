//! The run that follows single paths, with which a campaign may begin (`--single-paths`).
//!
//! Not in the paper. It is a concolic run by the weights in the box (`--strategy param`), so it is
//! soon where a search over states comes late: at the ends of paths through parsers. Its tests are
//! the first that later runs begin with, and a program that it follows to its end needs no other
//! run.
//!
//! Invariant: it forks lazily and counts what it executed, whatever the other runs do; its states
//! end with it.

use super::Campaign;
use super::progress::CampaignProgress;
use crate::concolic::{Chosen, StrategyChoice, searcher};
use crate::config::{ConcolicConfig, FirstInput, Forks, RunConfig, Span};
use crate::roots::Launch;
use crate::state::ForkRule;

/// What a run of single paths is called.
pub(super) const NAME: &str = "single-paths";

impl Campaign<'_, '_> {
    /// Whether the next run is the one of single paths: the first of the campaign.
    pub(super) fn begins_with_single_paths(&self, progress: &CampaignProgress) -> bool {
        self.options.single_paths > 0.0 && progress.next_run() == 0
    }

    /// How long it runs: its share of the whole budget, and as long as any run where there is none.
    pub(super) fn span_of_single_paths(&self) -> Span {
        let (total, longest) = (self.config.budget.time, self.options.run_max);
        match total.is_zero() {
            true => longest,
            false => longest.of_same_unit(total.amount() * self.options.single_paths),
        }
    }

    /// What chooses its branches.
    pub(super) fn single_paths_searcher(&self, config: &RunConfig) -> Chosen {
        let program = self.bench.executor.program();
        let choice = StrategyChoice::built_in();
        searcher(&choice, program, config.search.seed, &[])
    }
}

/// Turns the options of a run into those of one of single paths.
pub(super) fn follow_single_paths(config: &mut RunConfig) {
    config.symbolic.forks = Forks::Lazy;
    config.search.probe_share = 0.0;
    config.concolic = Some(ConcolicConfig {
        strategy: StrategyChoice::built_in().to_string(),
        re_execute: false,
        least_inputs: true,
        first_input: FirstInput::Zeros,
        given: Vec::new(),
    });
}

/// Where it begins.
pub(super) fn launch(launch: &Launch) -> Launch {
    let mut state = launch.state.clone();
    state.forks = ForkRule::CONCOLIC;
    Launch {
        state,
        observer: launch.observer.clone(),
    }
}
