//! An entry of the table: a point of the program, and the interpolant of a node that stood there.
//! A state at the same point that satisfies it need not be followed.
//!
//! Invariant: "yes" is a proof, everything else is "no". What costs little is looked at first.

use super::figures::Refusal;
use super::frames::{FrameView, Target, target};
use super::interpolant::{Interpolant, ObjectPin, ObjectShape};
use super::places::{Places, Region, region_of};
use super::reasons::Reason;
use crate::expr::{Byte, Node, Substituted, Term, Terms};
use crate::ops::float::Rounding;
use crate::program::FuncId;
use crate::solver::{Check, Oracle};
use crate::state::State;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A point: function, instruction and call of each frame, the outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point(Vec<(FuncId, u32, Option<u32>)>);

impl Point {
    /// Where a state stands; nothing if several threads run.
    pub(super) fn of(state: &State, frames: &FrameView<'_>) -> Option<Self> {
        let has_ticks = state.tick.is_some();
        if has_ticks || state.memory.has_mappings() || state.threads.waiting().next().is_some() {
            return None;
        }
        let places = frames
            .iter()
            .map(|frame| (frame.function, frame.pc, frame.call_site));
        let mut places: Vec<_> = places.collect();
        if !Reason::Callers.counts() {
            let innermost = places.pop().map(|(function, pc, _)| (function, pc, None));
            places = innermost.into_iter().collect();
        }
        Some(Self(places))
    }

    pub(super) fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// What else decides what a state does.
#[derive(Clone, PartialEq, Debug)]
struct Modes {
    rounding: Rounding,
    float_exceptions: u8,
    forking: bool,
    thread: u32,
    /// Bytes of a native stack that the calls take, and the variadic areas of each frame.
    stack_end: u64,
    variadic: Vec<crate::state::VariadicArguments>,
    /// Number, depth of the frame and instruction of each place that `longjmp` may go to.
    jumps: Vec<(u64, usize, u32)>,
}

impl Modes {
    fn of(state: &State, frames: &FrameView<'_>) -> Self {
        let depth = |serial| frames.iter().position(|frame| frame.serial == serial);
        let jumps = state.jump_targets.iter();
        Self {
            rounding: state.rounding,
            float_exceptions: state.float_exceptions,
            forking: state.forking,
            thread: state.threads.running(),
            stack_end: state.frames.top().stack_end,
            variadic: frames.iter().map(|frame| frame.variadic).collect(),
            jumps: jumps
                .filter_map(|(number, jump)| Some((*number, depth(jump.frame)?, jump.pc)))
                .collect(),
        }
    }
}

/// An interpolant at a point.
#[derive(Debug)]
pub(super) struct Entry {
    point: Point,
    modes: Modes,
    /// 1-bit terms; those over few bytes first.
    clauses: Vec<Term>,
    pointers: Vec<(Term, Target)>,
    objects: Vec<(Region, ObjectShape)>,
    absent: Vec<Target>,
    symbolic: Vec<(Term, bool)>,
    bound: Vec<(Byte, Term)>,
    kept: Vec<Term>,
    /// A hash of all that it says.
    fingerprint: u64,
    /// States that it spared.
    pub(super) uses: u64,
    /// Ended paths below the node, with those below what subsumed nodes there.
    pub(super) leaves: u64,
}

/// A state that is asked about, as all entries of its point see it.
pub(super) struct Candidate<'s> {
    pub(super) state: &'s State,
    pub(super) frames: FrameView<'s>,
    modes: Modes,
    known: Substituted,
}

impl<'s> Candidate<'s> {
    pub(super) fn new(state: &'s State) -> Self {
        let frames = FrameView::new(state);
        Self {
            state,
            modes: Modes::of(state, &frames),
            frames,
            known: Substituted::default(),
        }
    }

    /// A term over places as it is in the state.
    fn put(&mut self, terms: &Terms, places: &Places, term: Term) -> Option<Term> {
        let mut missing = false;
        let (state, frames) = (self.state, &self.frames);
        let found = terms.substitute(term, &mut self.known, &mut |byte| {
            let value = places.value(terms, (state, frames), byte);
            value.unwrap_or_else(|| {
                missing = true;
                terms.symbol(byte)
            })
        });
        // What is missing once is missing for all who mention it.
        let is_missing = missing
            || terms
                .support(found)
                .iter()
                .any(|byte| places.place(byte.array).is_some());
        (!is_missing).then_some(found)
    }
}

impl Entry {
    /// The entry for the interpolant of a node with this state.
    pub(super) fn new(
        terms: &Terms,
        (state, frames, point): (&State, &FrameView<'_>, Point),
        interpolant: &Interpolant,
        leaves: u64,
    ) -> Option<Self> {
        let mut clauses = interpolant.clauses.clone();
        clauses.sort_by_key(|clause| terms.support(*clause).len());
        let objects = interpolant.objects.iter().map(|pin| {
            let object = state.memory.object_at(pin.base)?;
            Some((region_of(frames, &object), pin.shape))
        });
        let pointers = interpolant.pointers.iter();
        let pointers: Vec<(Term, Target)> = pointers
            .map(|(term, number)| (*term, target(state, frames, *number)))
            .collect();
        let absent = interpolant.absent.iter();
        let mut hasher = FxHasher::default();
        (&clauses, &pointers, &interpolant.symbolic).hash(&mut hasher);
        (
            &interpolant.bound,
            &interpolant.kept,
            interpolant.objects.len(),
        )
            .hash(&mut hasher);
        Some(Self {
            point,
            modes: Modes::of(state, frames),
            clauses,
            pointers,
            fingerprint: hasher.finish(),
            objects: objects.collect::<Option<_>>()?,
            absent: absent.map(|at| target(state, frames, *at)).collect(),
            symbolic: interpolant.symbolic.clone(),
            bound: interpolant.bound.clone(),
            kept: interpolant.kept.clone(),
            uses: 0,
            leaves,
        })
    }

    /// Calls `visit` for every term.
    pub(super) fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        self.clauses.iter().for_each(|term| visit(*term));
        self.pointers.iter().for_each(|(term, _)| visit(*term));
        self.symbolic.iter().for_each(|(term, _)| visit(*term));
        self.bound.iter().for_each(|(_, term)| visit(*term));
        self.kept.iter().for_each(|term| visit(*term));
    }

    /// Whether two most likely say the same: one of them is enough.
    pub(super) fn says_the_same(&self, other: &Entry) -> bool {
        self.fingerprint == other.fingerprint && self.point == other.point
    }

    /// What it says, in the addresses of a state that it subsumes.
    pub(super) fn interpolant(&self, frames: &FrameView<'_>) -> Option<Interpolant> {
        let pointers = self.pointers.iter();
        let objects = self.objects.iter();
        let absent = self.absent.iter();
        Some(Interpolant {
            clauses: self.clauses.clone(),
            pointers: pointers
                .map(|(term, target)| Some((*term, frames.address(target.0)?)))
                .collect::<Option<_>>()?,
            objects: objects
                .map(|(region, shape)| {
                    let base = frames.address(*region)?;
                    let shape = *shape;
                    Some(ObjectPin { base, shape })
                })
                .collect::<Option<_>>()?,
            absent: absent
                .map(|target| frames.address(target.0))
                .collect::<Option<_>>()?,
            symbolic: self.symbolic.clone(),
            bound: self.bound.clone(),
            kept: self.kept.clone(),
            depends: Vec::new(),
        })
    }

    /// Whether a state at its point satisfies it, or why not. Unless it `may_search`, the oracle is
    /// asked only for what it knows at little cost.
    pub(super) fn admits(
        &mut self,
        terms: &Terms,
        places: &Places,
        (candidate, point): (&mut Candidate<'_>, &Point),
        (oracle, may_search): (&mut dyn Oracle, bool),
    ) -> Result<(), Refusal> {
        let same_modes = self.modes == candidate.modes || !Reason::Modes.counts();
        if self.point != *point || !same_modes {
            return Err(Refusal::Modes);
        }
        let mut asked = Vec::new();
        for index in 0..self.pointers.len() {
            let (term, wanted) = self.pointers[index];
            let number = candidate.frames.address(wanted.0);
            let found = candidate.put(terms, places, term);
            let found = found.ok_or(Refusal::Objects)?;
            match terms.as_const(found) {
                Some(value) if Some(value as u64) == number => {}
                _ => {
                    // What refuses one state is likely to refuse the next.
                    self.pointers[..=index].rotate_right(1);
                    return Err(Refusal::Pointers(term));
                }
            }
        }
        for &(term, symbolic) in &self.symbolic {
            let found = candidate.put(terms, places, term).ok_or(Refusal::Objects)?;
            if terms.as_const(found).is_some() == symbolic {
                return Err(Refusal::Symbolic);
            }
        }
        for index in 0..self.clauses.len() {
            let clause = self.clauses[index];
            let found = candidate
                .put(terms, places, clause)
                .ok_or(Refusal::Objects)?;
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
        let kept = self.matched(terms, places, candidate)?;
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
            let answer = match may_search {
                true => Some(oracle.check(terms, path, model, negation)),
                false => oracle.check_cheaply(terms, path, model, negation),
            };
            match answer {
                Some(Check::Unsat) => {}
                Some(Check::Sat(_)) => return Err(Refusal::Solver(clause)),
                Some(Check::Unknown(_)) | None => return Err(Refusal::Unknown),
            }
        }
        Ok(())
    }

    /// The constraints of the form `core` over the inputs of the state, for inputs of the entry
    /// that give its places the state's values.
    fn matched(
        &self,
        terms: &Terms,
        places: &Places,
        candidate: &mut Candidate<'_>,
    ) -> Result<Vec<Term>, Refusal> {
        let mut found = Matching::default();
        for &(byte, pattern) in &self.bound {
            let place = terms.symbol(byte);
            let value = candidate
                .put(terms, places, place)
                .ok_or(Refusal::Objects)?;
            if !found.matches(terms, pattern, value) {
                return Err(Refusal::Pattern(place));
            }
        }
        let mut known = Substituted::default();
        let mut conditions = Vec::new();
        for &constraint in &self.kept {
            let condition = terms.substitute(constraint, &mut known, &mut |byte| {
                // An input that no place tells may be any: the state's own of that name is one.
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
            if object.base != base || ObjectShape::of(&object) != Some(*shape) {
                return Err(Refusal::Objects);
            }
        }
        for target in &self.absent {
            let address = candidate.frames.address(target.0).ok_or(Refusal::Objects)?;
            if memory.object_at(address).is_some() {
                return Err(Refusal::Objects);
            }
        }
        Ok(())
    }
}

/// Inputs of an entry with the terms of a state that stand for them.
#[derive(Default)]
struct Matching {
    inputs: FxHashMap<Byte, Term>,
}

impl Matching {
    /// Whether a term is a pattern with terms in place of its inputs, the same wherever an input
    /// is mentioned; notes which.
    fn matches(&mut self, terms: &Terms, pattern: Term, value: Term) -> bool {
        let mut work = vec![(pattern, value)];
        let mut seen = FxHashSet::default();
        while let Some((pattern, value)) = work.pop() {
            if !seen.insert((pattern, value)) {
                continue;
            }
            match (terms.node(pattern), terms.node(value)) {
                (Node::Symbol(byte), _) => {
                    if *self.inputs.entry(byte).or_insert(value) != value {
                        return false;
                    }
                }
                (Node::Const { .. }, _) if pattern != value => return false,
                (Node::Const { .. }, _) => {}
                (pattern, value) => {
                    if !alike(pattern, value) {
                        return false;
                    }
                    let mut parts = (Vec::new(), Vec::new());
                    pattern.for_each_operand(|operand| parts.0.push(operand));
                    value.for_each_operand(|operand| parts.1.push(operand));
                    work.extend(parts.0.into_iter().zip(parts.1));
                }
            }
        }
        true
    }
}

/// Whether two terms have the same operator.
fn alike(a: Node, b: Node) -> bool {
    match (a, b) {
        (Node::Bin(a, ..), Node::Bin(b, ..)) => a == b,
        (Node::Cmp(a, ..), Node::Cmp(b, ..)) => a == b,
        (Node::Not(_), Node::Not(_)) | (Node::Ite(..), Node::Ite(..)) => true,
        (Node::Concat(..), Node::Concat(..)) => true,
        (Node::Zext { width: a, .. }, Node::Zext { width: b, .. }) => a == b,
        (Node::Sext { width: a, .. }, Node::Sext { width: b, .. }) => a == b,
        (
            Node::Extract {
                low: a, width: c, ..
            },
            Node::Extract {
                low: b, width: d, ..
            },
        ) => (a, c) == (b, d),
        (Node::Table(a, _), Node::Table(b, _)) => a == b,
        (Node::Float(a, _), Node::Float(b, _)) => a == b,
        _ => false,
    }
}
