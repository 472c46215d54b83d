//! The stage after the exploration that asks what the tests are worth: predicted outcomes, their
//! comparison with the native program, causes of divergences, the verdict on a property.

use super::behind::Behind;
use super::checking::Checked;
use super::exploration::{Exploration, FirstThread};
use super::explore::Explored;
use super::native_comparison::NativeComparison;
use super::times::unix_seconds;
use crate::property::verdict;
use crate::triage::Triage;
use homi_explore::engine::StopReason;
use homi_report::{OutcomeSummary, Summary};
use std::collections::BTreeSet;
use std::mem::take;
use std::path::PathBuf;
use std::time::SystemTime;

impl Exploration<'_> {
    /// Adds the outcomes of the tests, compared with the native program if the caller can, and the
    /// verdict on the property. Divergences whose cause is known lead the exploration on. `checked`
    /// has the checks beside the exploration.
    pub(super) fn judge(
        &self,
        first: &mut FirstThread<'_>,
        (explored, mut checked): (&mut Explored, Checked),
        summary: &mut Summary,
    ) {
        let compare = &self.plan.caller.compare;
        if self.checks_tests() || matches!(compare, NativeComparison::AtEnd(_)) {
            let mut behind = Behind::default();
            loop {
                self.check_all(first, behind.imposed(), (&mut checked, summary));
                let calls = take(&mut checked.calls);
                let found = self.find_causes(first, &calls, behind.imposed(), summary);
                checked.outcomes = summary.outcomes.take().unwrap_or_default();
                if !self.explore_behind(first, explored, found, &mut behind) {
                    break;
                }
                *summary = self.summary(explored, first);
            }
        }
        if self.config.dialect.predicts_outcomes() && self.plan.caller.job.is_none() {
            let not_compared = self.why_not_compared(&checked, summary.tests);
            summary.outcomes = Some(OutcomeSummary {
                not_compared,
                ..checked.outcomes
            });
        }
        if summary.diverges() && matches!(explored.outcome.reason, StopReason::Exhausted(_)) {
            // The native program may have paths that the run does not know.
            summary.stop_reason = StopReason::ExhaustedUnderapproximated.name().to_string();
        }
        let property = self.config.property.as_ref();
        summary.verdict = property.map(|property| verdict(property, summary));
        self.write_witness(first, &explored.outcome.observer.proofs, summary);
    }

    /// Adds to the bugs what the baseline and suppressions say of them.
    pub(super) fn triage(&self, summary: &mut Summary) {
        let given = self.plan.caller.sources.iter().cloned();
        let places = summary.errors.iter();
        let places = places.filter_map(|error| error.location.rsplit_once(':'));
        let sources: BTreeSet<PathBuf> = given
            .chain(places.map(|(file, _)| PathBuf::from(file)))
            .collect();
        let warnings = match Triage::new(
            &self.config.triage,
            &sources,
            unix_seconds(SystemTime::now()),
        ) {
            Ok(triage) => triage.classify(&mut summary.errors),
            Err(error) => vec![error.to_string()],
        };
        for warning in warnings {
            self.output.log.lock().warning(&warning);
        }
    }

    /// True if the run predicts outcomes of its tests.
    pub(super) fn checks_tests(&self) -> bool {
        let config = &self.config;
        config.dialect.predicts_outcomes() && config.tests.compare && self.plan.caller.job.is_none()
    }

    /// Returns the reason why no test was compared; `None` if one was.
    fn why_not_compared(&self, checked: &Checked, tests: u64) -> Option<String> {
        if checked.outcomes.compared > 0 {
            return None;
        }
        if !self.config.tests.compare {
            return Some("--compare=off".to_string());
        }
        if let Some(reason) = &checked.outcomes.not_compared {
            return Some(reason.clone());
        }
        if tests == 0 {
            return Some("the run has no tests".to_string());
        }
        Some(match (&self.plan.caller.compare, &checked.failure) {
            (NativeComparison::None(reason), _) => (*reason).to_string(),
            (_, Some(failure)) => failure.clone(),
            _ => "no test has an end that can be compared".to_string(),
        })
    }
}
