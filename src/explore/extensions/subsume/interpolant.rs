//! Interpolant of a point: conditions on the storage locations of the state there under which every
//! path below the point repeats an explored one.
//!
//! Invariant: a state at the point that satisfies all conditions takes an explored path for each of
//! its inputs, with respect to control flow: each branch, each access in bounds and each failed
//! access. Addresses are numbers of the state for which the interpolant was found; `Entry` has them
//! in a form that is valid for others.

use homi_machine::memory::{Memory, ObjectKind, ObjectRef};
use homi_solver::term::{Byte, Term};

/// Required properties of an object: all that decide which accesses are in bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ObjectPin {
    pub(super) base: u64,
    pub(super) shape: ObjectShape,
}

/// Properties that decide which accesses to an object are valid.
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
    /// Returns the shape of an object; `None` if its size is symbolic.
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

/// Conjunction of conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Interpolant {
    /// Clauses of 1 bit over storage locations and later inputs; they hold for all values of the
    /// latter.
    pub(super) clauses: Vec<Term>,
    /// Terms of 64 bits with the addresses that they must equal.
    pub(super) pointers: Vec<(Term, u64)>,
    /// Objects that must keep their shape.
    pub(super) objects: Vec<ObjectPin>,
    /// Addresses at which there is no object.
    pub(super) absent: Vec<u64>,
    /// Bases of heap blocks that are freed.
    pub(super) freed: Vec<u64>,
    /// Bases of objects whose addresses are fixed.
    pub(super) fixed: Vec<u64>,
    /// Terms that must be symbolic if true, or concrete if false, because a program may test it.
    pub(super) symbolic: Vec<(Term, bool)>,
    /// Bytes of storage locations, with terms of 8 bits over inputs that they must equal for some
    /// inputs that satisfy `kept` (the form `core`).
    pub(super) bound: Vec<(Byte, Term)>,
    /// Constraints of 1 bit over inputs.
    pub(super) kept: Vec<Term>,
    /// Terms over storage locations that must keep their values; used only between a node and its
    /// parent.
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

    /// Adds all conditions of another interpolant of the same state.
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

    /// Removes duplicate conditions.
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
