//! A session that does a job: it begins with open states of others, or makes one run of a campaign
//! that was planned elsewhere, and returns the remaining work.
//!
//! Invariant: the job and the options alone determine the work. The session's directory has the
//! tests of paths that have ended.

use super::SessionError;
use super::resumption::Resumption;
use homi_config::{InputLayouts, RunConfig, usual_inputs};
use homi_explore::engine::{CheckpointTotals, EarlierTests};
use homi_explore::sources::SeedTest;
use homi_explore::sources::checkpoint::Frontier;
use homi_ir::program::Program;
use homi_strategies::campaign::AssignedRun;
use homi_strategies::weights::learn_search::Trial;

/// A piece of a larger work.
#[derive(Clone, Debug)]
pub struct SessionJob {
    /// The hash of the program, as [`program_mark`](super::program_mark) tells it.
    pub program: String,
    pub work: SessionJobWork,
}

/// Kinds of jobs.
#[derive(Clone, Debug)]
pub enum SessionJobWork {
    /// Explore what lies behind open states.
    Open {
        frontier: Frontier,
        /// Sides and segments that count as covered.
        sides: Vec<u32>,
        segments: Vec<u32>,
    },
    /// Make a run of a campaign, which follows these tests first.
    Run {
        run: Box<AssignedRun>,
        seeds: Vec<SeedTest>,
    },
    /// Make trials of weights.
    Trials(Vec<Trial>),
}

impl SessionJob {
    /// Adjusts the options of the session to a job, and refuses options that a job cannot have.
    pub(super) fn fit(&self, config: &mut RunConfig) -> Result<(), SessionError> {
        let refused = |text: &str| Err(SessionError::Request(text.to_string()));
        match &self.work {
            SessionJobWork::Open { .. } => {
                if config.merge.is_some() {
                    return refused(
                        "a merged path is not a list of decisions; leave out --use-merge to split \
                         a run into jobs",
                    );
                }
                if config.campaign.is_some() {
                    return refused("a campaign has no open states for a job; add --prune none");
                }
                // The job that reaches the end of a path writes its test.
                config.tests.dump_open = false;
            }
            SessionJobWork::Run { .. } => {
                let Some(campaign) = &mut config.campaign else {
                    return refused(
                        "the job is a run of a campaign, but its options do not start one; add \
                         --prune homi",
                    );
                };
                // These continue from run to run, within one process.
                (campaign.unpruned_run, campaign.keep_unpruned_run) = (false, false);
                campaign.concolic_ratio = 0.0;
                if campaign.input_layouts == InputLayouts::Found {
                    let arguments = usual_inputs(true).split(' ').map(str::to_string);
                    config.program.arguments = arguments.collect();
                }
                campaign.input_layouts = InputLayouts::Off;
                config.threads = 1;
            }
            // Each trial is a separate run.
            SessionJobWork::Trials(_) => {}
        }
        Ok(())
    }

    /// Checks that the job belongs to this program.
    pub(super) fn check(&self, program: &Program) -> Result<(), SessionError> {
        let hash = program.hash()?;
        let start = |hash: &str| hash.get(..12).unwrap_or(hash).to_string();
        if hash == self.program {
            Ok(())
        } else {
            Err(SessionError::Request(format!(
                "the job belongs to another program: {} is {} here, but the job was created for \
                 {}; use the program of the job",
                program.name,
                start(&hash),
                start(&self.program)
            )))
        }
    }

    /// Returns the state that the session resumes.
    pub(super) fn resumption(&self) -> Option<Resumption> {
        let SessionJobWork::Open {
            frontier,
            sides,
            segments,
        } = &self.work
        else {
            return None;
        };
        Some(Resumption {
            checkpoint_totals: CheckpointTotals {
                sides: sides.clone(),
                segments: segments.clone(),
                ..CheckpointTotals::default()
            },
            frontier: frontier.clone(),
            tests: EarlierTests::default(),
            warning: None,
        })
    }

    /// The run that the session makes, if it makes one of a campaign.
    pub(super) fn assigned(&self) -> Option<&AssignedRun> {
        match &self.work {
            SessionJobWork::Run { run, .. } => Some(run),
            SessionJobWork::Open { .. } | SessionJobWork::Trials(_) => None,
        }
    }

    /// The tests that it follows first.
    pub(super) fn seeds(&self) -> &[SeedTest] {
        match &self.work {
            SessionJobWork::Run { seeds, .. } => seeds,
            SessionJobWork::Open { .. } | SessionJobWork::Trials(_) => &[],
        }
    }

    /// The trials that it is to make.
    pub(super) fn trials(&self) -> Option<&[Trial]> {
        match &self.work {
            SessionJobWork::Trials(trials) => Some(trials),
            SessionJobWork::Open { .. } | SessionJobWork::Run { .. } => None,
        }
    }
}
