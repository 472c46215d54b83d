//! Visits of loop heads by the running calls of a path, to find a state that repeats, and the loops
//! that a general state is in.
//!
//! Idea: of each call, one earlier visit is kept, and every later visit of the same head is
//! compared with it. After 1, 2, 4, ... visits the latest takes its place (Brent, "An improved
//! Monte Carlo factorization algorithm", BIT 1980), so that a cycle of any length is found before
//! twice its length and beginning have passed.

use super::frame::{Frame, FrameSerial};
use crate::memory::Memory;
use homi_solver::term::Term;

/// Calls on the stack whose visits are kept; a deeper one is not looked at.
const MOST_CALLS: usize = 64;

/// A visit of a loop head.
#[derive(Clone, Debug)]
pub struct LoopVisit {
    /// Frame of the running call.
    pub frame: Frame,
    pub memory: Memory,
    /// Instructions that the path had executed.
    pub instructions: u64,
}

/// Visits by one call.
#[derive(Clone, Debug)]
struct CallVisits {
    serial: FrameSerial,
    kept: Box<LoopVisit>,
    /// Visits of any head of the call since.
    since: u64,
    /// Visits after which another one is kept.
    until: u64,
    /// Visits of the kept visit's head since.
    rounds: u64,
}

/// Place of a running call where a round of a loop begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopHead {
    pub serial: FrameSerial,
    pub pc: u32,
}

impl LoopHead {
    /// The head that the call of this frame is at.
    pub fn of(frame: &Frame) -> Self {
        LoopHead {
            serial: frame.serial,
            pc: frame.pc,
        }
    }
}

/// Loop that a state of a proof is in.
#[derive(Clone, Copy, Debug)]
pub struct ProofLoop {
    pub head: LoopHead,
    /// Further rounds that the state goes before it ends at the head.
    pub rounds: u32,
    /// The property is assumed to hold in these rounds.
    pub is_assumed: bool,
}

/// Visits by the running calls, outermost first.
#[derive(Clone, Debug, Default)]
pub struct LoopVisits {
    calls: Vec<CallVisits>,
    /// Queries that comparisons have made.
    pub queries: u32,
    /// A repetition was found.
    pub is_found: bool,
    /// The state is one of a proof: mostly it represents several, and does what the program need
    /// not do.
    pub is_general: bool,
    /// Loops that such a state is in.
    pub general: Vec<ProofLoop>,
}

impl LoopVisits {
    /// True in the rounds of a proof in which the property is assumed to hold.
    pub fn is_assumed(&self) -> bool {
        let mut loops = self.general.iter();
        loops.any(|one| one.is_assumed && one.rounds > 0)
    }

    /// Notes a visit by the innermost call. Returns the rounds since the kept visit, if that is one
    /// of the same head.
    pub fn visit(&mut self, frame: &Frame) -> Option<u64> {
        // Serial numbers grow: calls with higher ones have returned.
        while (self.calls.last()).is_some_and(|call| call.serial > frame.serial) {
            self.calls.pop();
        }
        let call = self.calls.last_mut()?;
        if call.serial != frame.serial {
            return None;
        }
        call.since += 1;
        if call.kept.frame.pc != frame.pc {
            return None;
        }
        call.rounds += 1;
        Some(call.rounds)
    }

    /// The kept visit of the call whose visit was noted last.
    pub fn kept(&self) -> Option<&LoopVisit> {
        Some(&self.calls.last()?.kept)
    }

    /// True if the visit that was noted last is to be kept.
    pub fn is_to_keep(&self, frame: &Frame) -> bool {
        match self.calls.last() {
            Some(call) if call.serial == frame.serial => call.since >= call.until,
            _ => self.calls.len() < MOST_CALLS,
        }
    }

    /// Keeps the visit that was noted last.
    pub fn keep(&mut self, visit: LoopVisit) {
        let serial = visit.frame.serial;
        let is_own = self.calls.last().is_some_and(|call| call.serial == serial);
        let own = if is_own { self.calls.pop() } else { None };
        self.calls.push(CallVisits {
            serial,
            kept: Box::new(visit),
            since: 0,
            until: own.map_or(1, |call| call.until.saturating_mul(2)),
            rounds: 0,
        });
    }

    /// Forgets all visits.
    pub fn clear(&mut self) {
        self.calls.clear();
    }

    /// Calls `visit` for every term of the kept visits.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        for call in &self.calls {
            let LoopVisit { frame, memory, .. } = &*call.kept;
            frame.terms.iter().flatten().for_each(|term| visit(*term));
            memory.mark_terms(&mut |_| true, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::{FuncId, PointerWidth};

    fn frame(serial: FrameSerial, pc: u32) -> Frame {
        Frame {
            serial,
            pc,
            ..Frame::new(FuncId(0), &[])
        }
    }

    fn pass(visits: &mut LoopVisits, frame: &Frame) -> Option<u64> {
        let rounds = visits.visit(frame);
        if visits.is_to_keep(frame) {
            visits.keep(LoopVisit {
                frame: frame.clone(),
                memory: Memory::new(PointerWidth::Bits64),
                instructions: 0,
            });
        }
        rounds
    }

    #[test]
    fn later_visits_are_compared_with_ever_later_ones() {
        let mut visits = LoopVisits::default();
        let head = frame(3, 7);
        let rounds: Vec<Option<u64>> = (0..8).map(|_| pass(&mut visits, &head)).collect();
        let expected = [0, 1, 1, 2, 1, 2, 3, 4];
        let expected = expected.map(|round| (round > 0).then_some(round));
        assert_eq!(rounds, expected);
        assert_eq!(pass(&mut visits, &frame(3, 9)), None);
    }

    #[test]
    fn visits_of_calls_that_returned_are_forgotten() {
        let mut visits = LoopVisits::default();
        assert_eq!(pass(&mut visits, &frame(1, 7)), None);
        assert_eq!(pass(&mut visits, &frame(2, 5)), None);
        assert_eq!(visits.calls.len(), 2);
        assert_eq!(pass(&mut visits, &frame(1, 7)), Some(1));
        assert_eq!(visits.calls.len(), 1);
        assert_eq!(pass(&mut visits, &frame(4, 5)), None);
    }
}
