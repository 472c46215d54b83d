//! Table entry: a program point, and the interpolant of a node at this point. A state at the same
//! point that satisfies the interpolant is subsumed.
//!
//! Invariant: "yes" is a proof, and everything else is "no". Cheap conditions are tested first.

use super::blocks::{Block, Naming, Target, moved_byte, renamed};
use super::candidate::Candidate;
use super::frames::FrameView;
use super::interpolant::{Interpolant, ObjectPin, ObjectShape};
use super::matching::Matching;
use super::point::{Modes, Point};
use super::reasons::Reason;
use super::statistics::Refusal;
use super::storage::{Region, StorageLocs, region_of};
use super::tree::Below;
use homi_machine::state::State;
use homi_solver::term::{Byte, Substituted, Term, Terms};
use homi_solver::{Check, Oracle};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Interpolant at a point.
#[derive(Debug)]
pub(super) struct Entry {
    point: Point,
    modes: Modes,
    /// Clauses of 1 bit, sorted by the number of bytes in them.
    clauses: Vec<Term>,
    blocks: Vec<Block>,
    pointers: Vec<(Term, Target)>,
    objects: Vec<(Region, ObjectShape)>,
    absent: Vec<Target>,
    freed: Vec<Region>,
    fixed: Vec<u64>,
    symbolic: Vec<(Term, bool)>,
    bound: Vec<(Byte, Term)>,
    kept: Vec<Term>,
    /// Hash of all conditions.
    fingerprint: u64,
    /// Number of states that the entry subsumed.
    pub(super) uses: u64,
    pub(super) below: Below,
}

impl Entry {
    /// Returns the entry for the interpolant of a node with this state; `None` if an object has no
    /// name that is valid on other paths.
    pub(super) fn new(
        (terms, locs): (&Terms, &mut StorageLocs),
        (state, frames, point): (&State, &FrameView<'_>, Point),
        interpolant: &Interpolant,
        below: Below,
    ) -> Option<Self> {
        let mut naming = Naming::of(terms, locs, &state.memory, interpolant);
        let mut rename = |term: &Term| naming.rename(terms, locs, *term);
        let mut clauses: Vec<Term> = interpolant.clauses.iter().map(&mut rename).collect();
        clauses.sort_by_key(|clause| terms.support(*clause).len());
        let symbolic = interpolant.symbolic.iter();
        let symbolic: Vec<(Term, bool)> = symbolic.map(|(term, is)| (rename(term), *is)).collect();
        let pointers = interpolant.pointers.iter();
        let pointers: Vec<(Term, u64)> = pointers
            .map(|(term, number)| (rename(term), *number))
            .collect();
        let bound = interpolant.bound.iter();
        let bound: Vec<(Byte, Term)> = bound
            .map(|&(byte, value)| (naming.rename_byte(terms, locs, byte), value))
            .collect();
        let target = |number: u64| naming.target(state, frames, number);
        let objects = interpolant.objects.iter().map(|pin| {
            let object = state.memory.object_at(pin.base)?;
            let region = naming.region(pin.base);
            Some((
                region.unwrap_or_else(|| region_of(frames, &object)),
                pin.shape,
            ))
        });
        let freed = interpolant.freed.iter();
        let mut entry = Self {
            point,
            modes: Modes::of(state, frames),
            pointers: pointers
                .into_iter()
                .map(|(term, number)| (term, target(number)))
                .filter(|(term, target)| target.region != Region::Pointed(*term))
                .collect(),
            objects: objects.collect::<Option<_>>()?,
            absent: interpolant.absent.iter().map(|at| target(*at)).collect(),
            freed: freed
                .map(|base| naming.region(*base))
                .collect::<Option<_>>()?,
            fixed: interpolant.fixed.clone(),
            blocks: naming.blocks,
            clauses,
            symbolic,
            bound,
            kept: interpolant.kept.clone(),
            fingerprint: 0,
            uses: 0,
            below,
        };
        entry.fingerprint = entry.hash();
        Some(entry)
    }

    /// Returns a hash of all conditions.
    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (&self.clauses, &self.pointers, &self.symbolic, &self.blocks).hash(&mut hasher);
        (&self.bound, &self.kept, &self.freed, &self.fixed).hash(&mut hasher);
        self.objects.len().hash(&mut hasher);
        hasher.finish()
    }

    /// Calls `visit` for every term.
    pub(super) fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        self.clauses.iter().for_each(|term| visit(*term));
        self.pointers.iter().for_each(|(term, _)| visit(*term));
        self.symbolic.iter().for_each(|(term, _)| visit(*term));
        self.bound.iter().for_each(|(_, term)| visit(*term));
        self.kept.iter().for_each(|term| visit(*term));
        for block in &self.blocks {
            if let Region::Pointed(pointer) = block.region {
                visit(pointer);
            }
        }
    }

    /// True if two entries most likely have the same conditions, so that one suffices.
    pub(super) fn is_equivalent(&self, other: &Entry) -> bool {
        self.fingerprint == other.fingerprint && self.point == other.point
    }

    /// Returns the interpolant in the addresses of a state that the entry subsumes.
    pub(super) fn interpolant(
        &self,
        (terms, locs): (&Terms, &mut StorageLocs),
        frames: &FrameView<'_>,
    ) -> Option<Interpolant> {
        let other = |region| match region {
            Region::Pointed(_) => Some(Region::Absolute(frames.address(region)?)),
            _ => None,
        };
        let mut known = Substituted::default();
        let mut moved = |term: &Term| renamed((terms, &mut *locs), &mut known, *term, &other);
        let clauses = self.clauses.iter().map(&mut moved).collect();
        let symbolic = self.symbolic.iter();
        let symbolic = symbolic.map(|(term, is)| (moved(term), *is)).collect();
        // The pointers that name blocks are conditions, too.
        let named = self.blocks.iter().filter_map(|block| match block.region {
            Region::Pointed(pointer) => {
                let (region, offset) = (block.region, block.offset);
                Some((pointer, Target { region, offset }))
            }
            _ => None,
        });
        let pointers = self.pointers.iter().copied().chain(named);
        let pointers: Vec<(Term, u64)> = pointers
            .map(|(term, target)| Some((moved(&term), target.address(frames)?)))
            .collect::<Option<_>>()?;
        let bound = self.bound.iter();
        let bound = bound
            .map(|&(byte, value)| (moved_byte((terms, &mut *locs), byte, &other), value))
            .collect();
        let objects = self.objects.iter();
        let absent = self.absent.iter();
        let freed = self.freed.iter();
        Some(Interpolant {
            clauses,
            pointers,
            objects: objects
                .map(|(region, shape)| {
                    let base = frames.address(*region)?;
                    let shape = *shape;
                    Some(ObjectPin { base, shape })
                })
                .collect::<Option<_>>()?,
            absent: absent
                .map(|target| target.address(frames))
                .collect::<Option<_>>()?,
            freed: freed
                .map(|region| frames.address(*region))
                .collect::<Option<_>>()?,
            fixed: self.fixed.clone(),
            symbolic,
            bound,
            kept: self.kept.clone(),
            depends: Vec::new(),
        })
    }

    /// Tests whether a state satisfies the entry; the error is the reason for a refusal. Unless
    /// `may_search` is true, the oracle answers only cheap queries.
    pub(super) fn admits(
        &mut self,
        terms: &Terms,
        locs: &StorageLocs,
        (candidate, point): (&mut Candidate<'_>, &Point),
        (oracle, may_search): (&mut dyn Oracle, bool),
    ) -> Result<(), Refusal> {
        let same_modes = self.modes == candidate.modes || !Reason::Modes.counts();
        if self.point != *point || !same_modes {
            return Err(Refusal::Modes);
        }
        candidate.bind(terms, locs, &self.blocks)?;
        let mut asked = Vec::new();
        for index in 0..self.pointers.len() {
            let (term, wanted) = self.pointers[index];
            let number = wanted.address(&candidate.frames);
            let found = candidate.put(terms, locs, term);
            let found = found.ok_or(Refusal::Objects)?;
            match terms.as_const(found) {
                Some(value) if Some(value as u64) == number => {}
                _ => {
                    // A condition that refuses one state is likely to refuse the next.
                    self.pointers[..=index].rotate_right(1);
                    return Err(Refusal::Pointers(term));
                }
            }
        }
        for &(term, symbolic) in &self.symbolic {
            let found = candidate.put(terms, locs, term).ok_or(Refusal::Objects)?;
            if terms.as_const(found).is_some() == symbolic {
                return Err(Refusal::Symbolic);
            }
        }
        for index in 0..self.clauses.len() {
            let clause = self.clauses[index];
            let found = candidate.put(terms, locs, clause).ok_or(Refusal::Objects)?;
            match terms.as_const(found) {
                Some(0) => {
                    self.clauses[..=index].rotate_right(1);
                    return Err(Refusal::Numbers(clause));
                }
                Some(_) => {}
                None if terms.eval(found, &candidate.state.model) == 0 => {
                    return Err(Refusal::Model(clause));
                }
                None => asked.push((clause, found)),
            }
        }
        self.admits_objects(candidate)?;
        let kept = self.matched(terms, locs, candidate)?;
        for condition in kept {
            if terms.eval(condition, &candidate.state.model) == 0 {
                return Err(Refusal::Model(condition));
            }
            asked.push((condition, condition));
        }
        for (clause, condition) in asked {
            let state = candidate.state;
            let negation = terms.not(condition);
            let (path, model) = (&state.path, &state.model);
            let answer = if may_search {
                Some(oracle.check(terms, path, model, negation))
            } else {
                oracle.check_cheaply(terms, path, model, negation)
            };
            match answer {
                Some(Check::Unsat) => {}
                Some(Check::Sat(_)) => return Err(Refusal::Solver(clause)),
                Some(Check::Unknown(_)) | None => return Err(Refusal::Unknown),
            }
        }
        Ok(())
    }

    /// Returns the constraints of the form `core` over the state's inputs, for inputs of the entry
    /// that give its storage locations the state's values.
    fn matched(
        &self,
        terms: &Terms,
        locs: &StorageLocs,
        candidate: &mut Candidate<'_>,
    ) -> Result<Vec<Term>, Refusal> {
        let mut found = Matching::default();
        for &(byte, pattern) in &self.bound {
            let loc = terms.symbol(byte);
            let value = candidate.put(terms, locs, loc).ok_or(Refusal::Objects)?;
            if !found.matches(terms, pattern, value) {
                return Err(Refusal::Pattern(loc));
            }
        }
        let mut known = Substituted::default();
        let mut conditions = Vec::new();
        for &constraint in &self.kept {
            let condition = terms.substitute(constraint, &mut known, &mut |byte| {
                // An input that no storage location determines is arbitrary, so the state's input
                // of that name may be used.
                let other = found.inputs.get(&byte).copied();
                other.unwrap_or_else(|| terms.symbol(byte))
            });
            match terms.as_const(condition) {
                Some(0) => return Err(Refusal::Numbers(constraint)),
                Some(_) => {}
                None => conditions.push(condition),
            }
        }
        Ok(conditions)
    }

    fn admits_objects(&self, candidate: &Candidate<'_>) -> Result<(), Refusal> {
        let memory = &candidate.state.memory;
        for (region, shape) in &self.objects {
            let base = candidate.frames.address(*region).ok_or(Refusal::Objects)?;
            let object = memory.object_at(base).ok_or(Refusal::Objects)?;
            if object.base != base || ObjectShape::of(memory, &object) != Some(*shape) {
                return Err(Refusal::Objects);
            }
        }
        for region in &self.freed {
            let base = candidate.frames.address(*region).ok_or(Refusal::Objects)?;
            if memory
                .freed_owner(base)
                .is_none_or(|object| object.base != base)
            {
                return Err(Refusal::Objects);
            }
        }
        for target in &self.absent {
            let address = target.address(&candidate.frames).ok_or(Refusal::Objects)?;
            if memory.object_at(address).is_some() {
                return Err(Refusal::Objects);
            }
        }
        Ok(())
    }
}
