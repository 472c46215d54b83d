//! Loads and stores, and finding what a symbolic address points to.
//!
//! Idea: an address term is nearly always a constant plus an index, and the constant names the
//! object that C's rules allow. So the objects whose addresses occur in the term are the
//! candidates, the access must lie within one of them, and everything else is out of bounds, even
//! where it would happen to hit another object. Only a term without such constants falls back to
//! the object its example value hits.

use super::bases::Bases;
use super::context::{Context, Sides};
use super::values::Values;
use crate::expr::{Term, Terms};
use crate::memory::{AccessError, AccessErrorKind, ObjectRef, Value};
use crate::ops::{BinOp, CmpOp};
use crate::outcome::{BugKind, Termination};
use crate::program::Slot;
use crate::solver::Wanted;
use crate::state::{ConcretiseReason, Decision};

/// Writes at symbolic offsets above an object's bytes; further ones are made concrete.
const MOST_LAYERS: usize = 512;

/// Constraints that may have been added since an offset's bounds were found. They are sound for
/// ever; with each constraint they are more likely to be wider than need be, and finding them anew
/// costs several questions.
const BOUNDS_AGE: usize = 16;
/// Distance between the ends of bounds that may be so much too wide, in bytes.
const LOOSE_SPAN: u128 = 256;
/// Distance between the ends of loose bounds for reads of tables without symbolic bytes, in bytes:
/// 256 elements of two bytes. A wider table costs less than the questions that would narrow it, and
/// it is the same table for all who read it.
const TABLE_SPAN: u128 = 512;
/// Objects of up to so many bytes are looked at whether they are such tables.
const LARGEST_TABLE: u64 = 4096;

/// Values of fewer bits than this are neither pointers nor sizes nor counters, and are loaded as
/// they are.
const SETTLED_WIDTH: u32 = 32;

/// Where an access goes.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A concrete address, not checked yet.
    At(u64),
    /// Within an object, proven in bounds; `range` holds the offset's first and last possible
    /// value.
    Within {
        object: ObjectRef,
        offset: Term,
        range: (u64, u64),
    },
}

impl<'a> Context<'_, 'a> {
    pub(super) fn load(&mut self, width: u8, dst: Slot, addr: Slot) -> Result<(), Termination> {
        let address = self.get(addr, 64);
        let bytes = u32::from(width).div_ceil(8);
        let value = self.read(address, bytes)?;
        let value = self.values().resize(value, bytes * 8, u32::from(width));
        let value = if u32::from(width) >= SETTLED_WIDTH {
            self.settled(value)
        } else {
            value
        };
        self.set(dst, width, value);
        Ok(())
    }

    /// The value without the conditions that the path has decided. A loop that moves a pointer in
    /// memory by outcomes would add one term to another for ever.
    fn settled(&self, value: Value) -> Value {
        match value {
            Value::Term(term) => {
                let settled = self.state.path.settled(self.terms(), term);
                self.values().value(settled)
            }
            concrete => concrete,
        }
    }

    pub(super) fn store(&mut self, width: u8, addr: Slot, src: Slot) -> Result<(), Termination> {
        let address = self.get(addr, 64);
        let bytes = u32::from(width).div_ceil(8);
        let value = self.values().zext(self.get(src, width), bytes * 8);
        self.write(address, bytes, value)
    }

    pub fn values(&self) -> Values<'a> {
        Values::new(self.executor.terms)
    }

    /// Reads `bytes` (1 to 16) bytes at an address of 64 bits; forks where it may be out of bounds.
    pub fn read(&mut self, address: Value, bytes: u32) -> Result<Value, Termination> {
        let place = self.resolve(address, u64::from(bytes), false)?;
        let terms = self.terms();
        let memory = &self.state.memory;
        let result = match place {
            Place::At(address) => memory.read(terms, address, bytes),
            Place::Within {
                object,
                offset,
                range,
            } => memory.read_symbolic(terms, &object, offset, range, bytes),
        };
        let value = result.map_err(|error| self.executor.access_failed(self.state, *error))?;
        Ok(self.of_one_input(value, place, bytes))
    }

    /// Writes `bytes` (1 to 16) bytes at an address of 64 bits; forks where it may be out of
    /// bounds.
    pub fn write(&mut self, address: Value, bytes: u32, value: Value) -> Result<(), Termination> {
        let place = self.resolve(address, u64::from(bytes), true)?;
        let terms = self.terms();
        let memory = &mut self.state.memory;
        let result = match place {
            Place::At(address) => match memory.write(terms, address, bytes, value) {
                Err(error) if memory.define_external(&error) => {
                    memory.write(terms, address, bytes, value)
                }
                result => result,
            },
            Place::Within {
                object,
                offset,
                range,
            } => memory.write_symbolic(terms, &object, offset, range, bytes, value),
        };
        result.map_err(|error| self.executor.access_failed(self.state, *error))
    }

    /// Finds where an access of `bytes` bytes goes. Forks for each object the address may point
    /// into, and a bug for the rest. The siblings execute the current instruction again.
    pub fn resolve(
        &mut self,
        address: Value,
        bytes: u64,
        writing: bool,
    ) -> Result<Place, Termination> {
        let usable = self.without_escapes(address);
        let usable = self.defined(usable, "access through an undefined pointer");
        let place = self.resolve_defined(usable, bytes, writing)?;
        self.report_escape(address, place, bytes);
        Ok(place)
    }

    /// Reports an access that is in bounds at an address whose computation left the object. What is
    /// out of bounds is left to the access itself.
    fn report_escape(&mut self, address: Value, place: Place, bytes: u64) {
        if self.executor.escaped.is_none() {
            return;
        }
        let in_bounds = match place {
            Place::At(address) => self.state.memory.check(address, bytes).is_ok(),
            Place::Within { .. } => true,
        };
        if in_bounds {
            self.defined(address, "access through a pointer that left its object");
        }
    }

    fn resolve_defined(
        &mut self,
        address: Value,
        bytes: u64,
        writing: bool,
    ) -> Result<Place, Termination> {
        let address = self.settled(address);
        let term = match address {
            Value::Concrete(address) => return Ok(Place::At(address as u64)),
            Value::Term(term) => term,
        };
        let terms = self.terms();
        let (mut candidates, choice) = self.candidate_objects(term);
        let example = self.example(term) as u64;
        if candidates.is_empty() {
            candidates.extend(self.state.memory.locate(example).ok());
        }
        if candidates.len() > self.config().max_pointer_forks as usize || !self.state.forking {
            let chosen = self.concretise(address, ConcretiseReason::Pointer);
            return Ok(Place::At(chosen as u64));
        }
        // The object the model points into first: it is known to be possible.
        if let Some(first) = candidates
            .iter()
            .position(|object| object.may_contain(example, bytes))
        {
            candidates[..=first].rotate_right(1);
        }
        // What no candidate explains, the example may.
        let last = self.state.memory.locate(example).ok();
        let last = last.filter(|object| object.may_contain(example, bytes));
        let known = |object: &ObjectRef| candidates.iter().any(|other| other.base == object.base);
        let last = last.filter(|object| !known(object));
        let count = candidates.len();
        for (index, object) in candidates.into_iter().chain(last).enumerate() {
            let Some((offset, inside)) = self.inside(term, &object, bytes) else {
                continue;
            };
            let sides = if self.surely_inside(offset, &object, bytes) {
                Sides::True
            } else {
                self.sides(inside)
            };
            match sides {
                Sides::False => continue,
                Sides::True => {}
                Sides::Both { holds, fails } => {
                    let mut sibling = self.split(inside, holds, fails)?;
                    if index + 1 >= count && !(choice && hits_object(&sibling, terms, term, bytes))
                    {
                        let ending = self.out_of_bounds(&sibling, term, bytes, Some(&object));
                        sibling.decisions.push(Decision::Check { bug: true });
                        self.state.decisions.push(Decision::Check { bug: false });
                        sibling.ending = Some(Box::new(ending));
                    } else {
                        // It tries the other objects when it executes the instruction again.
                        sibling.decisions.push(Decision::Branch { side: 1 });
                        self.state
                            .decisions
                            .push(Decision::Object { base: object.base });
                        self.observer.pointer_forks += 1;
                    }
                    self.siblings.push(sibling);
                }
            }
            return self.place_within(address, object, offset, bytes, writing);
        }
        Err(self.out_of_bounds(self.state, term, bytes, None))
    }

    /// An address for `bytes` bytes as a number. A symbolic one forks over its objects, then over
    /// its offsets, if not too many.
    pub fn concrete_address(
        &mut self,
        address: Value,
        bytes: u64,
        writing: bool,
    ) -> Result<u64, Termination> {
        match self.resolve(address, bytes, writing)? {
            Place::At(address) => Ok(address),
            Place::Within { .. } => {
                let limit = u128::from(self.config().max_value_forks);
                let chosen = self.enumerate(address, ConcretiseReason::Pointer, limit)?;
                Ok(chosen as u64)
            }
        }
    }

    /// The offset of an address in an object and the 1-bit condition that the access lies inside;
    /// `None` if the object is too small.
    fn inside(&self, address: Term, object: &ObjectRef, bytes: u64) -> Option<(Term, Term)> {
        let last = object.capacity.checked_sub(bytes)?;
        let terms = self.terms();
        let base = terms.constant(64, u128::from(object.base));
        let offset = terms.bin(BinOp::Sub, address, base);
        let limit = terms.constant(64, u128::from(last));
        let inside = terms.cmp(CmpOp::Ule, offset, limit);
        let Some(size) = object.symbolic_size else {
            return Some((offset, inside));
        };
        // The offset is small, so this sum does not wrap.
        let end = terms.bin(BinOp::Add, offset, terms.constant(64, u128::from(bytes)));
        Some((offset, terms.and(inside, terms.cmp(CmpOp::Ule, end, size))))
    }

    /// Whether what the path knows of an offset puts the access inside the object.
    fn surely_inside(&self, offset: Term, object: &ObjectRef, bytes: u64) -> bool {
        object.symbolic_size.is_none()
            && self
                .known_bounds(offset, usize::MAX)
                .is_some_and(|(_, high)| high + u128::from(bytes) <= u128::from(object.capacity))
    }

    /// Bounds of an offset that is at most `last`: those found a short while ago if they are
    /// narrow. Where one byte is the index of a read, its values are narrow enough: a table of some
    /// more elements costs less than the questions.
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

    /// Whether an object is small and has no symbolic bytes.
    fn is_table(&self, object: &ObjectRef) -> bool {
        let memory = &self.state.memory;
        object.capacity <= LARGEST_TABLE
            && memory.layer_count(object) == 0
            && memory
                .has_more_symbolic_bytes(object, (0, object.capacity), 0)
                .is_ok_and(|symbolic| !symbolic)
    }

    fn place_within(
        &mut self,
        address: Value,
        object: ObjectRef,
        offset: Term,
        bytes: u64,
        writing: bool,
    ) -> Result<Place, Termination> {
        let last = object.capacity - bytes;
        let (low, high) = self.offset_bounds(&object, offset, last, writing);
        let range = (low as u64, (high as u64).min(last));
        if range.0 == range.1 {
            return Ok(Place::At(object.base + range.0));
        }
        let span = range.1.saturating_sub(range.0);
        // Reads of concrete bytes become a table, which may be larger than a chain of choices; wide
        // writes become a layer above the object's bytes, which costs every later read something.
        let (limit, largest) = (
            self.config().max_symbolic_span,
            self.config().max_table_span,
        );
        let memory = &self.state.memory;
        let reach = (range.0, range.1 + bytes);
        let fits = span <= limit / 4
            || (span <= largest
                && memory.layer_count(&object) < MOST_LAYERS
                && (writing
                    || !memory
                        .has_more_symbolic_bytes(&object, reach, limit)
                        .unwrap_or(true)));
        if !fits {
            let chosen = self.concretise(address, ConcretiseReason::Pointer);
            return Ok(Place::At(chosen as u64));
        }
        Ok(Place::Within {
            object,
            offset,
            range,
        })
    }

    /// The live objects that an address term is computed from, by base address, and whether the
    /// term chooses between several bases (so that one of them may be hidden from us).
    fn candidate_objects(&self, address: Term) -> (Vec<ObjectRef>, bool) {
        let mut found: Vec<ObjectRef> = Vec::new();
        let mut first = None;
        let mut choice = false;
        Bases::new(self.terms()).for_each(address, &mut |value| {
            choice |= *first.get_or_insert(value) != value;
            if let Some(object) = self.state.memory.owner(value) {
                if !found.iter().any(|other| other.base == object.base) {
                    found.push(object);
                }
            }
        });
        found.sort_by_key(|object| object.base);
        (found, choice)
    }

    /// How a path ends whose access at a symbolic address is outside of every object it may point
    /// to.
    fn out_of_bounds(
        &self,
        state: &crate::state::State,
        address: Term,
        bytes: u64,
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
                kind: AccessErrorKind::OutOfBounds {
                    object: object.copied().or(Some(other)).map(certain),
                },
                address: example,
                bytes,
                below: Some(other),
                above: None,
            },
        };
        let mut ending = self.executor.access_failed(state, error);
        if let Termination::Bug(bug) = &mut ending {
            debug_assert_ne!(bug.kind, BugKind::ReadOnly);
            bug.details[0] = format!("address: symbolic, example: {example:#x}");
            if let Some(object) = object {
                bug.details
                    .push(format!("pointer into {}", self.executor.describe(object)));
            }
        }
        ending
    }
}

/// True if the address under the state's model allows the access.
fn hits_object(state: &crate::state::State, terms: &Terms, address: Term, bytes: u64) -> bool {
    let example = terms.eval(address, &state.model) as u64;
    let object = state.memory.locate(example);
    object.is_ok_and(|object| object.may_contain(example, bytes))
}
