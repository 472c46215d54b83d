//! The second stage of a run: the program is loaded, and what the options say of it is checked
//! against it.
//!
//! Invariant: nothing is written but the cache of lowered programs. A run that could not begin, or
//! not go on with what an earlier session left, ends here.

use super::campaign::CampaignPlan;
use super::plan::Plan;
use super::resumption::Resumption;
use super::{SessionError, aims, program, shapes};
use crate::config::RunConfig;
use crate::explore::coverage::Aims;
use crate::ir::program::Program;

/// A program that is about to run.
pub(super) struct LoadedProgram<'r> {
    pub(super) plan: &'r Plan<'r>,
    /// The planned options, with the inputs that homi chooses for a program that has none.
    pub(super) config: RunConfig,
    pub(super) program: Program,
    /// Source of the harness that calls the function that the run is about.
    pub(super) harness: Option<String>,
    /// True if the program's input had no symbolic part.
    pub(super) has_nothing: bool,
    /// The campaign that the run is, with its earlier sessions.
    pub(super) campaign: Option<CampaignPlan>,
    /// The code that a run with target lines is to reach.
    pub(super) aims: Option<Aims>,
    /// The single run that is resumed.
    pub(super) resumption: Option<Resumption>,
}

impl<'r> LoadedProgram<'r> {
    /// Loads the program. Fails if it cannot be read, or if the plan is about another one.
    pub(super) fn load(plan: &'r Plan<'r>) -> Result<Self, SessionError> {
        let (config, caller) = (&plan.config, plan.caller);
        let (program, harness) = program::load(config, caller)?;
        let with_inputs = shapes::with_inputs(config, &program).filter(|_| harness.is_none());
        let has_nothing = with_inputs.is_some()
            || harness.is_none() && shapes::has_nothing_symbolic(config, &program);
        let config = with_inputs.unwrap_or_else(|| config.clone());
        let piece = caller.piece.as_ref();
        if let Some(piece) = piece {
            piece.check(&program)?;
        }
        let campaign = CampaignPlan::make(&config, &program)?;
        let aims = aims::aims(&config, &program)?;
        let resumption = match piece.and_then(|piece| piece.resumption()) {
            Some(given) => Some(given),
            None => Resumption::read(&config, &program)?,
        };
        Ok(Self {
            plan,
            config,
            program,
            harness,
            has_nothing,
            campaign,
            aims,
            resumption,
        })
    }
}
