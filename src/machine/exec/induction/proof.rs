//! The proof at a loop head: a general state takes the path's place.

use super::super::context::Context;
use super::super::observer::Observer;
use super::record::MOST_FAILURES;
use super::rounds::{Body, Extent, PathEnd};
use crate::outcome::{BugKind, EarlyReason, Termination};
use crate::state::{LoopHead, ProofLoop, State, block_of};
use homi_ir::program::FuncId;
use homi_ir::program::flow::{BlockFlow, loops};
use homi_solver::Check;
use homi_solver::term::Term;

/// Loops within loops that are replaced.
const MOST_NESTED: usize = 3;

impl Context<'_, '_> {
    /// A path meets a loop head. Returns true if a general state has taken the place of this one,
    /// behind the call; ends the path if it is proven, or if the loop has been.
    pub(in crate::exec) fn meet_loop(&mut self) -> Result<bool, Termination> {
        let frame = self.state.frames.top();
        let (place, head) = ((frame.function, frame.pc), LoopHead::of(frame));
        // A further round meets the loops within it anew.
        self.forget_left();
        let mut known = self.state.loops.general.iter_mut();
        if let Some(known) = known.find(|known| known.head == head) {
            if known.rounds == 0 {
                return Err(Termination::Early(EarlyReason::Subsumed));
            }
            known.rounds -= 1;
            return Ok(false);
        }
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
    /// a loop now: a way back into a loop that was left leads over such a head.
    fn forget_left(&mut self) {
        if self.state.loops.general.is_empty() {
            return;
        }
        let frame = self.state.frames.top();
        let (serial, function) = (frame.serial, self.function());
        let here = block_of(function, frame.pc);
        let found = loops(&BlockFlow::of(self.program(), function));
        self.state.loops.general.retain(|known| {
            let head = known.head;
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
        let reduced = context.reduce(&body)?;
        context.prove(&body, &reduced.state, place)?;
        let conjuncts = context.conjuncts(&reduced.invariants);
        context.observer.proofs.of(place).state(conjuncts);
        Some(())
    }

    /// Proves the loop by induction over one round; where attempts at it have failed, over up to
    /// as many rounds more.
    fn prove(&mut self, body: &Body, general: &State, place: (FuncId, u32)) -> Option<()> {
        let most = 1 + self.observer.proofs.of(place).failures;
        for rounds in 1..=most {
            if self.is_step_harmless(body, general, rounds)? {
                return self.is_begin_harmless(rounds)?.then_some(());
            }
        }
        None
    }

    /// The step of an induction over `rounds` rounds: after `rounds - 1` rounds without a violation
    /// another has none, nor has what follows it.
    fn is_step_harmless(&mut self, body: &Body, general: &State, rounds: u32) -> Option<bool> {
        let mut state = Box::new(general.clone());
        let own = state.loops.general.last_mut()?;
        (own.rounds, own.is_assumed) = (rounds - 1, true);
        self.is_harmless(state, Extent::AssumedIn(body))
    }

    /// The base of an induction over `rounds` rounds: the first `rounds - 1` have no violation.
    fn is_begin_harmless(&mut self, rounds: u32) -> Option<bool> {
        let Some(further) = rounds.checked_sub(2) else {
            return Some(true);
        };
        let head = LoopHead::of(self.state.frames.top());
        let mut state = self.state.fork();
        state.forks.lazy = false;
        state.frames.top_mut().pc += 1;
        state.loops.is_general = true;
        state.loops.general.push(ProofLoop {
            head,
            rounds: further,
            is_assumed: false,
        });
        self.is_harmless(state, Extent::Program)
    }

    /// True if no path of a state of a proof violates the property; `None` if that is not known.
    fn is_harmless(&mut self, state: Box<State>, extent: Extent<'_>) -> Option<bool> {
        let mut is_violated = false;
        let followed = self.follow(state, extent, &mut |_, state, end| {
            let is_fine = match end {
                PathEnd::Back | PathEnd::Left => true,
                PathEnd::Ended(Termination::Bug(_)) if state.loops.is_assumed() => true,
                PathEnd::Ended(termination) => is_harmless(&termination),
            };
            is_violated = !is_fine;
            is_fine.then_some(())
        });
        match followed {
            Some(()) => Some(true),
            None => is_violated.then_some(false),
        }
    }

    /// Leaves the executions of a state for which a check does not fail, in rounds in which the
    /// property is assumed. Returns false in others.
    pub(in crate::exec) fn assumes_against(&mut self, broken: Term) -> bool {
        if !self.state.loops.is_assumed() {
            return false;
        }
        let terms = self.terms();
        let holds = terms.not(broken);
        let (path, model) = (&self.state.path, &self.state.model);
        match self.oracle.check(terms, path, model, holds) {
            Check::Sat(model) => {
                self.state.path.add(terms, holds);
                self.state.model = model;
            }
            Check::Unsat => self.state.ending = Some(Box::new(Termination::Silent)),
            // More executions are represented than need be.
            Check::Unknown(_) => {}
        }
        true
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
