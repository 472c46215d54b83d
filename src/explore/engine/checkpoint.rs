//! Checkpoints: what is open is written down while the run goes on and when it stops, so that
//! another session can go on with it.
//!
//! Invariant: a checkpoint is of one moment. Every path that left before has its test, its counts
//! and its coverage in it or in the directory, and every path that has not left is in it as an open
//! state. With several threads all wait while what each has is taken down.

use super::run::Engine;
use super::so_far::{SoFar, Unshown};
use super::threads::assembly::Came;
use super::tuning::Tuning;
use crate::explore::sources::checkpoint;
use crate::explore::sources::checkpoint::{Collector, Frontier, OpenState};
use crate::ir::util::clock::Moment;
use crate::machine::state::{CoveredFirst, DecisionList, State};
use crate::report::SharedLog;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A checkpoint that takes long is written this much more rarely than it takes.
const TIMES_ITS_COST: u32 = 10;

/// When the first checkpoint of a session is due: soon, since until then there is none.
pub(super) fn first_checkpoint(tuning: &Tuning) -> Duration {
    Duration::from_secs_f64(tuning.checkpoint_every / 10.0)
}

/// Where checkpoints of a run go, and what is in each of them.
pub struct Checkpoints<'r> {
    directory: PathBuf,
    /// Tells which run it is; asked once.
    describe: Box<dyn Fn() -> Value + Send + Sync + 'r>,
    described: OnceLock<Value>,
    /// What earlier sessions came to.
    earlier: SoFar,
    /// Open states of the last checkpoint of the run, once it is over.
    left: AtomicU64,
    /// Nothing is written: what is left once the run is over is for the caller.
    for_caller: bool,
    kept: Mutex<Option<Left>>,
}

/// What a run has come to and what it has left, for another one to go on with.
#[derive(Clone, Debug)]
pub struct Left {
    pub said: SoFar,
    pub frontier: Frontier,
}

/// What is taken down for a checkpoint.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    open: Collector,
    unshown: Unshown,
    said: Option<SoFar>,
}

impl Gathered {
    pub(super) fn add(&mut self, state: &State) {
        self.open.add(state);
        self.note_unshown(&state.covered_first);
    }

    /// Takes down what a state was.
    pub(super) fn add_before(&mut self, decisions: &DecisionList, open: OpenState) {
        self.open.add_decided(decisions, open);
    }

    /// The states that were taken down may go.
    pub(super) fn pause(&mut self) {
        self.open.pause();
    }

    pub(super) fn note_unshown(&mut self, covered: &CoveredFirst) {
        let (sides, segments) = covered.unclaimed();
        for side in sides {
            self.unshown.sides.insert(side);
        }
        for segment in segments {
            self.unshown.segments.insert(segment);
        }
    }

    fn say(&mut self, more: SoFar) {
        match &mut self.said {
            Some(said) => said.add(&more),
            said => *said = Some(more),
        }
    }
}

impl<'r> Checkpoints<'r> {
    /// Into an output directory. `describe` tells which run it is, `earlier` what earlier sessions
    /// of the directory came to.
    pub fn new(
        directory: PathBuf,
        describe: impl Fn() -> Value + Send + Sync + 'r,
        earlier: SoFar,
    ) -> Self {
        Self {
            directory,
            describe: Box::new(describe),
            described: OnceLock::new(),
            earlier,
            left: AtomicU64::new(0),
            for_caller: false,
            kept: Mutex::new(None),
        }
    }

    /// The same, but that no file is written: what the run leaves is asked for once it is over.
    pub fn for_caller(self) -> Self {
        Self {
            for_caller: true,
            ..self
        }
    }

    /// What the run has left, if it was kept for the caller.
    pub fn take_left(&self) -> Option<Left> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take()
    }

    /// What earlier sessions came to.
    pub fn earlier(&self) -> &SoFar {
        &self.earlier
    }

    /// Open states that the run has left; 0 if none could be written down.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// All that was taken down, with what earlier sessions came to.
    fn together(&self, gathered: Gathered) -> Left {
        let mut said = gathered.said.unwrap_or_default();
        said.leave_out(&gathered.unshown);
        said.sessions = self.earlier.sessions + 1;
        said.wall_s += self.earlier.wall_s;
        said.cpu_s += self.earlier.cpu_s;
        said.instructions += self.earlier.instructions;
        said.work += self.earlier.work;
        said.states_peak = said.states_peak.max(self.earlier.states_peak);
        said.solver.add(&self.earlier.solver);
        Left {
            said,
            frontier: gathered.open.finish(),
        }
    }

    /// Writes a checkpoint. A run goes on without: a full disk is warned of once.
    pub(super) fn write(&self, gathered: Gathered, log: &SharedLog) {
        let Left { said, frontier } = self.together(gathered);
        let head = self.described.get_or_init(&self.describe);
        match checkpoint::write(&self.directory, head, &said, &frontier) {
            Ok(_) => self
                .left
                .store(frontier.states.len() as u64, Ordering::Relaxed),
            Err(error) => {
                let text = format!(
                    "no checkpoint can be written ({error}): the run goes on, and --resume would \
                     begin with the last one that was"
                );
                log.lock().warning_once("checkpoint", &text);
            }
        }
    }

    /// The run is over, and this is what it has left.
    fn end(&self, gathered: Gathered, log: &SharedLog) {
        self.left.store(0, Ordering::Relaxed);
        if self.for_caller {
            let left = self.together(gathered);
            let open = left.frontier.states.len() as u64;
            self.left.store(open, Ordering::Relaxed);
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
            return;
        }
        match gathered.open.is_empty() {
            true => checkpoint::remove(&self.directory),
            false => self.write(gathered, log),
        }
    }
}

impl Engine<'_, '_> {
    /// Writes down what is open, if that is due.
    #[inline]
    pub(super) fn checkpoint_if_due(&mut self) {
        let Some(checkpoints) = self.parts.context.checkpoints.filter(|one| !one.for_caller) else {
            return;
        };
        let is_due = self.now >= self.next_checkpoint;
        match self.parts.team {
            None if is_due => {
                let began = Moment::now();
                let mut gathered = Gathered::default();
                self.take_down(&mut gathered);
                checkpoints.write(gathered, self.bench.log);
                self.next_checkpoint = self.now + self.checkpoint_interval(began.elapsed());
            }
            None => {}
            Some(member) => {
                if is_due && member.number == 0 {
                    self.next_checkpoint = self.now + self.checkpoint_interval(Duration::ZERO);
                    member.team.call_together();
                }
                let number = member.team.assembly.number();
                if number != self.checkpoint_number {
                    self.checkpoint_number = number;
                    self.assemble_for(checkpoints, number);
                }
            }
        }
    }

    /// When the next checkpoint is due after one that took so long.
    fn checkpoint_interval(&self, cost: Duration) -> Duration {
        let usual = Duration::from_secs_f64(self.bench.tuning.engine.checkpoint_every);
        usual.max(cost * TIMES_ITS_COST)
    }

    /// Takes down what this thread has, and waits until all have.
    fn assemble_for(&mut self, checkpoints: &Checkpoints<'_>, number: u64) {
        let Some(member) = self.parts.team else {
            return;
        };
        let (team, began) = (member.team, Moment::now());
        let assembly = &team.assembly;
        match assembly.come(number, team.size(), |gathered| self.take_down(gathered)) {
            Came::Last(mut gathered) => {
                team.visit_transfers(&mut |state| gathered.add(state));
                gathered.pause();
                checkpoints.write(*gathered, self.bench.log);
                assembly.go_on(number);
            }
            Came::Earlier => {
                let patience = self.bench.tuning.engine.checkpoint_patience;
                assembly.wait(number, team.size(), Duration::from_secs_f64(patience));
            }
            Came::TooLate => {}
        }
        if member.number == 0 {
            let interval = self.checkpoint_interval(began.elapsed());
            self.next_checkpoint = self.next_checkpoint.max(self.now + interval);
        }
    }

    /// Writes down what a run that stops has left.
    pub(super) fn checkpoint_at_end(&mut self) {
        let Some(checkpoints) = self.parts.context.checkpoints else {
            return;
        };
        let gathered = match self.parts.team {
            None => {
                let mut gathered = Gathered::default();
                self.take_down(&mut gathered);
                Some(gathered)
            }
            Some(member) => {
                let (team, assembly) = (member.team, &member.team.assembly);
                assembly.come_at_end(team.size(), |gathered| self.take_down(gathered))
            }
        };
        if let Some(gathered) = gathered {
            checkpoints.end(gathered, self.bench.log);
        }
    }

    /// Takes down what this thread has.
    fn take_down(&self, gathered: &mut Gathered) {
        for (id, state) in &self.progress.states {
            match self.cut_turns.made(*id) {
                true => gathered.note_unshown(&state.covered_first),
                false => gathered.add(state),
            }
        }
        self.cut_turns.take_down(gathered);
        for root in &self.parts.policies.roots {
            root.take_down(&mut gathered.open);
            root.visit_states(&mut |state| gathered.note_unshown(&state.covered_first));
        }
        for side in self.parts.results.orphans().iter() {
            gathered.unshown.sides.insert(side);
        }
        gathered.pause();
        gathered.say(self.so_far());
    }

    /// What this thread's session has come to, without earlier ones but for what is counted on.
    fn so_far(&self) -> SoFar {
        let observer = &self.progress.observer;
        let entered = (0..).zip(&observer.segment_entries);
        let entered = entered.filter(|(_, entries)| **entries > 0);
        SoFar {
            sessions: 0,
            last_test: self.parts.results.last_test(),
            unmet: self.parts.results.unmet(),
            wall_s: self.session_time().as_secs_f64(),
            cpu_s: super::memory::process_memory::processor_time().as_secs_f64(),
            instructions: observer.instructions - self.instructions_at_start,
            work: self.own_work(),
            states_peak: self.progress.states_peak as u64,
            tally: self.parts.results.tally.clone(),
            narrowed: observer.narrowed.clone(),
            solver: self.bench.prover.summary(),
            sides: observer.sides.iter().collect(),
            segments: entered.map(|(segment, _)| segment).collect(),
        }
    }

    /// What earlier sessions covered counts as covered, and is nobody's news.
    pub(super) fn take_up_earlier(&mut self) {
        let Some(checkpoints) = self.parts.context.checkpoints else {
            return;
        };
        let earlier = checkpoints.earlier();
        let observer = &mut self.progress.observer;
        for segment in &earlier.segments {
            if let Some(entries) = observer.segment_entries.get_mut(*segment as usize)
                && *entries == 0
            {
                *entries = 1;
                observer.new_segments.push(*segment);
                self.learned.push(*segment);
            }
        }
        for side in &earlier.sides {
            observer.take_side(*side);
        }
        let fresh = self.absorb_coverage();
        self.note_covered(&fresh);
    }
}
