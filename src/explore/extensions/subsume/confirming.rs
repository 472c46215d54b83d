//! Greedy confirmation (FSE'13, section 5): when all below one side of a fork was followed, the
//! other side is explored at once, each point of the program once at most.
//!
//! Invariant: the search neither sees the states that are explored here nor their counts. What they
//! cover first is covered, with tests; a path that is not followed to its end makes the attempt
//! fail, and nothing of it is kept but what became full on the way.

use super::confirmation::Confirmation;
use super::subsuming::Subsuming;
use crate::explore::extensions::{ExtensionView, Lent};
use crate::ir::util::clock::Moment;
use crate::machine::exec::{Absent, EarlyReason, MutedConsole, Observer, Step, Termination, World};
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

impl Subsuming {
    /// Explores half sides on their own as long as some may make a node full.
    pub(super) fn confirm_greedily(
        &mut self,
        run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        while let Some((confirmation, state)) = self.tree.next_confirmation() {
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
            self.tell(run, |tree, with, _| {
                tree.confirmed(with, confirmation);
                tree.note_greedy(instructions, start.elapsed().as_secs_f64());
            });
            self.aside = Some(observer);
            explored?;
        }
        Ok(())
    }

    /// An observer that has seen what the run has.
    fn take_observer(&mut self, run: &mut dyn ExtensionView) -> Observer {
        let program = run.program();
        let entry = program.runtime_entry.unwrap_or(program.entry);
        let kept = self.aside.take();
        let executor = run.lend().executor;
        let mut observer = kept.unwrap_or_else(|| Observer::new(executor.segments(), entry));
        let own = run.observer();
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
        run: &mut dyn ExtensionView,
    ) -> Result<bool, WriteError> {
        while let Some(mut state) = attempt.open.pop() {
            if attempt.instructions >= LONGEST
                || !self.explore_one(attempt, &mut state, observer, run)?
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
            // It may be the first on a branch side.
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
                    self.tell(run, |tree, _, _| tree.forked(state, &mut siblings));
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

/// A test for a state that shows a bug, or took a branch side first, or was followed to its end
/// after segments were entered first.
fn show(
    attempt: &mut Attempt,
    state: &State,
    termination: &Termination,
    observer: &mut Observer,
    run: &mut dyn ExtensionView,
) -> Result<(), WriteError> {
    attempt.take_segments(observer);
    // Those that are known already are left out.
    observer.new_segments = std::mem::take(&mut attempt.segments);
    observer.new_sides = state.sides.iter().collect();
    run.finish_fuzzing_run(state.clone(), termination, observer)?;
    Ok(())
}

/// A path of an attempt has ended: by itself, which may show something, or not, for which this
/// returns false.
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
        // A silent end has no test, and its sides are covered all the same.
        show(attempt, state, termination, observer, run)?;
    }
    Ok(is_end)
}

fn clear_news(observer: &mut Observer) {
    observer.new_segments.clear();
    observer.new_sides.clear();
    observer.new_of_siblings.clear();
}
