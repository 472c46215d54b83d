//! The facts of the command line that decide the defaults of single options.

use super::profile::Profile;
use homi_config::{Budget, CampaignConfig};

/// Facts that a default may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub profile: Profile,
    /// `--max-time`.
    pub total: Budget,
    /// The user wants every path, or path conditions: the search alone, once.
    pub wants_paths: bool,
    /// The run follows inputs.
    pub concolic: bool,
    /// The run goes for lines.
    pub targeted: bool,
    /// Hyper-parameters of the resumed campaign.
    pub earlier: Option<&'a CampaignConfig>,
}

impl Situation<'_> {
    /// True if a clock ends the run, so that it may depend on one.
    pub(super) fn timed(&self) -> bool {
        self.total.is_timed()
    }
}
