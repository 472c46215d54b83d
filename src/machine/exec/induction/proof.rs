//! The proof at a loop head: a general state takes the path's place.

use super::super::context::Context;
use super::super::observer::Observer;
use super::record::MOST_FAILURES;
use super::reduction::Reduced;
use super::rounds::PathEnd;
use crate::outcome::{BugKind, EarlyReason, Termination};
use crate::state::{LoopHead, block_of};
use homi_ir::program::FuncId;
use homi_ir::program::flow::{BlockFlow, loops};

/// Loops within loops that are replaced.
const MOST_NESTED: usize = 3;

impl Context<'_, '_> {
    /// A path meets a loop head. Returns true if a general state has taken the place of this one,
    /// behind the call; ends the path if it is proven, or if the loop has been.
    pub(in crate::exec) fn meet_loop(&mut self) -> Result<bool, Termination> {
        let frame = self.state.frames.top();
        let (place, head) = ((frame.function, frame.pc), LoopHead::of(frame));
        if self.state.loops.general.contains(&head) {
            return Err(Termination::Early(EarlyReason::Subsumed));
        }
        self.forget_left();
        let is_general = self.state.loops.is_general;
        let is_affordable = self.state.loops.general.len() <= MOST_NESTED && self.may_generalize();
        let replaced = match (is_affordable, is_general) {
            (false, _) => None,
            (true, true) => self.generalize(place),
            (true, false) if self.may_attempt(place) => {
                if self.attempt(place).is_some() {
                    return Err(Termination::Early(EarlyReason::Subsumed));
                }
                None
            }
            (true, false) => None,
        };
        if replaced.is_none() {
            self.observer.proofs.of(place).failures += 1;
        }
        Ok(replaced.is_some())
    }

    /// Puts a general state in the place of this one, which is general too.
    fn generalize(&mut self, place: (FuncId, u32)) -> Option<()> {
        let body = self.body()?;
        let reduced = self.reduce(&body)?;
        let conjuncts = self.conjuncts(&reduced.invariants);
        self.observer.proofs.of(place).state(conjuncts);
        *self.state = *reduced.state;
        Some(())
    }

    /// True if another attempt to prove a loop is worth its cost.
    fn may_attempt(&mut self, place: (FuncId, u32)) -> bool {
        let work = self.oracle.effort().work;
        let proofs = &mut self.observer.proofs;
        proofs.of(place).failures < MOST_FAILURES && proofs.can_afford(work)
    }

    /// Forgets the general loops of the innermost call that the path has left. It is at the head of
    /// another loop now: a way back into a loop that was left leads over such a head.
    fn forget_left(&mut self) {
        if self.state.loops.general.is_empty() {
            return;
        }
        let frame = self.state.frames.top();
        let (serial, function) = (frame.serial, self.function());
        let here = block_of(function, frame.pc);
        let found = loops(&BlockFlow::of(self.program(), function));
        self.state.loops.general.retain(|head| {
            let block = block_of(function, head.pc);
            let body = found.iter().find(|one| one.head == block.0);
            head.serial != serial || body.is_some_and(|body| body.blocks[here.index()])
        });
    }

    /// True if general states of this one are followed to their ends.
    fn may_generalize(&self) -> bool {
        let threads = &self.state.threads;
        let input = &self.state.input;
        let is_free = !input.is_given && input.follows.is_none();
        is_free
            && self.state.forks.enabled
            && !self.state.forks.only_executions_cover
            && self.state.underapproximations.is_empty()
            && !threads.has_others()
            && threads.tick.is_none()
            && self.state.merges.is_none()
            && self.state.jumps.is_empty()
    }

    /// Proves all paths of a general state.
    fn attempt(&mut self, place: (FuncId, u32)) -> Option<()> {
        let before = self.oracle.effort().work;
        let mut observer = self.observer.for_proofs();
        observer.proofs.begin(before);
        let proven = self.attempt_with(place, &mut observer);
        let spent = self.oracle.effort().work - before;
        let proofs = &mut self.observer.proofs;
        proofs.spend(spent);
        proven?;
        proofs.loops = observer.proofs.loops;
        let siblings = observer.new_of_siblings.into_iter();
        proofs.segments.extend(observer.new_segments);
        proofs
            .segments
            .extend(siblings.flat_map(|news| news.segments));
        Some(())
    }

    fn attempt_with(&mut self, place: (FuncId, u32), observer: &mut Observer) -> Option<()> {
        let mut siblings = Vec::new();
        let mut context = Context {
            prepared: self.prepared,
            state: &mut *self.state,
            oracle: &mut *self.oracle,
            host: self.host,
            console: &mut *self.console,
            observer,
            siblings: &mut siblings,
        };
        let body = context.body()?;
        let Reduced { state, invariants } = context.reduce(&body)?;
        let conjuncts = context.conjuncts(&invariants);
        context.observer.proofs.of(place).state(conjuncts);
        context.follow(state, None, &mut |_, end| match end {
            PathEnd::Back(_) | PathEnd::Left => Some(()),
            PathEnd::Ended(termination) => is_harmless(&termination).then_some(()),
        })
    }
}

/// True if an end of a path violates no property and leaves nothing out.
fn is_harmless(termination: &Termination) -> bool {
    match termination {
        Termination::Exit(_) | Termination::Silent => true,
        Termination::Early(reason) => *reason == EarlyReason::Subsumed,
        Termination::Bug(bug) => matches!(bug.kind, BugKind::Abort | BugKind::Assert),
        Termination::Unsupported(_) => false,
    }
}
