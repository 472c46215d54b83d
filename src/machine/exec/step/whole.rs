//! Pointers that are input as a whole.
//!
//! Idea: each byte of such an address is a separate input byte, so a model for any address is
//! available: the state's, with these bytes in it. If the path allows it, an object is known to be
//! feasible without a query, while a solver would have to check all objects each time. Invariant:
//! only models that satisfy the path are used; without one the queries are made.

use super::super::context::{Context, Sides};
use super::resolve::inside;
use crate::memory::ObjectRef;
use homi_solver::term::{Byte, Node, Term, Terms};
use rustc_hash::FxHashSet;

impl Context<'_, '_> {
    /// Returns the objects that the path has not excluded literally for this access.
    pub(in crate::exec) fn not_excluded(
        &self,
        address: Term,
        objects: Vec<ObjectRef>,
        bytes: u64,
    ) -> Vec<ObjectRef> {
        let terms = self.terms();
        let known: FxHashSet<Term> = self.state.path.iter().collect();
        let is_open = |object: &ObjectRef| {
            inside(terms, address, object, bytes)
                .is_some_and(|(_, inside)| !known.contains(&terms.not(inside)))
        };
        objects.into_iter().filter(is_open).collect()
    }

    /// The first of some objects that a pointer of input bytes may point to, in the order of the
    /// model and then of the list, and the sides of its doing so; nothing if the address is made
    /// otherwise, or no two models are at hand.
    pub(in crate::exec) fn whole_pointer_sides(
        &self,
        address: Term,
        objects: &[ObjectRef],
        bytes: u64,
    ) -> Option<(ObjectRef, Sides)> {
        let terms = self.terms();
        let parts = input_bytes(terms, address)?;
        let state = &self.state;
        let model_of = |value: u64| {
            let mut model = state.model.clone();
            for (byte, value) in parts.iter().zip(value.to_le_bytes()) {
                model.set(*byte, value);
            }
            state.path.holds(terms, &model).then_some(model)
        };
        let example = self.example(address) as u64;
        let is_hit = |object: &&ObjectRef| object.may_contain(example, bytes);
        let mut others = objects.iter().filter(|object| !is_hit(object));
        let (first, holds) = match objects.iter().find(is_hit) {
            Some(object) => (object, state.model.clone()),
            None => others.find_map(|object| Some((object, model_of(object.base)?)))?,
        };
        let beside = others.find_map(|object| model_of(object.base));
        let fails = match beside {
            Some(model) => model,
            None if !is_hit(&first) => state.model.clone(),
            None => model_of(0)?,
        };
        Some((*first, Sides::Both { holds, fails }))
    }
}

/// The symbolic bytes, the least significant first, that a term of 64 bits is made of and nothing
/// else.
fn input_bytes(terms: &Terms, term: Term) -> Option<Vec<Byte>> {
    let mut found = Vec::new();
    let mut rest = vec![term];
    while let Some(term) = rest.pop() {
        match terms.node(term) {
            Node::Concat(high, low) => rest.extend([high, low]),
            Node::Symbol(byte) if !found.contains(&byte) => found.push(byte),
            _ => return None,
        }
    }
    (found.len() == 8).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_pointer_are_found_in_order() {
        let terms = Terms::new();
        let array = terms.array("p", 0, 8);
        let symbol = |index| terms.symbol(Byte { array, index });
        let whole = (1..8).fold(symbol(0), |low, index| terms.concat(symbol(index), low));
        let expected: Vec<Byte> = (0..8).map(|index| Byte { array, index }).collect();
        assert_eq!(input_bytes(&terms, whole), Some(expected));
        let twice = (1..8).fold(symbol(0), |low, _| terms.concat(symbol(0), low));
        assert_eq!(input_bytes(&terms, twice), None);
    }
}
