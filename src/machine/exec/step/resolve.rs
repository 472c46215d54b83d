//! Resolution of an access at a symbolic address.
//!
//! Idea: an address forks over the objects that it may point into, the object of the model first,
//! and the rest of its values is out of bounds. If there are many objects at known addresses, one
//! access covers all: the value read is a choice between their contents, and a write goes to the
//! object that the address selects. Invariant: no address that the path allows is lost, and an
//! address that hits a live object is called out of bounds only if C's rules say so (see
//! `origins`).

use super::super::checks::origins::Origins;
use super::super::choices::mapped;
use super::super::context::{Context, Sides};
use super::access::AccessTarget;
use crate::memory::{AccessError, AccessErrorKind, ObjectKind, ObjectRef, Value};
use crate::outcome::{BugKind, Termination};
use crate::state::{ConcretiseReason, Decision, State};
use homi_ir::ops::{BinOp, CmpOp};
use homi_solver::term::{Term, Terms};

/// Addresses that one read may choose between, and places that one write may go to.
const MOST_READ: usize = 4096;
const MOST_WRITTEN: usize = 256;

impl Context<'_, '_> {
    /// Finds where an access of `bytes` bytes goes. Forks for each object the address may point
    /// into, and a bug for the rest; or, if the caller can do that (`selecting`), finds several
    /// addresses. The siblings execute the current instruction again.
    pub(in crate::exec) fn resolve_defined(
        &mut self,
        address: Value,
        bytes: u64,
        writing: bool,
        selecting: bool,
    ) -> Result<AccessTarget, Termination> {
        let address = self.simplified(address);
        let term = match address {
            Value::Concrete(address) => return Ok(AccessTarget::At(address as u64)),
            Value::Term(term) => term,
        };
        if !self.state.forks.enabled {
            let chosen = self.concretise(address, ConcretiseReason::Pointer);
            return Ok(AccessTarget::At(chosen as u64));
        }
        let origins = self.origins(term);
        if selecting && let Some(place) = self.one_of(term, &origins, bytes, writing)? {
            return Ok(place);
        }
        self.fork_over_objects(term, origins, bytes, writing)
    }

    /// The addresses that are accessed all in one, where those are many; other values of the term
    /// fork off as a bug.
    fn one_of(
        &mut self,
        term: Term,
        origins: &Origins,
        bytes: u64,
        writing: bool,
    ) -> Result<Option<AccessTarget>, Termination> {
        let Some(addresses) = &origins.addresses else {
            return Ok(None);
        };
        let most = if writing { MOST_WRITTEN } else { MOST_READ };
        let fewest = self.config().max_pointer_forks as usize;
        let few = origins.objects.len() <= fewest || addresses.len() > most;
        let unusual = origins
            .objects
            .iter()
            .any(|object| object.symbolic_size.is_some() || object.kind == ObjectKind::External);
        if few || unusual || self.prepared.escaped.is_some() {
            return Ok(None);
        }
        let memory = &self.state.memory;
        let is_fine = |&address: &u64| {
            let object = memory.object_with(address, bytes);
            object.is_some_and(|object| !(writing && object.read_only))
        };
        let fine: Vec<u64> = addresses.iter().copied().filter(is_fine).collect();
        if fine.len() <= fewest {
            return Ok(None);
        }
        if fine.len() < addresses.len() {
            let terms = self.terms();
            let is_fine = mapped(terms, term, addresses, 1, &mut |address| {
                terms.bool(fine.binary_search(&address).is_ok())
            });
            match self.sides(is_fine) {
                Sides::True => {}
                Sides::False => {
                    return Err(self.out_of_bounds(self.state, term, (bytes, writing), None));
                }
                Sides::Both { holds, fails } => {
                    self.fork_bug(is_fine, (holds, fails), |context, sibling| {
                        context.out_of_bounds(sibling, term, (bytes, writing), None)
                    })?;
                }
            }
        }
        Ok(Some(AccessTarget::OneOf {
            address: term,
            places: fine.into(),
        }))
    }

    fn fork_over_objects(
        &mut self,
        term: Term,
        origins: Origins,
        bytes: u64,
        writing: bool,
    ) -> Result<AccessTarget, Termination> {
        let Origins {
            objects: mut candidates,
            complete,
            ..
        } = origins;
        // The pieces of a mapping, which differ in what may be done with them, are one to C.
        let is_piece = |object: &ObjectRef| object.kind == ObjectKind::Mapping;
        let complete = complete && !candidates.iter().any(is_piece);
        if candidates.is_empty()
            && !complete
            && let Some(place) = self.whole_pointer(term, bytes, writing)?
        {
            return Ok(place);
        }
        let example = self.example(term) as u64;
        // The object the model points into first: it is known to be possible.
        let hit = |object: &ObjectRef| object.may_contain(example, bytes);
        if let Some(first) = candidates.iter().position(hit) {
            candidates[..=first].rotate_right(1);
        } else if !complete && let Some(object) = self.state.memory.object_at(example).filter(hit) {
            candidates.insert(0, object);
        }
        if let Some(place) = self.first_possible(term, &candidates, complete, bytes, writing)? {
            return Ok(place);
        }
        if !complete && self.hits_another(term, &candidates, bytes, writing)? {
            let example = self.example(term) as u64;
            let object = self.state.memory.object_at(example);
            let object = object.filter(|object| object.may_contain(example, bytes));
            let objects: Vec<ObjectRef> = object.into_iter().collect();
            if let Some(place) = self.first_possible(term, &objects, false, bytes, writing)? {
                return Ok(place);
            }
        }
        Err(self.out_of_bounds(self.state, term, (bytes, writing), None))
    }

    /// The next object that a pointer of input bytes points to; the other addresses fork off to try
    /// again.
    fn whole_pointer(
        &mut self,
        term: Term,
        bytes: u64,
        writing: bool,
    ) -> Result<Option<AccessTarget>, Termination> {
        let Some(objects) = self.objects_in_bounds(term) else {
            return Ok(None);
        };
        let objects = self.not_excluded(term, objects, bytes);
        let Some((object, sides)) = self.whole_pointer_sides(term, &objects, bytes) else {
            return Ok(None);
        };
        let (Some((offset, inside)), Sides::Both { holds, fails }) =
            (inside(self.terms(), term, &object, bytes), sides)
        else {
            return Ok(None);
        };
        let mut sibling = self.split(inside, holds, fails)?;
        sibling.decisions.push(Decision::Branch { side: 1 });
        self.state
            .decisions
            .push(Decision::Object { base: object.base });
        self.observer.pointer_forks += 1;
        self.siblings.push(sibling);
        let address = Value::Term(term);
        let place = self.place_within(address, object, offset, bytes, writing)?;
        Ok(Some(place))
    }

    /// The first of some objects that the address may point into. The other values fork off: as a
    /// bug if there is no other object for them, else they try again.
    fn first_possible(
        &mut self,
        term: Term,
        objects: &[ObjectRef],
        complete: bool,
        bytes: u64,
        writing: bool,
    ) -> Result<Option<AccessTarget>, Termination> {
        for (index, object) in objects.iter().enumerate() {
            let Some((offset, inside)) = inside(self.terms(), term, object, bytes) else {
                continue;
            };
            let is_last = complete && index + 1 == objects.len();
            let own = Decision::Object { base: object.base };
            if self.surely_inside(offset, object, bytes) {
                // Nothing else is possible.
            } else if !is_last && self.example(inside) != 0 {
                // The sibling tries the other objects when it executes the instruction again.
                if self.keep_to(inside, own)? {
                    self.observer.pointer_forks += 1;
                }
            } else {
                match self.sides(inside) {
                    Sides::False => continue,
                    Sides::True => {}
                    Sides::Both { holds, fails } if is_last => {
                        self.fork_bug(inside, (holds, fails), |context, sibling| {
                            context.out_of_bounds(sibling, term, (bytes, writing), Some(object))
                        })?;
                    }
                    Sides::Both { holds, fails } => {
                        let mut sibling = self.split(inside, holds, fails)?;
                        sibling.decisions.push(Decision::Branch { side: 1 });
                        self.state.decisions.push(own);
                        self.observer.pointer_forks += 1;
                        self.siblings.push(sibling);
                    }
                }
            }
            let address = Value::Term(term);
            let place = self.place_within(address, *object, offset, bytes, writing)?;
            return Ok(Some(place));
        }
        Ok(None)
    }

    /// Returns whether an address without known origin hits a live object that has not been tried;
    /// the values that hit none fork off as a bug.
    fn hits_another(
        &mut self,
        term: Term,
        tried: &[ObjectRef],
        bytes: u64,
        writing: bool,
    ) -> Result<bool, Termination> {
        let terms = self.terms();
        let Some(objects) = self.objects_in_bounds(term) else {
            // Too many to compare with: what the model has is out of bounds, the rest is lost.
            self.concretise(Value::Term(term), ConcretiseReason::Pointer);
            return Ok(false);
        };
        let objects = self.not_excluded(term, objects, bytes);
        let is_new = |object: &&ObjectRef| tried.iter().all(|other| other.base != object.base);
        let any = objects
            .iter()
            .filter(is_new)
            .filter_map(|object| inside(terms, term, object, bytes))
            .fold(terms.bool(false), |any, (_, inside)| terms.or(any, inside));
        match self.sides(any) {
            Sides::True => Ok(true),
            Sides::False => Ok(false),
            Sides::Both { holds, fails } => {
                self.fork_bug(any, (holds, fails), |context, sibling| {
                    context.out_of_bounds(sibling, term, (bytes, writing), None)
                })?;
                Ok(true)
            }
        }
    }

    /// Returns true if the path's knowledge of an offset puts the access inside the object.
    fn surely_inside(&self, offset: Term, object: &ObjectRef, bytes: u64) -> bool {
        object.symbolic_size.is_none()
            && object.forbidden().is_none()
            && self
                .known_bounds(offset, usize::MAX)
                .is_some_and(|(_, high)| high + u128::from(bytes) <= u128::from(object.capacity))
    }

    /// Returns the termination of a path whose access (bytes, writing) at a symbolic address is
    /// outside of every object that it may point to.
    fn out_of_bounds(
        &self,
        state: &State,
        address: Term,
        (bytes, writing): (u64, bool),
        object: Option<&ObjectRef>,
    ) -> Termination {
        let example = self.terms().eval(address, &state.model) as u64;
        let located = state.memory.locate(example);
        // It is certain, whatever the size: nothing to try again.
        let certain = |mut object: ObjectRef| {
            object.symbolic_size = None;
            object
        };
        let error = match located {
            Err(error) => AccessError {
                kind: match error.kind {
                    AccessErrorKind::OutOfBounds { object } => AccessErrorKind::OutOfBounds {
                        object: object.map(certain),
                    },
                    other => other,
                },
                bytes,
                address: error.address,
                below: error.below,
                above: error.above,
            },
            Ok(other) => AccessError {
                kind: if writing && other.read_only && object.is_none() {
                    AccessErrorKind::ReadOnly { object: other }
                } else {
                    AccessErrorKind::OutOfBounds {
                        object: object.copied().or(Some(other)).map(certain),
                    }
                },
                address: example,
                bytes,
                below: Some(other),
                above: None,
            },
        };
        let mut ending = self.prepared.access_failed(state, error, writing);
        if let Termination::Bug(bug) = &mut ending {
            debug_assert!(bug.kind != BugKind::ReadOnly || writing);
            bug.details[0] = format!("address: symbolic, example: {example:#x}");
            if let Some(object) = object {
                bug.details
                    .push(format!("pointer into {}", self.prepared.describe(object)));
            }
        }
        ending
    }
}

/// The offset of an address in an object and the 1-bit condition that the access lies inside;
/// `None` if the object is too small.
pub(in crate::exec) fn inside(
    terms: &Terms,
    address: Term,
    object: &ObjectRef,
    bytes: u64,
) -> Option<(Term, Term)> {
    let last = object.capacity.checked_sub(bytes)?;
    let base = terms.constant(64, u128::from(object.base));
    let offset = terms.bin(BinOp::Sub, address, base);
    let limit = terms.constant(64, u128::from(last));
    let mut inside = terms.cmp(CmpOp::Ule, offset, limit);
    if let Some((first, end)) = object.forbidden() {
        let constant = |value: u64| terms.constant(64, u128::from(value));
        let behind = terms.cmp(CmpOp::Ule, constant(end), offset);
        let before = match first.checked_sub(bytes) {
            Some(last) => terms.cmp(CmpOp::Ule, offset, constant(last)),
            None => terms.bool(false),
        };
        inside = terms.and(inside, terms.or(before, behind));
    }
    let Some(size) = object.symbolic_size else {
        return Some((offset, inside));
    };
    // The offset is small, so this sum does not wrap.
    let end = terms.bin(BinOp::Add, offset, terms.constant(64, u128::from(bytes)));
    Some((offset, terms.and(inside, terms.cmp(CmpOp::Ule, end, size))))
}
