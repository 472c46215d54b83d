//! Context of a run within its session.
//!
//! Invariant: a run that is a session alone has a context too; the loop never distinguishes the
//! two.

use super::checkpoint::Checkpoints;
use crate::coverage::{Fresh, Targets};
use crate::extensions::Extension;
use homi_config::Budget;
use homi_ir::util::clock::Moment;
use homi_machine::state::{SideSet, State};

/// The surroundings of one run.
pub struct RunContext<'r> {
    /// When the session began: what users see as time counts from here.
    pub start: Moment,
    /// Instructions that earlier runs of the session executed.
    pub earlier_instructions: u64,
    /// Coverage of earlier runs, if there are any.
    pub earlier_coverage: Option<EarlierCoverage<'r>>,
    /// Target lines, if the run is directed to some.
    pub targets: Option<Targets>,
    /// Campaign run, if it is one.
    pub campaign_run: Option<CampaignRun>,
    /// States that are none of this run's and whose terms are kept.
    pub other_states: Vec<&'r State>,
    /// Extensions of suspended runs, whose terms and states are kept.
    pub other_extensions: Vec<&'r dyn Extension>,
    /// Budget after which the run is suspended, once there are enough open paths.
    pub slice: Option<Budget>,
    /// Thread of the session in which the run executes, if threads have separate runs; the first,
    /// 0, shows the status.
    pub worker: usize,
    /// Checkpoints, if another session can resume the open paths.
    pub checkpoints: Option<&'r Checkpoints<'r>>,
    /// Number of further parts into which the run is divided when it is suspended, for other
    /// threads to continue.
    pub parts_to_give: usize,
}

/// Number and parameters of a run of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct CampaignRun {
    /// From 1.
    pub number: u64,
    /// `initial`, `explore`, `exploit`, `reverse`, `random` or `divide`.
    pub policy: &'static str,
    /// N'.
    pub span: Budget,
}

/// Coverage of earlier runs.
#[derive(Clone, Copy)]
pub struct EarlierCoverage<'r> {
    pub sides: &'r SideSet,
    pub segments: &'r SideSet,
    /// Number of the sides that belong to user code.
    pub branches: u64,
    /// True if searchers treat it all as covered.
    pub known_to_searches: bool,
}

impl<'r> RunContext<'r> {
    /// Returns the context of a run that is a session alone and begins at `start`.
    pub fn alone(start: Moment) -> Self {
        Self {
            start,
            earlier_instructions: 0,
            earlier_coverage: None,
            targets: None,
            campaign_run: None,
            other_states: Vec::new(),
            other_extensions: Vec::new(),
            slice: None,
            worker: 0,
            checkpoints: None,
            parts_to_give: 0,
        }
    }

    /// Returns how many of these sides no earlier run of the session has covered.
    pub(super) fn new_to_session(&self, fresh: &Fresh) -> u64 {
        let Some(earlier) = &self.earlier_coverage else {
            return fresh.sides.len() as u64;
        };
        let new = fresh.sides.iter();
        let new = new.filter(|side| !earlier.sides.contains(**side));
        new.count() as u64
    }

    /// The context of a run whose open states are written down.
    pub fn with_checkpoints(mut self, checkpoints: Option<&'r Checkpoints<'r>>) -> Self {
        self.checkpoints = checkpoints;
        self
    }

    /// The context of a run that is to reach these lines, if there are any.
    pub fn aiming(mut self, targets: Option<Targets>) -> Self {
        self.targets = targets;
        self
    }
}
