//! Values that were never set, where they are any value (`--undef-any`).
//!
//! Idea: a byte that was never set is a byte of one object, whichever place it is at. What reads it
//! first puts a byte of a new symbolic object in its place, so that later reads and copies have the
//! same one. Invariant: registers have none of these bytes but from reads of more than
//! [`MOST_READ`], which count as uses of undefined values.

use super::super::context::Context;
use super::super::step::access::AccessTarget;
use crate::memory::{AllocationSite, ByteValue, ObjectKind, Value};
use homi_ir::ops::CmpOp;
use homi_ir::program::FrameObject;
use homi_solver::term::{Substituted, Term};

/// Bytes that one read makes symbolic at most.
const MOST_READ: u64 = 1 << 14;
/// Bytes that one copy makes symbolic at most.
const MOST_COPIED: u64 = 1 << 18;

impl Context<'_, '_> {
    /// Returns true if a value was read from bytes that were never set and are to be any value.
    #[inline]
    pub(in crate::exec) fn is_unset(&self, value: Value) -> bool {
        match (value, self.prepared.unset) {
            (Value::Term(term), Some(unset)) => self.terms().mentions(term, unset),
            _ => false,
        }
    }

    /// Makes what an access may read any value as far as it was never set.
    pub(in crate::exec) fn make_any_at(&mut self, place: &AccessTarget, bytes: u32) {
        let bytes = u64::from(bytes);
        match place {
            AccessTarget::At(address) => self.make_any(*address, bytes),
            AccessTarget::Within { object, range, .. } => {
                let reach = range.1 - range.0 + bytes;
                self.make_any(object.base + range.0, reach.min(MOST_READ));
            }
            AccessTarget::OneOf { places, .. } => {
                places.iter().for_each(|place| self.make_any(*place, bytes));
            }
        }
    }

    /// Makes bytes any value that were never set. Bytes that may not be accessed are left out.
    pub(in crate::exec) fn make_any(&mut self, address: u64, bytes: u64) {
        if self.prepared.unset.is_none() {
            return;
        }
        let (terms, end) = (self.terms(), address.saturating_add(bytes.min(MOST_COPIED)));
        let read = |at: u64| match self.state.memory.read_byte(terms, at) {
            Ok(ByteValue::Term(term)) if self.is_unset(Value::Term(term)) => Some((at, term)),
            _ => None,
        };
        let found: Vec<(u64, Term)> = (address..end).filter_map(read).collect();
        let Some(&(first, _)) = found.first() else {
            return;
        };
        let name = self.unset_name(first);
        let chosen = self.new_bytes(&name, found.len() as u32);
        if let ([Value::Term(byte)], true) = (&chosen[..], self.is_truth_value(first)) {
            let most = terms.cmp(CmpOp::Ule, *byte, terms.constant(8, 1));
            // The byte is new, so that it holds for some of its values.
            let _holds = self.assume(most);
        }
        for ((at, old), new) in found.into_iter().zip(chosen) {
            let new = self.in_place_of_unset(old, new);
            // What is constant was set.
            let _written = self.state.memory.write(terms, at, 1, new);
        }
    }

    /// The byte with `new` in place of what was never set; writes at symbolic places stay above it.
    fn in_place_of_unset(&self, old: Term, new: Value) -> Value {
        let terms = self.terms();
        let new = self.values().term(new, 8);
        let put = terms.substitute(old, &mut Substituted::default(), &mut |byte| {
            if Some(byte.array) == self.prepared.unset {
                new
            } else {
                terms.symbol(byte)
            }
        });
        self.values().value(put)
    }

    /// An undefined value of `width` bits that is any value.
    pub(in crate::exec) fn any_value(&mut self, width: u32) -> Value {
        let top = self.state.frames.top();
        let function = &self.program().function(top.function).name;
        let name = format!("undef:{function}:{}", self.reported_line());
        let bytes = self.new_bytes(&name, width.div_ceil(8));
        let values = self.values();
        let whole = bytes
            .into_iter()
            .zip(0..)
            .reduce(|(low, index), (high, next)| {
                (values.concat(high, 8, low, 8 * (index + 1)), next)
            });
        let whole = whole.map_or(Value::Concrete(0), |whole| whole.0);
        values.extract(whole, 0, width)
    }

    fn unset_name(&self, address: u64) -> String {
        let object = self.state.memory.object_at(address);
        let is_heap = object.is_some_and(|object| object.kind == ObjectKind::Heap);
        let local = self.local_at(address).map(|local| local.name.as_str());
        let other = if is_heap { "heap" } else { "local" };
        let name = local.filter(|name| !name.is_empty()).unwrap_or(other);
        format!("undef:{name}:{}", self.reported_line())
    }

    /// Returns true if a local of type `_Bool` starts at an address: it is 0 or 1.
    fn is_truth_value(&self, address: u64) -> bool {
        let local = self.local_at(address);
        local.is_some_and(|local| local.declared.ty == "_Bool")
    }

    fn local_at(&self, address: u64) -> Option<&FrameObject> {
        match self.state.memory.object_at(address)?.site {
            AllocationSite::FrameObject { function, object } => {
                let objects = &self.program().function(function).frame_objects;
                objects.get(object as usize)
            }
            _ => None,
        }
    }

    fn reported_line(&self) -> u32 {
        let location = self.prepared.location(self.state);
        self.program().location(location).line
    }
}
