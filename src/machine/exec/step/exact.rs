//! Symbolic addresses that must be the start of something: of a heap block for `free`, of an object
//! for `klee_make_symbolic`.
//!
//! Invariant: each good value that the path allows is followed on a separate path, and all others
//! together on one, whose error describes its example.

use super::super::context::Context;
use crate::memory::{Memory, Value};
use crate::outcome::Termination;
use crate::state::{ConcretiseReason, Decision};
use homi_solver::term::Term;

impl Context<'_, '_> {
    /// Returns a number for an address with few good values, say the starts of heap objects: a
    /// sibling forks off for each good value, and one for all other values. `is_good` tells by
    /// memory and address.
    pub fn exact_address(
        &mut self,
        address: Value,
        is_good: &dyn Fn(&Memory, u64) -> bool,
    ) -> Result<u64, Termination> {
        let address = self.defined(address, "use of an undefined pointer");
        let address = self.simplified(address);
        let term = match address {
            Value::Concrete(address) => return Ok(address as u64),
            Value::Term(term) => term,
        };
        if !self.state.forks.enabled {
            return Ok(self.concretise(address, ConcretiseReason::Pointer) as u64);
        }
        let example = self.example(term) as u64;
        let example = if is_good(&self.state.memory, example) {
            example
        } else {
            let any = self.any_good(term, is_good);
            if self.terms().as_const(any) == Some(0) || !self.branch_on(any)? {
                return Ok(self.example(term) as u64);
            }
            self.example(term) as u64
        };
        let chosen = self.equals(term, example.into());
        let own = Decision::Object { base: example };
        if self.keep_to(chosen, own)? {
            self.observer.pointer_forks += 1;
        }
        Ok(example)
    }

    /// Returns true if a term is one of the good addresses: 1 bit.
    fn any_good(&mut self, term: Term, is_good: &dyn Fn(&Memory, u64) -> bool) -> Term {
        let terms = self.terms();
        let origins = self.origins(term);
        let addresses = match (origins.addresses, origins.complete) {
            (Some(addresses), _) => addresses,
            (None, true) => origins.objects.iter().map(|object| object.base).collect(),
            (None, false) => match self.objects_in_bounds(term) {
                Some(objects) => objects.iter().map(|object| object.base).collect(),
                None => {
                    self.concretise(Value::Term(term), ConcretiseReason::Pointer);
                    Vec::new()
                }
            },
        };
        // Null is not a live object, but may be as good as one.
        let null = (!addresses.contains(&0)).then_some(0);
        let good = addresses.into_iter().chain(null);
        let good: Vec<u64> = good.filter(|&a| is_good(&self.state.memory, a)).collect();
        good.iter().fold(terms.bool(false), |any, &address| {
            terms.or(any, terms.eq_const(term, address.into()))
        })
    }
}
