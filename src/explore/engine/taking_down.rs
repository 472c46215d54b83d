//! Records one thread of a run for a checkpoint: its open states and its totals.
//!
//! Invariant: a checkpoint does not change the run.

use super::checkpoint::CheckpointData;
use super::checkpoint_totals::CheckpointTotals;
use super::checkpointing::checkpoint_at_end;
use super::life::Engine;
use super::memory::process_memory::cpu_time;

impl Engine<'_, '_> {
    /// Writes a checkpoint, if one is due.
    #[inline]
    pub(super) fn checkpoint_if_due(&mut self) {
        let Some(checkpoints) = self.run.parts.context.checkpoints else {
            return;
        };
        let (now, shared_exploration) = (
            self.run.spending.clock.now(),
            self.run.parts.shared_exploration,
        );
        if !checkpoints.are_written() || !self.checkpointing.is_called(now, shared_exploration) {
            return;
        }
        let mut checkpointing = self.checkpointing;
        let (to, tuning) = (
            (checkpoints, self.run.bench.log),
            &self.run.bench.tuning.engine,
        );
        checkpointing.write(to, now, shared_exploration, tuning, |collected| {
            self.take_down(collected)
        });
        self.checkpointing = checkpointing;
    }

    /// Writes the checkpoint of a run that stops.
    pub(super) fn checkpoint_at_end(&self) {
        if let Some(checkpoints) = self.run.parts.context.checkpoints {
            let to = (checkpoints, self.run.bench.log);
            checkpoint_at_end(to, self.run.parts.shared_exploration, |collected| {
                self.take_down(collected)
            });
        }
    }

    /// Records the open states and totals of this thread.
    fn take_down(&self, collected: &mut CheckpointData) {
        for (id, state) in &self.run.progress.states {
            if self.cut_batches.made(*id) {
                collected.note_unshown(&state.covered_first)
            } else {
                collected.add(state)
            }
        }
        self.cut_batches.take_down(collected);
        for root in &self.run.parts.policies.sources {
            root.take_down(&mut collected.open);
            root.visit_states(&mut |state| collected.note_unshown(&state.covered_first));
        }
        for side in self.run.parts.results.orphans().iter() {
            collected.unshown.sides.insert(side);
        }
        collected.pause();
        collected.add_totals(self.checkpoint_totals());
    }

    /// Returns the totals of this thread in this session; counts that earlier sessions began are
    /// included.
    fn checkpoint_totals(&self) -> CheckpointTotals {
        let observer = &self.run.progress.observer;
        let entered = (0..).zip(&observer.segment_entries);
        let entered = entered.filter(|(_, entries)| **entries > 0);
        CheckpointTotals {
            sessions: 0,
            last_test: self.run.parts.results.last_test(),
            unmet: self.run.parts.results.unmet(),
            wall_s: self.run.parts.context.start.elapsed().as_secs_f64(),
            cpu_s: cpu_time().as_secs_f64(),
            instructions: self
                .run
                .spending
                .instructions_of_slice(observer.instructions),
            work: self.run.work_of_slice(),
            states_peak: self.run.progress.states_peak as u64,
            tally: self.run.parts.results.tally.clone(),
            underapproximations: observer.underapproximations.clone(),
            solver: self.run.bench.solver_session.summary(),
            sides: observer.sides.iter().collect(),
            segments: entered.map(|(segment, _)| segment).collect(),
        }
    }
}
