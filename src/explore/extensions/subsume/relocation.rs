//! What an instruction does with addresses that move: fine where it does the same wherever they
//! are; else they are fixed, or the subpath has no interpolant.
//!
//! Invariant: nothing that is not named here, or in `comparing`, as fine is.

use super::abstract_address::AbstractAddress;
use super::frames::FrameView;
use super::storage::Region;
use super::subpath::{Equipment, Failure, Subpath};
use crate::ir::ops::{BinOp, CmpOp};
use crate::ir::program::{Access, Function, Inst, IntUnary, Slot};
use crate::machine::memory::{AllocationSite, Value};
use crate::solver::term::Term;

/// Every object that moves is at a multiple of this, in bytes.
const LEAST_ALIGNMENT: u64 = 16;

/// A register of 64 bits that an instruction reads.
pub(super) struct Operand {
    /// Of its term, or its number.
    pub(super) form: AbstractAddress,
    /// Of what a term without such addresses was the first time.
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

    /// Whether an operand has nothing to do with addresses that move.
    pub(super) fn is_plain(&self, operand: &Operand) -> bool {
        self.is_free(&operand.form) && self.is_free(&operand.hidden)
    }

    /// Lets an instruction do what it does with addresses that move, or fixes them.
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

    /// The distance that an index is from its base, if it is a number.
    fn distance(&self, (index, width): (Slot, u8), scale: u32, offset: i32) -> Option<u64> {
        let Value::Concrete(index) = self.register(index) else {
            return None;
        };
        let index = crate::ir::ops::signed(u32::from(width), index) as i64;
        let distance = index.wrapping_mul(i64::from(scale));
        Some(distance.wrapping_add(i64::from(offset)) as u64)
    }

    /// Whether a number that is added to an address, if it is known, does not lead to another
    /// object.
    fn stays_within(&self, address: &Operand, distance: Option<u64>) -> bool {
        let (AbstractAddress::OneOf(numbers), Some(distance)) = (&address.form, distance) else {
            return true;
        };
        let moving = numbers.iter().filter(|number| self.moves(**number));
        let ends = moving.map(|number| (*number, number.wrapping_add(distance)));
        ends.into_iter().all(|(from, to)| self.is_same(from, to))
    }

    /// Whether two addresses are told by the same object, or the same frame.
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

    /// Low bits of an address are those of its distance from the object's start.
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

/// The number that a form says, if it is one.
fn only(form: &AbstractAddress) -> Option<u64> {
    match form {
        AbstractAddress::OneOf(numbers) => match numbers[..] {
            [number] => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// What an instruction is called where its use of addresses is refused.
fn what(inst: &Inst) -> &'static str {
    match inst {
        Inst::Bin { .. } => "arithmetic",
        Inst::Cmp { .. } => "a comparison",
        Inst::PtrAdd { .. } | Inst::PtrOffset { .. } => "outside of its object",
        Inst::Cast { .. } => "a part of one",
        _ => "a number",
    }
}

#[cfg(test)]
#[path = "relocation_tests.rs"]
mod tests;
