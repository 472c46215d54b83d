//! Pointers outside of their object, and orders and differences of pointers into two objects
//! (`--checks pointers`).
//!
//! Invariant: a place of the program is reported once on a path, which continues. A pointer that is
//! in no live object already is not looked at again.

use super::super::context::Context;
use crate::memory::{ObjectKind, ObjectRef, Value};
use crate::outcome::{BugKind, Checked, Explanation, Form, Operand, Target};
use homi_ir::ops::{BinOp, CmpOp};

/// Messages of the reports.
const PAIR: &str = "unrelated pointers";
const RANGE: &str = "pointer out of range";
/// Message for a case that depends on undefined values, too.
const UNDEFINED: &str = "pointer of an undefined value";

/// Objects that a symbolic pointer may point into, so that it is checked.
const MOST_OBJECTS: usize = 16;

impl Context<'_, '_> {
    /// Checks an order or a difference of two pointers (64 bits each).
    pub(in crate::exec) fn check_relation(&mut self, does: &'static str, pair: (Value, Value)) {
        let pair = (self.fixed(pair.0), self.fixed(pair.1));
        let place = self.prepared.place(self.state);
        if self.state.record.has_reported(place) {
            return;
        }
        let mut objects = self.targets(pair.0);
        let more = self.targets(pair.1);
        if objects.is_empty() || more.is_empty() {
            return;
        }
        objects.extend(more);
        objects.sort_unstable_by_key(|object| object.base);
        objects.dedup_by_key(|object| object.base);
        let broken = self.is_in_two(&objects, pair);
        let checked = Checked::Relation(does, self.names(&objects));
        self.report_pointers(broken, (BugKind::PointerPair, PAIR), checked, pair);
    }

    /// Checks a sum (64 bits) of a pointer and a number. If accesses alone use the sum, they report
    /// it, except where they would meet another object.
    pub(in crate::exec) fn check_sum(&mut self, base: Value, sum: Value, is_address: bool) {
        let (base, sum) = (self.fixed(base), self.fixed(sum));
        if base == sum || (is_address && !self.is_in_an_object(sum)) {
            return;
        }
        let place = self.prepared.place(self.state);
        if self.state.record.has_reported(place) {
            return;
        }
        let objects = self.targets(base);
        let values = self.values();
        let left = |object: &ObjectRef| {
            let is_out = values.not(1, self.is_within(object, sum));
            values.bin(BinOp::And, 1, self.is_within(object, base), is_out)
        };
        let or = |all, object| values.bin(BinOp::Or, 1, all, left(object));
        let broken = objects.iter().fold(Value::Concrete(0), or);
        let checked = Checked::Range(self.names(&objects));
        self.report_pointers(broken, (BugKind::PointerRange, RANGE), checked, (base, sum));
    }

    fn report_pointers(
        &mut self,
        broken: Value,
        (kind, message): (BugKind, &str),
        checked: Checked,
        pair: (Value, Value),
    ) {
        if broken == Value::Concrete(0) {
            return;
        }
        let operand = |value| Operand {
            value,
            width: 64,
            form: Form::Unsigned,
            type_name: String::new(),
        };
        let explanation = Explanation {
            checked,
            operands: vec![operand(pair.0), operand(pair.1)],
        };
        let place = self.prepared.place(self.state);
        if self.report_if(broken, UNDEFINED, (kind, message, Some(explanation))) {
            self.state.record.note_reported(place);
        }
    }

    /// Returns whether both pointers are in objects, but not in the same: 1 bit.
    fn is_in_two(&self, objects: &[ObjectRef], pair: (Value, Value)) -> Value {
        let values = self.values();
        let both = |a, b| values.bin(BinOp::And, 1, a, b);
        let any = |all, one| values.bin(BinOp::Or, 1, all, one);
        let none = Value::Concrete(0);
        let (mut first, mut second, mut same) = (none, none, none);
        for object in objects {
            let a = self.is_within(object, pair.0);
            let b = self.is_within(object, pair.1);
            (first, second, same) = (any(first, a), any(second, b), any(same, both(a, b)));
        }
        both(both(first, second), values.not(1, same))
    }

    /// Returns whether a pointer is in an object or just behind it: 1 bit.
    fn is_within(&self, object: &ObjectRef, pointer: Value) -> Value {
        let values = self.values();
        let base = Value::Concrete(object.base.into());
        let offset = values.bin(BinOp::Sub, 64, pointer, base);
        let size = match object.symbolic_size {
            Some(size) => values.value(size),
            None => Value::Concrete(object.size.into()),
        };
        values.cmp(CmpOp::Ule, 64, offset, size)
    }

    fn is_in_an_object(&self, pointer: Value) -> bool {
        match pointer {
            Value::Concrete(address) => {
                let memory = &self.state.memory;
                let owner = memory.owner(address as u64);
                owner.is_some_and(|object| object.may_contain(address as u64, 1))
            }
            // Accesses know which objects a symbolic address may be in.
            Value::Term(_) => false,
        }
    }

    /// The live objects that a pointer may point into; none if they are not all known.
    fn targets(&self, pointer: Value) -> Vec<ObjectRef> {
        let mut objects = match pointer {
            Value::Concrete(address) => {
                let owner = self.state.memory.owner(address as u64).into_iter();
                owner
                    .filter(|object| object.may_contain(address as u64, 0))
                    .collect()
            }
            Value::Term(term) => {
                let origins = self.origins(term);
                let is_known = origins.complete && origins.objects.len() <= MOST_OBJECTS;
                if is_known {
                    origins.objects
                } else {
                    Vec::new()
                }
            }
        };
        objects.retain(|object: &ObjectRef| object.kind != ObjectKind::External);
        objects
    }

    fn names(&self, objects: &[ObjectRef]) -> Vec<Target> {
        let target = |object: &ObjectRef| Target {
            base: object.base,
            size: object.capacity,
            name: self.prepared.name_of(object),
        };
        objects.iter().map(target).collect()
    }
}
