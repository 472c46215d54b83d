//! A subpath of a path followed once more, from a point to the next one or to the end of the path,
//! on a state whose places are fresh variables.
//!
//! Idea: the state at the point is copied; each register and byte that the subpath reads before it
//! writes it is replaced by the variable of its place just then. The same executor runs it along
//! the model of the path. What it decides on the way are conditions on the places at the point, and
//! the places at the end hold terms over them. So whatever made a side impossible the first time (a
//! number, a domain, a fact that was proven before) is a condition now. Pointers, sizes and
//! addresses that were numbers stay numbers, and become equalities.
//!
//! Invariant: nothing of the run changes. A subpath that does what is not understood fails, and so
//! does one that goes another way than it did: then there is no interpolant.

use super::frames::FrameView;
use super::interpolant::ObjectPin;
use super::oracle::RecordingOracle;
use super::storage::StorageLocs;
use crate::ir::program::Inst;
use crate::machine::exec::{Executor, Host, MutedConsole, Observer, Step, World};
use crate::machine::state::{DecisionList, State};
use crate::solver::term::{Model, Substituted, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a subpath gives no interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// It went another way than the first time: where.
    Diverged(&'static str),
    /// It does something that is not understood here: what.
    Unsupported(String),
    /// What it does depends on addresses as numbers.
    Addresses(String),
    /// An object has a symbolic size, or is too large.
    Object,
    /// A condition is about inputs and not about places.
    Input,
    /// Its conditions are too many.
    Size,
}

/// Where a subpath ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// After so many instructions.
    Instructions(u64),
    /// At the end of the path, after at most so many.
    End(u64),
}

/// A condition that a subpath decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decided {
    /// 1 bit.
    pub(super) condition: Term,
    /// The program assumes it: where it does not hold, there is no path.
    pub(super) assumed: bool,
}

/// What a subpath says of the places at its start.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) decided: Vec<Decided>,
    pub(super) pointers: Vec<(Term, u64)>,
    pub(super) objects: BTreeMap<u64, ObjectPin>,
    pub(super) absent: Vec<u64>,
    pub(super) freed: BTreeSet<u64>,
    pub(super) fixed: BTreeSet<u64>,
    pub(super) symbolic: Vec<(Term, bool)>,
}

/// With what subpaths are followed.
pub(super) struct Equipment<'e, 'a> {
    pub(super) executor: &'e Executor<'a>,
    pub(super) terms: &'e Terms,
    pub(super) host: &'e dyn Host,
    pub(super) observer: &'e mut Observer,
    pub(super) locs: &'e mut StorageLocs,
}

/// A subpath under way, and then what came of it.
pub(super) struct Subpath<'s> {
    pub(super) start: &'s State,
    pub(super) start_frames: FrameView<'s>,
    /// The state whose places are variables.
    pub(super) state: State,
    pub(super) said: Said,
    /// Registers of the start's frames, by depth, that are variables or were written.
    pub(super) settled_registers: Vec<FxHashSet<u32>>,
    /// Bytes of the start's objects, by base, that are variables, pinned or were written.
    pub(super) settled_bytes: FxHashMap<u64, Vec<bool>>,
    /// Bases of objects whose addresses are what they were, whatever other paths have.
    pub(super) fixed: FxHashSet<u64>,
    /// Terms over inputs for terms over places.
    pub(super) actual: Substituted,
    oracle: RecordingOracle,
    /// A number that is an address could not be told for other paths.
    pub(super) refused: bool,
    /// Conditions that hold for the step under way.
    pub(super) pending: Vec<Term>,
}

impl<'s> Subpath<'s> {
    /// About to follow a path from `start`, of which `model` is an input.
    pub(super) fn new(start: &'s State, model: &Model) -> Self {
        let mut state = start.clone();
        state.path = Default::default();
        state.model = model.clone();
        state.input.begins_objects = false;
        state.decisions = DecisionList::default();
        state.symbolics.preferences = Arc::default();
        state.pending_check = None;
        let start_frames = FrameView::new(start);
        let settled_registers = vec![FxHashSet::default(); start_frames.len()];
        Self {
            start,
            start_frames,
            state,
            said: Said::default(),
            settled_registers,
            settled_bytes: FxHashMap::default(),
            fixed: FxHashSet::default(),
            actual: Substituted::default(),
            oracle: RecordingOracle::default(),
            refused: false,
            pending: Vec::new(),
        }
    }

    /// Where it has come to, as a line of the program.
    pub(super) fn loc(&self, executor: &Executor<'_>) -> String {
        executor
            .program()
            .describe_location(executor.location(&self.state))
    }

    /// Instructions executed so far.
    pub(super) fn length(&self) -> u64 {
        self.state.metrics.instructions - self.start.metrics.instructions
    }

    /// Follows the path.
    pub(super) fn follow(
        &mut self,
        with: &mut Equipment<'_, '_>,
        until: Until,
    ) -> Result<(), Failure> {
        let most = match until {
            Until::Instructions(count) | Until::End(count) => count,
        };
        loop {
            if self.length() >= most {
                return match until {
                    Until::Instructions(_) => Ok(()),
                    Until::End(_) => Err(Failure::Diverged("it did not end")),
                };
            }
            self.prepare(with)?;
            if self.refused {
                return Err(Failure::Addresses("a sum".to_string()));
            }
            let assumed_before = self.state.path.len();
            let world = World {
                host: with.host,
                console: &mut MutedConsole,
            };
            let depth = self.state.frames.len();
            let step =
                with.executor
                    .reexecute(&mut self.state, &mut self.oracle, world, with.observer);
            self.note_decided(with.terms, assumed_before)?;
            match (step, until) {
                (Step::Continue, _) => self.after(with, depth),
                (Step::Ended(_), Until::End(_)) => return Ok(()),
                (Step::Ended(_), _) => return Err(Failure::Diverged("it ended")),
                _ => return Err(Failure::Diverged("it forked")),
            }
        }
    }

    /// Takes over what the last step decided.
    fn note_decided(&mut self, terms: &Terms, assumed_before: usize) -> Result<(), Failure> {
        let mut all = terms.bool(true);
        let found = self.oracle.recorded.drain(..);
        for condition in self.pending.drain(..).chain(found) {
            all = terms.and(all, condition);
        }
        match terms.as_const(all) {
            Some(0) => return Err(Failure::Diverged("a condition is false")),
            Some(_) => {}
            None => self.said.decided.push(Decided {
                condition: all,
                assumed: false,
            }),
        }
        if self.state.path.len() > assumed_before {
            for condition in self.state.path.iter().skip(assumed_before) {
                self.said.decided.push(Decided {
                    condition,
                    assumed: true,
                });
            }
        }
        Ok(())
    }

    /// A step may have left frames and written to one that it came back to.
    fn after(&mut self, with: &Equipment<'_, '_>, depth: usize) {
        let now = self.state.frames.len();
        if now >= depth || !self.is_of_start() {
            return;
        }
        let top = self.state.frames.top();
        let function = with.executor.program().function(top.function);
        let call = top.pc.checked_sub(1).map(|pc| function.code[pc as usize]);
        if let Some(Inst::Call { site }) = call {
            for (slot, _) in &function.calls[site as usize].results {
                self.settled_registers[now - 1].insert(slot.0);
            }
        }
    }

    /// Whether the innermost frame was there at the start.
    pub(super) fn is_of_start(&self) -> bool {
        let depth = self.state.frames.len() - 1;
        let top = self.state.frames.top();
        self.start_frames
            .get(depth)
            .is_some_and(|frame| frame.serial == top.serial)
    }
}

/// What is about to happen to bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    /// They are read as values.
    Read,
    /// Some of them are read, or overwritten, by an access at a symbolic address. Addresses among
    /// them stay what they were.
    Somewhere,
    /// They are overwritten.
    Write,
    /// They are read where it matters which of them are numbers: those stay numbers.
    Contents,
    /// Nothing; only the object's size and kind matter.
    Shape,
}

impl Subpath<'_> {
    /// Whether a register of a frame is no longer what it was at the start.
    pub(super) fn is_register_settled(&self, end: &FrameView<'_>, depth: u32, slot: u32) -> bool {
        let at = depth as usize;
        let (then, now) = (self.start_frames.get(at), end.get(at));
        let same = then
            .zip(now)
            .is_some_and(|(then, now)| then.serial == now.serial);
        !same || self.settled_registers[at].contains(&slot)
    }

    /// Whether a byte of an object of the start is no longer what it was then, or is a number by a
    /// condition.
    pub(super) fn is_byte_settled(&self, base: u64, index: u32) -> bool {
        self.settled_bytes
            .get(&base)
            .is_some_and(|bytes| bytes.get(index as usize).copied().unwrap_or(false))
    }
}
