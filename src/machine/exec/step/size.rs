//! Symbolic sizes of allocations.
//!
//! Idea: an object with a symbolic size keeps as many bytes as the size may be at most (a bound),
//! and the first bytes that the path is known to allow are accessed without a query. An access
//! beyond them fails as out of bounds; then, in one place (`grow_or_end`), the path is asked
//! whether the size reaches that far: on one side the path knows more bytes and executes the
//! instruction again, the other side is the bug. Sizes above `SymbolicConfig::size` are a separate
//! path, whose object keeps more; sizes above the largest object are another, on which the
//! allocation fails.

use super::super::context::{Context, Sides};
use crate::memory;
use crate::memory::{AccessErrorKind, ObjectKind, ObjectRef, Value};
use crate::outcome::Termination;
use crate::state::{ConcretiseReason, Decision};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{Mark, PointerWidth};
use homi_solver::term::Term;
use homi_solver::{Check, Wanted};

/// Sizes that are made concrete and have at most this many possible values fork over all of them.
const FEW_SIZES: u128 = 8;
/// Limit on the possible values of a size that must become a number because the program can see it.
const MOST_SIZES: u128 = 1 << 16;
/// The largest size in bytes that is chosen for a symbolic size.
const MODERATE_SIZE: u128 = 1 << 16;

/// The size of an allocation in bytes.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Known(u64),
    /// `size` has 64 bits and is at most `capacity` on the path.
    Symbolic {
        size: Term,
        capacity: u64,
    },
    /// A size that is more than any object may have.
    TooLarge,
}

impl Context<'_, '_> {
    /// Returns the bytes of an allocation of this size. Forks if the size may be too large, or
    /// above the bound for symbolic sizes.
    pub fn allocation_size(&mut self, value: Value) -> Result<Size, Termination> {
        let limit = u128::from(self.prepared.largest_object);
        let value = self.defined(value, "allocation of an undefined size");
        let term = match value {
            Value::Concrete(size) if size <= limit => return Ok(Size::Known(size as u64)),
            Value::Concrete(size) => {
                self.mark_large(size);
                return Ok(Size::TooLarge);
            }
            Value::Term(term) => term,
        };
        let (low, high) = self.bounds(term);
        if low > limit || (high > limit && !self.is_at_most(term, limit)?) {
            self.mark_large(low);
            return Ok(Size::TooLarge);
        }
        let bound = u128::from(self.config().symbolic.size).min(limit);
        if low < high && bound > 0 && self.state.forks.enabled {
            let terms = self.terms();
            let is_small = low <= bound && (high <= bound || self.is_at_most(term, bound)?);
            let most = high.min(if is_small { bound } else { limit });
            // Bounds so far may be loose, and offsets are bounded by what the object keeps.
            let capacity = self.least_bound(term, most) as u64;
            let size = terms.resize(term, 64);
            match terms.as_const(size) {
                Some(size) => return Ok(Size::Known(size as u64)),
                None if self.state.memory.has_room(capacity) => {
                    return Ok(Size::Symbolic { size, capacity });
                }
                // Addresses for objects as large as it may be are few.
                None => {}
            }
        }
        self.choose_size(term).map(Size::Known)
    }

    /// Marks an allocation that is too large for the model, unless it is for every machine.
    fn mark_large(&mut self, least: u128) {
        let most = match self.program().pointers {
            PointerWidth::Bits64 => i64::MAX as u128,
            PointerWidth::Bits32 => i32::MAX as u128,
        };
        if least <= most {
            self.mark(Mark::Room);
        }
    }

    /// A size, at most `capacity` on the path, as a number where the program can see it: forks over
    /// all values, if they are not more than `MOST_SIZES`; else as `choose_size`.
    pub fn each_size(&mut self, term: Term, capacity: u64) -> Result<u64, Termination> {
        let wanted = Wanted {
            within: (0, capacity.into()),
            ..Wanted::EXACT
        };
        let (low, high) = self.wanted_bounds(term, wanted);
        let step = u128::from(memory::known_step(self.terms(), term));
        if (high - low) / step >= MOST_SIZES || !self.state.forks.enabled {
            return self.choose_size(term);
        }
        let example = self.example(term);
        let chosen = self.equals(term, example);
        self.keep_to(chosen, Decision::Branch { side: 0 })?;
        Ok(example as u64)
    }

    /// The product of two sizes of 64 bits; in 128 bits if it may not fit in 64.
    pub fn size_product(&mut self, a: Value, b: Value) -> Value {
        // What no query finds suffices nearly always.
        let fits =
            self.product_fits(a, b, Wanted::UNCHECKED) || self.product_fits(a, b, Wanted::EXACT);
        let values = self.values();
        if fits {
            return values.bin(BinOp::Mul, 64, a, b);
        }
        values.bin(BinOp::Mul, 128, values.zext(a, 128), values.zext(b, 128))
    }

    fn product_fits(&mut self, a: Value, b: Value, wanted: Wanted) -> bool {
        let mut most = |value: Value| match value {
            Value::Concrete(value) => value,
            Value::Term(term) => self.wanted_bounds(term, wanted).1,
        };
        let product = most(a).checked_mul(most(b));
        product.is_some_and(|product| product <= u128::from(u64::MAX))
    }

    fn is_at_most(&mut self, term: Term, bound: u128) -> Result<bool, Termination> {
        let terms = self.terms();
        let bound = terms.constant(terms.width(term), bound);
        self.branch_on(terms.cmp(CmpOp::Ule, term, bound))
    }

    /// Ends the path if an object of this size does not fit on the stack. Forks if it may not.
    pub fn check_room_on_stack(&mut self, size: Size) -> Result<(), Termination> {
        let room = (self.prepared.stack_limit).saturating_sub(self.state.frames.top().stack_end);
        let fits = match size {
            Size::Known(size) => size <= room,
            Size::Symbolic { capacity, .. } if capacity <= room => true,
            Size::Symbolic { size, .. } => self.is_at_most(size, room.into())?,
            Size::TooLarge => self.prepared.stack_limit == u64::MAX,
        };
        if fits {
            Ok(())
        } else {
            Err(self.no_room_for_call())
        }
    }

    /// A new object; `None` if there is no room.
    pub fn allocate_sized(
        &mut self,
        kind: ObjectKind,
        size: Size,
        align: u64,
        fill: u8,
    ) -> Option<u64> {
        let site = self.prepared.site(self.state);
        let memory = &mut self.state.memory;
        match size {
            Size::Known(size) => memory.allocate_filled(kind, size, align, fill, site),
            Size::Symbolic { size, capacity } => {
                memory.allocate_symbolic(kind, capacity, size, align, fill, site)
            }
            Size::TooLarge => None,
        }
    }

    /// Makes a size, which the path allows to be small enough for an object, a number: a size with
    /// few possible values forks over them; otherwise the largest possible value is taken if it is
    /// moderate, because most accesses are legal then, else the model's.
    pub fn choose_size(&mut self, term: Term) -> Result<u64, Termination> {
        let limit = u128::from(self.prepared.largest_object);
        // The bounds so far may be loose; few queries make them exact.
        let (low, _) = self.bounds(term);
        let low = self.extreme(term, (low.min(limit), limit), CmpOp::Ult);
        let high = self.extreme(term, (low, limit), CmpOp::Ugt);
        let value = Value::Term(term);
        if high - low < FEW_SIZES {
            let example = self.example(term);
            let chosen = self.equals(term, example);
            // The others fork off, one by one.
            let chosen = if self.branch_on(chosen)? {
                example
            } else {
                self.concretise(value, ConcretiseReason::Size)
            };
            return Ok(chosen as u64);
        }
        let chosen = if high <= MODERATE_SIZE {
            high
        } else if low <= MODERATE_SIZE {
            self.extreme(term, (low, MODERATE_SIZE), CmpOp::Ugt)
        } else {
            self.example(term)
        };
        let equal = self.equals(term, chosen);
        let _recorded = self.note_taken(term, ConcretiseReason::Size, chosen);
        if !self.assume(equal)? {
            // Only if the solver gave up on the way to the extreme value.
            return Ok(self.concretise(value, ConcretiseReason::Size) as u64);
        }
        Ok(chosen as u64)
    }

    /// The least upper bound of a term that few queries can prove; `high` is one.
    fn least_bound(&mut self, term: Term, mut high: u128) -> u128 {
        let terms = self.terms();
        let mut reached = self.example(term);
        while reached < high {
            let middle = reached + (high - reached - 1) / 2;
            let above = terms.constant(terms.width(term), middle);
            let above = terms.cmp(CmpOp::Ugt, term, above);
            let state = &self.state;
            match self.oracle.check(terms, &state.path, &state.model, above) {
                Check::Sat(model) => reached = terms.eval(term, &model),
                Check::Unsat => high = middle,
                Check::Unknown(_) => break,
            }
        }
        high
    }

    /// The largest (`beyond` is `Ugt`) or smallest (`Ult`) value of a term within a range in which
    /// it has one, by bisection; a solver that gives up makes it less extreme, never infeasible.
    fn extreme(&mut self, term: Term, range: (u128, u128), beyond: CmpOp) -> u128 {
        let terms = self.terms();
        let width = terms.width(term);
        let constant = |value| terms.constant(width, value);
        let inside = terms.bin(
            BinOp::And,
            terms.cmp(CmpOp::Uge, term, constant(range.0)),
            terms.cmp(CmpOp::Ule, term, constant(range.1)),
        );
        let mut ask = |condition: Term| {
            let state = &self.state;
            let condition = terms.bin(BinOp::And, inside, condition);
            match self
                .oracle
                .check(terms, &state.path, &state.model, condition)
            {
                Check::Sat(model) => Some(terms.eval(term, &model)),
                _ => None,
            }
        };
        most_extreme(range, beyond == CmpOp::Ugt, |middle| {
            ask(match middle {
                Some(middle) => terms.cmp(beyond, term, constant(middle)),
                None => terms.bool(true),
            })
        })
    }

    /// Looks at how an instruction failed: an access that a symbolic size may allow is tried again
    /// on the side where the size allows it, and is the bug on the other.
    pub(in crate::exec) fn grow_or_end(
        &mut self,
        termination: Termination,
    ) -> Result<(), Termination> {
        let Some((object, size, needed)) = beyond_known_size(&termination) else {
            return Err(termination);
        };
        if !self.siblings.is_empty() {
            // The instruction forked before: it is executed again first, without them.
            return Ok(());
        }
        let terms = self.terms();
        let needed_term = terms.constant(64, u128::from(needed));
        let fits = terms.cmp(CmpOp::Ule, needed_term, size);
        match self.sides(fits) {
            Sides::True => {}
            Sides::False => return Err(termination),
            Sides::Both { holds, fails } => {
                self.fork_bug(fits, (holds, fails), |_, _| termination)?;
            }
        }
        self.state.memory.grow(&object, needed);
        Ok(())
    }
}

/// The object with a symbolic size that an access ran out of while its capacity has the bytes, the
/// size's term, and the size that the access needs.
fn beyond_known_size(termination: &Termination) -> Option<(ObjectRef, Term, u64)> {
    let Termination::Bug(bug) = termination else {
        return None;
    };
    let access = bug.access.as_ref()?;
    let AccessErrorKind::OutOfBounds {
        object: Some(object),
    } = access.kind
    else {
        return None;
    };
    let size = object.symbolic_size?;
    let needed = access
        .address
        .wrapping_sub(object.base)
        .checked_add(access.bytes)?;
    let is_new = needed > object.size && object.may_contain(access.address, access.bytes);
    is_new.then_some((object, size, needed))
}

/// The largest (`upwards`) or smallest value in a range that `ask` knows, by bisection. `ask` gives
/// one beyond the given value, or any; `None` if there is none or it cannot say.
fn most_extreme(
    range: (u128, u128),
    upwards: bool,
    mut ask: impl FnMut(Option<u128>) -> Option<u128>,
) -> u128 {
    let Some(mut best) = ask(None) else {
        return range.0;
    };
    let mut limit = if upwards { range.1 } else { range.0 };
    while best != limit {
        let middle = if upwards {
            best + (limit - best).div_ceil(2) - 1
        } else {
            best - (best - limit).div_ceil(2) + 1
        };
        match ask(Some(middle)) {
            Some(better) => {
                best = better;
                // A query that was left open moved the limit, and this one has a value beyond
                // it.
                if (upwards && best > limit) || (!upwards && best < limit) {
                    limit = best;
                }
            }
            None => limit = middle,
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::most_extreme;

    /// Asks about the values 3, 30 and 90; queries of the given numbers are left open.
    fn found(upwards: bool, open: &[u32]) -> u128 {
        let mut number = 0;
        most_extreme((0, 100), upwards, |middle| {
            number += 1;
            let values = [30, 3, 90];
            let beyond = |value: &u128| match middle {
                Some(middle) if upwards => *value > middle,
                Some(middle) => *value < middle,
                None => true,
            };
            let known = values.into_iter().find(beyond);
            known.filter(|_| !open.contains(&number))
        })
    }

    #[test]
    fn the_extremes_are_found() {
        assert_eq!(found(true, &[]), 90);
        assert_eq!(found(false, &[]), 3);
    }

    #[test]
    fn a_query_without_an_answer_makes_it_less_extreme_and_ends() {
        for open in 2..8 {
            assert!([30, 90].contains(&found(true, &[open])), "{open}");
            assert!([30, 3].contains(&found(false, &[open])), "{open}");
        }
    }
}
