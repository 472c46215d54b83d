//! What an engine does for its team between turns: tells how far it is, learns what others covered,
//! gives work away, waits for work.
//!
//! Invariant: an engine without a team does nothing here, so one thread runs as if there were no
//! others.

use super::team::{Numbers, Work};
use crate::explore::coverage::{Fresh, TurnNews};
use crate::explore::engine::run::Engine;
use crate::explore::engine::stop::StopReason;

impl Engine<'_, '_> {
    /// The number of this thread; 0 shows the status.
    pub(in crate::explore::engine) fn thread(&self) -> usize {
        match self.parts.team {
            Some(member) => member.number,
            None => self.parts.context.lane,
        }
    }

    /// The number of the state with a local id, different for all states of a run.
    pub(in crate::explore::engine) fn sequence(&self, id: usize) -> u64 {
        match self.parts.team {
            Some(member) => (id * member.team.size() + member.number) as u64,
            None => id as u64,
        }
    }

    fn numbers(&self) -> Numbers {
        Numbers {
            instructions: self.progress.observer.instructions,
            work: self.own_work(),
            states: self.progress.states.len() as u64,
            forks: self.progress.forks,
            paths: self.parts.results.tally.paths.total(),
            ended: self.parts.results.tally.ended,
            solver_time: self.bench.prover.time(),
        }
    }

    /// Instructions, states, forks and solver time of all threads.
    pub(in crate::explore::engine) fn sums(&self) -> Numbers {
        match self.parts.team {
            Some(member) => member.team.sums(),
            None => self.numbers(),
        }
    }

    /// Instructions that count against the budget. With several threads the turns under way are not
    /// in them, so each thread may go beyond the budget by a turn.
    pub(in crate::explore::engine) fn instructions_for_budget(&self) -> u64 {
        match self.parts.team {
            // Looking at the other threads' numbers costs something.
            Some(member) if self.budget.counts_instructions() => member.team.sums().instructions,
            _ => self.progress.observer.instructions,
        }
    }

    /// Work that counts against the budget, with the same reservation; 0 if none does.
    #[inline(always)]
    pub(in crate::explore::engine) fn work_for_budget(&self) -> u64 {
        match self.parts.team {
            // Asked several times in a turn, and asking the solver costs something.
            _ if !self.budget.counts_work() => 0,
            Some(member) => member.team.sums().work,
            _ => self.own_work(),
        }
    }

    /// It is for other threads to give up states: this one has none to spare, or few compared with
    /// them.
    pub(in crate::explore::engine) fn others_have_most_states(&self) -> bool {
        let Some(member) = self.parts.team else {
            return false;
        };
        member.publish(&self.numbers());
        let own = self.progress.states.len() as u64;
        let fair = member.team.sums().states / member.team.size() as u64;
        member.team.can_spare_states() && (own <= 1 || own < fair / 2)
    }

    /// What has been covered for the first time since the last call, by any thread.
    pub(in crate::explore::engine) fn absorb_coverage(&mut self) -> Fresh {
        let others = self.parts.team.map(|member| &member.team.coverage);
        let progress = &mut self.progress;
        let news = progress.coverage.absorb(&mut progress.observer, others);
        news.map(TurnNews::of_one_path).unwrap_or_default()
    }

    /// What is due between turns.
    pub(in crate::explore::engine) fn meet_team(&mut self) {
        let Some(member) = self.parts.team else {
            return;
        };
        let team = member.team;
        member.publish(&self.numbers());
        self.turns += 1;
        if self.turns % self.bench.tuning.engine.turns_per_look == 0 {
            team.note_states();
        }
        let version = team.coverage.version();
        if version != self.coverage_version {
            self.coverage_version = version;
            let progress = &mut self.progress;
            let learned = progress
                .coverage
                .learn(&mut progress.observer, &team.coverage);
            if member.number == 0
                && let Some(profiling) = self.bench.recorder.lock().profiling()
            {
                profiling.learn(&learned);
            }
            self.learned.extend(learned);
        }
        // The source that holds a state would not find it in another thread.
        if !self.holds_states() {
            self.mix();
            self.share_work();
        }
    }

    /// There is no state: why the run is over, or nothing if it goes on, perhaps with work of
    /// another thread.
    pub(in crate::explore::engine) fn more_work(&mut self) -> Option<StopReason> {
        if self.refill() {
            return None;
        }
        let narrowed = &self.progress.observer.narrowed;
        let Some(member) = self.parts.team else {
            return Some(StopReason::without_states(narrowed));
        };
        member.tell_narrowed(narrowed);
        member.publish(&self.numbers());
        match member.wait() {
            Work::States(transfer) => {
                self.adopt(*transfer);
                None
            }
            Work::Nothing => None,
            Work::Over => Some(StopReason::without_states(&member.team.narrowed())),
        }
    }
}
