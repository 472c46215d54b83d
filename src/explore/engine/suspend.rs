//! A run that was suspended at the end of its budget and can go on later: what campaigns need whose
//! runs take turns.
//!
//! Invariant: between its slices a suspended run keeps its states (of those for which there is no
//! room the bytes, if it can), its coverage and its clock, and shares terms and solver with
//! whatever runs meanwhile; whoever sweeps terms counts its states as roots. What its open states
//! showed has been written as tests when it was suspended.

use super::halting::Allowance;
use super::parts::{Beginning, Outcome, Parts, Progress};
use super::paths::Departure;
use super::run::Engine;
use super::stop::{Budget, StopReason};
use super::threads::transfer::TransferredStates;
use super::workbench::Workbench;
use crate::config::Span;
use crate::explore::extensions::Extension;
use crate::explore::search::StateId;
use crate::ir::util::clock::Moment;
use crate::machine::exec::{EarlyReason, Narrowed, Termination};
use crate::machine::state::State;
use crate::native::testcase::WriteError;
use std::time::Duration;

/// Slices that a run with few open paths may have at once, where its budget is no time.
const SHORT_SLICES: u64 = 100;

/// A run that was suspended at the end of its slice and can go on later.
pub struct Suspended {
    progress: Progress,
    /// Time on the run's clock.
    elapsed: Duration,
    /// Parts of it for other threads to go on with.
    given: Vec<TransferredStates>,
}

impl Suspended {
    /// The states that wait.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.progress.states.values().map(|state| &**state)
    }

    /// What it no longer followed.
    pub fn narrowed(&self) -> &Narrowed {
        &self.progress.observer.narrowed
    }

    /// The extensions of the run, which may keep terms and states.
    pub fn extensions(&self) -> impl Iterator<Item = &dyn Extension> {
        self.progress.extensions.iter().map(|one| &**one)
    }

    /// Takes the parts that were cut off for other threads.
    pub fn take_given(&mut self) -> Vec<TransferredStates> {
        std::mem::take(&mut self.given)
    }

    /// How many paths wait.
    pub fn waiting(&self) -> u64 {
        self.progress.states.len() as u64
    }
}

impl<'r, 'p> Engine<'r, 'p> {
    /// Goes on with a run for the budget in `parts`, which counts from now. Its search and what
    /// gives states up for memory are those that it had.
    pub fn resume(
        bench: Workbench<'r, 'p>,
        parts: Parts<'r>,
        suspended: Suspended,
        now: Moment,
    ) -> Self {
        let mut limits = parts.config.budget.clone();
        let deadline = match &mut limits.time {
            Span::Time(time) if !time.is_zero() => {
                let deadline = now + *time;
                *time += suspended.elapsed;
                Some(deadline)
            }
            _ => None,
        };
        let instructions = suspended.progress.observer.instructions;
        let (observer, states) = (&suspended.progress.observer, suspended.progress.next_id);
        bench
            .recorder
            .lock()
            .begin(parts.context.lane, observer, states);
        let began = Beginning {
            budget: Budget::new(&limits, instructions),
            deadline,
            start: now.before(suspended.elapsed),
            instructions,
            narrowed: observer.narrowed.clone(),
        };
        let mut progress = suspended.progress;
        progress.extensions.iter_mut().for_each(|one| one.resumed());
        let mut engine = Self::assemble(bench, parts, progress, began);
        engine.tell_search_of_earlier_runs();
        engine.begin_roots(None);
        engine
    }

    /// Runs until something says stop. If that is the budget or the user, the run is suspended, and
    /// nothing is lost but what there is no room for, which counts as given up.
    pub fn run_slice(mut self) -> (Outcome, Option<Suspended>) {
        let reason = match self.explore() {
            Ok(reason @ (StopReason::MaxTime | StopReason::Interrupted)) => reason,
            Ok(reason) => return (self.conclude(reason), None),
            Err(error) => return (self.conclude(StopReason::WriteFailed(error)), None),
        };
        self.stop_work();
        if let Err(error) = self.shrink() {
            return (self.conclude(StopReason::WriteFailed(error)), None);
        }
        let given = self.cut_off();
        self.note_memory();
        let elapsed = self.start.elapsed();
        let (outcome, progress) = self.outcome(reason);
        let suspended = Suspended {
            progress,
            elapsed,
            given,
        };
        (outcome, Some(suspended))
    }

    /// Whether it is time for other runs.
    pub(super) fn slice_is_over(&self) -> bool {
        let Some(slice) = self.parts.context.slice else {
            return false;
        };
        let start = slice.reading(self.slice_start).count();
        let spent = slice.reading(self.clock().spent()).count();
        let spent = spent.saturating_sub(start);
        if spent >= self.longest_slice(slice) {
            return true;
        }
        let used_up = spent >= slice.count();
        // With so few open paths no choice of another run's pruning could be better.
        let least = match self.parts.context.parts_to_give {
            0 => self.bench.tuning.engine.suspended_states as u64,
            // Others could go on with some of them.
            parts => parts as u64,
        };
        used_up && self.progress.states.len() as u64 + self.swapped_out() > least
    }

    /// A slice of few open paths ends, too, once it has lasted so long: until then nothing of it is
    /// written down for a later session.
    fn longest_slice(&self, slice: Span) -> u64 {
        let least = match slice {
            Span::Time(_) => {
                let often = self.bench.tuning.engine.checkpoint_every;
                Span::Time(Duration::from_secs_f64(often)).count()
            }
            Span::Instructions(count) | Span::Work(count) => count.saturating_mul(SHORT_SLICES),
        };
        least.max(slice.count())
    }

    /// Goes on with a part of another thread's run too.
    pub fn take_over(&mut self, part: TransferredStates) {
        self.adopt(part);
    }

    /// Cuts off the parts that other threads are to go on with, each of every so many-th state.
    /// Nothing if a source of states holds some, which it would not find there.
    fn cut_off(&mut self) -> Vec<TransferredStates> {
        let parts = self.parts.context.parts_to_give;
        if parts == 0 || self.holds_states() {
            return Vec::new();
        }
        let open: Vec<StateId> = self.progress.states.keys().copied().collect();
        (1..=parts)
            .map(|part| {
                let chosen = open.iter().skip(part).step_by(parts + 1);
                let chosen: Vec<StateId> = chosen.copied().collect();
                self.pack(&chosen)
            })
            .filter(|part| !part.is_empty())
            .collect()
    }

    /// Writes what open states have to show, and makes room for other runs.
    fn shrink(&mut self) -> Result<(), WriteError> {
        let mut clock = self.start_halting();
        let bugs: Vec<StateId> = self
            .progress
            .states
            .iter()
            .filter(|(_, state)| state.ending.is_some())
            .map(|(id, _)| *id)
            .collect();
        self.end_all(&bugs, EarlyReason::Interrupted)?;
        let showing: Vec<StateId> = self
            .progress
            .states
            .iter()
            .filter(|(_, state)| state.metrics.covered_new)
            .map(|(id, _)| *id)
            .collect();
        for id in showing {
            let Some(mut state) = self.progress.states.remove(&id) else {
                continue;
            };
            let termination = Termination::Early(EarlyReason::Interrupted);
            let departure = Departure {
                hurry: self.look_at_halting(&mut clock) != Allowance::Full,
                goes_on: true,
                ..Departure::default()
            };
            let result = self.finish(&state, &termination, departure);
            state.metrics.covered_new = false;
            state.trim();
            self.progress.states.insert(id, state);
            result?;
        }
        // A state that was swapped out comes back late, so it is only for want of memory.
        let (limit, tuning) = (self.parts.config.budget.memory as f64, self.bench.tuning);
        while limit > 0.0
            && self.progress.states.len() > tuning.engine.suspended_states
            && self.watch.look() as f64 > limit * tuning.engine.suspended_share
        {
            self.give_up_share()?;
        }
        Ok(())
    }
}
