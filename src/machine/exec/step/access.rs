//! Loads and stores; `resolve` finds where those at symbolic addresses go.
//!
//! Invariant: an access within an object at a symbolic offset knows bounds of the offset that are
//! narrow enough for what it costs; where they are not, the offsets fork.

use super::super::choices::mapped;
use super::super::context::Context;
use super::values::Values;
use crate::memory::{ObjectRef, Value};
use crate::outcome::Termination;
use crate::state::ConcretiseReason;
use homi_ir::ops::CmpOp;
use homi_ir::program::Slot;
use homi_solver::Wanted;
use homi_solver::term::Term;
use std::rc::Rc;

/// Writes at symbolic offsets above an object's bytes; further ones are made concrete.
const MOST_LAYERS: usize = 512;

/// Constraints that may have been added since an offset's bounds were found. They stay sound; with
/// each constraint they are more likely to be too wide, and finding them again costs several
/// queries.
const BOUNDS_AGE: usize = 16;
/// Number of bytes by which the bounds of a symbolic address may be too wide.
const LOOSE_SPAN: u128 = 256;
/// Distance between the ends of loose bounds for reads of tables without symbolic bytes, in bytes:
/// 256 elements of two bytes. A wider table costs less than the queries that would narrow it, and
/// it is the same table for all who read it.
const TABLE_SPAN: u128 = 512;
/// Largest object that is checked for being a table, in bytes.
const LARGEST_TABLE: u64 = 4096;

/// Addresses that a symbolic one may fork over where it has to be a number.
const MOST_ADDRESSES: u128 = 4096;
/// Paths that the offsets of one access in one object may fork into.
const MOST_PIECES: u64 = 256;

/// Values of fewer bits than this are neither pointers nor sizes nor counters, and are loaded as
/// they are.
const SIMPLIFIED_WIDTH: u32 = 32;

/// Target of an access.
#[derive(Clone, Debug)]
pub enum AccessTarget {
    /// A concrete address, not checked yet.
    At(u64),
    /// Within an object, proven in bounds; `range` holds the offset's first and last possible
    /// value.
    Within {
        object: ObjectRef,
        offset: Term,
        range: (u64, u64),
    },
    /// One of these addresses, sorted and all checked: the one that the term is.
    OneOf { address: Term, places: Rc<[u64]> },
}

impl<'a> Context<'_, 'a> {
    pub(in crate::exec) fn load(
        &mut self,
        width: u8,
        dst: Slot,
        addr: Slot,
    ) -> Result<(), Termination> {
        let address = self.get(addr, 64);
        let bytes = u32::from(width).div_ceil(8);
        let value = self.read(address, bytes)?;
        let value = self.values().resize(value, bytes * 8, u32::from(width));
        let value = if u32::from(width) >= SIMPLIFIED_WIDTH {
            self.simplified(value)
        } else {
            value
        };
        self.set(dst, width, value);
        Ok(())
    }

    /// The value without the conditions that the path has decided. A loop that moves a pointer in
    /// memory by outcomes would add one term to another for ever.
    pub(in crate::exec) fn simplified(&self, value: Value) -> Value {
        match value {
            Value::Term(term) => {
                let simplified = self.state.path.simplified(self.terms(), term);
                self.values().value(simplified)
            }
            concrete => concrete,
        }
    }

    pub(in crate::exec) fn store(
        &mut self,
        width: u8,
        addr: Slot,
        src: Slot,
    ) -> Result<(), Termination> {
        let address = self.get(addr, 64);
        let bytes = u32::from(width).div_ceil(8);
        let value = self.values().zext(self.get(src, width), bytes * 8);
        self.write(address, bytes, value)
    }

    pub fn values(&self) -> Values<'a> {
        Values::new(self.prepared.terms)
    }

    /// Reads `bytes` (1 to 16) bytes at an address of 64 bits; forks where it may be out of bounds.
    pub fn read(&mut self, address: Value, bytes: u32) -> Result<Value, Termination> {
        let place = self.resolve(address, u64::from(bytes), false, true)?;
        let mut value = self.read_at(&place, bytes)?;
        if self.is_unset(value) {
            self.make_any_at(&place, bytes);
            value = self.read_at(&place, bytes)?;
        }
        Ok(self.of_one_input(value, &place, bytes))
    }

    fn read_at(&self, place: &AccessTarget, bytes: u32) -> Result<Value, Termination> {
        let terms = self.terms();
        let memory = &self.state.memory;
        let result = match place {
            AccessTarget::At(address) => memory.read(terms, *address, bytes),
            AccessTarget::Within {
                object,
                offset,
                range,
            } => memory.read_symbolic(terms, object, *offset, *range, bytes),
            AccessTarget::OneOf { address, places } => {
                Ok(self.read_one_of(*address, places, bytes))
            }
        };
        result.map_err(|error| self.prepared.read_failed(self.state, *error))
    }

    fn read_one_of(&self, address: Term, places: &[u64], bytes: u32) -> Value {
        let (terms, values) = (self.terms(), self.values());
        let width = 8 * bytes;
        let value = mapped(terms, address, places, width, &mut |place| {
            let value = self.state.memory.read_if_there(terms, place, bytes);
            // Other places are not on the path.
            values.term(value.unwrap_or(Value::Concrete(0)), width)
        });
        values.value(value)
    }

    /// Writes `bytes` (1 to 16) bytes at an address of 64 bits; forks where it may be out of
    /// bounds.
    pub fn write(&mut self, address: Value, bytes: u32, value: Value) -> Result<(), Termination> {
        let place = self.resolve(address, u64::from(bytes), true, true)?;
        let terms = self.terms();
        let memory = &mut self.state.memory;
        let result = match place {
            AccessTarget::At(address) => match memory.write(terms, address, bytes, value) {
                Err(error) if memory.define_external(&error) => {
                    memory.write(terms, address, bytes, value)
                }
                result => result,
            },
            AccessTarget::Within {
                object,
                offset,
                range,
            } => memory.write_symbolic(terms, &object, offset, range, bytes, value),
            AccessTarget::OneOf { address, places } => {
                return self.write_one_of(address, &places, bytes, value);
            }
        };
        result.map_err(|error| self.prepared.write_failed(self.state, *error))
    }

    /// Each of the places gets what is written if it is the one, else what it has.
    fn write_one_of(
        &mut self,
        address: Term,
        places: &[u64],
        bytes: u32,
        value: Value,
    ) -> Result<(), Termination> {
        let (terms, values) = (self.terms(), self.values());
        for &place in places {
            let here = mapped(terms, address, places, 1, &mut |other| {
                terms.bool(other == place)
            });
            let memory = &mut self.state.memory;
            let written = memory.read(terms, place, bytes).and_then(|old| {
                let new = values.select(values.value(here), 8 * bytes, value, old);
                memory.write(terms, place, bytes, new)
            });
            written.map_err(|error| self.prepared.write_failed(self.state, *error))?;
        }
        Ok(())
    }

    /// Finds where an access of `bytes` bytes goes. Forks for each object the address may point
    /// into, and a bug for the rest. The siblings execute the current instruction again. Where the
    /// caller is `selecting`, several addresses may be the answer.
    pub fn resolve(
        &mut self,
        address: Value,
        bytes: u64,
        writing: bool,
        selecting: bool,
    ) -> Result<AccessTarget, Termination> {
        let usable = self.without_escapes(address);
        let usable = self.defined(usable, "access through an undefined pointer");
        let place = self.resolve_defined(usable, bytes, writing, selecting)?;
        self.report_escape(address, &place, bytes);
        Ok(place)
    }

    /// Reports an access that is in bounds at an address whose computation left the object. What is
    /// out of bounds is left to the access itself.
    fn report_escape(&mut self, address: Value, place: &AccessTarget, bytes: u64) {
        if self.prepared.escaped.is_none() {
            return;
        }
        let in_bounds = match place {
            AccessTarget::At(address) => self.state.memory.object_with(*address, bytes).is_some(),
            AccessTarget::Within { .. } | AccessTarget::OneOf { .. } => true,
        };
        if in_bounds {
            self.defined(address, "access through a pointer that left its object");
        }
    }

    /// An address for `bytes` bytes as a number. A symbolic one forks over its objects, then over
    /// its offsets, if not too many (`MOST_ADDRESSES`).
    pub fn concrete_address(
        &mut self,
        address: Value,
        bytes: u64,
        writing: bool,
    ) -> Result<u64, Termination> {
        match self.resolve(address, bytes, writing, false)? {
            AccessTarget::At(address) => Ok(address),
            AccessTarget::Within { .. } | AccessTarget::OneOf { .. } => {
                let chosen = self.enumerate(address, ConcretiseReason::Pointer, MOST_ADDRESSES)?;
                Ok(chosen as u64)
            }
        }
    }

    /// Bounds of an offset that is at most `last`: those found a short while ago if they are
    /// narrow. Where one byte is the index of a read, its values are narrow enough: a table of some
    /// more elements costs less than the queries.
    fn offset_bounds(
        &mut self,
        object: &ObjectRef,
        offset: Term,
        last: u64,
        writing: bool,
    ) -> (u128, u128) {
        match self.known_bounds(offset, BOUNDS_AGE) {
            Some((low, high)) if high - low <= LOOSE_SPAN => (low, high),
            _ => {
                let wanted = Wanted {
                    within: (0, last.into()),
                    exact_over_one_byte: writing,
                    narrow_enough: if !writing && self.is_table(object) {
                        TABLE_SPAN
                    } else {
                        0
                    },
                };
                self.wanted_bounds(offset, wanted)
            }
        }
    }

    /// Returns true if an object is small and has no symbolic bytes.
    fn is_table(&self, object: &ObjectRef) -> bool {
        let memory = &self.state.memory;
        object.capacity <= LARGEST_TABLE
            && memory.layer_count(object) == 0
            && memory
                .has_more_symbolic_bytes(object, (0, object.capacity), 0)
                .is_ok_and(|symbolic| !symbolic)
    }

    /// The place of an access at an offset that lies within an object. Offsets that span too much
    /// fork in halves until few enough are left; if that would take too many paths, one is taken.
    pub(in crate::exec) fn place_within(
        &mut self,
        address: Value,
        object: ObjectRef,
        offset: Term,
        bytes: u64,
        writing: bool,
    ) -> Result<AccessTarget, Termination> {
        let mut within = (0, object.capacity - bytes);
        loop {
            let (low, high) = self.offset_bounds(&object, offset, within.1, writing);
            let low = (low as u64).clamp(within.0, within.1);
            let high = (high as u64).clamp(low, within.1);
            if low == high {
                return Ok(AccessTarget::At(object.base + low));
            }
            let span = high - low;
            let largest = self.largest_span(&object, (low, high + bytes), writing);
            if span <= largest {
                return Ok(AccessTarget::Within {
                    object,
                    offset,
                    range: (low, high),
                });
            }
            if span / largest.max(1) >= MOST_PIECES {
                let chosen = self.concretise(address, ConcretiseReason::Pointer);
                return Ok(AccessTarget::At(chosen as u64));
            }
            let terms = self.terms();
            let middle = low + span / 2;
            let lower = terms.cmp(CmpOp::Ule, offset, terms.constant(64, middle.into()));
            within = if self.branch_on(lower)? {
                (low, middle)
            } else {
                (middle + 1, high)
            };
        }
    }

    /// The distance of the first and the last offset that one access may have. Reads of concrete
    /// bytes become a table, which may be larger than a chain of choices; wide writes become a
    /// layer above the object's bytes, which costs every later read something.
    fn largest_span(&self, object: &ObjectRef, reach: (u64, u64), writing: bool) -> u64 {
        let config = self.config();
        let memory = &self.state.memory;
        let each = config.max_symbolic_span;
        if memory.layer_count(object) >= MOST_LAYERS {
            return each / 4;
        }
        if writing {
            return u64::MAX;
        }
        let table = config.max_table_span;
        if reach.1 - reach.0 > table {
            return if memory.is_sparse(object, reach) {
                u64::MAX
            } else {
                table
            };
        }
        let symbolic = memory.has_more_symbolic_bytes(object, reach, each);
        if symbolic.unwrap_or(true) {
            each / 4
        } else {
            table.max(each / 4)
        }
    }
}
