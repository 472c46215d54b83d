//! The run that follows single paths by weights, for which a campaign has a share of its time
//! (`--single-paths`).
//!
//! Not in the paper. It is a concolic run by the weights in the box (`--strategy param`), so it is
//! soon where a search over states comes late: at the ends of paths through parsers. Its tests are
//! the first that later runs begin with, and a program that it follows to its end needs no other
//! run. When it has its turn: `turns`.
//!
//! Invariant: it forks lazily and counts what it executed, whatever the other runs do.

use super::looping::Campaign;
use crate::config::{ConcolicConfig, FirstInput, Forks, RunConfig, Span};
use crate::explore::sources::Launch;
use crate::ir::program::Program;
use crate::machine::state::ForkRule;
use crate::strategies::concolic::{Chosen, StrategyChoice, searcher};

/// What a slice of it is called.
pub(super) const NAME: &str = "single-paths";

/// A slice's part of the whole budget; where there is none, of the longest run.
const SLICE_OF_TOTAL: f64 = 1.0 / 40.0;
const SLICE_OF_RUN: f64 = 0.25;

impl Campaign<'_> {
    /// Most of the time that it may have. With lines to reach it has none: branches elsewhere are
    /// no gain. Neither in a session that goes on with a campaign, where it would be started anew:
    /// it finds by what it remembers.
    pub(super) fn most_single_paths(&self, is_new: bool) -> f64 {
        if self.aims.is_none() && is_new {
            self.options.single_paths
        } else {
            0.0
        }
    }

    /// How long a slice is of runs that take turns often.
    pub(super) fn short_slice(&self) -> Span {
        let (total, longest) = (self.config.budget.time, self.options.run_max);
        let amount = if total.is_zero() {
            longest.amount() * SLICE_OF_RUN
        } else {
            total.amount() * SLICE_OF_TOTAL
        };
        longest.of_same_unit(amount.max(f64::MIN_POSITIVE))
    }

    /// What chooses its branches.
    pub(super) fn single_paths_searcher(&self, program: &Program, config: &RunConfig) -> Chosen {
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
