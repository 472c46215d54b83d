//! Times at which a run writes checkpoints.
//!
//! Invariant: with several threads no thread continues before the open states of all are recorded,
//! or a thread has waited for too long.

use super::checkpoint::{CheckpointData, Checkpoints};
use super::clock::Due;
use super::threads::barrier::Arrival;
use super::threads::shared_exploration::Member;
use super::tuning::Tuning;
use homi_ir::util::clock::Moment;
use homi_report::SharedLog;
use std::time::Duration;

/// Time between two checkpoints as a multiple of the time that one takes, at least.
const TIMES_ITS_COST: u32 = 10;

/// The checkpoints of a run as one thread sees them.
#[derive(Clone, Copy)]
pub(super) struct Checkpointing {
    due: Due,
    /// Number of the last checkpoint to which the group of threads was called.
    number: u64,
}

impl Checkpointing {
    /// The first checkpoint is due soon, since until then there is none.
    pub(super) fn new(tuning: &Tuning) -> Self {
        Self {
            due: Due::at(Duration::from_secs_f64(tuning.checkpoint_every / 10.0)),
            number: 0,
        }
    }

    /// Returns true if this thread has to write a checkpoint or to take part in one.
    #[inline]
    pub(super) fn is_called(&self, now: Duration, shared_exploration: Option<Member<'_>>) -> bool {
        let Some(member) = shared_exploration else {
            return self.due.is_due(now);
        };
        (member.number == 0 && self.due.is_due(now))
            || member.shared_exploration.barrier.number() != self.number
    }

    /// Writes a checkpoint, or does this thread's part in one to which the group of threads was
    /// called. `take_down` records the open states of this thread.
    pub(super) fn write(
        &mut self,
        to: (&Checkpoints<'_>, &SharedLog),
        now: Duration,
        shared_exploration: Option<Member<'_>>,
        tuning: &Tuning,
        take_down: impl FnOnce(&mut CheckpointData),
    ) {
        let Some(member) = shared_exploration else {
            let began = Moment::now();
            let mut collected = CheckpointData::default();
            take_down(&mut collected);
            to.0.write(collected, to.1);
            self.due = Due::at(now + interval(tuning, began.elapsed()));
            return;
        };
        if member.number == 0 && self.due.take(now, interval(tuning, Duration::ZERO)) {
            member.shared_exploration.call_together();
        }
        let number = member.shared_exploration.barrier.number();
        if number != self.number {
            self.number = number;
            let began = Moment::now();
            assemble(to, member, number, tuning, take_down);
            if member.number == 0 {
                self.due.put_off(now + interval(tuning, began.elapsed()));
            }
        }
    }
}

/// Writes the checkpoint of a run that stops.
pub(super) fn checkpoint_at_end(
    to: (&Checkpoints<'_>, &SharedLog),
    shared_exploration: Option<Member<'_>>,
    take_down: impl FnOnce(&mut CheckpointData),
) {
    let collected = match shared_exploration {
        None => {
            let mut collected = CheckpointData::default();
            take_down(&mut collected);
            Some(collected)
        }
        Some(member) => {
            let (shared_exploration, barrier) = (
                member.shared_exploration,
                &member.shared_exploration.barrier,
            );
            barrier.arrive_at_end(shared_exploration.size(), take_down)
        }
    };
    if let Some(collected) = collected {
        to.0.end(collected, to.1);
    }
}

/// Returns the time between two checkpoints after one that took `cost`.
fn interval(tuning: &Tuning, cost: Duration) -> Duration {
    let usual = Duration::from_secs_f64(tuning.checkpoint_every);
    usual.max(cost * TIMES_ITS_COST)
}

/// Records the open states of this thread, and waits until all threads have done so.
fn assemble(
    (checkpoints, log): (&Checkpoints<'_>, &SharedLog),
    member: Member<'_>,
    number: u64,
    tuning: &Tuning,
    take_down: impl FnOnce(&mut CheckpointData),
) {
    let shared_exploration = member.shared_exploration;
    let barrier = &shared_exploration.barrier;
    match barrier.arrive(number, shared_exploration.size(), take_down) {
        Arrival::Last(mut collected) => {
            shared_exploration.visit_transfers(&mut |state| collected.add(state));
            collected.pause();
            checkpoints.write(*collected, log);
            barrier.go_on(number);
        }
        Arrival::Earlier => {
            let limit = Duration::from_secs_f64(tuning.checkpoint_wait);
            barrier.wait(number, shared_exploration.size(), limit);
        }
        Arrival::TooLate => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_that_takes_long_is_written_rarely() {
        let tuning = Tuning {
            checkpoint_every: 30.0,
            ..Tuning::default()
        };
        let second = Duration::from_secs;
        assert_eq!(interval(&tuning, second(2)), second(30));
        assert_eq!(interval(&tuning, second(9)), second(90));
        let checkpointing = Checkpointing::new(&tuning);
        assert!(!checkpointing.is_called(second(2), None));
        assert!(checkpointing.is_called(second(3), None));
    }
}
