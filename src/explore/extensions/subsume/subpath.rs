//! Re-execution of a subpath, from a point to the next one or to the end of the path, on a state
//! whose storage locations are fresh variables.
//!
//! Idea: the state at the point is copied. Each register and byte that the subpath reads before it
//! writes it is replaced by the variable of its storage location at that moment. The same executor
//! runs the copy along the model of the path. Decisions on the way become conditions on the storage
//! locations at the point; the storage locations at the end hold terms over them. So every cause of
//! an infeasible side (a concrete value, a domain, a fact that was proven before) becomes a
//! condition. Pointers, sizes and addresses that were concrete stay concrete and become equalities.
//!
//! Invariant: the run does not change. A subpath that uses an unsupported operation, or that
//! diverges from the first execution, fails: there is no interpolant.

use super::frames::FrameView;
use super::interpolant::ObjectPin;
use super::oracle::RecordingOracle;
use super::storage::StorageLocs;
use homi_ir::program::Inst;
use homi_machine::exec::{Executor, Host, MutedConsole, Observer, Step, World};
use homi_machine::state::{DecisionList, State};
use homi_solver::term::{Model, Substituted, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Reason why a subpath has no interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The re-execution diverged from the path, with the position.
    Diverged(&'static str),
    /// The subpath uses an operation that interpolation does not support, with its name.
    Unsupported(String),
    /// The behavior of the subpath depends on the numeric value of addresses, with the use.
    Addresses(String),
    /// An object has a symbolic size, or is too large.
    Object,
    /// A condition refers to inputs instead of storage locations.
    Input,
    /// The subpath has too many conditions.
    Size,
}

/// End of a subpath.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// Number of instructions after which the subpath ends.
    Instructions(u64),
    /// Subpath up to the end of the path, with the maximum number of instructions.
    End(u64),
}

/// Condition that a subpath decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decided {
    /// Condition of 1 bit.
    pub(super) condition: Term,
    /// True if the program assumes the condition: without it, there is no path.
    pub(super) assumed: bool,
}

/// Conditions of a subpath on the storage locations at its start.
#[derive(Debug, Default)]
pub(super) struct SubpathFacts {
    pub(super) decided: Vec<Decided>,
    pub(super) pointers: Vec<(Term, u64)>,
    pub(super) objects: BTreeMap<u64, ObjectPin>,
    pub(super) absent: Vec<u64>,
    pub(super) freed: BTreeSet<u64>,
    pub(super) fixed: BTreeSet<u64>,
    pub(super) symbolic: Vec<(Term, bool)>,
}

/// Parts of a run that the re-execution of subpaths needs.
pub(super) struct Equipment<'e, 'a> {
    pub(super) executor: &'e Executor<'a>,
    pub(super) terms: &'e Terms,
    pub(super) host: &'e dyn Host,
    pub(super) observer: &'e mut Observer,
    pub(super) locs: &'e mut StorageLocs,
}

/// Re-execution of a subpath, and its results.
pub(super) struct Subpath<'s> {
    pub(super) start: &'s State,
    pub(super) start_frames: FrameView<'s>,
    /// State whose storage locations are variables.
    pub(super) state: State,
    pub(super) facts: SubpathFacts,
    /// Registers of the start's frames, by depth, that are variables or were written.
    pub(super) settled_registers: Vec<FxHashSet<u32>>,
    /// Bytes of the start's objects, by base, that are variables, pinned or were written.
    pub(super) settled_bytes: FxHashMap<u64, Vec<bool>>,
    /// Bases of objects whose addresses are fixed.
    pub(super) fixed: FxHashSet<u64>,
    /// Substitution of terms over inputs for terms over storage locations.
    pub(super) actual: Substituted,
    oracle: RecordingOracle,
    /// True if an address as a number is not valid on other paths.
    pub(super) refused: bool,
    /// Conditions for the current step.
    pub(super) pending: Vec<Term>,
}

impl<'s> Subpath<'s> {
    /// Prepares the re-execution of a path from `start`; `model` is an input of the path.
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
            facts: SubpathFacts::default(),
            settled_registers,
            settled_bytes: FxHashMap::default(),
            fixed: FxHashSet::default(),
            actual: Substituted::default(),
            oracle: RecordingOracle::default(),
            refused: false,
            pending: Vec::new(),
        }
    }

    /// Returns the current source location.
    pub(super) fn loc(&self, executor: &Executor<'_>) -> String {
        executor
            .program()
            .describe_location(executor.location(&self.state))
    }

    /// Returns the number of instructions executed so far.
    pub(super) fn length(&self) -> u64 {
        self.state.metrics.instructions - self.start.metrics.instructions
    }

    /// Re-executes the path.
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
                    Until::End(_) => Err(Failure::Diverged("the path did not end")),
                };
            }
            self.prepare(with)?;
            if self.refused {
                return Err(Failure::Addresses("sum".to_string()));
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
                (Step::Ended(_), _) => return Err(Failure::Diverged("the path ended")),
                _ => return Err(Failure::Diverged("the path forked")),
            }
        }
    }

    /// Records the decisions of the last step.
    fn note_decided(&mut self, terms: &Terms, assumed_before: usize) -> Result<(), Failure> {
        let mut all = terms.bool(true);
        let found = self.oracle.recorded.drain(..);
        for condition in self.pending.drain(..).chain(found) {
            all = terms.and(all, condition);
        }
        match terms.as_const(all) {
            Some(0) => return Err(Failure::Diverged("a condition is false")),
            Some(_) => {}
            None => self.facts.decided.push(Decided {
                condition: all,
                assumed: false,
            }),
        }
        if self.state.path.len() > assumed_before {
            for condition in self.state.path.iter().skip(assumed_before) {
                self.facts.decided.push(Decided {
                    condition,
                    assumed: true,
                });
            }
        }
        Ok(())
    }

    /// Records the result registers of a call from which the last step returned to a frame of the
    /// start.
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

    /// True if the innermost frame existed at the start.
    pub(super) fn is_of_start(&self) -> bool {
        let depth = self.state.frames.len() - 1;
        let top = self.state.frames.top();
        self.start_frames
            .get(depth)
            .is_some_and(|frame| frame.serial == top.serial)
    }
}

/// Kind of an imminent access to bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    /// The bytes are read as values.
    Read,
    /// Some of the bytes are read or overwritten by an access at a symbolic address. Addresses
    /// among them keep their values.
    Somewhere,
    /// The bytes are overwritten.
    Write,
    /// The bytes are read by an operation that distinguishes concrete bytes, which stay concrete.
    Contents,
    /// The bytes are not accessed; only the object's size and kind matter.
    Shape,
}

impl Subpath<'_> {
    /// True if a register of a frame differs from the register at the start.
    pub(super) fn is_register_settled(&self, end: &FrameView<'_>, depth: u32, slot: u32) -> bool {
        let at = depth as usize;
        let (then, now) = (self.start_frames.get(at), end.get(at));
        let same = then
            .zip(now)
            .is_some_and(|(then, now)| then.serial == now.serial);
        !same || self.settled_registers[at].contains(&slot)
    }

    /// True if a byte of an object of the start was replaced, written, or fixed to a number by a
    /// condition.
    pub(super) fn is_byte_settled(&self, base: u64, index: u32) -> bool {
        self.settled_bytes
            .get(&base)
            .is_some_and(|bytes| bytes.get(index as usize).copied().unwrap_or(false))
    }
}
