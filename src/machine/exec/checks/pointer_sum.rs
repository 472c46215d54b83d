//! Promises of getelementptr's `inbounds`, `nusw` and `nuw` (`--checks undef`, LLVM LangRef), and
//! addresses that break them.
//!
//! `inbounds`: the base and the sum lie in one object or at its end, which need not be alive; only
//! null is in bounds of null. `nusw` (included in `inbounds`): neither the signed distance nor the
//! sum wraps; `nuw`: nor does the unsigned distance. A sum of distance 0 breaks nothing. Invariant:
//! an address is reported only if the promise cannot hold: an address in no live object is unknown,
//! and for a symbolic one only the objects that its term names count.

use super::super::context::Context;
use super::super::step::bases::{Bases, Layout};
use crate::memory::{Memory, ObjectKind, ObjectRef, UNINITIALISED, Value};
use homi_ir::ops::{BinOp, CmpOp, IN_BOUNDS, NO_SIGNED_WRAP, NO_UNSIGNED_WRAP};
use homi_solver::term::{Byte, Term};

/// `base + index * scale` if the promises hold.
pub(in crate::exec) fn promised_sum(
    memory: &Memory,
    promises: u8,
    base: u64,
    index: i64,
    scale: u32,
) -> Option<u64> {
    let distance = index.wrapping_mul(i64::from(scale));
    let sum = base.wrapping_add_signed(distance);
    if distance == 0 && index == 0 {
        return Some(sum);
    }
    let signed_fine = promises & NO_SIGNED_WRAP == 0
        || (index.checked_mul(i64::from(scale)).is_some()
            && base.checked_add_signed(distance).is_some());
    let unsigned_fine = promises & NO_UNSIGNED_WRAP == 0
        || (index as u64)
            .checked_mul(u64::from(scale))
            .is_some_and(|distance| base.checked_add(distance).is_some());
    let in_bounds = promises & IN_BOUNDS == 0
        || match owner(memory, base) {
            Some(object) => object.may_contain(base, 0) && object.may_contain(sum, 0),
            None => base != 0,
        };
    (signed_fine && unsigned_fine && in_bounds).then_some(sum)
}

/// The live object that an address belongs to, if its bounds are known.
fn owner(memory: &Memory, address: u64) -> Option<ObjectRef> {
    memory
        .owner(address)
        .filter(|object| object.kind != ObjectKind::External)
}

impl Context<'_, '_> {
    /// `base + index * scale` (64 bits each), with marks where a promise does not hold.
    pub(in crate::exec) fn promised_address(
        &self,
        promises: u8,
        base: Value,
        index: Value,
        scale: u32,
    ) -> Value {
        let values = self.values();
        let factor = Value::Concrete(u128::from(scale));
        let distance = values.bin(BinOp::Mul, 64, index, factor);
        let sum = values.bin(BinOp::Add, 64, base, distance);
        let Some(array) = self.prepared.escaped else {
            return sum;
        };
        let broken =
            self.breaks_address_promise(promises, self.fixed(base), self.fixed(index), scale);
        if broken == Value::Concrete(0) {
            return sum;
        }
        let terms = self.terms();
        let byte = |index| {
            let plain = terms.symbol(Byte { array, index });
            let fixed = terms.constant(8, u128::from(UNINITIALISED));
            terms.bin(BinOp::Xor, plain, fixed)
        };
        let mark = (1..8).fold(byte(0), |low, index| terms.concat(byte(index), low));
        let mark = values.select(broken, 64, values.value(mark), Value::Concrete(0));
        values.bin(BinOp::Xor, 64, sum, mark)
    }

    /// Returns whether a promise is broken: 1 bit.
    fn breaks_address_promise(&self, promises: u8, base: Value, index: Value, scale: u32) -> Value {
        let memory = &self.state.memory;
        if let (Value::Concrete(base), Value::Concrete(index)) = (base, index) {
            let holds = promised_sum(memory, promises, base as u64, index as u64 as i64, scale);
            return Value::Concrete(u128::from(holds.is_none()));
        }
        let values = self.values();
        let factor = Value::Concrete(u128::from(scale));
        let zero = Value::Concrete(0);
        let distance = values.bin(BinOp::Mul, 64, index, factor);
        let sum = values.bin(BinOp::Add, 64, base, distance);
        let or = |a, b| values.bin(BinOp::Or, 1, a, b);
        let wraps_scaled = |promise| {
            let promised = (BinOp::Mul, promises & promise);
            values.breaks_promise(promised, 64, (index, factor), distance)
        };
        let mut broken = wraps_scaled(NO_SIGNED_WRAP);
        if promises & NO_SIGNED_WRAP != 0 {
            // A signed distance goes up without getting lower, or down without getting higher.
            let down = values.cmp(CmpOp::Slt, 64, distance, zero);
            let lower = values.cmp(CmpOp::Ult, 64, sum, base);
            broken = or(broken, values.bin(BinOp::Xor, 1, down, lower));
        }
        if promises & NO_UNSIGNED_WRAP != 0 {
            broken = or(broken, wraps_scaled(NO_UNSIGNED_WRAP));
            broken = or(broken, values.cmp(CmpOp::Ult, 64, sum, base));
        }
        if promises & IN_BOUNDS != 0 {
            broken = or(broken, self.leaves_object(base, distance, sum));
        }
        broken
    }

    /// Returns whether `base` lies in an object that `sum = base + distance` leaves: 1 bit.
    fn leaves_object(&self, base: Value, distance: Value, sum: Value) -> Value {
        let values = self.values();
        let memory = &self.state.memory;
        let within = |object: &ObjectRef, address| {
            let start = Value::Concrete(u128::from(object.base));
            let offset = values.bin(BinOp::Sub, 64, address, start);
            let size = Value::Concrete(u128::from(object.capacity));
            values.cmp(CmpOp::Ule, 64, offset, size)
        };
        let base_term = match base {
            Value::Concrete(address) => {
                let moves = values.cmp(CmpOp::Ne, 64, distance, Value::Concrete(0));
                let outside = match owner(memory, address as u64) {
                    Some(object) if object.may_contain(address as u64, 0) => {
                        return values.bin(BinOp::Xor, 1, within(&object, sum), Value::Concrete(1));
                    }
                    Some(_) => true,
                    None => address == 0,
                };
                return if outside { moves } else { Value::Concrete(0) };
            }
            Value::Term(term) => term,
        };
        let mut broken = Value::Concrete(0);
        for object in self.named_objects(base_term) {
            let inside = values.bin(BinOp::Xor, 1, within(&object, sum), Value::Concrete(1));
            let left = values.bin(BinOp::And, 1, within(&object, base), inside);
            broken = values.bin(BinOp::Or, 1, broken, left);
        }
        broken
    }

    /// The objects that a term's constants lie in, once each.
    fn named_objects(&self, term: Term) -> Vec<ObjectRef> {
        let mut found: Vec<ObjectRef> = Vec::new();
        let near = |low, high| {
            let object = owner(&self.state.memory, low);
            object.is_some_and(|object| object.may_contain(low, 0) && object.may_contain(high, 0))
        };
        let layout = Layout {
            near: &near,
            owned: &|address| owner(&self.state.memory, address).is_some(),
            pointers: self.state.memory.pointers(),
        };
        Bases::new(self.terms(), layout).for_each(term, &mut |base| {
            if let Some(object) = owner(&self.state.memory, base.value)
                && !found.iter().any(|other| other.base == object.base)
            {
                found.push(object);
            }
        });
        found.sort_by_key(|object| object.base);
        found
    }
}
