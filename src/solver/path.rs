//! The condition of one path: what has been assumed about the symbolic bytes, in order and sorted
//! out by which bytes belong together.
//!
//! Invariants: every constraint that was added is in the list, in order. For every byte mentioned
//! so far there is one group. A group has the domain of each of its bytes (what the constraints on
//! that byte alone allow, exactly) and the constraints on two or more bytes that are still free;
//! groups share no bytes, so each can be satisfied alone; a constraint that others imply is not
//! repeated there. A byte whose domain is one value is treated as that constant, so it is a group
//! by itself. A clone shares everything; adding a constraint copies the groups that it touches and
//! the list of pointers to groups.

use super::other_side::OtherSides;
use super::proven::Proven;
use super::subsume;
use crate::term::{Byte, ByteSet, Model, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::iter::once;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Constraint of a path, linked to the constraints before it.
#[derive(Debug)]
struct Link {
    term: Term,
    previous: Option<Arc<Link>>,
    /// Set if other sides were left unchecked when it was added.
    others: Option<OtherSides>,
    /// The collection of the pool that has marked this link.
    marked: AtomicU64,
}

impl Link {
    /// True if the constraint turned out to be implied by those before it.
    fn is_implied(&self) -> bool {
        self.others.as_ref().is_some_and(OtherSides::are_infeasible)
    }
}

/// Bytes that constraints tie together.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The bytes, sorted. Most groups are one byte, which costs no allocation.
    pub bytes: SmallVec<[Byte; 1]>,
    /// Domain of each byte by constraints on that byte alone.
    pub domains: SmallVec<[ByteSet; 1]>,
    /// 1-bit terms with at least two bytes of the group (and perhaps fixed bytes of others).
    pub constraints: Vec<Term>,
    /// The path's length after the last constraint on these bytes; 0 in a group of no path.
    pub changed: usize,
}

impl Group {
    /// Adds a byte with all that a path ties to it; nothing if the byte is there already. The bytes
    /// are in no order then.
    pub(super) fn merge(&mut self, path: &PathCondition, byte: Byte) {
        if self.bytes.contains(&byte) {
            return;
        }
        match path.group(byte) {
            Some(group) => {
                self.bytes.extend_from_slice(&group.bytes);
                self.domains.extend_from_slice(&group.domains);
                self.constraints.extend_from_slice(&group.constraints);
            }
            None => {
                self.bytes.push(byte);
                self.domains.push(ByteSet::FULL);
            }
        }
    }

    /// The group with its bytes in ascending order.
    pub(super) fn sorted(self) -> Group {
        let mut order: Vec<usize> = (0..self.bytes.len()).collect();
        order.sort_by_key(|&position| self.bytes[position]);
        Group {
            bytes: order.iter().map(|&at| self.bytes[at]).collect(),
            domains: order.iter().map(|&at| self.domains[at]).collect(),
            ..self
        }
    }
}

/// A persistent conjunction of 1-bit terms.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    last: Option<Arc<Link>>,
    length: usize,
    /// Sorted by byte; a group is listed under each of its bytes.
    groups: Arc<[(Byte, Arc<Group>)]>,
    /// A constraint was false.
    infeasible: bool,
    /// Facts that were proven while the path was shorter.
    proven: Proven,
}

/// Results of `PathCondition::fold` for beginnings of paths, which live at least as long. Addresses
/// are looked up only, never ordered.
#[derive(Debug)]
pub struct Folds<'p, T> {
    known: FxHashMap<*const Link, T>,
    paths: PhantomData<&'p PathCondition>,
}

impl<T> Default for Folds<'_, T> {
    fn default() -> Self {
        Self {
            known: FxHashMap::default(),
            paths: PhantomData,
        }
    }
}

impl PathCondition {
    /// The empty path: always true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// Number of constraints added.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if nothing has been assumed.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// True if the constraints were seen to contradict each other.
    pub fn is_infeasible(&self) -> bool {
        self.infeasible
    }

    /// The constraints in the order in which they were added, without those whose other sides have
    /// all been refuted since: the rest imply them.
    pub fn iter(&self) -> impl Iterator<Item = Term> + use<> {
        let mut all = Vec::with_capacity(self.length);
        let mut link = self.last.as_deref();
        while let Some(current) = link {
            if !current.is_implied() {
                all.push(current.term);
            }
            link = current.previous.as_deref();
        }
        all.into_iter().rev()
    }

    /// Assumes a 1-bit term. Constants that are true are not recorded.
    pub fn add(&mut self, terms: &Terms, constraint: Term) {
        self.add_beside(terms, constraint, None);
    }

    /// Assumes a 1-bit term; `others`, if given, counts its unchecked other sides.
    pub fn add_beside(&mut self, terms: &Terms, constraint: Term, others: Option<&OtherSides>) {
        debug_assert_eq!(terms.width(constraint), 1);
        match terms.as_const(constraint) {
            Some(0) => self.infeasible = true,
            Some(_) => return,
            None => {}
        }
        self.last = Some(Arc::new(Link {
            term: constraint,
            previous: self.last.take(),
            others: others.cloned(),
            marked: AtomicU64::new(0),
        }));
        self.length += 1;
        terms.for_each_conjunct(constraint, |term| self.assume(terms, term));
    }

    /// The constraints from the newest to the oldest.
    fn links(&self) -> Vec<&Link> {
        let mut all = Vec::with_capacity(self.length);
        let mut link = self.last.as_deref();
        while let Some(current) = link {
            all.push(current);
            link = current.previous.as_deref();
        }
        all
    }

    /// Returns the domain of the byte by constraints on that byte alone.
    pub fn domain(&self, byte: Byte) -> ByteSet {
        match self.group(byte) {
            Some(group) => match group.bytes.binary_search(&byte) {
                Ok(position) => group.domains[position],
                Err(_) => ByteSet::FULL,
            },
            None => ByteSet::FULL,
        }
    }

    /// The group of a byte, if it was ever constrained.
    pub fn group(&self, byte: Byte) -> Option<&Arc<Group>> {
        let position = self.groups.binary_search_by_key(&byte, |entry| entry.0);
        position.ok().map(|position| &self.groups[position].1)
    }

    /// Every group once, by its least byte.
    pub fn groups(&self) -> impl Iterator<Item = &Arc<Group>> {
        self.groups
            .iter()
            .filter(|(byte, group)| group.bytes.first() == Some(byte))
            .map(|(_, group)| group)
    }

    /// The latest constraints, the last one first.
    pub(super) fn latest(&self, most: usize) -> impl Iterator<Item = Term> + '_ {
        let mut link = self.last.as_deref();
        std::iter::from_fn(move || {
            let current = link?;
            link = current.previous.as_deref();
            Some(current.term)
        })
        .take(most)
    }

    /// The latest conditions that were proven on this path without being put on it.
    pub(super) fn proven_conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.proven.conditions()
    }

    /// The number that a constraint made of a term.
    pub(super) fn number(&self, term: Term) -> Option<u128> {
        self.proven.number(term)
    }

    /// Keeps a 1-bit term that holds on this path, which took a solver to find.
    pub fn note_proven(&mut self, terms: &Terms, condition: Term) {
        self.proven.insert_condition(condition);
        let group = terms.support(condition).iter().find_map(|&byte| {
            self.group(byte)
                .filter(|group| !group.constraints.is_empty())
        });
        let constraints = group.map_or(Vec::new(), |group| group.constraints.clone());
        self.note_number(terms, &constraints, condition);
    }

    /// Keeps the number that a term is by now, if a comparison that holds, the constraints on its
    /// bytes and what was proven leave it one value.
    fn note_number(&mut self, terms: &Terms, constraints: &[Term], comparison: Term) {
        let known = constraints.iter().copied().chain(self.proven.conditions());
        if let Some((term, value)) = subsume::only_value(terms, known, comparison) {
            self.proven.insert_number(terms, term, value);
        }
    }

    /// The constraints that share bytes with the term, directly or through others, in order.
    pub fn related(&self, terms: &Terms, term: Term) -> Vec<Term> {
        let all: Vec<Term> = self.iter().collect();
        let mut bytes: Vec<Byte> = terms.support(term).to_vec();
        let mut chosen = vec![false; all.len()];
        loop {
            let mut grew = false;
            for (constraint, chosen) in all.iter().zip(&mut chosen) {
                let support = terms.support(*constraint);
                if !*chosen && support.iter().any(|byte| bytes.contains(byte)) {
                    *chosen = true;
                    grew = true;
                    for byte in support.iter() {
                        if !bytes.contains(byte) {
                            bytes.push(*byte);
                        }
                    }
                }
            }
            if !grew {
                break;
            }
        }
        let pairs = all.into_iter().zip(chosen);
        pairs.filter(|pair| pair.1).map(|pair| pair.0).collect()
    }

    /// Folds over the constraints in order. `folds` remembers the result at every constraint, so
    /// that paths with common prefixes visit each constraint once.
    pub fn fold<'p, T: Copy>(
        &'p self,
        folds: &mut Folds<'p, T>,
        empty: T,
        mut step: impl FnMut(T, Term) -> T,
    ) -> T {
        let mut pending = Vec::new();
        let mut link = self.last.as_deref();
        let mut value = empty;
        while let Some(current) = link {
            if let Some(known) = folds.known.get(&std::ptr::from_ref(current)) {
                value = *known;
                break;
            }
            pending.push(current);
            link = current.previous.as_deref();
        }
        while let Some(current) = pending.pop() {
            if !current.is_implied() {
                value = step(value, current.term);
            }
            folds.known.insert(std::ptr::from_ref(current), value);
        }
        value
    }

    /// True if the model satisfies every constraint.
    pub fn holds(&self, terms: &Terms, model: &Model) -> bool {
        !self.infeasible && self.iter().all(|term| terms.eval(term, model) == 1)
    }

    /// Marks every constraint for the current collection of the pool; parts shared with other
    /// paths are visited once.
    pub fn mark(&self, terms: &Terms) {
        let collection = terms.collection();
        let mut link = self.last.as_deref();
        while let Some(current) = link {
            if current.marked.swap(collection, Ordering::Relaxed) == collection {
                break;
            }
            terms.mark(current.term);
            link = current.previous.as_deref();
        }
        for group in self.groups() {
            for &constraint in &group.constraints {
                terms.mark(constraint);
            }
        }
        self.proven.visit(&mut |term| terms.mark(term));
    }

    /// Sound inclusive unsigned bounds of a term that were found on this path, and how many
    /// constraints were added since then; 0 also if none of them was on the term's bytes.
    pub fn proven_bounds(&self, terms: &Terms, term: Term) -> Option<((u128, u128), usize)> {
        let (bounds, length) = self.proven.get(terms, term)?;
        let changed = |byte: &Byte| {
            self.group(*byte)
                .is_some_and(|group| group.changed > length)
        };
        let age = if terms.support(term).iter().any(changed) {
            self.length - length
        } else {
            0
        };
        Some((bounds, age))
    }

    /// The constraints that were added since a path was this one, in order; nothing if it never
    /// was.
    pub fn since(&self, earlier: &PathCondition) -> Option<Vec<Term>> {
        let start = earlier.last.as_ref().map(Arc::as_ptr);
        let mut added = Vec::new();
        let mut link = self.last.as_ref();
        while link.map(Arc::as_ptr) != start {
            let current = link?;
            if !current.is_implied() {
                added.push(current.term);
            }
            link = current.previous.as_ref();
        }
        added.reverse();
        Some(added)
    }

    /// Every term that is kept: the constraints, as they are and sorted out, and what was proven.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        self.iter().for_each(&mut *visit);
        for group in self.groups() {
            group.constraints.iter().copied().for_each(&mut *visit);
        }
        self.visit_proven(visit);
    }

    /// Every term that something is kept of.
    pub fn visit_proven(&self, visit: &mut dyn FnMut(Term)) {
        self.proven.visit(visit);
    }

    /// Keeps sound bounds of a term.
    pub fn note_bounds(&mut self, terms: &Terms, term: Term, bounds: (u128, u128)) {
        self.proven.insert(terms, term, bounds, self.length);
    }

    /// Returns this path over the terms of another pool, which `map` returns, without recomputing
    /// derived data.
    pub fn with_terms(&self, map: &dyn Fn(Term) -> Term) -> PathCondition {
        let PathCondition {
            last: _,
            length,
            groups,
            infeasible,
            proven,
        } = self;
        // A constraint that is implied by now stays implied, so the other pool does not need it.
        let links = self.links().into_iter().rev();
        let last = links
            .filter(|link| !link.is_implied())
            .fold(None, |previous, link| {
                Some(Arc::new(Link {
                    term: map(link.term),
                    previous,
                    others: link.others.clone(),
                    marked: AtomicU64::new(0),
                }))
            });
        let mut moved: FxHashMap<Byte, Arc<Group>> = FxHashMap::default();
        let groups = groups
            .iter()
            .map(|(byte, group)| {
                // A group is listed under each of its bytes.
                let first = group.bytes.first().copied().unwrap_or(*byte);
                let group = moved.entry(first).or_insert_with(|| {
                    Arc::new(Group {
                        bytes: group.bytes.clone(),
                        domains: group.domains.clone(),
                        constraints: group.constraints.iter().map(|term| map(*term)).collect(),
                        changed: group.changed,
                    })
                });
                (*byte, group.clone())
            })
            .collect();
        PathCondition {
            last,
            length: *length,
            groups,
            infeasible: *infeasible,
            proven: proven.with_terms(map),
        }
    }

    /// Estimated bytes that this path does not share with its parent after one added constraint.
    pub fn memory(&self) -> usize {
        self.groups.len() * size_of::<(Byte, Arc<Group>)>() + size_of::<Link>()
    }

    /// Adds one conjunct to the groups.
    fn assume(&mut self, terms: &Terms, term: Term) {
        if let Some(byte) = terms.single_byte(term)
            && let Some(set) = terms.truth_set(term)
            && self.restrict(byte, &set)
        {
            return;
        }
        let support = terms.support(term);
        let mut merged = Group::default();
        // Only free bytes tie groups together; a fixed one is looked at as a constant.
        for &byte in support.iter() {
            if self.domain(byte).only().is_some() && support.len() > 1 {
                continue;
            }
            merged.merge(self, byte);
        }
        let fresh = subsume::add(terms, &mut merged.constraints, term);
        self.note_number(terms, &merged.constraints, term);
        let merged = Group {
            changed: self.length,
            ..merged.sorted()
        };
        self.insert(terms, merged, fresh);
    }

    /// Intersects the domain of a byte that is tied to no other; false if it is.
    fn restrict(&mut self, byte: Byte, set: &ByteSet) -> bool {
        let position = self.groups.binary_search_by_key(&byte, |entry| entry.0);
        let domain = match position {
            Ok(position) => {
                let group = &self.groups[position].1;
                if !group.constraints.is_empty() {
                    return false;
                }
                let domain = group.domains[0].and(set);
                if domain == group.domains[0] {
                    return true;
                }
                domain
            }
            Err(_) => *set,
        };
        self.infeasible |= domain.is_empty();
        let group = Arc::new(Group {
            bytes: smallvec![byte],
            domains: smallvec![domain],
            constraints: Vec::new(),
            changed: self.length,
        });
        match position {
            Ok(position) => Arc::make_mut(&mut self.groups)[position].1 = group,
            Err(position) => {
                let (before, after) = self.groups.split_at(position);
                let (before, after) = (before.iter().cloned(), after.iter().cloned());
                // Of known length, so it is allocated once.
                self.groups = before.chain(once((byte, group))).chain(after).collect();
            }
        }
        true
    }

    /// Replaces the groups of the bytes by a group, after splitting it as far as possible.
    /// Constraints from number `fresh` on are new.
    fn insert(&mut self, terms: &Terms, mut group: Group, fresh: usize) {
        let fixed = |byte: Byte| self.domain(byte);
        if !narrow(terms, &mut group, fresh, fixed) {
            self.infeasible = true;
        }
        let parts = split(terms, group);
        let mut groups = self.groups.to_vec();
        for part in parts {
            let part = Arc::new(part);
            for &byte in &part.bytes {
                match groups.binary_search_by_key(&byte, |entry| entry.0) {
                    Ok(position) => groups[position].1 = part.clone(),
                    Err(position) => groups.insert(position, (byte, part.clone())),
                }
            }
        }
        self.groups = groups.into();
    }
}

/// Moves constraints with one free byte into that byte's domain, until nothing changes. Constraints
/// before number `fresh` have at least two free bytes unless another byte becomes fixed. `outside`
/// gives the domains of bytes of other groups (which are fixed). False: a domain became empty or a
/// constraint without free bytes is false.
pub(super) fn narrow(
    terms: &Terms,
    group: &mut Group,
    mut fresh: usize,
    outside: impl Fn(Byte) -> ByteSet,
) -> bool {
    let mut feasible = true;
    loop {
        let mut changed = false;
        let mut kept = Vec::with_capacity(group.constraints.len());
        for (number, constraint) in std::mem::take(&mut group.constraints)
            .into_iter()
            .enumerate()
        {
            if number < fresh {
                kept.push(constraint);
                continue;
            }
            let support = terms.support(constraint);
            let domain = |byte: Byte| match group.bytes.binary_search(&byte) {
                Ok(position) => group.domains[position],
                Err(_) => outside(byte),
            };
            let mut free = None;
            let mut more = false;
            let values: Vec<u8> = support
                .iter()
                .enumerate()
                .map(|(position, &byte)| {
                    let domain = domain(byte);
                    domain.only().unwrap_or_else(|| {
                        more |= free.is_some();
                        free = Some((position, byte));
                        0
                    })
                })
                .collect();
            if more {
                kept.push(constraint);
                continue;
            }
            // A constraint on fixed bytes only is checked on the first of them.
            let Some((position, byte)) = free.or_else(|| Some((0, *support.first()?))) else {
                continue;
            };
            let before = domain(byte);
            let after = if support.len() == 1 {
                before.and(&terms.truth_set(constraint).unwrap_or(ByteSet::FULL))
            } else {
                let program = terms.lane_program(constraint);
                terms.holds_for(&program, position, &before, &values)
            };
            feasible &= !after.is_empty();
            if let Ok(position) = group.bytes.binary_search(&byte) {
                changed |= before.only().is_none() && after.only().is_some();
                group.domains[position] = after;
            }
        }
        group.constraints = kept;
        fresh = 0;
        if !changed || group.constraints.is_empty() || !feasible {
            return feasible;
        }
    }
}

/// Splits a group into its connected parts; each fixed byte is a separate part.
pub(super) fn split(terms: &Terms, group: Group) -> Vec<Group> {
    let count = group.bytes.len();
    if count == 1 {
        return vec![group];
    }
    let mut part_of: Vec<usize> = (0..count).collect();
    let supports: Vec<Vec<usize>> = group
        .constraints
        .iter()
        .map(|&constraint| {
            let support = terms.support(constraint);
            let positions = support
                .iter()
                .filter_map(|byte| group.bytes.binary_search(byte).ok());
            positions
                .filter(|&position| group.domains[position].only().is_none())
                .collect()
        })
        .collect();
    for positions in &supports {
        let Some(&first) = positions.first() else {
            continue;
        };
        let target = part_of[first];
        for &position in positions {
            let old = part_of[position];
            if old != target {
                for part in &mut part_of {
                    if *part == old {
                        *part = target;
                    }
                }
            }
        }
    }
    let mut parts: Vec<(usize, Group)> = Vec::new();
    for (position, &id) in part_of.iter().enumerate() {
        let slot = match parts.iter().position(|part| part.0 == id) {
            Some(slot) => slot,
            None => {
                let empty = Group {
                    changed: group.changed,
                    ..Group::default()
                };
                parts.push((id, empty));
                parts.len() - 1
            }
        };
        parts[slot].1.bytes.push(group.bytes[position]);
        parts[slot].1.domains.push(group.domains[position]);
    }
    for (constraint, positions) in group.constraints.iter().zip(&supports) {
        let id = positions
            .first()
            .map_or(usize::MAX, |&first| part_of[first]);
        if let Some(part) = parts.iter_mut().find(|part| part.0 == id) {
            part.1.constraints.push(*constraint);
        }
    }
    parts.into_iter().map(|part| part.1).collect()
}

impl Drop for Link {
    /// Frees a long list without recursion.
    fn drop(&mut self) {
        let mut next = self.previous.take();
        while let Some(link) = next {
            match Arc::try_unwrap(link) {
                Ok(mut link) => next = link.previous.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::ops::CmpOp;

    fn bytes(terms: &Terms, count: u32) -> Vec<(Byte, Term)> {
        let array = terms.array("a", 0, count);
        (0..count)
            .map(|index| {
                let byte = Byte { array, index };
                (byte, terms.symbol(byte))
            })
            .collect()
    }

    #[test]
    fn constraints_on_one_byte_meet_in_its_domain() {
        let terms = Terms::new();
        let b = bytes(&terms, 1);
        let mut path = PathCondition::new();
        path.add(&terms, terms.cmp(CmpOp::Ugt, b[0].1, terms.constant(8, 3)));
        let parent = path.clone();
        path.add(&terms, terms.cmp(CmpOp::Ult, b[0].1, terms.constant(8, 6)));
        let values: Vec<u8> = path.domain(b[0].0).iter().collect();
        assert_eq!(values, [4, 5]);
        assert_eq!(parent.domain(b[0].0).len(), 252);
        assert_eq!((parent.len(), path.len()), (1, 2));
        path.add(&terms, terms.eq_const(b[0].1, 9));
        assert!(path.is_infeasible() && !parent.is_infeasible());
    }

    #[test]
    fn a_fold_looks_at_shared_beginnings_once() {
        let terms = Terms::new();
        let b = bytes(&terms, 3);
        let mut path = PathCondition::new();
        path.add(&terms, terms.eq_const(b[0].1, 1));
        let mut other = path.clone();
        path.add(&terms, terms.eq_const(b[1].1, 2));
        other.add(&terms, terms.eq_const(b[2].1, 3));
        let mut folds = Folds::default();
        let mut looked_at = 0;
        for (path, expected) in [(&path, 2), (&other, 2), (&path, 2)] {
            let length = path.fold(&mut folds, 0, |length, _| {
                looked_at += 1;
                length + 1
            });
            assert_eq!(length, expected);
        }
        assert_eq!(looked_at, 3);
    }

    #[test]
    fn a_fixed_byte_separates_its_neighbours_again() {
        let terms = Terms::new();
        let b = bytes(&terms, 3);
        let mut path = PathCondition::new();
        path.add(&terms, terms.cmp(CmpOp::Ult, b[0].1, b[1].1));
        path.add(&terms, terms.cmp(CmpOp::Ult, b[1].1, b[2].1));
        assert_eq!(path.groups().count(), 1);
        path.add(&terms, terms.eq_const(b[1].1, 10));
        assert_eq!(path.groups().count(), 3);
        assert_eq!(path.domain(b[0].0).last(), Some(9));
        assert_eq!(path.domain(b[2].0).first(), Some(11));
        assert!(path.groups().all(|group| group.constraints.is_empty()));
        let related = path.related(&terms, b[0].1);
        assert_eq!(related, path.iter().collect::<Vec<_>>());
    }

    #[test]
    fn paths_that_share_constraints_survive_a_sweep() {
        let terms = Terms::new();
        let b = bytes(&terms, 3);
        let mut parent = PathCondition::new();
        parent.add(&terms, terms.cmp(CmpOp::Ult, b[0].1, b[1].1));
        let mut children = [parent.clone(), parent.clone()];
        let last = terms.eq_const(b[2].1, 7);
        children[0].add(&terms, last);
        children[1].add(&terms, terms.not(last));
        terms.cmp(CmpOp::Ult, b[1].1, b[2].1);
        let texts = |path: &PathCondition| -> Vec<String> {
            let all: Vec<Term> = path.iter().collect();
            vec![crate::term::smtlib::print(&terms, &all)]
        };
        let before = [texts(&children[0]), texts(&children[1])];
        for _ in 0..3 {
            terms.begin_mark();
            children.iter().for_each(|path| path.mark(&terms));
            terms.sweep();
            // Ids that the dead terms had are used for other terms now.
            for value in 0..20 {
                terms.cmp(CmpOp::Ugt, b_again(&terms, 2), terms.constant(8, value));
            }
            assert_eq!([texts(&children[0]), texts(&children[1])], before);
        }
        assert_eq!(children[1].domain(b[2].0).len(), 255);
    }

    fn b_again(terms: &Terms, index: u32) -> Term {
        bytes(terms, 3)[index as usize].1
    }

    #[test]
    fn a_long_path_is_freed_without_recursion() {
        let terms = Terms::new();
        let b = bytes(&terms, 1);
        let mut path = PathCondition::new();
        let constraint = terms.cmp(CmpOp::Ugt, b[0].1, terms.constant(8, 3));
        for _ in 0..200_000 {
            path.add(&terms, constraint);
        }
        assert_eq!(path.iter().count(), 200_000);
    }
}

#[cfg(test)]
#[path = "path_traces.rs"]
mod traces;
