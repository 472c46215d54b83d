//! Relocation check of instructions: an instruction is relocatable if it behaves alike wherever the
//! objects lie. Otherwise the addresses are fixed, or the subpath has no interpolant.
//!
//! Invariant: only the instructions accepted here or in `comparing` are relocatable.

use super::abstract_address::AbstractAddress;
use super::frames::FrameView;
use super::storage::Region;
use super::subpath::{Equipment, Failure, Subpath};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{Access, Function, Inst, IntUnary, Slot};
use homi_machine::memory::{AllocationSite, Value};
use homi_solver::term::Term;

/// Alignment of every relocatable object, in bytes.
const LEAST_ALIGNMENT: u64 = 16;

/// Register of 64 bits that an instruction reads.
pub(super) struct Operand {
    /// Abstract address of the term or number.
    pub(super) form: AbstractAddress,
    /// Abstract address in the first execution of a term without relocatable addresses.
    pub(super) hidden: AbstractAddress,
    pub(super) term: Option<Term>,
}

impl Subpath<'_> {
    fn operand(&mut self, with: &Equipment<'_, '_>, slot: Slot) -> Operand {
        let term = match self.register(slot) {
            Value::Concrete(number) => {
                return Operand {
                    form: AbstractAddress::OneOf(vec![number as u64]),
                    hidden: AbstractAddress::Free,
                    term: None,
                };
            }
            Value::Term(term) => term,
        };
        let form = self.form(with, term);
        let hidden = if self.is_free(&form) {
            let actual = self.actual(with, term);
            self.form(with, actual)
        } else {
            AbstractAddress::Free
        };
        Operand {
            form,
            hidden,
            term: Some(term),
        }
    }

    /// True if an operand contains no relocatable address.
    pub(super) fn is_plain(&self, operand: &Operand) -> bool {
        self.is_free(&operand.form) && self.is_free(&operand.hidden)
    }

    /// Accepts a relocatable instruction, or fixes the addresses that it reads.
    pub(super) fn check(
        &mut self,
        with: &Equipment<'_, '_>,
        function: &Function,
        inst: &Inst,
    ) -> Result<(), Failure> {
        let mut slots = Vec::new();
        function.visit_operands(inst, &mut |access, width, slot| {
            if access == Access::Read && width >= 64 {
                slots.push((slot, width));
            }
        });
        if slots.is_empty() {
            return Ok(());
        }
        let relocatable = match *inst {
            Inst::Bin {
                op: BinOp::Add,
                w: 64,
                a,
                b,
                ..
            } => {
                let (a, b) = (self.operand(with, a), self.operand(with, b));
                self.is_relocatable_sum(&a, &b)
            }
            Inst::Bin {
                op, w: 64, a, b, ..
            } => {
                let (a, b) = (self.operand(with, a), self.operand(with, b));
                match op {
                    BinOp::Sub => self.is_relocatable_difference(&a, &b),
                    BinOp::And => self.is_relocatable_mask(&a, &b),
                    _ => self.is_plain(&a) && self.is_plain(&b),
                }
            }
            Inst::Cmp {
                op, w: 64, a, b, ..
            } => {
                let (a, b) = (self.operand(with, a), self.operand(with, b));
                match op {
                    CmpOp::Eq | CmpOp::Ne => self.is_relocatable_equality(with, &a, &b),
                    _ => self.is_relocatable_order(with, &a, &b),
                }
            }
            Inst::PtrAdd {
                iw,
                base,
                index,
                scale,
                offset,
                ..
            } => {
                let base = self.operand(with, base);
                let is_plain = iw != 64 || {
                    let index = self.operand(with, index);
                    self.is_plain(&index)
                };
                is_plain && self.stays_within(&base, self.distance((index, iw), scale, offset))
            }
            Inst::PtrOffset { base, offset, .. } => {
                let base = self.operand(with, base);
                self.stays_within(&base, Some(i64::from(offset) as u64))
            }
            Inst::Unary {
                op: IntUnary::Freeze,
                w: 64,
                ..
            } => true,
            _ => false,
        };
        if relocatable {
            return Ok(());
        }
        let mut numbers = Vec::new();
        for (slot, width) in slots {
            numbers.extend(self.moving_in_register(with, slot, width));
        }
        self.fix_all(&numbers, what(inst))
    }

    /// Returns the distance of an index from its base in bytes; `None` if the index is symbolic.
    fn distance(&self, (index, width): (Slot, u8), scale: u32, offset: i32) -> Option<u64> {
        let Value::Concrete(index) = self.register(index) else {
            return None;
        };
        let index = homi_ir::ops::signed(u32::from(width), index) as i64;
        let distance = index.wrapping_mul(i64::from(scale));
        Some(distance.wrapping_add(i64::from(offset)) as u64)
    }

    /// True if adding a distance to an address leads to no other object, as far as the distance is
    /// known.
    fn stays_within(&self, address: &Operand, distance: Option<u64>) -> bool {
        let (AbstractAddress::OneOf(numbers), Some(distance)) = (&address.form, distance) else {
            return true;
        };
        let moving = numbers.iter().filter(|number| self.moves(**number));
        let ends = moving.map(|number| (*number, number.wrapping_add(distance)));
        ends.into_iter().all(|(from, to)| self.is_same(from, to))
    }

    /// True if two addresses belong to the same object or the same frame.
    fn is_same(&self, from: u64, to: u64) -> bool {
        let (Some(one), other) = (self.object_of(from), self.object_of(to)) else {
            return false;
        };
        if other.is_some_and(|other| other.base == one.base) {
            return true;
        }
        if !matches!(one.site, AllocationSite::FrameObject { .. }) {
            return false;
        }
        let frames = FrameView::new(&self.state);
        match (frames.region(from), frames.region(to)) {
            (Region::Frame { depth: a, .. }, Region::Frame { depth: b, .. }) => a == b,
            _ => false,
        }
    }

    fn is_relocatable_sum(&self, a: &Operand, b: &Operand) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => true,
            (false, false) => false,
            (false, true) => self.stays_within(a, only(&b.form)),
            (true, false) => self.stays_within(b, only(&a.form)),
        }
    }

    fn is_relocatable_difference(&self, a: &Operand, b: &Operand) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => true,
            (false, true) => self.stays_within(a, only(&b.form).map(u64::wrapping_neg)),
            (true, false) => false,
            (false, false) => self.is_one_object(a, b),
        }
    }

    /// True if an intersection of bits is relocatable: the low bits of an address equal the low
    /// bits of its offset in the object.
    fn is_relocatable_mask(&self, a: &Operand, b: &Operand) -> bool {
        let is_mask =
            |operand: &Operand| only(&operand.form).is_some_and(|mask| mask < LEAST_ALIGNMENT);
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => true,
            (false, true) => is_mask(b),
            (true, false) => is_mask(a),
            (false, false) => false,
        }
    }
}

/// Returns the number of an abstract address with a single number.
fn only(form: &AbstractAddress) -> Option<u64> {
    match form {
        AbstractAddress::OneOf(numbers) => match numbers[..] {
            [number] => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the name of an instruction in the failure statistics.
fn what(inst: &Inst) -> &'static str {
    match inst {
        Inst::Bin { .. } => "arithmetic",
        Inst::Cmp { .. } => "comparison",
        Inst::PtrAdd { .. } | Inst::PtrOffset { .. } => "pointer outside of its object",
        Inst::Cast { .. } => "part of an address",
        _ => "other operation",
    }
}

#[cfg(test)]
#[path = "relocation_tests.rs"]
mod tests;
