//! The executor: `run` advances one state of a prepared program.
//!
//! Invariant: nothing in an `Executor` changes while states run, so any number of states and
//! threads can use one.

use super::config::{ExecConfig, Speed};
use super::console::Console;
use super::context::Context;
use super::fast::decode::{Decoded, Decoder};
use super::globals::SetupError;
use super::location_limits;
use super::observer::Observer;
use super::prepared::PreparedProgram;
use super::world::World;
use crate::outcome::Termination;
use crate::state::{CallPathId, Continuation, Siblings, State};
use homi_ir::ops::float::Rounding;
use homi_ir::program::{FuncId, LocId, Program};
use homi_solver::Oracle;
use homi_solver::term::Terms;
use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Instructions between two looks at the interrupt flag.
const INTERRUPT_INTERVAL: u64 = 50_000;

/// Result of running a state.
#[derive(Clone)]
pub enum Step {
    /// The budget is used up, the run was interrupted, or the state has closed a merge; it can go
    /// on.
    Continue,
    /// The state forked; it can continue, and so can each sibling. A sibling with `ending` set only
    /// has to be ended. Siblings come in a deterministic order.
    Forked(Siblings),
    /// The state is over.
    Ended(Termination),
    /// The pending side is infeasible or unknown: the path does not exist, or is dropped, which the
    /// observer has recorded.
    Absent(Absent),
}

/// Reason why a pending state does not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absent {
    /// Its side is not possible.
    Infeasible,
    /// The solver gave up on its side.
    Unknown,
}

/// A program ready to run.
pub struct Executor<'a> {
    prepared: PreparedProgram<'a>,
    /// Functions as operations, made when they are first run.
    decoded: Vec<OnceLock<Decoded>>,
    interrupt: &'a AtomicBool,
}

impl<'a> Deref for Executor<'a> {
    type Target = PreparedProgram<'a>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.prepared
    }
}

impl<'a> Executor<'a> {
    /// Prepares a program. `interrupt`, once true, makes `run` return within some 50,000
    /// instructions.
    pub fn new(
        program: &'a Program,
        terms: &'a Terms,
        config: &'a ExecConfig,
        interrupt: &'a AtomicBool,
    ) -> Result<Self, SetupError> {
        Ok(Self {
            prepared: PreparedProgram::new(program, terms, config)?,
            decoded: program.functions.iter().map(|_| OnceLock::new()).collect(),
            interrupt,
        })
    }

    /// A function as operations for the concrete loop.
    #[inline]
    pub(super) fn decoded(&self, function: FuncId) -> &Decoded {
        let slot = &self.decoded[function.index()];
        slot.get_or_init(|| self.decode(function))
    }

    #[cold]
    fn decode(&self, id: FuncId) -> Decoded {
        self.with_decoder(id, |decoder| decoder.decode())
    }

    /// Calls `act` with the decoder of a function.
    pub(super) fn with_decoder<T>(&self, id: FuncId, act: impl FnOnce(&Decoder<'_>) -> T) -> T {
        let layout = &self.layouts[id.index()];
        let decoder = Decoder {
            function: self.program.function(id),
            id,
            segments: &self.segments,
            general_floats: self.general_floats,
            frame_offset: &|object| u32::try_from(layout.offset(object)).ok(),
            plain: &|callee| {
                let function = self.program.function(callee);
                let fine = function.is_defined()
                    && self.broken[callee.index()].is_none()
                    && !self.is_builtin(callee);
                fine.then_some(function)
            },
            registers: &|function| &self.templates[function.index()],
        };
        act(&decoder)
    }

    /// Runs a state until it forks, ends, has executed `max_instructions` more, or is interrupted.
    pub fn run(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
        max_instructions: u64,
    ) -> Step {
        self.end_wait(state, observer);
        let step = self.run_on(state, oracle, world, observer, max_instructions);
        if !matches!(step, Step::Ended(_)) && observer.counts_waiting() {
            let top = state.frames.top();
            let segment = self.segments.segment(top.function, top.pc);
            // The state is at the first instruction: the segment is entered, and not begun.
            if self.segments.range(segment).1 == top.pc {
                state.standing.waits = observer.begin_wait(segment);
            }
        }
        step
    }

    /// A state that waited before a segment begins it.
    fn end_wait(&self, state: &mut State, observer: &mut Observer) {
        if std::mem::take(&mut state.standing.waits) {
            let top = state.frames.top();
            observer.end_wait(self.segments.segment(top.function, top.pc));
        }
    }

    fn run_on(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
        max_instructions: u64,
    ) -> Step {
        if let Some(ending) = state.ending.take() {
            return Step::Ended(state.threads.ending(*ending));
        }
        let end = state.threads.goes_on_until;
        if end.is_some_and(|end| state.metrics.instructions >= end) {
            return Step::Ended(Termination::Silent);
        }
        if state.pending_check.is_some()
            && let Err(absent) = self.check_pending(state, oracle, observer)
        {
            return Step::Absent(absent);
        }
        if !state.standing.entered {
            state.standing.entered = true;
            let segment = self.segments.segment(state.frames.top().function, 0);
            if observer.enter_segment(segment) {
                state.metrics.note_new(0);
            }
        }
        if let Some(merges) = &mut state.merges {
            merges.take_closed();
        }
        let mut remaining = max_instructions;
        let mut siblings = Vec::new();
        while remaining > 0 {
            self.tick_if_due(state, observer);
            let slice = remaining
                .min(INTERRUPT_INTERVAL)
                .min(state.threads.until_tick(state.metrics.instructions));
            let executed = match self.config.speed {
                Speed::General => 0,
                // The fast ways round to nearest.
                _ if state.floats.rounding != Rounding::Nearest => 0,
                Speed::Decoded | Speed::Checked => self.run_fast(state, observer, slice),
            };
            remaining = remaining.saturating_sub(executed);
            if executed < slice {
                // The next instruction needs the general way.
                remaining = remaining.saturating_sub(1);
                let world = World {
                    host: world.host,
                    console: &mut *world.console,
                };
                match self.step_once(state, oracle, world, observer, &mut siblings) {
                    Step::Continue if closes_merge(state) => return Step::Continue,
                    Step::Continue => {}
                    other => return other,
                }
            }
            if self.interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        Step::Continue
    }

    /// Returns true if the next instruction has reached its limit of forks or queries.
    fn is_over_its_limit(&self, state: &State, observer: &Observer) -> bool {
        let top = state.frames.top();
        let site = (top.call_path, top.pc);
        self.limits_locations
            && location_limits::are_exceeded(&self.config.budget, observer, top.function, site)
    }

    /// Warns that only one side of a condition was followed, since its location reached its limit.
    fn warn_of_limit(&self, (function, pc): (FuncId, u32), console: &mut dyn Console) {
        let locations = &self.program.function(function).locations;
        let location = locations.get(pc as usize).copied().unwrap_or(LocId(0));
        let place = self.program.describe_location(location);
        let text = format!(
            "skipping fork and concretizing condition (MaxStatic*Pct limit reached) at {place}"
        );
        console.warning_once(&text, &text);
    }

    /// Executes one instruction the general way. `siblings` is empty, and so it is left.
    fn step_once(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
        siblings: &mut Siblings,
    ) -> Step {
        let top = state.frames.top();
        let (function, site) = (top.function, (top.call_path, top.pc));
        let before = oracle.effort();
        let is_over_its_limit = state.forks.enabled && self.is_over_its_limit(state, observer);
        let decisions = state.decisions.len();
        state.forks.enabled &= !is_over_its_limit;
        observer.begin_step();
        let mut context = Context {
            prepared: self,
            state,
            oracle,
            host: world.host,
            console: &mut *world.console,
            observer,
            siblings,
        };
        let stepped = context.step_or_end();
        if is_over_its_limit {
            state.forks.enabled = true;
            siblings.iter_mut().for_each(|one| one.forks.enabled = true);
            if state.decisions.len() > decisions {
                self.warn_of_limit((function, site.1), world.console);
            }
        }
        observer
            .sites
            .record(site, before, oracle.effort(), siblings.len());
        state.standing.executes_again = false;
        if let Err(termination) = stepped {
            let termination = state.threads.ending(termination);
            if siblings.is_empty() {
                return Step::Ended(termination);
            }
            state.ending = Some(Box::new(termination));
        }
        if siblings.is_empty() {
            return Step::Continue;
        }
        self.note_again(siblings, site);
        Step::Forked(std::mem::take(siblings))
    }

    /// Executes the next instruction of a state whose path is followed once more, the general way.
    pub fn reexecute(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
    ) -> Step {
        if let Some(ending) = state.ending.take() {
            return Step::Ended(state.threads.ending(*ending));
        }
        self.tick_if_due(state, observer);
        self.step_once(state, oracle, world, observer, &mut Vec::new())
    }

    /// Notes which siblings execute the instruction again. They have not executed it yet: so a path
    /// has as many instructions as an execution of its input, if that is wanted.
    fn note_again(&self, siblings: &mut Siblings, (call_path, pc): (CallPathId, u32)) {
        let traceable = self.config.subsume.is_some();
        for sibling in siblings {
            let top = sibling.frames.top();
            let leaves = sibling.pending_check.as_ref();
            let leaves = leaves
                .is_some_and(|pending_check| pending_check.continuation != Continuation::Again);
            let again = (top.call_path, top.pc) == (call_path, pc) && !leaves;
            sibling.standing.executes_again = again && sibling.ending.is_none();
            if sibling.standing.executes_again && (traceable || sibling.forks.lazy) {
                sibling.metrics.instructions -= 1;
            }
        }
    }
}

/// Returns true if a state has just closed a merge, so that the engine must handle it first.
fn closes_merge(state: &State) -> bool {
    let merges = state.merges.as_ref();
    merges.is_some_and(|merges| merges.has_closed())
}
