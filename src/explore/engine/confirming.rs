//! Greedy confirmation (FSE'13, section 5): when all below one side of a fork was followed, the
//! other side is explored at once, each point of the program once at most.
//!
//! Invariant: the search neither sees the states that are explored here nor their counts. What they
//! cover first is covered, with tests; a path that is not followed to its end makes the attempt
//! fail, and nothing of it is kept but what became full on the way.

use super::run::Engine;
use crate::explore::extensions::subsume::Confirmation;
use crate::explore::sources::RunView;
use crate::ir::util::clock::Moment;
use crate::machine::exec::{EarlyReason, MutedConsole, Observer, Step, Termination, World};
use crate::machine::state::{Siblings, State};
use crate::native::testcase::WriteError;

/// Instructions that one attempt may take.
const LONGEST: u64 = 1 << 20;
/// Instructions between two looks at whether the run was interrupted.
const SLICE: u64 = 50_000;

/// An attempt under way.
struct Attempt {
    confirmation: Confirmation,
    /// States that are still to be explored, the next one last.
    open: Siblings,
    /// Segments that were entered first, which no path has shown yet.
    segments: Vec<u32>,
    instructions: u64,
}

impl Attempt {
    /// Takes over what an observer saw first.
    fn take_segments(&mut self, observer: &mut Observer) {
        self.segments.append(&mut observer.new_segments);
        for news in observer.new_of_siblings.drain(..) {
            self.segments.extend(news.segments);
        }
        clear_news(observer);
    }
}

impl Engine<'_, '_> {
    /// Explores half sides on their own as long as some may make a node full.
    pub(super) fn confirm_greedily(&mut self) -> Result<(), WriteError> {
        loop {
            let next =
                (self.progress.subsumption.as_mut()).and_then(|tree| tree.next_confirmation());
            let Some((confirmation, state)) = next else {
                return Ok(());
            };
            let start = Moment::now();
            let mut observer = self.take_observer();
            let mut attempt = Attempt {
                confirmation,
                open: vec![state],
                segments: Vec::new(),
                instructions: 0,
            };
            let explored = self.explore_all(&mut attempt, &mut observer);
            self.note_beside(attempt.instructions);
            let confirmation = attempt.confirmation;
            let instructions = attempt.instructions;
            self.tell_tree(|tree, with, _| {
                tree.confirmed(with, confirmation);
                tree.note_greedy(instructions, start.elapsed().as_secs_f64());
            });
            self.progress.confirming = Some(observer);
            explored?;
        }
    }

    /// An observer that has seen what the run has.
    fn take_observer(&mut self) -> Observer {
        let executor = self.bench.executor;
        let program = executor.program();
        let entry = program.runtime_entry.unwrap_or(program.entry);
        let kept = self.progress.confirming.take();
        let mut observer = kept.unwrap_or_else(|| Observer::new(executor.segments(), entry));
        let own = &self.progress.observer;
        observer.call_paths.pad_to(own.call_paths.len());
        observer.segment_entries.clone_from(&own.segment_entries);
        clear_news(&mut observer);
        observer
    }

    /// Explores all states of an attempt; false if a path is not followed to its end.
    fn explore_all(
        &mut self,
        attempt: &mut Attempt,
        observer: &mut Observer,
    ) -> Result<bool, WriteError> {
        while let Some(mut state) = attempt.open.pop() {
            if attempt.instructions >= LONGEST
                || !self.explore_one(attempt, &mut state, observer)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Explores a state up to its next fork, or its end.
    fn explore_one(
        &mut self,
        attempt: &mut Attempt,
        state: &mut Box<State>,
        observer: &mut Observer,
    ) -> Result<bool, WriteError> {
        let (executor, prover) = (self.bench.executor, &mut *self.bench.prover);
        if let Err(absent) = executor.settle(state, prover, observer) {
            self.note_absent(state, absent);
            return Ok(absent == crate::machine::exec::Absent::Refuted);
        }
        if self.arrives_subsumed(state) {
            // It may be the first on a branch side.
            let termination = Termination::Early(EarlyReason::Subsumed);
            self.show(attempt, state, &termination, observer)?;
            return Ok(true);
        }
        let is_at_point = !state.standing.executes_again && state.ending.is_none();
        let tree = self.progress.subsumption.as_ref();
        if is_at_point
            && !tree.is_some_and(|tree| tree.may_explore(&mut attempt.confirmation, state))
        {
            return Ok(false);
        }
        loop {
            let world = World {
                host: self.bench.host,
                console: &mut MutedConsole,
            };
            let before = observer.instructions;
            let prover = &mut *self.bench.prover;
            let step = executor.run(state, prover, world, observer, SLICE);
            attempt.instructions += observer.instructions - before;
            match step {
                Step::Continue if attempt.instructions >= LONGEST => return Ok(false),
                Step::Continue if self.is_interrupted() => return Ok(false),
                Step::Continue => {}
                Step::Forked(mut siblings) => {
                    self.tell_tree(|tree, _, _| tree.forked(state, &mut siblings));
                    let siblings = siblings.into_iter().rev();
                    attempt.open.extend(siblings);
                    attempt.open.push(state.clone());
                    return Ok(true);
                }
                Step::Absent(absent) => {
                    self.note_absent(state, absent);
                    return Ok(absent == crate::machine::exec::Absent::Refuted);
                }
                Step::Ended(termination) => {
                    return self.end_of_confirmation(attempt, state, termination, observer);
                }
            }
        }
    }

    /// A test for a state that shows a bug, or took a branch side first, or was followed to its end
    /// after segments were entered first.
    fn show(
        &mut self,
        attempt: &mut Attempt,
        state: &State,
        termination: &Termination,
        observer: &mut Observer,
    ) -> Result<(), WriteError> {
        attempt.take_segments(observer);
        // Those that are known already are left out.
        observer.new_segments = std::mem::take(&mut attempt.segments);
        observer.new_sides = state.sides.iter().collect();
        self.finish_probe(state.clone(), termination, observer)?;
        Ok(())
    }

    fn is_interrupted(&self) -> bool {
        let interrupt = &self.bench.signals.interrupt;
        interrupt.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// A path of an attempt has ended: by itself, which may show something, or not.
    fn end_of_confirmation(
        &mut self,
        attempt: &mut Attempt,
        state: &State,
        termination: Termination,
        observer: &mut Observer,
    ) -> Result<bool, WriteError> {
        self.note_end(state, &termination);
        let is_end = matches!(
            termination,
            Termination::Exit(_) | Termination::Bug(_) | Termination::Silent
        );
        if !is_end {
            return Ok(false);
        }
        // A silent end has no test, and its sides are covered all the same.
        self.show(attempt, state, &termination, observer)?;
        Ok(true)
    }
}

fn clear_news(observer: &mut Observer) {
    observer.new_segments.clear();
    observer.new_sides.clear();
    observer.new_of_siblings.clear();
}
