//! Templates of invariants: comparisons of a variable that the loop writes with a constant, with
//! its value where the loop is entered, and with another variable; and fixed ratios of the changes
//! of two variables since the entry.
//!
//! Invariant: a template is a function of memory alone, so that it can be evaluated in any state
//! of the same call.

use super::super::context::Context;
use super::general::{Place, Written};
use crate::memory::{Memory, ObjectKind};
use homi_ir::ops::{BinOp, CmpOp, mask};
use homi_ir::program::{ConstValue, Function};
use homi_solver::term::{Term, Terms};
use std::collections::BTreeSet;

/// Constants of a function that are compared with, each with its two neighbors.
const MOST_CONSTANTS: usize = 10;
/// Variables that are compared with one another.
const MOST_PARTNERS: usize = 10;

/// Constants of a function that variables may count by, and the largest of them.
const MOST_FACTORS: usize = 4;
const LARGEST_FACTOR: u128 = 64;

/// Other side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Other {
    Constant(u128),
    /// Its own value at the entry.
    Start,
    Variable(Place),
}

/// Relation of a variable to something else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    Equal,
    AtMost,
    AtLeast,
    Below,
    /// `AtMost` for numbers without a sign.
    AtMostUnsigned,
    /// Their lowest bits are equal, this many; with 1, both are odd or both are even.
    SameBits(u32),
    /// Their distance is that at the entry.
    SameDistance,
    /// Their sum is that at the entry.
    SameSum,
    /// The variable has changed since the entry by this multiple of the other's change.
    Multiple(u32),
}

/// A condition that may be an invariant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Template {
    pub place: Place,
    pub relation: Relation,
    pub other: Other,
}

impl Template {
    /// Returns the condition (1 bit) in a state with this memory; `start` is the memory at the
    /// entry.
    pub fn condition(&self, terms: &Terms, start: &Memory, memory: &Memory) -> Option<Term> {
        let width = 8 * self.place.bytes;
        let own = read(terms, memory, self.place)?;
        let own_start = read(terms, start, self.place)?;
        let (other, other_start) = match self.other {
            Other::Constant(value) => {
                let constant = terms.constant(width, value & mask(width));
                (constant, constant)
            }
            Other::Start => (own_start, own_start),
            Other::Variable(place) => (read(terms, memory, place)?, read(terms, start, place)?),
        };
        let compare = |op| terms.cmp(op, own, other);
        let balanced = |op| {
            let now = terms.bin(op, own, other);
            terms.cmp(CmpOp::Eq, now, terms.bin(op, own_start, other_start))
        };
        Some(match self.relation {
            Relation::Equal => compare(CmpOp::Eq),
            Relation::AtMost => compare(CmpOp::Sle),
            Relation::AtLeast => compare(CmpOp::Sge),
            Relation::Below => compare(CmpOp::Slt),
            Relation::AtMostUnsigned => compare(CmpOp::Ule),
            Relation::SameBits(count) => {
                let lowest = |term| terms.extract(term, 0, count);
                terms.cmp(CmpOp::Eq, lowest(own), lowest(other))
            }
            Relation::SameDistance => balanced(BinOp::Sub),
            Relation::SameSum => balanced(BinOp::Add),
            Relation::Multiple(factor) => {
                let factor = terms.constant(width, factor.into());
                let change = |now, before| terms.bin(BinOp::Sub, now, before);
                let others = terms.bin(BinOp::Mul, factor, change(other, other_start));
                terms.cmp(CmpOp::Eq, change(own, own_start), others)
            }
        })
    }
}

/// The value of a variable.
fn read(terms: &Terms, memory: &Memory, place: Place) -> Option<Term> {
    use crate::memory::Value;
    match memory.read(terms, place.address, place.bytes).ok()? {
        Value::Concrete(value) => Some(terms.constant(8 * place.bytes, value)),
        Value::Term(term) => Some(term),
    }
}

impl Context<'_, '_> {
    /// Returns the templates over what a loop writes.
    pub(super) fn templates(&self, written: &Written) -> Vec<Template> {
        let mut partners: BTreeSet<Place> = self.locals().into_iter().collect();
        partners.extend(&written.places);
        let mut found = Vec::new();
        for place in &written.places {
            let mut add = |relation, other| {
                found.push(Template {
                    place: *place,
                    relation,
                    other,
                });
            };
            for value in constants(self.function(), 8 * place.bytes) {
                let other = Other::Constant(value);
                for relation in [
                    Relation::Equal,
                    Relation::AtMost,
                    Relation::AtLeast,
                    Relation::AtMostUnsigned,
                ] {
                    add(relation, other);
                }
            }
            let factors = factors(self.function());
            let bits = factors.iter().map(|factor| factor.trailing_zeros());
            let bits: BTreeSet<u32> = bits.chain([1]).collect();
            let usable = (bits.into_iter()).filter(|count| (1..8 * place.bytes).contains(count));
            let start = usable.map(Relation::SameBits);
            for relation in start.chain([Relation::AtMost, Relation::AtLeast]) {
                add(relation, Other::Start);
            }
            let alike = partners
                .iter()
                .filter(|one| one.bytes == place.bytes && *one != place);
            for partner in alike.take(MOST_PARTNERS) {
                let is_first = !written.places.contains(partner) || place < partner;
                for relation in [Relation::AtMost, Relation::Below, Relation::AtMostUnsigned] {
                    add(relation, Other::Variable(*partner));
                }
                if written.places.contains(partner) {
                    for factor in &factors {
                        add(Relation::Multiple(*factor), Other::Variable(*partner));
                    }
                }
                if is_first {
                    for relation in [
                        Relation::Equal,
                        Relation::AtLeast,
                        Relation::SameBits(1),
                        Relation::SameDistance,
                        Relation::SameSum,
                    ] {
                        add(relation, Other::Variable(*partner));
                    }
                }
            }
        }
        found
    }

    /// The small locals of the innermost call.
    fn locals(&self) -> Vec<Place> {
        let frame = self.state.frames.top();
        let size = self.prepared.layouts[frame.function.index()].size();
        let first = frame.stack_base;
        let objects = self.state.memory.objects_between(first, first + size);
        objects
            .filter(|object| object.kind == ObjectKind::Stack)
            .filter(|object| matches!(object.size, 1 | 2 | 4 | 8))
            .map(|object| Place {
                address: object.base,
                bytes: object.size as u32,
            })
            .collect()
    }
}

/// Returns the small constants of a function, by which variables may count.
fn factors(function: &Function) -> BTreeSet<u32> {
    let small = function
        .constants
        .iter()
        .filter_map(|(_, value)| match value {
            ConstValue::Int { value, .. } if (2..=LARGEST_FACTOR).contains(value) => {
                u32::try_from(*value).ok()
            }
            _ => None,
        });
    let all: BTreeSet<u32> = small.collect();
    all.into_iter().take(MOST_FACTORS).collect()
}

/// Returns the constants of a function that have at most this many bits, their neighbors, 0 and 1.
/// Small variables are compared with constants of a wider type.
fn constants(function: &Function, width: u32) -> BTreeSet<u128> {
    let own = function
        .constants
        .iter()
        .filter_map(|(_, value)| match value {
            ConstValue::Int { width: own, value } if u32::from(*own) == width => Some(*value),
            ConstValue::Int { value, .. } if *value <= mask(width) => Some(*value),
            _ => None,
        });
    let neighbors = |value: u128| [value.wrapping_sub(1), value, value.wrapping_add(1)];
    let own = own.take(MOST_CONSTANTS).flat_map(neighbors);
    own.chain([0, 1]).map(|value| value & mask(width)).collect()
}
