//! One self-contained query: find values for some bytes such that all constraints hold.
//!
//! Built from a path and a condition by taking the groups of the condition's bytes (independence),
//! moving constraints on one byte into domains, and splitting what remains into parts that share no
//! bytes. Parts that the state's model satisfies already are dropped. Invariant: the bytes of a
//! query are numbered by first use in its constraints, so two queries that differ in the names
//! of their bytes only are the same for every layer, and an answer computed from the numbering (and
//! not from `current`) may be shared between them.

use super::path::{Group, PathCondition, narrow, split};
use super::subsume;
use crate::term::{Byte, ByteSet, LaneProgram, Model, Term, Terms};
use std::sync::Arc;

/// Source of a byte's value in a constraint.
#[derive(Clone, Copy, Debug)]
pub enum ByteSource {
    /// The byte of this number in the query.
    Free(u32),
    /// The path has fixed it.
    Fixed(u8),
}

/// A constraint in executable form.
#[derive(Clone, Debug)]
pub struct Constraint {
    pub term: Term,
    pub program: Arc<LaneProgram>,
    /// Source of each of the program's bytes.
    pub places: Vec<ByteSource>,
    /// The numbers of its free bytes.
    pub free: Vec<u32>,
}

/// One part of what is to be satisfied.
#[derive(Clone, Debug)]
pub struct Query {
    /// The bytes; their position is the number by which constraints know them.
    pub bytes: Vec<Byte>,
    /// Domain of each byte by constraints on that byte alone.
    pub domains: Vec<ByteSet>,
    /// Constraints on at least two bytes each.
    pub constraints: Vec<Constraint>,
    /// The values that the state's model gives the bytes, where the domain allows them; otherwise
    /// the least value of the domain.
    pub current: Vec<u8>,
}

/// Remainder of a condition on a path.
#[derive(Debug)]
pub enum Prepared {
    /// The path contradicts the condition.
    Unsat,
    /// Each part must be satisfied; other bytes have their values from `base`, which is the given
    /// model with the bytes changed that the condition fixes.
    Parts { base: Model, parts: Vec<Query> },
}

/// The conjuncts of a condition.
fn conjuncts(terms: &Terms, condition: Term) -> Vec<Term> {
    let mut found = Vec::new();
    terms.for_each_conjunct(condition, |term| found.push(term));
    found
}

/// Reduces `path and condition` to the part that has to be solved, given that `model` satisfies
/// `path`.
pub fn prepare(terms: &Terms, path: &PathCondition, model: &Model, condition: Term) -> Prepared {
    let mut merged = Group::default();
    let conjuncts = conjuncts(terms, condition);
    for &conjunct in &conjuncts {
        for &byte in terms.support(conjunct).iter() {
            if path.domain(byte).only().is_none() {
                merged.merge(path, byte);
            }
        }
    }
    let mut fresh = merged.constraints.len();
    for conjunct in conjuncts {
        fresh = fresh.min(subsume::add(terms, &mut merged.constraints, conjunct));
    }
    let mut merged = merged.sorted();
    if !narrow(terms, &mut merged, fresh, |byte| path.domain(byte)) {
        return Prepared::Unsat;
    }
    // A newly fixed byte counts in every part that mentions it, so it changes first.
    let mut base = model.clone();
    for (&byte, domain) in merged.bytes.iter().zip(&merged.domains) {
        if let Some(value) = domain.only() {
            base.set(byte, value);
        }
    }
    let holds = |part: &Group| {
        let mut places = part.bytes.iter().zip(&part.domains);
        // The condition, which the model contradicts as a rule, is last.
        let mut constraints = part.constraints.iter().rev();
        places.all(|(&byte, domain)| domain.contains(base.get(byte)))
            && constraints.all(|&term| terms.eval(term, &base) == 1)
    };
    let domains: Vec<(Byte, ByteSet)> = merged
        .bytes
        .iter()
        .copied()
        .zip(merged.domains.iter().copied())
        .collect();
    let domain = |byte: Byte| match domains.binary_search_by_key(&byte, |entry| entry.0) {
        Ok(position) => domains[position].1,
        Err(_) => path.domain(byte),
    };
    let parts = split(terms, merged);
    let open = parts.into_iter().filter(|part| !holds(part));
    let parts = open
        .map(|part| Query::new(terms, domain, &base, &part))
        .collect();
    Prepared::Parts { base, parts }
}

impl Query {
    /// The query whether a group's constraints can hold. `domain` gives what each byte may be,
    /// also for the fixed bytes of other groups that constraints mention.
    pub fn new(
        terms: &Terms,
        domain: impl Fn(Byte) -> ByteSet,
        model: &Model,
        group: &Group,
    ) -> Query {
        let mut query = Query {
            bytes: Vec::with_capacity(group.bytes.len()),
            domains: Vec::with_capacity(group.bytes.len()),
            constraints: Vec::with_capacity(group.constraints.len()),
            current: Vec::with_capacity(group.bytes.len()),
        };
        for &term in &group.constraints {
            let program = terms.lane_program(term);
            let mut free = Vec::new();
            let mut places = Vec::with_capacity(program.bytes.len());
            for &byte in &program.bytes {
                places.push(query.place(&domain, group, byte, &mut free));
            }
            let constraint = Constraint {
                term,
                program,
                places,
                free,
            };
            query.constraints.push(constraint);
        }
        if group.constraints.is_empty() {
            for &byte in &group.bytes {
                query.place(&domain, group, byte, &mut Vec::new());
            }
        }
        for (&byte, domain) in query.bytes.iter().zip(&query.domains) {
            let value = model.get(byte);
            query.current.push(if domain.contains(value) {
                value
            } else {
                domain.first().unwrap_or(0)
            });
        }
        query
    }

    fn place(
        &mut self,
        domain: &impl Fn(Byte) -> ByteSet,
        group: &Group,
        byte: Byte,
        free: &mut Vec<u32>,
    ) -> ByteSource {
        let domain = domain(byte);
        if let Some(value) = domain.only() {
            if !group.constraints.is_empty() {
                return ByteSource::Fixed(value);
            }
        }
        let number = match self.bytes.iter().position(|&known| known == byte) {
            Some(number) => number,
            None => {
                self.bytes.push(byte);
                self.domains.push(domain);
                self.bytes.len() - 1
            }
        } as u32;
        free.push(number);
        ByteSource::Free(number)
    }
}

#[cfg(test)]
impl Query {
    /// The query whether constraints hold together, nothing else being known.
    pub fn of_constraints(terms: &Terms, constraints: &[Term]) -> Query {
        Self::with_domains(terms, constraints, |_| ByteSet::FULL)
    }

    /// The query whether constraints hold together where every byte is in its domain.
    pub fn with_domains(
        terms: &Terms,
        constraints: &[Term],
        domain: impl Fn(Byte) -> ByteSet,
    ) -> Query {
        let supports = constraints
            .iter()
            .map(|&constraint| terms.support(constraint));
        let mut bytes: Vec<Byte> = supports.flat_map(|support| support.to_vec()).collect();
        bytes.sort_unstable();
        bytes.dedup();
        let group = Group {
            domains: bytes.iter().map(|&byte| domain(byte)).collect(),
            bytes: bytes.into(),
            constraints: constraints.to_vec(),
            changed: 0,
        };
        Query::new(terms, domain, &Model::new(), &group)
    }
}

impl Query {
    /// Returns the source of a byte's value in the constraints.
    pub fn place_of(&self, byte: Byte) -> ByteSource {
        let constraints = self.constraints.iter();
        let mut places = constraints.filter_map(|constraint| {
            let position = constraint.program.bytes.binary_search(&byte).ok()?;
            Some(constraint.places[position])
        });
        places.next().unwrap_or(ByteSource::Fixed(0))
    }

    /// True if values for the bytes satisfy the domains and all constraints.
    pub fn holds(&self, terms: &Terms, values: &[u8]) -> bool {
        let mut domains = self.domains.iter().zip(values);
        let mut constraints = self.constraints.iter();
        domains.all(|(domain, &value)| domain.contains(value))
            && constraints.all(|constraint| {
                let mut model = Model::new();
                let arguments = constraint.arguments(values);
                for (&byte, value) in constraint.program.bytes.iter().zip(arguments) {
                    model.set(byte, value);
                }
                terms.eval(constraint.term, &model) == 1
            })
    }
}

impl Constraint {
    /// Returns the values of the program's bytes, given the values of the query's bytes.
    pub fn arguments(&self, values: &[u8]) -> Vec<u8> {
        let of = |place: &ByteSource| match *place {
            ByteSource::Free(number) => values[number as usize],
            ByteSource::Fixed(value) => value,
        };
        self.places.iter().map(of).collect()
    }

    /// Returns the index of byte `number` in the program.
    pub fn position(&self, number: u32) -> Option<usize> {
        self.places.iter().position(|place| match place {
            ByteSource::Free(found) => *found == number,
            ByteSource::Fixed(_) => false,
        })
    }

    /// The values in `domain` of the byte `number` for which the constraint holds, the others
    /// being `values`.
    pub fn allowed(&self, terms: &Terms, number: u32, domain: &ByteSet, values: &[u8]) -> ByteSet {
        self.allowed_at_cost(terms, number, domain, values).0
    }

    /// Returns the result of `allowed`, with the number of operations that it took.
    pub fn allowed_at_cost(
        &self,
        terms: &Terms,
        number: u32,
        domain: &ByteSet,
        values: &[u8],
    ) -> (ByteSet, u64) {
        match self.position(number) {
            Some(position) => {
                let arguments = self.arguments(values);
                terms.holds_for_at_cost(&self.program, position, domain, &arguments)
            }
            None => (*domain, 0),
        }
    }

    /// Returns whether the constraint holds for all or for no assignments within the bounds of the
    /// query's bytes; `None` if interval arithmetic cannot tell.
    pub fn by_bounds(&self, bounds: &[(u8, u8)], slots: &mut Vec<(u64, u64)>) -> Option<bool> {
        if self.program.is_empty() {
            return None;
        }
        let of = |place: &ByteSource| match *place {
            ByteSource::Free(number) => bounds[number as usize],
            ByteSource::Fixed(value) => (value, value),
        };
        let arguments: Vec<(u8, u8)> = self.places.iter().map(of).collect();
        match self.program.bounds(&arguments, slots) {
            (0, 0) => Some(false),
            (1, _) => Some(true),
            _ => None,
        }
    }
}
