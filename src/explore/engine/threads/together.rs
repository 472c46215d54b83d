//! Work of an engine for its group of threads between batches: reports progress, takes the coverage
//! of others, gives work away, waits for work.
//!
//! Invariant: an engine without a group of threads does nothing here, so one thread runs as if
//! there were no others.

use super::shared_exploration::{Member, Numbers, Work};
use super::transfer::{TransferredStates, to_give_away, to_mix};
use crate::engine::changes::Changes;
use crate::engine::life::Engine;
use crate::engine::stop::StopReason;
use crate::search::StateId;

impl Engine<'_, '_> {
    /// Returns the numbers of this thread.
    pub(in crate::engine) fn numbers(&self) -> Numbers {
        Numbers {
            instructions: self.run.progress.observer.instructions,
            work: self.run.work_of_slice(),
            states: self.run.progress.states.len() as u64,
            forks: self.run.progress.forks,
            paths: self.run.parts.results.tally.paths.total(),
            ended: self.run.parts.results.tally.ended,
            solver_time: self.run.bench.solver_session.time(),
        }
    }

    /// Instructions, states, forks and solver time of all threads.
    pub(in crate::engine) fn sums(&self) -> Numbers {
        match self.run.parts.shared_exploration {
            Some(member) => member.shared_exploration.sums(),
            None => self.numbers(),
        }
    }

    /// Work that is due between batches.
    pub(in crate::engine) fn meet_other_threads(&mut self) {
        let Some(member) = self.run.parts.shared_exploration else {
            return;
        };
        let (shared_exploration, tuning) =
            (member.shared_exploration, &self.run.bench.tuning.engine);
        member.publish(&self.numbers());
        if self.run.sharing.batch(tuning) {
            shared_exploration.note_states();
        }
        let progress = &mut self.run.progress;
        let learned = (self.run.sharing).learn(
            shared_exploration,
            &mut progress.coverage,
            &mut progress.observer,
        );
        if member.number == 0
            && !learned.is_empty()
            && let Some(profiling) = self.run.bench.recorder.lock().profiling()
        {
            profiling.learn(learned);
        }
        // The source that holds a state would not find it in another thread.
        if !self.run.parts.policies.holds_some() {
            self.exchange_states(member);
        }
    }

    /// Takes in the states that were sent to this thread, and sends states to others: to the next
    /// thread at certain numbers of states, so that all threads search all parts of the tree (the
    /// first transfer held only one part of it); and to a thread that waits, if some can be spared.
    fn exchange_states(&mut self, member: Member<'_>) {
        while let Some(transfer) = member.mail() {
            self.take_over(transfer);
        }
        let tuning = &self.run.bench.tuning.engine;
        let open = self.run.progress.states.len();
        if self.run.sharing.mixes(open, tuning) {
            let transfer = self.pack(&to_mix(&self.run.progress.states));
            if let Err(transfer) = member.shared_exploration.send(member.next(), transfer) {
                self.take_over(*transfer);
            }
        }
        if !member.shared_exploration.is_hungry() || self.run.progress.states.len() < 2 {
            return;
        }
        let chosen = to_give_away(&self.run.progress.states, tuning.transferred_states);
        if chosen.is_empty() {
            return;
        }
        let transfer = self.pack(&chosen);
        if let Err(transfer) = member.shared_exploration.offer(transfer) {
            self.take_over(*transfer);
        }
    }

    /// Removes states from this thread and packs them.
    pub(in crate::engine) fn pack(&mut self, ids: &[StateId]) -> TransferredStates {
        self.run.update_search(Changes {
            removed: ids,
            ..Changes::default()
        });
        let states = &mut self.run.progress.states;
        let taken = ids.iter().filter_map(|id| states.remove(id)).collect();
        TransferredStates::pack(
            taken,
            self.run.bench.terms,
            &self.run.progress.observer.call_paths,
        )
    }

    /// Continues states of another thread, too.
    pub fn take_over(&mut self, transfer: TransferredStates) {
        self.run.sharing.adopt(transfer.len());
        let call_paths = &mut self.run.progress.observer.call_paths;
        let states = transfer.unpack(self.run.bench.terms, call_paths);
        self.run.add_states(states);
    }

    /// Called when there is no state: returns why the run is over, or `None` if it continues,
    /// perhaps with work of another thread.
    pub(in crate::engine) fn more_work(&mut self) -> Option<StopReason> {
        if self.run.refill() {
            return None;
        }
        let underapproximations = &self.run.progress.observer.underapproximations;
        let Some(member) = self.run.parts.shared_exploration else {
            return Some(StopReason::without_states(underapproximations));
        };
        member.report_underapproximations(underapproximations);
        member.publish(&self.numbers());
        match member.wait() {
            Work::States(transfer) => {
                self.take_over(*transfer);
                None
            }
            Work::Nothing => None,
            Work::Over => Some(StopReason::without_states(
                &member.shared_exploration.underapproximations(),
            )),
        }
    }
}
