//! The strategy of a concolic run.

use super::SessionError;
use super::compose::Session;
use crate::concolic::{Chosen, StrategyChoice, Tally, searcher};
use crate::config::ConcolicConfig;
use crate::engine::Outcome;
use crate::report::{ConcolicSummary, NegationSummary};

impl Session<'_> {
    /// What chooses the branches of a concolic run; nothing if it is none.
    pub(super) fn strategy(&self) -> Result<Option<Chosen>, SessionError> {
        let Some(concolic) = &self.config.concolic else {
            return Ok(None);
        };
        let choice = StrategyChoice::parse(&concolic.strategy).map_err(SessionError::Request)?;
        let seed = self.config.search.seed;
        Ok(Some(searcher(&choice, self.program, seed, &[])))
    }
}

/// What a concolic run has to tell.
pub(super) fn concolic_summary(
    config: &ConcolicConfig,
    tally: Tally,
    outcome: &Outcome,
) -> ConcolicSummary {
    ConcolicSummary {
        strategy: config.strategy.clone(),
        executions: tally.runs,
        cut: tally.cut_runs,
        side_ends: tally.side_runs,
        negations: NegationSummary {
            possible: tally.possible,
            subsumed: tally.subsumed,
            refuted: tally.refuted,
            unknown: tally.unknown,
            gone: tally.gone,
        },
        older: tally.older,
        skipped: tally.skipped,
        restarts: tally.restarts,
        divergences: outcome.extras.divergences,
    }
}
