//! Why no path below a point is another than those that were followed: conditions on the places of
//! the state there.
//!
//! Invariant: a state at the point that satisfies all of it takes, for each of its inputs, a path
//! that was followed below the point, as far as control goes: each branch, each access in bounds
//! and each failure of one. Addresses are numbers of the state for which it was found; `Entry` has
//! them in a form that holds for others.

use crate::machine::memory::{Memory, ObjectKind, ObjectRef};
use crate::solver::term::{Byte, Term};

/// What must be known of an object: all that decides which accesses are fine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ObjectPin {
    pub(super) base: u64,
    pub(super) shape: ObjectShape,
}

/// What decides which accesses to an object are fine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ObjectShape {
    size: u64,
    capacity: u64,
    kind: ObjectKind,
    read_only: bool,
    hole: (u64, u64),
    kept: bool,
}

impl ObjectShape {
    /// Nothing for an object whose size is symbolic.
    pub(super) fn of(memory: &Memory, object: &ObjectRef) -> Option<Self> {
        object.symbolic_size.is_none().then_some(Self {
            size: object.size,
            capacity: object.capacity,
            kind: object.kind,
            read_only: object.read_only,
            hole: object.hole,
            kept: memory.is_kept(object),
        })
    }
}

/// A conjunction.
#[derive(Clone, Debug, Default)]
pub(super) struct Interpolant {
    /// 1-bit terms over places and later inputs; they hold for all values of the latter.
    pub(super) clauses: Vec<Term>,
    /// Terms of 64 bits that are these addresses.
    pub(super) pointers: Vec<(Term, u64)>,
    /// Objects that are as they were.
    pub(super) objects: Vec<ObjectPin>,
    /// Addresses at which there is no object.
    pub(super) absent: Vec<u64>,
    /// Bases of blocks of the heap that are freed.
    pub(super) freed: Vec<u64>,
    /// Bases of objects that are at no other address.
    pub(super) fixed: Vec<u64>,
    /// Terms that are symbolic, or are not: some programs ask.
    pub(super) symbolic: Vec<(Term, bool)>,
    /// Bytes of places that are terms of 8 bits over inputs, for some inputs that satisfy `kept`
    /// (the form `core`).
    pub(super) bound: Vec<(Byte, Term)>,
    /// 1-bit terms over inputs.
    pub(super) kept: Vec<Term>,
    /// Terms over places that must be as they were; only between a node and its parent.
    pub(super) depends: Vec<Term>,
}

impl Interpolant {
    /// Calls `visit` for every term.
    pub(super) fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        self.clauses.iter().for_each(|term| visit(*term));
        self.pointers.iter().for_each(|(term, _)| visit(*term));
        self.symbolic.iter().for_each(|(term, _)| visit(*term));
        self.bound.iter().for_each(|(_, term)| visit(*term));
        let others = self.kept.iter().chain(&self.depends);
        others.for_each(|term| visit(*term));
    }

    /// Adds all of another that is about the same state.
    pub(super) fn join(&mut self, other: Interpolant) {
        self.pointers.extend(other.pointers);
        self.objects.extend(other.objects);
        self.absent.extend(other.absent);
        self.freed.extend(other.freed);
        self.fixed.extend(other.fixed);
        self.symbolic.extend(other.symbolic);
        self.clauses.extend(other.clauses);
        self.bound.extend(other.bound);
        self.kept.extend(other.kept);
        self.depends.extend(other.depends);
    }

    /// Leaves out what is said twice.
    pub(super) fn tidy(&mut self) {
        self.pointers.sort_unstable();
        self.pointers.dedup();
        self.objects.sort_unstable_by_key(|pin| pin.base);
        self.objects.dedup();
        for numbers in [&mut self.absent, &mut self.freed, &mut self.fixed] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        self.symbolic.sort_unstable();
        self.symbolic.dedup();
        let mut seen = rustc_hash::FxHashSet::default();
        self.clauses.retain(|clause| seen.insert(*clause));
    }
}
