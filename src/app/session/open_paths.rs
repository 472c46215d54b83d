//! The open paths of a campaign, from one session of an output directory to the next.

use super::SessionError;
use super::campaign::CampaignPlan;
use super::exploration::Exploration;
use super::resumption::RunHead;
use homi_strategies::campaign::{LeftOpen, OpenPaths};

impl Exploration<'_> {
    /// Returns the checkpoints of the campaign, if it can be resumed, and the open paths of an
    /// earlier session. homi reports and drops paths that it cannot resume; the campaign continues
    /// without them, and its tests stay valid.
    pub(super) fn open_paths(
        &self,
        plan: &CampaignPlan,
    ) -> Result<(Option<OpenPaths>, Option<LeftOpen>), SessionError> {
        let is_assigned = self.world.caller.job.is_some();
        if !plan.config.unpruned_run || is_assigned || self.config.command.is_none() {
            return Ok((None, None));
        }
        let head = RunHead::of(&self.config, &self.loaded.program)?;
        let value = serde_json::to_value(&head).unwrap_or_default();
        let place = OpenPaths::new(self.output.directory.path(), value);
        if plan.stored.is_none() {
            return Ok((Some(place), None));
        }
        let path = self.output.directory.path();
        let left = place.take_up(|theirs| {
            let theirs: RunHead = serde_json::from_value(theirs.clone())
                .map_err(|error| format!("cannot read its open paths: {error}"))?;
            head.check(&theirs, path).map_err(|error| error.to_string())
        });
        let left = left.unwrap_or_else(|why| {
            let text = format!("the unpruned run restarts: {why}");
            self.output.log.lock().warning_once("open paths", &text);
            place.remove();
            None
        });
        Ok((Some(place), left))
    }
}
