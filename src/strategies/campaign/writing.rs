//! Saving of the open paths by the workers of a campaign (`open_paths`).

use super::looping::Campaign;
use super::open_paths::LeftOpen;
use super::worker::{Waiting, Worker};
use homi_explore::engine::StopReason;
use homi_explore::sources::StateSource;
use homi_explore::sources::checkpoint::Collector;
use homi_ir::util::clock::Moment;
use std::time::Duration;

/// Factor by which the time between saves exceeds the time of a save.
const TIMES_ITS_COST: u32 = 10;

impl Waiting {
    /// Collects all waiting paths.
    fn take_down(&self, open: &mut Collector) {
        self.run.states().for_each(|state| open.add(state));
        if let Some(swapped_out) = &self.swapped_out {
            swapped_out.take_down(open);
        }
        if let Some(resumed) = &self.resumed {
            resumed.take_down(open);
        }
    }
}

impl Campaign<'_> {
    /// Saves the worker's open paths if the save is due.
    pub(super) fn write_open_paths(&self, worker: &mut Worker<'_, '_>) {
        let now = Moment::now();
        if self.open_paths.is_some() && now >= worker.next_writing {
            self.write_part(worker);
            let cost = now.elapsed() * TIMES_ITS_COST;
            let usual = Duration::from_secs_f64(worker.bench.tuning.engine.checkpoint_every);
            worker.next_writing = Moment::now() + usual.max(cost);
        }
    }

    /// Saves the paths that the worker leaves at its end.
    pub(super) fn write_last_open_paths(&self, worker: &mut Worker<'_, '_>) {
        if !self.is_exhausted() {
            self.write_part(worker);
        }
    }

    /// Saves the paths in transfer after all workers have ended, and marks the files as complete.
    /// Removes everything for an exhausted program.
    pub(super) fn finish_open_paths(&self) {
        let Some(place) = &self.open_paths else {
            return;
        };
        if self.is_exhausted() {
            return place.remove();
        }
        let mut open = Collector::default();
        let (facts, workers) = {
            let progress = self.lock();
            let given = progress.parts.given();
            given.for_each(|part| part.states().for_each(|state| open.add(state)));
            (progress.parts.facts(), progress.order.workers())
        };
        open.pause();
        let left = LeftOpen {
            frontier: open.finish(),
            facts,
        };
        if workers > 1 {
            let written = place.write(workers, &left);
            self.report_unwritten(written.and_then(|()| place.mark_whole()));
        }
    }

    fn is_exhausted(&self) -> bool {
        let progress = self.lock();
        let ending = progress.ending.as_ref().map(|ending| &ending.reason);
        ending.is_some_and(StopReason::is_exhausted)
    }

    fn report_unwritten(&self, written: std::io::Result<()>) {
        if let Err(error) = written {
            let text = format!(
                "cannot save open paths: {error}; the campaign continues, and --resume will use \
                 the last saved ones or restart the unpruned run"
            );
            self.log.lock().warning_once("open paths", &text);
        }
    }

    /// Saves the worker's part.
    fn write_part(&self, worker: &mut Worker<'_, '_>) {
        let Some(place) = &self.open_paths else {
            return;
        };
        let mut open = Collector::default();
        let mut facts = self.lock().parts.facts();
        facts.moves = self.lock().order.workers() > 1;
        if let Some(waiting) = &worker.waiting.unpruned {
            waiting.take_down(&mut open);
            facts
                .underapproximations
                .add(waiting.run.underapproximations());
        }
        open.pause();
        let is_taken_up = worker.number == 0 && self.lock().left_open.is_none();
        if open.is_empty() && !worker.has_written && !is_taken_up {
            // The files of an earlier session stay unchanged.
            return;
        }
        worker.has_written = true;
        let left = LeftOpen {
            frontier: open.finish(),
            facts,
        };
        self.report_unwritten(place.write(worker.number, &left));
    }
}
