//! The second stage of a run: the program is loaded, and what the options say of it is checked
//! against it.
//!
//! Invariant: only the cache of lowered programs is written. A run that could not begin, or not
//! resume an earlier session, ends here.

use super::campaign::CampaignPlan;
use super::plan::Plan;
use super::program::Loaded;
use super::resumption::Resumption;
use super::{SessionError, input_layouts, program, targets};
use homi_build::harness::Harness;
use homi_config::RunConfig;
use homi_explore::coverage::Targets;
use homi_ir::program::Program;
use homi_llvm::LoadOptions;

/// A program that is about to run.
pub(super) struct LoadedProgram<'r> {
    pub(super) plan: &'r Plan<'r>,
    /// The planned options, with the inputs that homi chooses for a program that has none.
    pub(super) config: RunConfig,
    pub(super) program: Program,
    /// The harness that calls the function that the run is about.
    pub(super) harness: Option<Harness>,
    /// The options with which the program was loaded.
    pub(super) load_options: LoadOptions,
    /// True if the program's input had no symbolic part.
    pub(super) has_nothing: bool,
    /// The campaign that the run is, with its earlier sessions.
    pub(super) campaign: Option<CampaignPlan>,
    /// The code that a run with target lines is to reach.
    pub(super) targets: Option<Targets>,
    /// The single run that is resumed.
    pub(super) resumption: Option<Resumption>,
}

impl<'r> LoadedProgram<'r> {
    /// Loads the program. Fails if it cannot be read, or if the plan is about another one.
    pub(super) fn load(plan: &'r Plan<'r>) -> Result<Self, SessionError> {
        let (config, caller) = (&plan.config, plan.caller);
        let Loaded {
            program,
            harness,
            options,
        } = program::load(config, caller)?;
        let with_inputs =
            input_layouts::with_inputs(config, &program).filter(|_| harness.is_none());
        let has_nothing = with_inputs.is_some()
            || harness.is_none() && input_layouts::has_nothing_symbolic(config, &program);
        let config = with_inputs.unwrap_or_else(|| config.clone());
        let job = caller.job.as_ref();
        if let Some(job) = job {
            job.check(&program)?;
        }
        let campaign = CampaignPlan::make(&config, &program)?;
        let targets = targets::targets(&config, &program)?;
        let resumption = match job.and_then(|job| job.resumption()) {
            Some(given) => Some(given),
            None => Resumption::read(&config, &program)?,
        };
        Ok(Self {
            plan,
            config,
            program,
            harness,
            load_options: options,
            has_nothing,
            campaign,
            targets,
            resumption,
        })
    }
}
