//! Interpolant of a node, from the interpolants of its successors: weakest preconditions along the
//! subpaths between them (the form `wp`).
//!
//! Idea: each subpath from the node to a successor, or to the end of a path, is a list of
//! conditions on the storage locations at the node. A condition that all subpaths share must hold.
//! If they differ, one of the alternatives must hold, and the rest of each subpath holds under its
//! alternative. The interpolant of a successor moves to the node by substitution: each storage
//! location is replaced by its term at the subpath's end.
//!
//! Invariant: see `Interpolant`.

use super::arcs;
use super::frames::FrameView;
use super::interpolant::{Interpolant, ObjectPin, ObjectShape};
use super::reasons::Reason;
use super::relocatable::owner_or_freed;
use super::storage::{StorageLoc, region_of};
use super::subpath::{Decided, Equipment, Failure, Subpath};
use homi_machine::memory::{AllocationSite, ObjectKind, ObjectRef};
use homi_solver::term::{Byte, Model, Substituted, Term, Terms};
use rustc_hash::FxHashMap;

/// Maximum number of clauses of an interpolant; more cost more than they save.
const MOST_CLAUSES: usize = 4096;
/// Maximum number of conditions of a node on the way to a successor.
const MOST_DECIDED: usize = 1 << 16;

/// Explored continuation of a node, up to a successor or the end of a path.
pub(super) struct Way {
    decided: Vec<Decided>,
    /// Conditions at its end, in terms of storage locations at the node.
    after: Interpolant,
    /// Values of storage locations and later inputs on the explored path.
    model: Model,
}

/// Returns the continuation for a re-executed subpath; `after` is the interpolant at its end, if
/// any.
pub(super) fn way(
    with: &mut Equipment<'_, '_>,
    mut subpath: Subpath<'_>,
    after: Option<&Interpolant>,
) -> Result<Way, Failure> {
    if subpath.facts.decided.len() > MOST_DECIDED {
        return Err(Failure::Size);
    }
    // The successor's interpolant may fix addresses here, so it is moved back first.
    let moved = match after {
        Some(after) => Some(moved_back(with, &mut subpath, after)?),
        None => None,
    };
    let facts = std::mem::take(&mut subpath.facts);
    let mut found = Interpolant {
        clauses: Vec::new(),
        pointers: facts.pointers,
        objects: facts.objects.into_values().collect(),
        absent: facts.absent,
        freed: facts.freed.into_iter().collect(),
        fixed: facts.fixed.into_iter().collect(),
        symbolic: facts.symbolic,
        ..Interpolant::default()
    };
    if let Some(moved) = moved {
        found.join(moved);
    }
    let mut model = subpath.state.model.clone();
    let mut renamer = Renamer::default();
    let decided = facts
        .decided
        .into_iter()
        .map(|decided| {
            Ok(Decided {
                condition: renamer.rename(with, &subpath, decided.condition)?,
                ..decided
            })
        })
        .collect::<Result<_, Failure>>()?;
    for clause in &mut found.clauses {
        *clause = renamer.rename(with, &subpath, *clause)?;
    }
    for (term, _) in &mut found.pointers {
        *term = renamer.rename(with, &subpath, *term)?;
    }
    for term in &mut found.depends {
        *term = renamer.rename(with, &subpath, *term)?;
    }
    for (term, _) in &mut found.symbolic {
        *term = renamer.rename(with, &subpath, *term)?;
    }
    for (byte, later) in renamer.bytes {
        let value = model.get(byte);
        model.set(later, value);
    }
    Ok(Way {
        decided,
        after: found,
        model,
    })
}

/// Substitution of later inputs for the inputs that a subpath made.
#[derive(Default)]
struct Renamer {
    known: Substituted,
    bytes: Vec<(Byte, Byte)>,
    failed: bool,
}

impl Renamer {
    fn rename(
        &mut self,
        with: &mut Equipment<'_, '_>,
        subpath: &Subpath<'_>,
        term: Term,
    ) -> Result<Term, Failure> {
        let Self {
            known,
            bytes,
            failed,
        } = self;
        let support = with.terms.support(term);
        if support.iter().all(|byte| with.locs.knows(byte.array)) {
            return Ok(term);
        }
        let earlier = subpath.start.symbolics.objects.len();
        let renamed = with.terms.substitute(term, known, &mut |byte| {
            if with.locs.knows(byte.array) {
                return with.terms.symbol(byte);
            }
            let made = subpath
                .state
                .symbolics
                .objects
                .iter()
                .enumerate()
                .skip(earlier);
            let mut made = made.filter(|(_, object)| object.array == byte.array);
            let Some((ordinal, object)) = made.next() else {
                *failed = true;
                return with.terms.symbol(byte);
            };
            let array = with
                .locs
                .later_input(with.terms, ordinal as u32, object.size);
            let later = Byte {
                array,
                index: byte.index,
            };
            bytes.push((byte, later));
            with.terms.symbol(later)
        });
        if *failed {
            Err(Failure::Input)
        } else {
            Ok(renamed)
        }
    }
}

/// Returns the interpolant at the end of a subpath, in terms of storage locations at its start.
fn moved_back(
    with: &mut Equipment<'_, '_>,
    subpath: &mut Subpath<'_>,
    after: &Interpolant,
) -> Result<Interpolant, Failure> {
    for base in &after.fixed {
        if !subpath.was_there(*base) {
            return Err(Failure::Addresses("address of a new object".to_string()));
        }
        subpath.fix(*base);
    }
    let frames = FrameView::new(&subpath.state);
    let mut known = Substituted::default();
    let mut missing = false;
    let mut same: FxHashMap<Byte, bool> = FxHashMap::default();
    let mut put = |with: &mut Equipment<'_, '_>, term: Term| {
        // The subpath leaves most storage locations of the interpolant unchanged.
        let support = with.terms.support(term);
        let mut bytes = support.iter();
        let is_same = bytes.all(|byte| {
            *same.entry(*byte).or_insert_with(|| {
                let value = subpath.value_at_end(with, &frames, *byte);
                value == Some(with.terms.symbol(*byte))
            })
        });
        if is_same {
            return term;
        }
        with.terms.substitute(term, &mut known, &mut |byte| {
            let value = subpath.value_at_end(with, &frames, byte);
            value.unwrap_or_else(|| {
                missing = true;
                with.terms.symbol(byte)
            })
        })
    };
    let mut moved = Interpolant::default();
    // Addresses that the subpath introduced into the interpolant are not valid on other paths.
    let mut fixed = Vec::new();
    for clause in &after.clauses {
        let before = *clause;
        let clause = put(with, before);
        match with.terms.as_const(clause) {
            Some(0) => return Err(Failure::Diverged("a condition is false")),
            Some(_) => {}
            None => {
                if clause != before {
                    fixed.extend(subpath.moving_numbers(with, clause));
                }
                moved.clauses.push(clause);
            }
        }
    }
    for &(term, number) in &after.pointers {
        let term = put(with, term);
        match with.terms.as_const(term) {
            Some(value) if value == u128::from(number) => continue,
            Some(_) => return Err(Failure::Diverged("another address")),
            None => {}
        }
        let numbers = subpath.moving_numbers(with, term);
        if !numbers.is_empty() && subpath.is_fixed_by(with, term, number) {
            let condition = with.terms.eq_const(term, u128::from(number));
            moved.clauses.push(condition);
            continue;
        }
        fixed.extend(numbers);
        moved.pointers.push((term, number));
    }
    for &(byte, _) in &after.bound {
        let symbol = with.terms.symbol(byte);
        let term = put(with, symbol);
        if with.terms.as_const(term).is_none() {
            moved.depends.push(term);
        }
    }
    for &(term, symbolic) in &after.symbolic {
        let term = put(with, term);
        match with.terms.as_const(term) {
            Some(_) if symbolic => return Err(Failure::Diverged("no longer symbolic")),
            Some(_) => {}
            None => moved.symbolic.push((term, symbolic)),
        }
    }
    if missing {
        return Err(Failure::Object);
    }
    subpath.fix_all(&fixed, "condition on an address")?;
    let start = &subpath.start.memory;
    for pin in &after.objects {
        if let Some(object) = start.object_at(pin.base)
            && object.base == pin.base
        {
            let shape = ObjectShape::of(start, &object).ok_or(Failure::Object)?;
            let base = pin.base;
            moved.objects.push(ObjectPin { base, shape });
        }
    }
    let absent = after.absent.iter().copied();
    moved
        .absent
        .extend(absent.filter(|address| subpath.was_absent(*address)));
    let freed = after.freed.iter().copied();
    let was_freed = |base: &u64| {
        let object = start.freed_owner(*base);
        object.is_some_and(|object| object.base == *base)
    };
    moved.freed.extend(freed.filter(was_freed));
    Ok(moved)
}

impl Subpath<'_> {
    /// True if no object existed at an address at the start, in terms of an object that existed
    /// then. The end must have no object there.
    fn was_absent(&self, address: u64) -> bool {
        let is_new = |object: &ObjectRef| match object.site {
            AllocationSite::FrameObject { .. } | AllocationSite::Global(_) => false,
            _ => !self.was_there(object.base),
        };
        let owner = owner_or_freed(&self.state.memory, address);
        self.start.memory.object_at(address).is_none() && !owner.as_ref().is_some_and(is_new)
    }

    /// Returns the term of a byte at the end of the subpath, over storage locations at its start.
    fn value_at_end(
        &self,
        with: &mut Equipment<'_, '_>,
        frames: &FrameView<'_>,
        byte: Byte,
    ) -> Option<Term> {
        let terms = with.terms;
        match with.locs.loc(byte.array) {
            Some(StorageLoc::Register { depth, slot })
                if !self.is_register_settled(frames, depth, slot) =>
            {
                Some(terms.symbol(byte))
            }
            Some(StorageLoc::Object { region, size }) => {
                let base = frames.address(region)?;
                let start = self.start.memory.object_at(base);
                let start = start.filter(|object| object.base == base);
                let open = start.filter(|object| {
                    let is_constant = matches!(object.kind, ObjectKind::Global { constant: true });
                    !is_constant && !self.is_byte_settled(base, byte.index)
                });
                match open {
                    Some(object) => {
                        let region = region_of(&self.start_frames, &object);
                        let array = with.locs.array(terms, StorageLoc::Object { region, size });
                        let index = byte.index;
                        Some(terms.symbol(Byte { array, index }))
                    }
                    None => with.locs.value(terms, (&self.state, frames), byte),
                }
            }
            _ => with.locs.value(terms, (&self.state, frames), byte),
        }
    }
}

/// Returns the interpolant of a node with these continuations.
pub(super) fn interpolant(terms: &Terms, mut ways: Vec<Way>) -> Result<Interpolant, Failure> {
    let models: Vec<Model> = ways.iter().map(|way| way.model.clone()).collect();
    let mut whole = unsimplified(terms, &mut ways, &models)?;
    whole.clauses = arcs::joined(terms, std::mem::take(&mut whole.clauses), &models);
    whole.tidy();
    if whole.clauses.len() > MOST_CLAUSES {
        Err(Failure::Size)
    } else {
        Ok(whole)
    }
}

/// Returns the interpolant of a node before its clauses are simplified. A clause that holds for all
/// `models`, if there are any, omits the condition of its side.
pub(super) fn unsimplified(
    terms: &Terms,
    ways: &mut [Way],
    models: &[Model],
) -> Result<Interpolant, Failure> {
    let mut whole = Interpolant::default();
    for way in ways.iter_mut() {
        let clauses = std::mem::take(&mut way.after.clauses);
        whole.join(std::mem::take(&mut way.after));
        way.after.clauses = clauses;
    }
    let all: Vec<&Way> = ways.iter().collect();
    whole.clauses = merged(terms, &all, 0, models)?;
    Ok(whole)
}

/// Returns the conditions that not all continuations decide alike.
pub(super) fn conditions_of_forks(ways: &[Way]) -> Vec<Term> {
    let mut all: Vec<Term> = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        for decided in &way.decided {
            let is_everywhere = ways
                .iter()
                .enumerate()
                .all(|(other, known)| other == index || known.decided.contains(decided));
            if !is_everywhere {
                all.push(decided.condition);
            }
        }
    }
    all
}

/// Returns the clauses of continuations with the same decisions before index `at`.
fn merged(
    terms: &Terms,
    ways: &[&Way],
    mut at: usize,
    models: &[Model],
) -> Result<Vec<Term>, Failure> {
    let mut clauses = Vec::new();
    loop {
        let ended = ways.iter().filter(|way| way.decided.len() == at).count();
        if ended == ways.len() {
            for way in ways {
                clauses.extend(way.after.clauses.iter().copied());
            }
            return Ok(clauses);
        }
        if ended > 0 {
            return Err(Failure::Diverged("a path that ended"));
        }
        let first = ways[0].decided[at];
        if ways.iter().any(|way| way.decided[at] != first) {
            clauses.extend(divided(terms, ways, at, models)?);
            return Ok(clauses);
        }
        at += 1;
        if !first.assumed {
            clauses.push(first.condition);
            continue;
        }
        // Without the assumption there is no path.
        let rest = merged(terms, ways, at, models)?;
        clauses.extend(
            rest.into_iter()
                .map(|clause| under(terms, first.condition, clause)),
        );
        return Ok(clauses);
    }
}

/// Returns the clauses of continuations that differ in the decision at index `at`.
fn divided(
    terms: &Terms,
    ways: &[&Way],
    at: usize,
    models: &[Model],
) -> Result<Vec<Term>, Failure> {
    let mut groups: Vec<(Decided, Vec<&Way>)> = Vec::new();
    for way in ways {
        let decided = way.decided[at];
        match groups.iter_mut().find(|group| group.0 == decided) {
            Some(group) => group.1.push(way),
            None => groups.push((decided, vec![way])),
        }
    }
    if groups.iter().any(|group| group.0.assumed) {
        return Err(Failure::Diverged("a choice among assumptions"));
    }
    let any = groups.iter().fold(terms.bool(false), |any, group| {
        terms.or(any, group.0.condition)
    });
    let mut clauses = Vec::new();
    if terms.as_const(any).is_none() && Reason::FollowedSides.counts() {
        clauses.push(any);
    }
    for (decided, group) in &groups {
        for clause in merged(terms, group, at + 1, models)? {
            let holds = |model: &Model| terms.eval(clause, model) == 1;
            // The clause is weaker under its side's condition, but one clause for all sides
            // suffices if it holds for all models.
            clauses.push(if !models.is_empty() && models.iter().all(holds) {
                clause
            } else {
                under(terms, decided.condition, clause)
            });
        }
    }
    Ok(clauses)
}

fn under(terms: &Terms, condition: Term, clause: Term) -> Term {
    terms.or(terms.not(condition), clause)
}

#[cfg(test)]
#[path = "weakest_tests.rs"]
mod tests;
