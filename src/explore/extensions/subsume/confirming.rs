//! Greedy confirmation (FSE'13, section 5): when all paths below one side of a fork are explored,
//! the other side is explored immediately, each program point at most once.
//!
//! Invariant: the searcher sees neither the states that are explored here nor their counts. Code
//! that they cover first counts as covered, with tests. A path that is not explored to its end
//! makes the attempt fail, and only nodes that became full on the way are kept.

use super::confirmation::Confirmation;
use super::subsuming::Subsuming;
use crate::extensions::{ExtensionView, Lent};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Absent, EarlyReason, MutedConsole, Observer, Step, Termination, World};
use homi_machine::state::{Siblings, State};
use homi_native::testcase::WriteError;

/// Maximum number of instructions of one attempt.
const LONGEST: u64 = 1 << 20;
/// Instructions between two checks for an interruption of the run.
const SLICE: u64 = 50_000;

/// Attempt in progress.
struct Attempt {
    confirmation: Confirmation,
    /// States that are still to be explored, the next one last.
    open: Siblings,
    /// Segments that were entered first and that no test covers yet.
    segments: Vec<u32>,
    instructions: u64,
}

impl Attempt {
    /// Takes over the first entries of an observer.
    fn take_segments(&mut self, observer: &mut Observer) {
        self.segments.append(&mut observer.new_segments);
        for news in observer.new_of_siblings.drain(..) {
            self.segments.extend(news.segments);
        }
        clear_news(observer);
    }
}

impl Subsuming {
    /// Explores half sides separately as long as some may make a node full.
    pub(super) fn confirm_greedily(
        &mut self,
        run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        while let Some((confirmation, state)) = self.tree.next_confirmation() {
            let begun = self.open_account(run);
            let start = Moment::now();
            let mut observer = self.take_observer(run);
            let mut attempt = Attempt {
                confirmation,
                open: vec![state],
                segments: Vec::new(),
                instructions: 0,
            };
            let explored = self.explore_all(&mut attempt, &mut observer, run);
            run.note_work(attempt.instructions, 0);
            let confirmation = attempt.confirmation;
            let instructions = attempt.instructions;
            self.with_tree(run, |tree, with, _| {
                tree.confirmed(with, confirmation);
                tree.note_greedy(instructions, start.elapsed().as_secs_f64());
            });
            self.close_account(begun, run);
            self.main_observer = Some(observer);
            explored?;
        }
        Ok(())
    }

    /// Returns an observer that has seen the coverage of the run.
    fn take_observer(&mut self, run: &mut dyn ExtensionView) -> Observer {
        let program = run.program();
        let entry = program.runtime_entry.unwrap_or(program.entry);
        let kept = self.main_observer.take();
        let executor = run.lend().executor;
        let mut observer = kept.unwrap_or_else(|| Observer::new(executor.segments(), entry));
        let own = run.observer();
        observer.call_paths.pad_to(own.call_paths.len());
        observer.segment_entries.clone_from(&own.segment_entries);
        clear_news(&mut observer);
        observer
    }

    /// Explores all states of an attempt; returns false if a path is not explored to its end, or if
    /// subsumption pauses.
    fn explore_all(
        &mut self,
        attempt: &mut Attempt,
        observer: &mut Observer,
        run: &mut dyn ExtensionView,
    ) -> Result<bool, WriteError> {
        while let Some(mut state) = attempt.open.pop() {
            let is_cut = attempt.instructions >= LONGEST || self.decide(run);
            if is_cut || !self.explore_one(attempt, &mut state, observer, run)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Explores a state up to its next fork or its end.
    fn explore_one(
        &mut self,
        attempt: &mut Attempt,
        state: &mut Box<State>,
        observer: &mut Observer,
        run: &mut dyn ExtensionView,
    ) -> Result<bool, WriteError> {
        let Lent {
            executor, oracle, ..
        } = run.lend();
        if let Err(absent) = executor.check_pending(state, oracle, observer) {
            self.note_absent(state, absent, run);
            return Ok(absent == Absent::Infeasible);
        }
        if self.arrives(state, run) {
            // The state may be the first on a branch side.
            let termination = Termination::Early(EarlyReason::Subsumed);
            show(attempt, state, &termination, observer, run)?;
            return Ok(true);
        }
        let is_at_point = !state.standing.executes_again && state.ending.is_none();
        if is_at_point && !self.tree.may_explore(&mut attempt.confirmation, state) {
            return Ok(false);
        }
        loop {
            let lent = run.lend();
            let world = World {
                host: lent.host,
                console: &mut MutedConsole,
            };
            let before = observer.instructions;
            let step = lent
                .executor
                .run(state, lent.oracle, world, observer, SLICE);
            attempt.instructions += observer.instructions - before;
            match step {
                Step::Continue if attempt.instructions >= LONGEST => return Ok(false),
                Step::Continue if run.is_interrupted() => return Ok(false),
                Step::Continue => {}
                Step::Forked(mut siblings) => {
                    self.with_tree(run, |tree, _, _| tree.forked(state, &mut siblings));
                    let siblings = siblings.into_iter().rev();
                    attempt.open.extend(siblings);
                    attempt.open.push(state.clone());
                    return Ok(true);
                }
                Step::Absent(absent) => {
                    self.note_absent(state, absent, run);
                    return Ok(absent == Absent::Infeasible);
                }
                Step::Ended(termination) => {
                    self.note_end(state, &termination, run);
                    return show_end(attempt, state, &termination, observer, run);
                }
            }
        }
    }
}

/// Writes a test for a state that found a bug or took a branch side first, or that ended after
/// segments were entered first.
fn show(
    attempt: &mut Attempt,
    state: &State,
    termination: &Termination,
    observer: &mut Observer,
    run: &mut dyn ExtensionView,
) -> Result<(), WriteError> {
    attempt.take_segments(observer);
    // The run ignores the segments that it knows already.
    observer.new_segments = std::mem::take(&mut attempt.segments);
    observer.new_sides = state.sides.iter().collect();
    run.finish_fuzzing_run(state.clone(), termination, observer, None)?;
    Ok(())
}

/// Handles the end of a path in an attempt. Returns false if the path did not end in the program.
fn show_end(
    attempt: &mut Attempt,
    state: &State,
    termination: &Termination,
    observer: &mut Observer,
    run: &mut dyn ExtensionView,
) -> Result<bool, WriteError> {
    let is_end = matches!(
        termination,
        Termination::Exit(_) | Termination::Bug(_) | Termination::Silent
    );
    if is_end {
        // A silent end has no test, but its sides count as covered.
        show(attempt, state, termination, observer, run)?;
    }
    Ok(is_end)
}

fn clear_news(observer: &mut Observer) {
    observer.new_segments.clear();
    observer.new_sides.clear();
    observer.new_of_siblings.clear();
}
