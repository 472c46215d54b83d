//! The stage after the exploration that asks what the tests are worth: predicted outcomes, their
//! comparison with the native program, causes of divergences, the verdict on a property.

use super::behind::Behind;
use super::exploration::{Exploration, FirstThread};
use super::explore::Explored;
use crate::app::property::verdict;
use crate::report::{OutcomeSummary, Summary};

impl Exploration<'_> {
    /// Adds the outcomes of the tests, compared with the native program if the caller can, and the
    /// verdict on the property. Divergences whose cause is known lead the exploration on.
    pub(super) fn judge(
        &self,
        first: &mut FirstThread<'_>,
        explored: &mut Explored,
        summary: &mut Summary,
    ) {
        let mut behind = Behind::default();
        summary.outcomes = self.predict(first, summary.instructions, behind.imposed());
        if let Some(compare) = &self.plan.caller.compare {
            loop {
                let calls = compare.run(self.output.directory.path(), summary);
                let found = self.find_causes(first, &calls, behind.imposed(), summary);
                if !self.explore_behind(first, explored, found, &mut behind) {
                    break;
                }
                let earlier = summary.outcomes.take();
                *summary = self.summary(explored, first);
                let new = self.predict(first, summary.instructions, behind.imposed());
                summary.outcomes = earlier.zip(new).map(|(earlier, new)| OutcomeSummary {
                    predicted: earlier.predicted + new.predicted,
                    unstable: earlier.unstable + new.unstable,
                    ..new
                });
            }
        }
        let property = self.config.property.as_ref();
        summary.verdict = property.map(|property| verdict(property, summary));
    }
}
