//! Paths of a general state: all of them, one after the other, to the loop head, out of the loop,
//! or to the end of the program.

use super::super::console::MutedConsole;
use super::super::context::Context;
use super::super::observer::Observer;
use crate::outcome::{EarlyReason, Termination};
use crate::state::{LoopHead, Siblings, State, block_of};
use homi_ir::program::FuncId;
use homi_ir::program::flow::{BlockFlow, is_reducible, loops};

/// Paths that wait at once.
const MOST_WAITING: usize = 2_000;

/// End of a path of a general state.
pub(super) enum PathEnd {
    /// The path is at the loop head again.
    Back,
    /// The path has left the loop.
    Left,
    Ended(Termination),
}

/// The blocks of a loop in a running call.
pub(super) struct Body {
    pub head: LoopHead,
    function: FuncId,
    blocks: Vec<bool>,
}

/// Paths that are followed.
#[derive(Clone, Copy)]
pub(super) enum Extent<'b> {
    /// To the end of the program.
    Program,
    /// Until they leave the body.
    Within(&'b Body),
    /// To the end of the program, but until they leave the body in the rounds in which the property
    /// is assumed.
    AssumedIn(&'b Body),
}

impl Extent<'_> {
    fn has_left(self, context: &Context<'_, '_>, state: &State) -> bool {
        match self {
            Extent::Program => false,
            Extent::Within(body) => !body.holds(context, state),
            Extent::AssumedIn(body) => state.loops.is_assumed() && !body.holds(context, state),
        }
    }

    /// True if a path that meets the loop head of a state goes on as other rounds of this body.
    fn is_round(self, state: &State) -> bool {
        match self {
            Extent::Within(body) => body.head == LoopHead::of(state.frames.top()),
            Extent::Program | Extent::AssumedIn(_) => false,
        }
    }
}

impl Body {
    /// True if a state is in the body, or in a call from there.
    fn holds(&self, context: &Context<'_, '_>, state: &State) -> bool {
        let at = state.frames.iter().enumerate();
        let mut own = at.filter(|(_, frame)| frame.serial == self.head.serial);
        own.next().is_some_and(|(depth, frame)| {
            let pc = if depth == 0 { frame.pc } else { frame.pc - 1 };
            let block = block_of(context.program().function(self.function), pc);
            self.blocks.get(block.index()).copied().unwrap_or(false)
        })
    }
}

impl Context<'_, '_> {
    /// Returns the loop whose head the state is at.
    pub(super) fn body(&self) -> Option<Body> {
        let frame = self.state.frames.top();
        let function = self.function();
        let head = block_of(function, frame.pc);
        let flow = BlockFlow::of(self.program(), function);
        let all = loops(&flow);
        if !is_reducible(&flow, &all) || !function.landings.is_empty() {
            return None;
        }
        let found = all.into_iter().find(|one| one.head == head.0)?;
        Some(Body {
            head: LoopHead::of(frame),
            function: frame.function,
            blocks: found.blocks,
        })
    }

    /// Follows all paths of a state of a proof as far as the extent says. Calls `end` for each end
    /// of a path, with its last state. `None` if the attempt fails.
    pub(super) fn follow(
        &mut self,
        start: Box<State>,
        extent: Extent<'_>,
        end: &mut dyn FnMut(&mut Self, &State, PathEnd) -> Option<()>,
    ) -> Option<()> {
        let mut waiting = vec![start];
        while let Some(mut state) = waiting.pop() {
            let ended = loop {
                if let Some(ending) = state.ending.take() {
                    break PathEnd::Ended(*ending);
                }
                if extent.has_left(self, &state) {
                    break PathEnd::Left;
                }
                if let Some(termination) = self.step_of(&mut state, &mut waiting)? {
                    let is_met = matches!(termination, Termination::Early(EarlyReason::Subsumed));
                    break if is_met && extent.is_round(&state) {
                        PathEnd::Back
                    } else {
                        PathEnd::Ended(termination)
                    };
                }
            };
            end(self, &state, ended)?;
        }
        Some(())
    }

    /// Executes one instruction of another state. Returns the end of its path, if it ends.
    fn step_of(
        &mut self,
        state: &mut State,
        waiting: &mut Siblings,
    ) -> Option<Option<Termination>> {
        let proofs = &mut self.observer.proofs;
        proofs.left = proofs.left.checked_sub(1)?;
        let mut siblings = Siblings::new();
        let unknowns = self.observer.unknowns;
        let stepped = Context {
            prepared: self.prepared,
            state,
            oracle: &mut *self.oracle,
            host: self.host,
            console: &mut MutedConsole,
            observer: &mut *self.observer,
            siblings: &mut siblings,
        }
        .step_or_end();
        let is_open = |state: &State| state.pending_check.is_none();
        let lost = !state.underapproximations.is_empty() || !siblings.iter().all(|s| is_open(s));
        let is_late =
            !siblings.is_empty() && self.oracle.effort().work > self.observer.proofs.until_work;
        if lost || is_late || self.observer.unknowns != unknowns || state.threads.has_others() {
            return None;
        }
        waiting.append(&mut siblings);
        (waiting.len() <= MOST_WAITING).then(|| stepped.err())
    }
}

impl Observer {
    /// Returns an observer for general states, whose coverage does not count.
    pub(super) fn for_proofs(&self) -> Observer {
        let mut observer = self.clone();
        observer.new_segments.clear();
        observer.new_sides.clear();
        observer.new_of_siblings.clear();
        observer
    }
}
