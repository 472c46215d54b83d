//! Samples, statistics and status of a run between batches.
//!
//! Invariant: nothing in here changes the run but its list of samples.

use super::life::Engine;
use super::sampling::{SAMPLE_INTERVAL, Sample};
use super::stats::readings::Readings;
use homi_report::{CampaignStatus, Event, RunStatus};
use std::time::Duration;

/// Time between two shares that a further thread adds to the statistics.
const SHARE_INTERVAL: Duration = Duration::from_millis(500);
impl Engine<'_, '_> {
    /// Takes samples, records statistics and reports the status, if they are due.
    pub(super) fn show_and_record(&mut self, now: Duration) {
        let thread = self.run.parts.thread();
        // The first thread of a group of threads looks at all of them.
        if self.run.parts.shared_exploration.is_none() || thread == 0 {
            let mut samples = std::mem::take(&mut self.run.progress.samples);
            samples.take(now, |time| Sample {
                time,
                states: self.sums().states as usize,
                branches: self.run.branches(),
                tests: self.run.parts.results.tests(),
            });
            self.run.progress.samples = samples;
        }
        let shown = self.run.parts.context.start.elapsed();
        if thread != 0 {
            if self.schedule.share.take(shown, SHARE_INTERVAL) {
                self.readings().report_share();
            }
            return;
        }
        self.readings().record_if_due(shown);
        let events = self.run.parts.results.events();
        if events.has_listeners() && self.schedule.status.take(shown, SAMPLE_INTERVAL) {
            let status = self.status(shown);
            let events = self.run.parts.results.events();
            events.emit(|| Event::Status(status));
        }
    }

    /// Returns the parts of the run that statistics read.
    pub(super) fn readings(&self) -> Readings<'_> {
        Readings {
            recorder: self.run.bench.recorder,
            thread: self.run.parts.thread(),
            shared_exploration: self
                .run
                .parts
                .shared_exploration
                .map(|member| member.shared_exploration),
            program: self.run.bench.executor.program(),
            segments: self.run.bench.executor.segments(),
            terms: self.run.bench.terms,
            solver_session: &*self.run.bench.solver_session,
            observer: &self.run.progress.observer,
            coverage: &self.run.progress.coverage,
            results: &self.run.parts.results,
            open: self.run.progress.states.len(),
            made: self.run.sharing.made_here(self.run.progress.next_id),
            merged: self.run.progress.extension_statistics().merged.unwrap_or(0),
            learned: self.run.sharing.learned(),
            resident: self.watch.resident(),
        }
    }

    /// Returns the status of the run.
    fn status(&self, time: Duration) -> RunStatus {
        let totals = self.run.progress.coverage.totals();
        let (sums, context) = (self.sums(), &self.run.parts.context);
        let threads = self
            .run
            .parts
            .shared_exploration
            .map_or(1, |member| member.shared_exploration.size());
        let possible = time.as_secs_f64().max(1e-3) * threads as f64;
        RunStatus {
            time_s: time.as_secs_f64(),
            instructions: context.earlier_instructions
                + self.run.spending.instructions_of_slice(sums.instructions),
            paths: sums.paths,
            states: sums.states,
            tests: self.run.parts.results.tests(),
            bugs: self.run.parts.results.bug_count() as u64,
            branches: self.run.branches(),
            branches_total: totals.branches_total,
            solver_ratio: sums.solver_time.as_secs_f64() / possible,
            memory_bytes: self.watch.resident(),
            negated: self.run.parts.config.concolic.as_ref().map(|_| {
                let pending = &self.run.parts.results.tally.pending;
                (pending.feasible, pending.infeasible)
            }),
            run: (context.campaign_run.as_ref()).map(|run| (run.number, run.policy.to_string())),
            campaign: context.campaign_run.as_ref().map(|run| CampaignStatus {
                budget: run.span.amount(),
                budget_unit: run.span.unit().to_string(),
                pruned: (self.run.pruning.events().last())
                    .map(|event| (event.ratio, event.before as u64, event.after as u64)),
            }),
        }
    }
}
