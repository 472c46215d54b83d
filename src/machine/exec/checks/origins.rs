//! Objects that a symbolic address may point into.
//!
//! Idea: an address term is nearly always a constant plus an index, and the constant names the
//! object that C's rules allow. So the objects whose addresses the term starts from are the
//! candidates, the access must lie within one of them, and everything else is out of bounds, even
//! if it would hit another object. If a term does not show its start (a pointer that is input as a
//! whole, or one that arithmetic has scrambled), its values decide if they are few; if not, any
//! live object is a candidate. Invariant: the list is called complete only if no other object may
//! be accessed.

use super::super::context::Context;
use super::super::step::bases::{Bases, Layout};
use crate::memory::{ObjectRef, Value};
use homi_solver::term::{Start, Term};
use homi_solver::{Wanted, possible_values};
use rustc_hash::FxHashSet;

/// Live objects that one address may be compared with.
const MOST_OBJECTS: usize = 1 << 14;

/// Objects that an address term may point to.
pub(in crate::exec) struct Origins {
    /// Live objects, by base address.
    pub objects: Vec<ObjectRef>,
    /// No other object may be accessed.
    pub complete: bool,
    /// All values of the term, sorted, if they are known one by one.
    pub addresses: Option<Vec<u64>>,
}

impl Context<'_, '_> {
    /// Notes what a sum of a pointer (`start`) and a distance started from, if only that pointer
    /// knows. `shown` is the pointer with the constant that the sum adds to it openly.
    pub(in crate::exec) fn note_start(
        &self,
        sum: Value,
        start: Value,
        distance: Value,
        shown: Value,
    ) {
        let Value::Term(sum) = sum else {
            return;
        };
        let terms = self.terms();
        let (start, shown) = match (start, shown) {
            (Value::Concrete(start), Value::Concrete(shown)) => (start as u64, shown as u64),
            // A sum that extends such a sum has the same start.
            (Value::Term(inner), _) => match terms.start(inner) {
                Some(Start::At(start)) => {
                    let start = self.moved(start, distance);
                    (start, start)
                }
                _ => return,
            },
            _ => return,
        };
        let memory = &self.state.memory;
        terms.note_start(sum, start, shown, |one, other| {
            let owner = memory.owner(one);
            let other = memory.owner(other);
            matches!((owner, other), (Some(one), Some(other)) if one.base == other.base)
        });
    }

    /// Returns the start of a pointer that started at `start` after a distance was added: a known
    /// distance may lead into another object, into which a buffer was moved.
    fn moved(&self, start: u64, distance: Value) -> u64 {
        let Value::Concrete(distance) = distance else {
            return start;
        };
        let sum = start.wrapping_add(distance as u64);
        let owner = |address| self.state.memory.owner(address).map(|object| object.base);
        match owner(sum) {
            Some(other) if owner(start) != Some(other) => sum,
            _ => start,
        }
    }

    /// Returns the objects that an address may point to.
    pub(in crate::exec) fn origins(&self, address: Term) -> Origins {
        let memory = &self.state.memory;
        let near = |low, high| {
            let object = memory.owner(low);
            object.is_some_and(|object| {
                let other = memory.owner(high);
                object.may_contain(low, 0) && other.is_some_and(|other| other.base == object.base)
            })
        };
        let owned = |address| memory.owner(address).is_some();
        let layout = Layout {
            near: &near,
            owned: &owned,
            pointers: memory.pointers(),
        };
        let bases = Bases::new(self.terms(), layout);
        if let Some(object) = bases.one_object(address).and_then(|at| memory.owner(at)) {
            return Origins {
                objects: vec![object],
                complete: true,
                addresses: None,
            };
        }
        let mut objects = Vec::new();
        let mut known = FxHashSet::default();
        let mut addresses = Vec::new();
        let (mut complete, mut exact) = (true, true);
        complete &= bases.for_each(address, &mut |base| {
            let owner = memory.owner(base.value);
            exact &= base.exact;
            complete &= !base.wild && (base.exact || owner.is_some());
            addresses.push(base.value);
            objects.extend(owner.filter(|object| known.insert(object.base)));
        });
        if !complete && let Some(values) = possible_values(self.terms(), &self.state.path, address)
        {
            return self.origins_of_values(values);
        }
        objects.sort_unstable_by_key(|object: &ObjectRef| object.base);
        addresses.sort_unstable();
        addresses.dedup();
        Origins {
            objects,
            complete,
            addresses: (complete && exact).then_some(addresses),
        }
    }

    fn origins_of_values(&self, values: Vec<u64>) -> Origins {
        let mut objects: Vec<ObjectRef> = Vec::new();
        for &value in &values {
            // Values ascend, so the values of one object are adjacent.
            let last = objects.last();
            if last.is_none_or(|object| !object.may_contain(value, 1)) {
                objects.extend(self.state.memory.object_at(value));
            }
        }
        Origins {
            objects,
            complete: true,
            addresses: Some(values),
        }
    }

    /// The live objects that an address may point into by its bounds alone; nothing if they are too
    /// many to look at each.
    pub(in crate::exec) fn objects_in_bounds(&mut self, address: Term) -> Option<Vec<ObjectRef>> {
        let (low, high) = self.wanted_bounds(address, Wanted::UNCHECKED);
        let memory = &self.state.memory;
        let objects: Vec<ObjectRef> = memory.objects_between(low as u64, high as u64).collect();
        (objects.len() <= MOST_OBJECTS).then_some(objects)
    }
}
